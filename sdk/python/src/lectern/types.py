"""The models of requests and answers, made from `openapi.json`."""

from ._generated.models import *  # noqa: F403
