"""Adds rules for valid requests that the API's schema cannot express, for schemathesis (see fuzz_api.py).

The server should accept every case that is valid by the schema. Some rules only the server can check: a cursor must come from a
list, and a text must contain something that can be spoken, in a language of the e-reader. Valid cases get a value that the server
accepts there. Cases that are meant to be invalid are left unchanged.

Some calls end the session that all others need: signing out, and ending a listed session, which may be the current one. So with
LECTERN_FUZZ_SIGN_IN, a request that gets a 401 signs in again. The responses are noted in the file LECTERN_FUZZ_ANSWERS.
"""

import base64
import datetime
import json
import os
import re
import urllib.parse
import urllib.request
from xml.sax.saxutils import escape

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
# Both formats that have bit rates have this one, at every sample rate.
COMMON_KBPS = 64
# In bytes: schemathesis would put a text into an element of its own.
PLS = b"""<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en">
<lexeme><grapheme>Ines</grapheme><phoneme>in</phoneme></lexeme></lexicon>"""
# A picture of one pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"
)
noted = set()


def speakable(text, text_type):
    """The start of the text after enough English that most letters are Latin; in SSML, one element of it."""
    text = text[:LONGEST]
    text = "Well. " * (1 + len(text) // 4) + text
    if text_type != "ssml":
        return text
    return f"<speak>{escape(''.join(filter(is_of_xml, text)))}</speak>"


def is_of_xml(character):
    """Whether XML may have this character."""
    is_surrogate = "\ud800" <= character <= "\udfff"
    return character in "\t\n\r" or (character >= " " and character not in "\ufffe\uffff" and not is_surrogate)


def agreeing(body):
    """Leaves out the rates that do not go with the format."""
    chosen = body.get("format", body.get("response_format", "mp3"))
    if chosen == "opus":
        body.pop("sample_rate_hz", None)
    if chosen not in ("mp3", "opus"):
        body.pop("bitrate_kbps", None)
    elif "bitrate_kbps" in body:
        body["bitrate_kbps"] = COMMON_KBPS


def lexicon(case):
    """Entries with words and sounds, which a pattern cannot describe. Only a file has something in its URL."""
    if isinstance(case.body, dict):
        case.body["entries"] = [{"word": "Ines", "ipa": "i\u02c8n\u025bs"}, {"word": "Dr. No", "alias": "doctor no"}]
        for name in ("name", "language", "default"):
            case.query.pop(name, None)
    else:
        case.body = PLS
        case.query["language"] = "en"


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
    if isinstance(case.path_parameters, dict) and "voice_id" in case.path_parameters:
        case.path_parameters["voice_id"] = "heart"
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
        case.query.pop("next_page_token", None)
        # A period starts before it ends and has a maximum length.
        if "from" in case.query:
            case.query["from"] = "2026-11-01"
        if "to" in case.query:
            case.query["to"] = "2026-12-01"
    if isinstance(case.body, dict) and isinstance(case.body.get("text"), str):
        case.body["text"] = speakable(case.body["text"], case.body.get("text_type"))
        if case.body.get("text_type") == "ssml":
            # SSML has an element for that.
            case.body.pop("speakers", None)
        if "language" in case.body:
            # The languages depend on the e-reader.
            case.body["language"] = "en-US"
        if case.body.get("language_code") is not None:
            case.body["language_code"] = "en"
        if case.body.get("pronunciation_dictionary_locators"):
            # No lexicon has an id that was made up.
            case.body["pronunciation_dictionary_locators"] = []
    if isinstance(case.body, dict) and isinstance(case.body.get("input"), str):
        case.body["input"] = speakable(case.body["input"], case.body.get("input_type"))
    if operation == "convert_material" and isinstance(case.body, dict):
        # The languages depend on the e-reader, and the material may be in any.
        case.body["language"] = "en-US"
        if "chunks" in case.body:
            # Chunks are named by themselves, and not while the text is divided anew.
            case.body.pop("chapters", None)
            case.body.pop("notes", None)
        else:
            # Only named chunks are spoken again.
            case.body.pop("again", None)
    if operation == "update_material" and isinstance(case.body, dict) and case.body.get("isbn"):
        # Its check digit must be right.
        case.body["isbn"] = "978-0-306-40615-7"
    if operation == "update_material" and isinstance(case.body, dict) and case.body.get("series_index"):
        # "Two decimals" would be `multipleOf: 0.01`, by which clients that divide doubles refuse 4.35.
        case.body["series_index"] = round(case.body["series_index"], 2)
    if operation == "set_chunk_text":
        case.body = "Well. It was a day by the sea."
    if operation == "set_cover":
        case.body = PNG
    if isinstance(case.body, dict) and "lexicon_ids" in case.body:
        # No lexicon has an id that was made up.
        case.body["lexicon_ids"] = []
    if isinstance(case.body, dict) and case.body.keys() & {"bitrate_kbps", "sample_rate_hz"}:
        agreeing(case.body)
    if operation == "set_cast" and isinstance(case.body, dict):
        # Names must differ, and the ids of e-readers must be some.
        case.body["speakers"] = [{"name": "Ines", "ereader_id": None}]
    if operation in ("create_lexicon", "replace_lexicon"):
        lexicon(case)
    if isinstance(case.body, dict) and "expires_at" in case.body:
        # A key must expire in the future, and not after the calling key.
        in_an_hour = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
        case.body["expires_at"] = in_an_hour.isoformat()
    if operation == "roll_key" and isinstance(case.body, dict):
        # The key that the trial itself uses is in the list of keys, and must go on working.
        case.body["previous_ends_in_seconds"] = 604_800
    if operation == "create_purchase":
        # The packs for sale are configured.
        case.body["pack_id"] = "100000"
        case.body.pop("credits", None)
    if operation == "forgot_password":
        # A pattern cannot describe all valid addresses.
        case.body["email"] = "ada@example.com"
