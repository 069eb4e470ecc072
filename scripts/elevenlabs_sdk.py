#!/usr/bin/env python3
"""Calls a real server with ElevenLabs' own Python and JavaScript SDKs, unchanged: speech whole, streamed and with times, voices,
models, credits, errors.

usage: elevenlabs_sdk.py LECTERN NODE_TOOLS

Starts LECTERN on free ports with a store of its own and the real voice. NODE_TOOLS is a folder in which `npm ci` has installed
scripts/webhook_guide. Needs the packages of scripts/test_requirements.txt and ffmpeg, which decodes what comes. Exits 1 with the
first thing that is not as it should be.
"""

import asyncio
import base64
import os
import pathlib
import subprocess
import sys
import tempfile

import elevenlabs
from elevenlabs.client import AsyncElevenLabs, ElevenLabs
from elevenlabs.core.api_error import ApiError

from fuzz_api import TOP, Server
from openai_sdk import TEXT, check, check_speech


def check_speaking(client):
    speech = client.text_to_speech
    usual = b"".join(speech.convert("heart", text=TEXT))
    check_speech(usual, "MP3")
    for form in ["mp3_22050_32", "opus_48000_64", "wav_22050"]:
        check_speech(b"".join(speech.convert("heart", text=TEXT, output_format=form)), form)
    settings = elevenlabs.VoiceSettings(stability=0.5, similarity_boost=0.75, style=0.0, use_speaker_boost=True, speed=1.1)
    raw = speech.stream(
        "heart",
        text=TEXT,
        output_format="pcm_24000",
        model_id="eleven_multilingual_v2",
        language_code="en",
        voice_settings=settings,
        seed=7,
        previous_text="Before.",
        next_text=None,
        optimize_streaming_latency=3,
    )
    check_speech(b"".join(raw), "raw samples", raw=True)


def check_times(client):
    speech = client.text_to_speech
    whole = speech.convert_with_timestamps("heart", text=TEXT, output_format="pcm_24000")
    audio = base64.b64decode(whole.audio_base_64)
    check_speech(audio, "audio with times", raw=True)
    alignment = whole.alignment
    check("".join(alignment.characters) == TEXT, "each character has a time")
    ends = alignment.character_end_times_seconds
    check(ends == sorted(ends), "times go on")
    check(abs(ends[-1] - len(audio) / 48_000) < 0.05, f"the last one is the end: {ends[-1]}")
    two = f"{TEXT} {TEXT}"
    lines = list(speech.stream_with_timestamps("heart", text=two, output_format="pcm_24000"))
    check_speech(b"".join(base64.b64decode(line.audio_base_64) for line in lines), "lines of audio", raw=True)
    told = [line.alignment for line in lines if line.alignment]
    check(len(told) > 1, "times come sentence by sentence")
    check("".join(character for one in told for character in one.characters) == two, "and each character has one")
    starts = [start for one in told for start in one.character_start_times_seconds]
    check(starts == sorted(starts), "which goes on from line to line")


def check_realtime(client):
    """The SDK's own WebSocket client, with text as a language model gives it."""
    pieces = (TEXT[at : at + 7] for at in range(0, len(TEXT), 7))
    spoken = client.text_to_speech.convert_realtime(
        "heart",
        text=pieces,
        model_id="eleven_flash_v2_5",
        output_format="pcm_24000",
        voice_settings=elevenlabs.VoiceSettings(speed=1.0, stability=0.5),
    )
    check_speech(b"".join(spoken), "speech of a socket", raw=True)
    try:
        list(client.text_to_speech.convert_realtime("nobody", text=iter([TEXT]), model_id="x"))
    except ApiError as error:
        check(error.status_code == 1008 and "ereader_not_found" in str(error.body), f"{error.status_code} {error.body}")
    else:
        check(False, "an unknown voice is refused on a socket")


def check_lists(client):
    voices = client.voices.get_all(show_legacy=True).voices
    heart = next(voice for voice in voices if voice.name == "Heart")
    check(client.voices.get(heart.voice_id).name == "Heart", "a voice can be had by its id")
    page = client.voices.search(page_size=1)
    rest = client.voices.search(page_size=1, next_page_token=page.next_page_token)
    check(page.has_more and page.voices[0].voice_id != rest.voices[0].voice_id, "voices come in pages")
    check(client.voices.search(search="heart").voices[0].voice_id == heart.voice_id, "a voice is found")
    models = client.models.list()
    check(models[0].model_id == "lectern" and models[0].languages[0].language_id, f"models are listed: {models}")
    credits = client.user.subscription.get()
    check(credits.character_limit > credits.character_count >= 0, f"credits are shown: {credits}")
    check(client.user.get().subscription.tier == "free", "the account is shown")


def refused(status, code, call):
    try:
        call()
    except ApiError as error:
        detail = error.body["detail"]
        check((error.status_code, detail["status"]) == (status, code), f"{error.status_code} {detail}")
        check(detail["message"] == error.body["error"]["message"], "the message is the envelope's")
    else:
        check(False, f"{code} is refused")


def check_errors(url, client, poor):
    def say(speaker=client, voice="heart", **other):
        return lambda: list(speaker.text_to_speech.convert(voice, **{"text": TEXT, **other}))

    refused(401, "invalid_api_key", say(ElevenLabs(base_url=url, api_key="not-a-key-of-this-service")))
    refused(402, "insufficient_balance", say(ElevenLabs(base_url=url, api_key=poor)))
    refused(404, "ereader_not_found", say(voice="21m00Tcm4TlvDq8ikWAM"))
    refused(403, "ereader_tier_not_available", say(voice="alma"))
    refused(422, "validation_failed", say(output_format="pcm_32000"))
    refused(422, "text_too_long", say(text="a" * 5_001))


async def check_async(url, key):
    client = AsyncElevenLabs(base_url=url, api_key=key)
    audio = b"".join([piece async for piece in client.text_to_speech.convert("heart", text=TEXT)])
    check_speech(audio, "asynchronous speech")


def check_javascript(url, key, tools):
    """The other SDK, from a program of its own; it is found through NODE_PATH."""
    environment = os.environ | {"NODE_PATH": str(tools / "node_modules"), "LECTERN_URL": url, "LECTERN_API_KEY": key}
    subprocess.run(["node", str(TOP / "scripts/elevenlabs_sdk.cjs")], env=environment, check=True, timeout=120)


def main():
    binary, tools = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="lectern-sdk.") as folder:
        with Server(binary, pathlib.Path(folder)) as server:
            rich = server.admin("invite", "create", "--email", "rich@example.com", "--credits", "100000")
            poor = server.admin("invite", "create", "--email", "poor@example.com", "--credits", "10")
            client = ElevenLabs(base_url=server.url, api_key=rich["live_key"], timeout=60)
            check_speaking(client)
            check_times(client)
            check_realtime(client)
            check_lists(client)
            check_errors(server.url, client, poor["live_key"])
            asyncio.run(check_async(server.url, rich["test_key"]))
            check_javascript(server.url, rich["live_key"], tools)
            spent = server.admin("ledger", "verify")
            check(spent["ok"], f"the ledger adds up: {spent}")


if __name__ == "__main__":
    main()
