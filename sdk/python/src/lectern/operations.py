"""Every operation of the API, for `client.request`."""

from ._generated.operations import *  # noqa: F403
