#!/usr/bin/env python3
"""Runs the README's tour unchanged against a private server.

usage: readme_tour.py LECTERN

The tour's only ```sh block runs in an empty folder in which target/quick/lectern is LECTERN; nothing of it is changed but the
address of the server. Exits 1 when a command fails or the tour does not end where the README says.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from environment import clean_environment

TOP = pathlib.Path(__file__).resolve().parent.parent
ADDRESS = "127.0.0.1:8080"


def said_in_order(output, words):
    """Whether the words occur in the output in this order."""
    return re.search(".*".join(map(re.escape, words)), output, re.DOTALL) is not None


def chapters_of(path):
    """The chapter titles of an audiobook, from ffprobe."""
    probe = ["ffprobe", "-v", "error", "-show_chapters", "-of", "json", str(path)]
    found = subprocess.run(probe, capture_output=True, text=True)
    return [chapter["tags"]["title"] for chapter in json.loads(found.stdout or "{}").get("chapters", [])]


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    (block,) = re.findall(r"^```sh\n(.*?)^```", (TOP / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    with tempfile.TemporaryDirectory(prefix="lectern-tour.") as folder:
        built = pathlib.Path(folder, "target/quick")
        built.mkdir(parents=True)
        (built / "lectern").symlink_to(binary)
        pathlib.Path(folder, "docs").symlink_to(TOP / "docs")
        environment = clean_environment()
        free = {"LECTERN_HTTP__LISTEN": "127.0.0.1:0", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
        with open(pathlib.Path(folder, "log"), "wb") as log:
            server = subprocess.Popen(
                [binary, "serve"], cwd=folder, env=environment | free, stdout=subprocess.PIPE, stderr=log
            )
        try:
            line = server.stdout.readline()
            if not line:
                sys.exit(f"the server did not start:\n{pathlib.Path(folder, 'log').read_text()}")
            threading.Thread(target=server.stdout.read, daemon=True).start()
            tour = "set -euo pipefail\n" + block.replace(ADDRESS, json.loads(line)["listening"])
            done = subprocess.run(
                ["bash", "-c", tour], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
            )
        finally:
            server.terminate()
            server.wait(timeout=30)
        sound = [pathlib.Path(folder, name) for name in ("out.mp3", "stream.mp3")]
        spoke = all(file.exists() and file.stat().st_size > 5_000 for file in sound)
        chapters = chapters_of(pathlib.Path(folder, "book.m4b"))
        captions = pathlib.Path(folder, "book.vtt")
        captions = captions.read_text() if captions.exists() else ""
    ends = [
        '"email_confirmation":"sent"',
        "eyJ",
        "consent_required",
        '"available":5000',
        "insufficient_scope",
        '"kind":"charge","credits":-33',
        '"credits_held":',
        "event: material.ready",
        "event: chunk.completed",
        "event: material.completed",
        '"status":"revoked"',
        "api_key_revoked",
    ]
    if done.returncode or not spoke or not said_in_order(done.stdout, ends):
        sys.exit(f"the README's tour failed ({done.returncode}, audio: {spoke})\n{done.stdout}\n{done.stderr}")
    if chapters != ["One: The Lamp", "Two: The Letter", "Three: The Fog"]:
        sys.exit(f"the README's audiobook has these chapters: {chapters}")
    if not captions.startswith("WEBVTT\n") or "hundred and twelve steps" not in captions.replace("\n", " "):
        sys.exit(f"the README's captions are wrong:\n{captions[:1000]}")
    print("The README's tour works, word for word.")


if __name__ == "__main__":
    main()
