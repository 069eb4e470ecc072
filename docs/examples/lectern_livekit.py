"""Lectern's voices for LiveKit Agents: copy this file into your agent.

An utterance is spoken on a socket of its own (docs/SOCKET.md), which opens while the language model still thinks. Text goes out as
the model writes it; audio and the times of words come back sentence by sentence. When the listener interrupts, LiveKit closes the
stream: the service is told to `cancel`, and stops at once.

Needs livekit-agents and lectern-tts. Written for livekit-agents 1.8.
"""

from __future__ import annotations

import asyncio
import contextlib

from lectern import APIConnectionError, APIError, AsyncLectern, AsyncSocket, Audio, Words
from livekit.agents import (
    DEFAULT_API_CONNECT_OPTIONS,
    APIConnectOptions,
    APIStatusError,
    tts,
    utils,
)
from livekit.agents import APIConnectionError as LiveKitConnectionError
from livekit.agents.voice.io import TimedString

# Errors for reasons that pass.
PASSING = {"internal_error", "rate_limited", "service_unavailable", "tts_provider_error"}


class LecternTTS(tts.TTS):
    """A voice of a Lectern service.

    Without `api_key` and `base_url`, LECTERN_API_KEY and LECTERN_BASE_URL are used. `voice` is the id or the slug of an e-reader.
    """

    def __init__(
        self,
        *,
        voice: str = "heart",
        language: str | None = None,
        speed: float = 1.0,
        sample_rate: int = 24_000,
        api_key: str | None = None,
        base_url: str | None = None,
    ) -> None:
        capabilities = tts.TTSCapabilities(streaming=True, aligned_transcript=True)
        super().__init__(capabilities=capabilities, sample_rate=sample_rate, num_channels=1)
        # LiveKit decides what is tried again.
        self._client = AsyncLectern(api_key, base_url=base_url, max_retries=0)
        self._voice = voice
        self._ereader_id: str | None = None
        self._options = {"speed": speed} | ({"language": language} if language else {})

    @property
    def model(self) -> str:
        return self._voice

    @property
    def provider(self) -> str:
        return "Lectern"

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return self._synthesize_with_stream(text, conn_options=conn_options)

    def stream(
        self, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.SynthesizeStream:
        return _Utterance(tts=self, conn_options=conn_options)

    async def aclose(self) -> None:
        await self._client.close()

    async def _socket(self, stack: contextlib.AsyncExitStack) -> AsyncSocket:
        if self._ereader_id is None:
            self._ereader_id = (await self._client.ereaders.get(self._voice)).id
        opening = self._client.speech.socket(
            ereader_id=self._ereader_id,
            format="pcm",
            sample_rate_hz=self.sample_rate,
            **self._options,
        )
        return await stack.enter_async_context(opening)


class _Utterance(tts.SynthesizeStream):
    """One answer of the agent."""

    _tts: LecternTTS

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=utils.shortuuid(),
            sample_rate=self._tts.sample_rate,
            num_channels=1,
            mime_type="audio/pcm",
            stream=True,
        )
        output_emitter.start_segment(segment_id=utils.shortuuid())
        try:
            async with contextlib.AsyncExitStack() as stack:
                socket = await asyncio.wait_for(
                    self._tts._socket(stack), self._conn_options.timeout
                )
                await self._speak(socket, output_emitter)
        except APIError as error:
            raise APIStatusError(
                error.message,
                status_code=error.status,
                request_id=error.request_id,
                body={"code": error.code, "details": error.details},
                retryable=error.code in PASSING,
            ) from error
        except (APIConnectionError, TimeoutError) as error:
            raise LiveKitConnectionError(str(error)) from error

    async def _speak(self, socket: AsyncSocket, output: tts.AudioEmitter) -> None:
        sent = ""
        told, told_s = 0, 0.0

        async def send() -> None:
            nonlocal sent
            async for piece in self._input_ch:
                if isinstance(piece, str):
                    self._mark_started()
                    sent += piece
                    await socket.send(piece)
                else:
                    await socket.flush()
            await socket.end()

        sending = asyncio.create_task(send())
        try:
            async for event in socket:
                if isinstance(event, Audio):
                    output.push(event.data)
                elif isinstance(event, Words):
                    for word in event.words:
                        # With the spaces and the stops before it, so that the words together are the text.
                        text, told, told_s = sent[told : word.end_char], word.end_char, word.end_ms / 1000
                        output.push_timed_transcript(
                            TimedString(text, start_time=word.start_ms / 1000, end_time=told_s)
                        )
            await sending
            if rest := sent[told:]:
                output.push_timed_transcript(TimedString(rest, start_time=told_s, end_time=told_s))
            output.end_segment()
        except asyncio.CancelledError:
            # The listener interrupts. What was not said yet is not said, and costs nothing.
            with contextlib.suppress(Exception):
                await socket.cancel()
            raise
        finally:
            await utils.aio.cancel_and_wait(sending)
