"""What the API's schema cannot say of a valid request, for schemathesis (see fuzz_api.py).

A case that is valid by the schema is expected to be accepted. Where only the server can tell (a cursor is one that a list gave;
a text has something in it that can be spoken, in a language that the e-reader has), the valid cases are given a value that it takes. Cases that are
meant to be invalid pass as they are.
"""

import schemathesis
from schemathesis import GenerationMode


@schemathesis.hook
def before_call(_context, case, _kwargs):
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if isinstance(case.path_parameters, dict) and "slug" in case.path_parameters:
        case.path_parameters["slug"] = "heart"
    # The web application's operations are the API's, for who is signed in.
    operation = case.operation.definition.raw.get("operationId").removeprefix("web_")
    if operation == "follow_material":
        # The stream of a material that is there goes on until something becomes of it.
        case.path_parameters["id"] = f"mat_{'0' * 32}"
    if operation == "create_material" and isinstance(case.body, dict) and "file" in case.body:
        # What a file is, is told by its bytes, and most bytes are nothing that can be read.
        case.body["file"] = b"Some words, and some more."
    if operation == "create_material" and case.headers:
        # Under a key that was used before, the answer is that of then, and the material may be deleted since.
        case.headers.pop("Idempotency-Key", None)
    if isinstance(case.query, dict):
        # Cursors are signed: none but those that a list gave are taken.
        case.query.pop("cursor", None)
        # A span has a beginning before its end, and a greatest length.
        if "from" in case.query:
            case.query["from"] = "2026-11-01"
        if "to" in case.query:
            case.query["to"] = "2026-12-01"
    if isinstance(case.body, dict) and isinstance(case.body.get("text"), str):
        case.body["text"] = f"Well. {case.body['text']}"[:5000]
        if "language" in case.body:
            # Which languages an e-reader has is in its own `languages`.
            case.body["language"] = "en-US"
    if isinstance(case.body, dict) and isinstance(case.body.get("input"), str):
        case.body["input"] = f"Well. {case.body['input']}"[:5000]
    if isinstance(case.body, dict) and "expires_at" in case.body:
        # A key's end must lie in the future.
        case.body["expires_at"] = "2099-01-01T00:00:00Z"
    if operation == "create_purchase":
        # What is for sale is configuration.
        case.body["pack_id"] = "100000"
    if operation == "forgot_password":
        # What an address may look like is more than a pattern tells.
        case.body["email"] = "ada@example.com"
