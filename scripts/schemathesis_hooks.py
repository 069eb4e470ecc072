"""Adds rules for valid requests that the API's schema cannot express, for schemathesis (see fuzz_api.py).

The server should accept every case that is valid by the schema. Some rules only the server can check: a cursor must come from a
list, and a text must contain something that can be spoken, in a language of the e-reader. Valid cases get a value that the server
accepts there. Cases that are meant to be invalid are left unchanged.

Some calls end the session that all others need: signing out, and ending a listed session, which may be the current one. So with
LECTERN_FUZZ_SIGN_IN, a request that gets a 401 signs in again. The responses are noted in the file LECTERN_FUZZ_ANSWERS.
"""

import json
import os
import re
import urllib.parse
import urllib.request

import schemathesis
from schemathesis import GenerationMode

ANSWERS = os.environ.get("LECTERN_FUZZ_ANSWERS")
# Audio URLs must be signed by the service.
MEDIA = urllib.parse.urlsplit(os.environ.get("LECTERN_FUZZ_MEDIA", ""))
MATERIAL = re.compile("mat_[0-9a-f]{32}")
SIGN_IN = json.loads(os.environ.get("LECTERN_FUZZ_SIGN_IN", "null"))
# The duration of a text does not follow from its length: 5,000 digits take three quarters of an
# hour.
LONGEST = 180
noted = set()


def speakable(text):
    """The start of the text after enough English that most letters are Latin."""
    text = text[:LONGEST]
    return "Well. " * (1 + len(text) // 4) + text


class Session:
    """Signs in. After a 401, schemathesis calls this again and repeats the request."""

    def get(self, _case, _context):
        body = json.dumps({"email": SIGN_IN["email"], "password": SIGN_IN["password"]}).encode()
        request = urllib.request.Request(SIGN_IN["url"], body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)["session_token"]

    def set(self, case, token, _context):
        case.headers["Authorization"] = f"Bearer {token}"


if SIGN_IN:
    schemathesis.auth(retry_on=[401])(Session)


@schemathesis.hook
def after_call(_context, case, response):
    answer = f"{case.operation.method.upper()} {case.operation.path} {response.status_code}"
    if ANSWERS and answer not in noted:
        noted.add(answer)
        with open(ANSWERS, "a", encoding="utf-8") as answers:
            answers.write(f"{answer}\n")


@schemathesis.hook
def before_call(_context, case, _kwargs):
    # The web application's operations are the API's, with a session.
    operation = case.operation.definition.raw.get("operationId").removeprefix("web_")
    if operation == "follow_material" and MATERIAL.fullmatch(str(case.path_parameters["id"])):
        # The stream of an existing material stays open until the material changes, even if other
        # parts of the case are invalid.
        case.path_parameters["id"] = f"mat_{'0' * 32}"
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if isinstance(case.path_parameters, dict) and "slug" in case.path_parameters:
        case.path_parameters["slug"] = "heart"
    if operation == "get_media" and MEDIA.path:
        case.path_parameters["object"] = MEDIA.path.removeprefix("/media/")
        case.query |= dict(urllib.parse.parse_qsl(MEDIA.query))
    if operation == "create_material" and isinstance(case.body, dict) and "file" in case.body:
        # The kind of a file is detected from its bytes, and random bytes are rarely a document.
        case.body["file"] = b"Some words, and some more."
    if operation == "create_material" and case.headers:
        # A key that was used before replays the first response, and the material may be deleted
        # since.
        case.headers.pop("Idempotency-Key", None)
    if isinstance(case.query, dict):
        # Cursors must be signed by the service.
        case.query.pop("cursor", None)
        # A period starts before it ends and has a maximum length.
        if "from" in case.query:
            case.query["from"] = "2026-11-01"
        if "to" in case.query:
            case.query["to"] = "2026-12-01"
    if isinstance(case.body, dict) and isinstance(case.body.get("text"), str):
        case.body["text"] = speakable(case.body["text"])
        if "language" in case.body:
            # The languages depend on the e-reader.
            case.body["language"] = "en-US"
    if isinstance(case.body, dict) and isinstance(case.body.get("input"), str):
        case.body["input"] = speakable(case.body["input"])
    if operation == "convert_material" and isinstance(case.body, dict):
        # The languages depend on the e-reader, and the material may be in any.
        case.body["language"] = "en-US"
    if isinstance(case.body, dict) and "expires_at" in case.body:
        # A key must expire in the future.
        case.body["expires_at"] = "2099-01-01T00:00:00Z"
    if operation == "create_purchase":
        # The packs for sale are configured.
        case.body["pack_id"] = "100000"
    if operation == "forgot_password":
        # A pattern cannot describe all valid addresses.
        case.body["email"] = "ada@example.com"
