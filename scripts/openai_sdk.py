#!/usr/bin/env python3
"""Calls a real server with OpenAI's own Python and JavaScript SDKs, unchanged: speech in every format, streamed and whole,
models, errors.

usage: openai_sdk.py LECTERN NODE_TOOLS

Starts LECTERN on free ports with a store of its own and the real voice. NODE_TOOLS is a folder in which `npm ci` has installed
scripts/webhook_guide. Needs the packages of scripts/test_requirements.txt and ffmpeg, which decodes what comes. Exits 1 with the
first thing that is not as it should be.
"""

import array
import asyncio
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import openai

from fuzz_api import TOP, Server

TEXT = "The lamp was lit before the storm came over the hill."
# About as long as a reader needs for the text.
SECONDS = (2.0, 6.0)
LONG = " ".join([TEXT] * 12)
RATE = 24_000


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def samples(audio, raw=False):
    """The audio as decoded by ffmpeg."""
    form = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]
    command = ["ffmpeg", "-v", "error", *(form if raw else []), "-i", "-", *form, "-"]
    decoded = subprocess.run(command, input=audio, capture_output=True, check=False)
    check(decoded.returncode == 0 and not decoded.stderr, f"ffmpeg decodes it: {decoded.stderr.decode()}")
    return array.array("h", decoded.stdout)


def check_speech(audio, what, raw=False, times=1):
    """Checks that audio has about the right length and is neither silent nor clipped."""
    heard = samples(audio, raw)
    seconds = len(heard) / RATE
    check(SECONDS[0] * times < seconds < SECONDS[1] * times, f"{what} lasts {seconds:.1f} s")
    level = (sum(sample * sample for sample in heard) / len(heard)) ** 0.5
    check(600 < level < 12_000, f"{what} has a level of {level:.0f}")


def check_formats(client):
    for form in ["mp3", "opus", "flac", "wav", "pcm"]:
        speech = client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT, response_format=form)
        check_speech(speech.content, form, raw=form == "pcm")
    usual = client.audio.speech.create(
        model="gpt-4o-mini-tts", voice="heart", input=TEXT, speed=1.5, instructions="Softly.", stream_format="audio"
    )
    check(usual.content.startswith(b"ID3"), "MP3 is what comes unasked")
    check(usual.response.headers["lectern-ignored"] == "instructions", "it is said what was not followed")


def check_streaming(client):
    started = time.monotonic()
    first = None
    audio = b""
    speech = client.audio.speech.with_streaming_response
    with speech.create(model="lectern", voice="heart", input=LONG, response_format="wav") as response:
        for chunk in response.iter_bytes():
            first = first or time.monotonic() - started
            audio += chunk
    whole = time.monotonic() - started
    check_speech(audio, "a stream", times=12)
    # One sentence of twelve; the server starts the second one at once.
    check(first < whole / 2, f"the first bytes came after {first:.2f} s of {whole:.2f} s")
    print(f"first bytes after {first:.2f} s, the last after {whole:.2f} s ({len(LONG)} characters, debug build)")


def check_models(client):
    names = [model.id for model in client.models.list()]
    check(names[0] == "lectern" and "tts-1" in names, f"models are listed: {names}")
    check(client.models.retrieve("lectern").owned_by == "lectern", "a model can be had")


def refused(kind, status, code, call):
    try:
        call()
    except kind as error:
        check((error.status_code, error.code) == (status, code), f"{error.status_code} {error.code}")
        check(error.body["message"] in str(error), "the message is shown")
    else:
        check(False, f"{code} is refused")


def check_errors(url, client, poor):
    def speak(key=None, **other):
        speaker = client if key is None else openai.OpenAI(base_url=url, api_key=key, max_retries=0)
        return lambda: speaker.audio.speech.create(**{"model": "tts-1", "voice": "alloy", "input": TEXT, **other})

    refused(openai.AuthenticationError, 401, "invalid_api_key", speak(key="sk-not-a-key-of-this-service"))
    refused(openai.APIStatusError, 402, "insufficient_balance", speak(key=poor))
    refused(openai.NotFoundError, 404, "ereader_not_found", speak(voice="nobody"))
    refused(openai.PermissionDeniedError, 403, "ereader_tier_not_available", speak(voice="alma"))
    unprocessable = openai.UnprocessableEntityError
    refused(unprocessable, 422, "validation_failed", speak(response_format="aac"))
    refused(unprocessable, 422, "validation_failed", speak(speed=4.0))
    refused(unprocessable, 422, "text_too_long", speak(input="a" * 5_001))
    refused(openai.NotFoundError, 404, "not_found", lambda: client.models.retrieve("gpt-5"))


async def check_async(url, key):
    async with openai.AsyncOpenAI(base_url=url, api_key=key) as client:
        made = await asyncio.gather(
            *(client.audio.speech.create(model="tts-1", voice="heart", input=TEXT) for _ in range(3))
        )
        check(made[0].content == made[1].content == made[2].content, "the same request gives the same bytes")


def check_javascript(url, rich, poor, tools, folder):
    """The other SDK, from a program of its own; it is found through NODE_PATH."""
    own = {"NODE_PATH": str(tools / "node_modules"), "OPENAI_BASE_URL": url, "OPENAI_API_KEY": rich, "POOR_KEY": poor}
    subprocess.run(["node", str(TOP / "scripts/openai_sdk.cjs"), folder], env=os.environ | own, check=True, timeout=120)
    for form in ["mp3", "opus", "flac", "wav", "pcm"]:
        check_speech((folder / f"speech.{form}").read_bytes(), f"{form} from JavaScript", raw=form == "pcm")


def main():
    binary, tools = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="lectern-sdk.") as folder:
        with Server(binary, pathlib.Path(folder)) as server:
            rich = server.admin("invite", "create", "--email", "rich@example.com", "--credits", "100000")
            poor = server.admin("invite", "create", "--email", "poor@example.com", "--credits", "10")
            url = f"{server.url}/v1"
            client = openai.OpenAI(base_url=url, api_key=rich["live_key"], max_retries=0, timeout=60)
            check_models(client)
            check_formats(client)
            check_streaming(client)
            check_errors(url, client, poor["live_key"])
            asyncio.run(check_async(url, rich["test_key"]))
            check_javascript(url, rich["live_key"], poor["live_key"], tools, pathlib.Path(folder))
            spent = server.admin("ledger", "verify")
            check(spent["ok"], f"the ledger adds up: {spent}")


if __name__ == "__main__":
    main()
