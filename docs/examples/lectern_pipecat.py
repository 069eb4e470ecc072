"""Lectern's voices for Pipecat: copy this file into your bot.

One socket (docs/SOCKET.md) stays open for the whole conversation. Text goes out token by token, as the language model writes it; the
service finds the sentences. Words come back with their times, so that the transcript has what the listener heard. When the listener
interrupts, the service is told to `cancel`, and stops at once.

Needs pipecat-ai and lectern-tts. Written for pipecat-ai 1.14.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from lectern import AsyncLectern
from loguru import logger
from pipecat.frames.frames import (
    ErrorFrame,
    Frame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
)
from pipecat.processors.frame_processor import FrameProcessorSetup
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TextAggregationMode, WebsocketTTSService
from websockets.protocol import State

# A socket takes 100,000 characters. A conversation that comes near gets another one between two answers.
MOST_CHARACTERS = 90_000


@dataclass
class _Answer:
    """What is known of an answer that the service speaks: its context, its text, and where both begin on the socket."""

    context_id: str
    first_character: int
    text: str = ""
    first_byte: int | None = None
    is_flushed: bool = False

    def as_written(self, word: dict[str, Any]) -> str:
        """The word with the stops that follow it."""
        rest = self.text[word["start_char"] - self.first_character :].split(maxsplit=1)
        return rest[0] if rest else word["text"]


class LecternTTSService(WebsocketTTSService):
    """A voice of a Lectern service. `voice` is the id or the slug of an e-reader.

    A `TTSUpdateSettingsFrame` with another `voice` is heard from the next answer on.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        voice: str = "heart",
        language: str | None = None,
        speed: float = 1.0,
        sample_rate: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            settings=TTSSettings(model=None, voice=voice, language=None),
            sample_rate=sample_rate,
            text_aggregation_mode=TextAggregationMode.TOKEN,
            push_text_frames=False,
            push_start_frame=True,
            # The service says when an answer ends; this is for one that died.
            stop_frame_timeout_s=30,
            # The socket's audio does not name its answer, so that answers are spoken one after the other.
            pause_frame_processing=True,
            # A socket that was idle for five minutes is closed, and opened again at the next answer.
            reconnect_on_error=False,
            **kwargs,
        )
        self._api_key = api_key
        self._base_url = base_url
        self._options = {"speed": speed} | ({"language": language} if language else {})
        self._ereader_id: str | None = None
        self._receiver: Any = None
        self._is_outdated = False
        self._unheard: str | None = None
        self._forget()

    def _forget(self) -> None:
        """The state of a socket."""
        self._characters = 0
        self._bytes = 0
        self._answers: deque[_Answer] = deque()

    def can_generate_metrics(self) -> bool:
        return True

    async def setup(self, setup: FrameProcessorSetup) -> None:
        await super().setup(setup)
        await self._connect()

    async def _connect(self) -> None:
        await super()._connect()
        await self._connect_websocket()
        if self._websocket and not self._receiver:
            self._receiver = self.create_task(self._receive_messages())

    async def _disconnect(self) -> None:
        await super()._disconnect()
        if self._receiver:
            await self.cancel_task(self._receiver)
            self._receiver = None
        await self._disconnect_websocket()

    async def _update_settings(self, delta: TTSSettings) -> dict[str, Any]:
        changed = await super()._update_settings(delta)
        if "voice" in changed:
            self._ereader_id = None
            self._is_outdated = True
        return changed

    async def _connect_websocket(self) -> None:
        if self._websocket and self._websocket.state is State.OPEN:
            return
        self._forget()
        try:
            if self._ereader_id is None:
                async with AsyncLectern(self._api_key, base_url=self._base_url) as client:
                    self._ereader_id = (await client.ereaders.get(str(self._settings.voice))).id
            self._websocket = await self._websocket_connect(
                f"{self._base_url.replace('http', 'ws', 1)}/v1/saas/tts:socket",
                additional_headers={"Authorization": f"Bearer {self._api_key}"},
                subprotocols=["lectern.v1"],
                compression=None,
                max_size=None,
            )
            await self._send(
                "start",
                ereader_id=self._ereader_id,
                format="pcm",
                sample_rate_hz=self.sample_rate,
                **self._options,
            )
            await self._call_event_handler("on_connected")
        except Exception as error:
            self._websocket = None
            await self.push_error(error_msg=f"no socket to Lectern: {error}", exception=error)
            await self._call_event_handler("on_connection_error", f"{error}")

    async def _disconnect_websocket(self) -> None:
        await self.stop_all_metrics()
        if self._websocket:
            await self._websocket.close()
            self._websocket = None
            await self._call_event_handler("on_disconnected")

    async def _send(self, kind: str, **fields: Any) -> None:
        if self._websocket:
            await self._websocket.send(json.dumps({"type": kind, **fields}, ensure_ascii=False))

    async def _ready(self) -> None:
        """Opens the socket where it is not open, and a new one where it has spoken nearly all that it may, or another voice."""
        is_full = self._characters > MOST_CHARACTERS
        is_spent = (is_full or self._is_outdated) and not self._answers
        if not is_spent and self._websocket and self._websocket.state is State.OPEN:
            return
        if self._receiver:
            await self.cancel_task(self._receiver)
            self._receiver = None
        await self._disconnect_websocket()
        self._is_outdated = False
        await self._connect()

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Sends a piece of the text. What is spoken comes to `_receive_messages`."""
        if context_id != self._unheard:
            await self._ready()
        if not self._websocket:
            # Once an answer: a try for each of its tokens would hold up the bot for minutes.
            self._unheard = context_id
            yield None
            return
        if not self._answers or self._answers[-1].context_id != context_id:
            self._answers.append(_Answer(context_id, self._characters))
        try:
            self._answers[-1].text += text
            self._characters += len(text)
            await self._send("text", text=text)
            await self.start_tts_usage_metrics(text)
            yield None
        except Exception as error:
            yield ErrorFrame(error=f"Lectern took no text: {error}")
            yield TTSStoppedFrame(context_id=context_id)

    async def flush_audio(self, context_id: str | None = None) -> None:
        """Says what came, even if its last sentence has not ended."""
        answers = [answer for answer in self._answers if answer.context_id == context_id]
        for answer in answers:
            if not answer.is_flushed:
                answer.is_flushed = True
                await self._send("flush")
        # Nothing of it reached the service, so that nothing will come back.
        if not answers and context_id and self.audio_context_available(context_id):
            await self._end(context_id)

    async def on_audio_context_interrupted(self, context_id: str) -> None:
        """The listener interrupts: what was not said yet is not said, and costs nothing."""
        await self.stop_all_metrics()
        if any(answer.context_id == context_id for answer in self._answers):
            await self._send("cancel")
            # The answer to it tells where the audio that is still on its way ends.
            await self.flush_audio(context_id)
        await super().on_audio_context_interrupted(context_id)

    async def _receive_messages(self) -> None:
        websocket = self._websocket
        if websocket is None:
            return
        try:
            async for message in websocket:
                if isinstance(message, bytes):
                    await self._hear(message)
                else:
                    await self._take(json.loads(message))
        except Exception as error:
            logger.debug(f"{self}: the socket ended: {error}")
        # What was still to come does not come any more.
        for answer in self._answers:
            if self.audio_context_available(answer.context_id):
                await self._end(answer.context_id)
        self._answers.clear()

    async def _hear(self, audio: bytes) -> None:
        if self._answers:
            answer = self._answers[0]
            if answer.first_byte is None:
                answer.first_byte = self._bytes
            # Of an answer that was interrupted, the rest is not heard.
            if self.audio_context_available(answer.context_id):
                frame = TTSAudioRawFrame(audio, self.sample_rate, 1, context_id=answer.context_id)
                await self.append_to_audio_context(answer.context_id, frame)
        self._bytes += len(audio)

    async def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "words" if self._answers:
                answer = self._answers[0]
                begin = self._bytes if answer.first_byte is None else answer.first_byte
                begin_ms = begin / 2 / self.sample_rate * 1000
                words = [
                    (answer.as_written(word), max(0.0, word["start_ms"] - begin_ms) / 1000)
                    for word in message["words"]
                ]
                await self.add_word_timestamps(words, answer.context_id)
            case "flushed" if self._answers:
                answer = self._answers.popleft()
                if self.audio_context_available(answer.context_id):
                    await self._end(answer.context_id)
            case "error":
                error = message["error"]
                if error["code"] != "request_timeout":  # Nobody spoke for five minutes.
                    await self.push_error(error_msg=f"{error['message']} ({error['code']}, {error['request_id']})")

    async def _end(self, context_id: str) -> None:
        await self.append_to_audio_context(context_id, TTSStoppedFrame(context_id=context_id))
        await self.remove_audio_context(context_id)
