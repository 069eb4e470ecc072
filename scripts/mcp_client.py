#!/usr/bin/env python3
"""Uses `lectern mcp` through the client of the official Model Context Protocol SDK, against a real server.

usage: mcp_client.py LECTERN

Starts LECTERN on free ports with a store of its own and the real voice. Needs the packages of scripts/test_requirements.txt and
ffmpeg, which decodes what comes. Exits 1 with the first thing that is not as it should be.
"""

import asyncio
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from environment import clean_environment
from fuzz_api import TOP, Server
from openai_sdk import TEXT, check, check_speech

BOOK = TOP / "docs/examples/the-lantern-keeper.epub"


class Assistant:
    """A client with the tools of one server, started anew."""

    def __init__(self, binary, url, key, mode="auto"):
        environment = clean_environment() | {"LECTERN_API_KEY": key}
        parameters = StdioServerParameters(command=str(binary), args=["mcp", "--url", url], env=environment)
        self.client = Client(parameters, mode=mode)

    async def __aenter__(self):
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *error):
        return await self.client.__aexit__(*error)

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        check(not result.is_error, f"{tool}: {result.content}")
        return result

    async def refused(self, words, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        text = result.content[0].text
        check(result.is_error and words in text, f"{tool} is refused with {words!r}: {text}")


async def check_speaking(assistant, folder):
    spoken = await assistant.call("speak", text=TEXT, voice="heart")
    audio = next(part for part in spoken.content if part.type == "audio")
    check(audio.mime_type == "audio/mpeg", f"MP3 is what comes unasked: {audio.mime_type}")
    check_speech(base64.b64decode(audio.data), "audio in the answer")
    file = folder / "said.wav"
    saved = await assistant.call("speak", text=TEXT, format="wav", output_path=str(file))
    check(saved.structured_content["path"] == str(file), f"the path is the answer: {saved.structured_content}")
    check_speech(file.read_bytes(), "a file")
    await assistant.refused("set `overwrite`", "speak", text=TEXT, output_path=str(file))
    await assistant.call("speak", text="Hello.", output_path=str(file), overwrite=True)
    check(file.read_bytes()[:3] == b"ID3", "the file is replaced")


async def check_refusals(assistant, folder):
    await assistant.refused("text_empty", "speak", text=" ")
    await assistant.refused("text_too_long", "speak", text="a" * 5_001)
    await assistant.refused("There is no voice", "speak", text=TEXT, voice="nobody")
    await assistant.refused("tier", "speak", text=TEXT, voice="alma")
    await assistant.refused("unknown field `volume`", "speak", text=TEXT, volume=3)
    await assistant.refused("missing field `text`", "speak")
    await assistant.refused("`speed` must be", "speak", text=TEXT, speed=9)
    for path in ["said.mp3", "/dev/stdout", str(folder), str(folder / "none/said.mp3")]:
        await assistant.refused(path, "speak", text=TEXT, output_path=path)
    await assistant.refused("exactly one of", "convert_book")
    await assistant.refused("absolute path", "convert_book", path="book.epub")
    await assistant.refused("cannot be read", "convert_book", path=str(folder / "none.epub"))
    await assistant.refused("mat_", "book_status", book_id="one")
    await assistant.refused("material_not_found", "book_status", book_id=f"mat_{'0' * 32}")


async def check_books(assistant, folder):
    queued = await assistant.call("convert_book", path=str(BOOK), voice="heart")
    book = queued.structured_content["book_id"]
    status = await assistant.call("book_status", book_id=book)
    check(status.structured_content["status"] in ("converting", "completed"), status.structured_content)
    # A short one, to its end.
    told = []

    async def tell(done, total, message):
        told.append((done, total, message))

    arguments = {"text": f"{TEXT} {TEXT}", "title": "Two sentences", "voice": "heart", "wait_seconds": 120}
    result = await assistant.client.call_tool("convert_book", arguments, progress_callback=tell)
    check(result.structured_content["status"] == "completed", f"it is waited for: {result.content}")
    check(told and told[-1][0] == told[-1][1], f"progress is told: {told}")
    short = result.structured_content["book_id"]
    file = folder / "book.mp3"
    await assistant.call("download_book", book_id=short, output_path=str(file))
    check_speech(file.read_bytes(), "the book", times=2)
    listed = (await assistant.client.list_resources()).resources
    check({resource.name for resource in listed} >= {"Two sentences"}, f"books are resources: {listed}")
    uri = next(resource.uri for resource in listed if resource.name == "Two sentences")
    read = await assistant.client.read_resource(uri)
    check(json.loads(read.contents[0].text)["id"] == short, "a book can be read")


async def check_assistant(binary, url, key, folder):
    async with Assistant(binary, url, key) as assistant:
        names = {tool.name for tool in (await assistant.client.list_tools()).tools}
        expected = {"speak", "list_voices", "convert_book", "book_status", "download_book", "balance"}
        check(names == expected, f"the tools are {names}")
        voices = (await assistant.call("list_voices", language="en")).structured_content["voices"]
        check({"heart"} <= {voice["slug"] for voice in voices}, "voices are listed")
        before = (await assistant.call("balance")).structured_content["available"]
        await check_speaking(assistant, folder)
        after = (await assistant.call("balance")).structured_content["available"]
        check(before - after == 2 * len(TEXT) + len("Hello."), f"it is paid: {before - after}")
        await check_refusals(assistant, folder)
        await check_books(assistant, folder)


async def check_other_versions_and_keys(binary, url, poor):
    async with Assistant(binary, url, poor, mode="legacy") as assistant:
        await assistant.refused("insufficient_balance", "speak", text=TEXT)
    async with Assistant(binary, url, "svc_live_nonsense") as assistant:
        await assistant.refused("invalid_api_key", "balance")
    async with Assistant(binary, "http://127.0.0.1:9", poor) as assistant:
        await assistant.refused("does not answer", "balance")


def check_wire(binary, url, key):
    """What no client sends is answered all the same, and nothing but messages is on standard output."""
    lines = ["nonsense", "[]", '{"jsonrpc":"2.0","id":1,"method":"no/such"}', '{"jsonrpc":"2.0","id":2,"method":"ping"}']
    environment = clean_environment() | {"LECTERN_API_KEY": key}
    command = [binary, "mcp", "--url", url]
    ran = subprocess.run(command, input="\n".join(lines), env=environment, capture_output=True, text=True, timeout=60)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    codes = {answer["id"]: answer.get("error", {}).get("code") for answer in answers if answer["id"] is not None}
    check(codes == {1: -32601, 2: None} and len(answers) == 4, f"four lines have four answers: {answers}")
    check(ran.returncode == 0 and key not in ran.stderr, ran.stderr)
    without = subprocess.run(command, input="", env=clean_environment(), capture_output=True, text=True, timeout=60)
    check(without.returncode == 2 and "LECTERN_API_KEY" in without.stderr, "a key is needed")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="lectern-mcp.") as folder:
        folder = pathlib.Path(folder)
        with Server(binary, folder) as server:
            rich = server.admin("invite", "create", "--email", "rich@example.com", "--credits", "100000")
            poor = server.admin("invite", "create", "--email", "poor@example.com", "--credits", "10")
            check_wire(binary, server.url, rich["live_key"])
            asyncio.run(check_assistant(binary, server.url, rich["live_key"], folder))
            asyncio.run(check_other_versions_and_keys(binary, server.url, poor["live_key"]))


if __name__ == "__main__":
    main()
