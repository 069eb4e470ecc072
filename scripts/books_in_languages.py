#!/usr/bin/env python3
"""Turns a small book of each language into an audiobook through the service, with voices of Kokoro, and looks at the result.

usage: books_in_languages.py LECTERN [LANGUAGE…]

The books are those of crates/documents/tests/fixtures/languages. For each, the voice is the first of those that the catalogue
offers for the book's language, as the pages offer it. It checks that the material has that language and no warning, that every
chunk is spoken, that the M4B has the book's chapters, title and author, and that the captions fit: in order, inside the audio,
with the book's own words, and no line that is too wide. Exits 1 with what is wrong.
"""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
import urllib.error
import urllib.request
import uuid
import zipfile

from environment import clean_environment

TOP = pathlib.Path(__file__).resolve().parent.parent
BOOKS = TOP / "crates/documents/tests/fixtures/languages"
PATIENCE_S = 900
WIDEST = 42  # columns of a caption's line
MULTIPART = "lectern-books"


class Service:
    """A private service with all voices, and the demo account's key."""

    def __init__(self, binary, folder):
        free = {"LECTERN_HTTP__LISTEN": "127.0.0.1:0", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
        voices = {name: os.environ[name] for name in ("LECTERN_SPEECH__VOICES_DIR",) if name in os.environ}
        self.environment = clean_environment() | free | voices
        self.log = open(pathlib.Path(folder, "log"), "wb")
        self.server = subprocess.Popen(
            [binary, "serve", "--demo"], cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        lines = []
        ready = threading.Event()

        def read():
            for line in self.server.stdout:
                lines.append(line)
                if line.startswith("{"):
                    ready.set()

        threading.Thread(target=read, daemon=True).start()
        if not ready.wait(PATIENCE_S):
            sys.exit(f"the service did not start: {''.join(lines)}")
        self.address = json.loads(next(line for line in lines if line.startswith("{")))["listening"]
        deadline = time.monotonic() + 30
        while not (key := re.search(r"\bsvc_live_\w+", "".join(lines))) and time.monotonic() < deadline:
            time.sleep(0.2)
        if not key:
            sys.exit("the service printed no key of the demo account")
        self.key = key[0]

    def ask(self, method, path, body=None, kind="application/json"):
        data = json.dumps(body).encode() if kind == "application/json" and body is not None else body
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": kind, "Idempotency-Key": str(uuid.uuid4())}
        request = urllib.request.Request(f"http://{self.address}/v1/saas{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}")

    def get(self, path):
        return json.loads(self.ask("GET", path))

    def upload(self, book):
        part = f'--{MULTIPART}\r\nContent-Disposition: form-data; name="file"; filename="{book.name}"\r\n\r\n'
        body = part.encode() + book.read_bytes() + f"\r\n--{MULTIPART}--\r\n".encode()
        return json.loads(self.ask("POST", "/materials", body, f"multipart/form-data; boundary={MULTIPART}"))

    def close(self):
        self.server.terminate()
        self.server.wait(60)
        self.log.close()


def wait_for(look, is_done, what, every_s=1):
    deadline = time.monotonic() + PATIENCE_S
    while not is_done(found := look()):
        if time.monotonic() > deadline:
            sys.exit(f"{what} did not end: {found}")
        time.sleep(every_s)
    return found


def width(text):
    """The columns of a line: a character of China or Japan has two, a vowel sign of Devanagari none of its own."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.category(c).startswith("M") for c in text)


def seconds(stamp):
    hours, minutes, rest = stamp.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest.replace(",", "."))


def letters(text):
    return [c for c in unicodedata.normalize("NFKC", text) if c.isalnum()]


def check_captions(srt, text, duration_s):
    """What is wrong with captions, as sentences."""
    wrong, last, heard = [], 0.0, []
    for cue in re.split(r"\n\s*\n", srt.strip()):
        _, times, *lines = cue.splitlines()
        begin, end = (seconds(stamp) for stamp in times.split(" --> "))
        if not last - 0.01 <= begin <= end <= duration_s + 0.1:
            wrong.append(f"a caption from {begin} to {end} s after {last} of {duration_s} s")
        last = end
        wrong += [f"a line of {width(line)} columns: {line}" for line in lines if width(line) > WIDEST]
        heard += letters("".join(lines))
    if heard != letters(text):
        at = next((i for i, (a, b) in enumerate(zip(heard, letters(text))) if a != b), min(len(heard), len(letters(text))))
        wrong.append(f"the captions differ from the text at letter {at}: {''.join(heard[at : at + 20])!r}")
    return wrong


def convert(service, book, folder):
    """Converts a book and returns what is wrong, as sentences."""
    path = f"/materials/{service.upload(book)['id']}"
    material = wait_for(lambda: service.get(path), lambda found: found["status"] != "processing", book.name)
    if material["status"] == "failed":
        return [f"it cannot be read: {material}"]
    language = material["language"]
    wrong = [] if language.split("-")[0] == book.stem.split("-")[0] else [f"its language is {language}"]
    wrong += [f"warning: {warning['message']}" for warning in material["warnings"]]
    voices = service.get(f"/ereaders?language={language}&engine=kokoro")["data"]
    if not voices:
        return [*wrong, f"no voice is offered for {language}"]
    service.ask("POST", f"{path}/convert", {"ereader_id": voices[0]["id"], "format": "mp3"})
    done = wait_for(lambda: service.get(path), lambda found: found["status"] not in ("ready", "converting"), book.name)
    if done["status"] != "completed":
        return [*wrong, f"the conversion ended {done['status']}: {done}"]
    made = pathlib.Path(folder, f"{book.stem}.m4b")
    made.write_bytes(service.ask("GET", f"{path}/audio?format=m4b"))
    probe = ["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", str(made)]
    found = json.loads(subprocess.run(probe, capture_output=True, text=True, check=True).stdout)
    titles = [chapter["tags"]["title"] for chapter in found["chapters"]]
    tags, duration_s = found["format"]["tags"], float(found["format"]["duration"])
    if len(titles) != 2:
        wrong.append(f"its chapters are {titles}")
    with zipfile.ZipFile(book) as archive:
        package = archive.read("OEBPS/content.opf").decode()
    for tag, element in (("title", "dc:title"), ("artist", "dc:creator")):
        said = html.unescape(re.search(rf"<{element}[^>]*>([^<]+)<", package)[1])
        if tags.get(tag) != said:
            wrong.append(f"its {tag} is {tags.get(tag)!r}, and the book says {said!r}")
    wrong += check_captions(service.ask("GET", f"{path}/captions?format=srt").decode(), text_of(book), duration_s)
    print(f"{book.stem}: {voices[0]['slug']}, {duration_s:.0f} s, {titles}, {'; '.join(wrong) or 'right'}", flush=True)
    return wrong


def text_of(book):
    """The text of a book's chapters, without its markup."""
    with zipfile.ZipFile(book) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".xhtml") and "nav" not in name)
        pages = [archive.read(name).decode() for name in names]
    bodies = [re.search(r"<body.*</body>", page, re.DOTALL)[0] for page in pages]
    return html.unescape(re.sub(r"<rt>.*?</rt>|<[^>]+>", "", "".join(bodies)))


def main():
    binary, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    books = sorted(book for book in BOOKS.glob("*.epub") if not wanted or book.stem in wanted)
    if not books:
        sys.exit(f"there is no book in {BOOKS}")
    with tempfile.TemporaryDirectory(prefix="lectern-books.") as folder:
        service = Service(binary, folder)
        try:
            wrong = {book.stem: found for book in books if (found := convert(service, book, folder))}
        finally:
            service.close()
    for language, found in wrong.items():
        print(f"{language}: {'; '.join(found)}", file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
