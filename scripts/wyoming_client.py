#!/usr/bin/env python3
"""Speaks with a real server by the Wyoming protocol, through the client that Home Assistant uses.

usage: wyoming_client.py LECTERN

Starts LECTERN on free ports with a store of its own and the real voice. Needs the packages of scripts/test_requirements.txt.
Exits 1 with the first thing that is not as it should be.
"""

import asyncio
import pathlib
import subprocess
import sys
import tempfile

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)

from fuzz_api import Server
from openai_sdk import LONG, TEXT, check, check_speech
from webhook_guide import free_port

PATIENCE = 60


async def answers(port, *events, until):
    """What comes for the events, up to a type or to the end of the connection."""
    got = []
    async with AsyncTcpClient("127.0.0.1", port) as client:
        for event in events:
            await client.write_event(event.event())
        while True:
            event = await asyncio.wait_for(client.read_event(), PATIENCE)
            if event is None:
                return got
            got.append(event)
            if until.is_type(event.type):
                return got


def heard(events, what, times=1):
    """Checks that the events are speech: one start, chunks, one stop."""
    start = AudioStart.from_event(events[0])
    check((start.rate, start.width, start.channels) == (24_000, 2, 1), f"{what} starts: {start}")
    chunks = [AudioChunk.from_event(event) for event in events if AudioChunk.is_type(event.type)]
    check(sum(AudioStart.is_type(event.type) for event in events) == 1, f"{what} starts once")
    check(sum(AudioStop.is_type(event.type) for event in events) == 1, f"{what} stops once")
    check(all(len(chunk.audio) % 2 == 0 for chunk in chunks), f"{what} has whole samples")
    check_speech(b"".join(chunk.audio for chunk in chunks), what, raw=True, times=times)


async def refused(port, code, *events):
    got = await answers(port, *events, until=SynthesizeStopped)
    error = Error.from_event(got[-1])
    check(error.code == code and error.text, f"{code}: {error}")


async def check_speaking(port):
    info = Info.from_event((await answers(port, Describe(), until=Info))[-1])
    program = info.tts[0]
    voices = {voice.name: voice for voice in program.voices}
    check(program.supports_synthesize_streaming and program.installed, f"the program is there: {program}")
    check(set(voices) == {"heart"} and voices["heart"].languages == ["en-US"], f"only what the key may use: {voices}")
    pong = (await answers(port, Ping(text="x"), until=Pong))[-1]
    check(Pong.from_event(pong).text == "x", "a ping is answered")
    for voice in [None, SynthesizeVoice(name="heart"), SynthesizeVoice(language="en-GB")]:
        heard(await answers(port, Synthesize(TEXT, voice=voice), until=AudioStop), f"speech by {voice}")
    slow = Synthesize(f'<speak><prosody rate="80%">{TEXT}</prosody></speak>', text_format="ssml")
    heard(await answers(port, slow, until=AudioStop), "SSML")


async def check_pieces(port):
    """As Home Assistant sends what a language model writes: pieces, then the whole for older servers."""
    words = [SynthesizeChunk(f"{word} ") for word in LONG.split()]
    asked = [SynthesizeStart(voice=SynthesizeVoice(name="heart")), *words, Synthesize(LONG), SynthesizeStop()]
    got = await answers(port, *asked, until=SynthesizeStopped)
    check(SynthesizeStopped.is_type(got[-1].type), "the end is told")
    heard(got, "speech in pieces", times=12)


async def check_refusals(port):
    await refused(port, "text_empty", Synthesize(" "))
    await refused(port, "text_too_long", Synthesize("a" * 5_001))
    await refused(port, "ereader_not_found", Synthesize(TEXT, voice=SynthesizeVoice(name="nobody")))
    await refused(port, "ereader_tier_not_available", Synthesize(TEXT, voice=SynthesizeVoice(name="alma")))
    await refused(port, "validation_failed", SynthesizeChunk("no start"))
    await refused(port, "text_empty", SynthesizeStart(), SynthesizeStop())
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b'{"type":"x","payload_length":99999999999}\n')
    line = await asyncio.wait_for(reader.readline(), PATIENCE)
    rest = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    check(b'"error"' in line and b"bad_request" in rest, f"what is no event is refused: {line + rest}")


async def check_port(port):
    await check_speaking(port)
    await check_pieces(port)
    await check_refusals(port)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="lectern-wyoming.") as folder:
        server = Server(binary, pathlib.Path(folder))
        # The key must be there before the listener is.
        subprocess.run([binary, "migrate"], env=server.environment, stdout=subprocess.DEVNULL, check=True)
        account = server.admin("invite", "create", "--email", "home@example.com", "--credits", "100000")
        port = free_port()
        server.environment |= {
            "LECTERN_WYOMING__LISTEN": f"127.0.0.1:{port}",
            "LECTERN_WYOMING__KEY": account["live_key"],
        }
        with server:
            asyncio.run(check_port(port))
            spent = server.admin("ledger", "verify")
            check(spent["ok"], f"the ledger adds up: {spent}")
        check(account["live_key"] not in server.log.read_text(), "the key is not in the log")


if __name__ == "__main__":
    main()
