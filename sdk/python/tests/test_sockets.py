"""Sockets, against a server that speaks as docs/SOCKET.md says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import unittest
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from typing import Any

import lectern
from lectern import Audio, Done, Flushed, Words, errors
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

KEY = "svc_test_x"
WORD = {"text": "Hello", "start_char": 0, "end_char": 5, "start_ms": 0, "end_ms": 400}


class Sockets(unittest.TestCase):
    def setUp(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.refusals: list[int] = []
        self.server: Server = serve(
            self.speak, "127.0.0.1", 0, subprotocols=["lectern.v1"], process_request=self.admit  # type: ignore[list-item]
        )
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}"
        self.client = lectern.Lectern(KEY, base_url=self.url)

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        self.assertEqual(request.headers["Authorization"], f"Bearer {KEY}")
        if not self.refusals:
            return None
        answer = connection.respond(HTTPStatus(self.refusals.pop(0)), "")
        code = {429: "rate_limited", 403: "insufficient_scope"}[answer.status_code]
        body = json.dumps({"error": {"code": code, "message": "No.", "request_id": "req_1"}}).encode()
        answer.headers["Retry-After"] = "0"
        del answer.headers["Content-Length"]
        answer.headers["Content-Length"] = str(len(body))
        answer.body = body
        return answer

    def speak(self, connection: ServerConnection) -> None:
        # A client may leave in the middle.
        with contextlib.suppress(ConnectionClosed):
            self.answer(connection)

    def answer(self, connection: ServerConnection) -> None:
        for text in connection:
            told = json.loads(text)
            self.received.append(told)
            match told["type"]:
                case "text" if told["text"] == "fail":
                    error = {"code": "insufficient_balance", "message": "Too few.", "request_id": "req_9"}
                    connection.send(json.dumps({"type": "error", "error": error}))
                    connection.close(1008)
                case "text":
                    connection.send(json.dumps({"type": "words", "words": [WORD]}))
                    connection.send(json.dumps({"type": "moon"}))
                    connection.send(told["text"].encode())
                case "flush":
                    connection.send(json.dumps({"type": "flushed"}))
                case "end":
                    connection.send(json.dumps({"type": "done", "characters": 6, "credits_charged": 7}))
                    connection.close()

    def test_texts_go_in_and_audio_comes_out(self) -> None:
        with self.client.speech.socket(ereader_id="erd_1", format="pcm") as socket:
            events = list(socket.speak(["Hello ", "you."]))
        self.assertEqual(self.received[0], {"type": "start", "ereader_id": "erd_1", "format": "pcm"})
        self.assertEqual(b"".join(one.data for one in events if isinstance(one, Audio)), b"Hello you.")
        words = next(one for one in events if isinstance(one, Words))
        self.assertEqual((words.words[0].text, words.words[0].end_ms), ("Hello", 400))
        self.assertEqual(events[-1], Done(6, 7))

    def test_it_can_be_flushed_and_cancelled(self) -> None:
        with self.client.speech.socket(ereader_id="erd_1") as socket:
            socket.send("Hello.")
            socket.cancel()
            socket.flush()
            kinds = []
            for event in socket:
                kinds.append(type(event))
                if isinstance(event, Flushed):
                    socket.end()
        self.assertEqual(kinds, [Words, Audio, Flushed, Done])
        self.assertEqual([one["type"] for one in self.received], ["start", "text", "cancel", "flush", "end"])

    def test_an_error_has_the_class_of_its_code(self) -> None:
        with self.client.speech.socket(ereader_id="erd_1") as socket:
            with self.assertRaises(errors.InsufficientBalanceError) as caught:
                list(socket.speak(["fail"]))
        self.assertEqual(caught.exception.request_id, "req_9")

    def test_long_texts_are_several_messages(self) -> None:
        text = "é\x01" * 10_000
        with self.client.speech.socket(ereader_id="erd_1") as socket:
            list(socket.speak([text]))
        sent = [one["text"] for one in self.received if one["type"] == "text"]
        self.assertEqual("".join(sent), text)
        self.assertTrue(all(len(json.dumps({"type": "text", "text": one})) < 65_536 for one in sent))

    def test_a_failure_of_the_texts_is_told(self) -> None:
        def texts() -> Iterator[str]:
            yield "Hello."
            raise RuntimeError("the model is away")

        with self.client.speech.socket(ereader_id="erd_1") as socket:
            with self.assertRaisesRegex(RuntimeError, "away"):
                list(socket.speak(texts()))

    def test_a_refusal_is_typed_and_one_that_passes_is_tried_again(self) -> None:
        self.refusals = [429, 429]
        with self.client.speech.socket(ereader_id="erd_1") as socket:
            socket.end()
            self.assertEqual(list(socket), [Done(6, 7)])
        self.refusals = [403]
        with self.assertRaises(errors.InsufficientScopeError):
            with self.client.speech.socket(ereader_id="erd_1"):
                pass

    def test_with_async(self) -> None:
        async def texts() -> AsyncIterator[str]:
            yield "Hello "
            await asyncio.sleep(0.01)
            yield "you."

        async def failing() -> AsyncIterator[str]:
            yield "Hello."
            raise RuntimeError("the model is away")

        async def main() -> None:
            async with lectern.AsyncLectern(KEY, base_url=self.url) as client:
                async with client.speech.socket(ereader_id="erd_1") as socket:
                    events = [event async for event in socket.speak(texts())]
                self.assertEqual(b"".join(one.data for one in events if isinstance(one, Audio)), b"Hello you.")
                self.assertEqual(events[-1], Done(6, 7))
                async with client.speech.socket(ereader_id="erd_1") as socket:
                    with self.assertRaisesRegex(RuntimeError, "away"):
                        _ = [event async for event in socket.speak(failing())]
                async with client.speech.socket(ereader_id="erd_1") as socket:
                    with self.assertRaises(errors.InsufficientBalanceError):
                        _ = [event async for event in socket.speak(["fail"])]
                self.refusals = [429]
                async with client.speech.socket(ereader_id="erd_1") as socket:
                    await socket.send("Hello.")
                    await socket.cancel()
                    await socket.flush()
                    async for event in socket:
                        if isinstance(event, Flushed):
                            await socket.end()

        asyncio.run(main())


if __name__ == "__main__":
    unittest.main()
