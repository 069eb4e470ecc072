#!/usr/bin/env python3
"""Runs the classes of docs/examples for LiveKit Agents and Pipecat in sessions and pipelines of theirs, against a real server.

usage: agent_plugins.py LECTERN

Run it with the Python of `agent_python_tools` (scripts/setup.sh); the wheel of Lectern's SDK must be in target/sdk (`sdk/build`), and is
installed first. Starts LECTERN on free ports with a store of its own and the real voice. What is spoken is understood by a recognizer,
words have their times, an interruption stops the speech and most of the price, and an error is one of the framework. Exits 1 with the
first thing that is not as it should be.
"""

import asyncio
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request
import wave

import loguru
from aiohttp import web
from websockets.asyncio.client import connect

from fuzz_api import TOP, Server
from sdks import check, only, recognized
from webhook_guide import free_port

TOKENS = ("The la", "mp was lit ", "before the st", "orm came over the hill", ". The storm", " came over the", " hill.")
TEXT = "".join(TOKENS)
SENTENCE = "This answer goes on and on, and nobody wants to hear all of it. "
LONG = SENTENCE * 20
RATE = 24_000


def understood(folder, name, audio, rate=RATE):
    """Checks that the samples say TEXT."""
    file = folder / f"{name}.wav"
    with wave.open(str(file), "wb") as wav:
        wav.setparams((1, 2, rate, 0, "NONE", ""))
        wav.writeframes(audio)
    heard = recognized(file)
    words = TEXT.lower().replace(".", "").split()
    print(f"         {name}: {' '.join(heard)}")
    check(sum(word in heard for word in words) >= 0.6 * len(words), f"{name} says {TEXT!r}: {heard}")


def check_times(words, seconds, what):
    """Words with their times go on, and end within the audio."""
    check(words == sorted(words, key=lambda word: word[1]), f"{what}: times go on: {words}")
    check(0 <= words[0][1] < 1 and words[-1][1] <= seconds, f"{what}: times are within {seconds} s: {words}")


class LiveKit:
    """LiveKit Agents."""

    def __init__(self, server, folder):
        from lectern_livekit import LecternTTS

        self.make, self.server, self.folder = LecternTTS, server, folder

    async def speak(self):
        """A stream, token by token."""
        async with self.make() as tts, tts.stream() as stream:
            for token in TOKENS:
                stream.push_text(token)
                await asyncio.sleep(0.02)
            stream.end_input()
            audio, timed = b"", []
            async for one in stream:
                audio += one.frame.data.tobytes()
                timed += one.frame.userdata.get("lk.timed_transcripts", [])
        understood(self.folder, "livekit", audio)
        # Negative control: with `word.text` in place of the text up to the word's end, spaces are missing here.
        check("".join(timed) == TEXT, f"LiveKit: the words are the text: {timed}")
        check_times([(str(word), word.start_time) for word in timed], len(audio) / 2 / RATE, "LiveKit")

    async def session(self):
        """A session that says something and is interrupted, with an output that keeps what it gets."""
        from livekit.agents import Agent, AgentSession
        from livekit.agents.voice import io

        class Speaker(io.AudioOutput):
            def __init__(self):
                super().__init__(label="Speaker", capabilities=io.AudioOutputCapabilities(pause=False), sample_rate=RATE)
                self.seconds = 0.0
                self.began = asyncio.Event()

            async def capture_frame(self, frame):
                await super().capture_frame(frame)
                self.seconds += frame.duration
                self.began.set()

            def flush(self):
                super().flush()
                self.on_playback_finished(playback_position=self.seconds, interrupted=False)

            def clear_buffer(self):
                self.on_playback_finished(playback_position=self.seconds, interrupted=True)

        before = self.server.available()
        speaker = Speaker()
        async with self.make() as tts:
            session = AgentSession(tts=tts)
            session.output.audio = speaker
            await session.start(Agent(instructions="Speak."))
            handle = session.say(LONG)
            await asyncio.wait_for(speaker.began.wait(), 60)
            begun = time.monotonic()
            await session.interrupt()
            await asyncio.wait_for(handle, 30)
            print(f"         LiveKit: silent {1000 * (time.monotonic() - begun):.0f} ms after an interruption")
            await session.aclose()
        await self.server.settled()
        paid = before - self.server.available()
        # Negative control: without `cancel` and with a stream that is read to its end, all is paid.
        check(0 < paid < len(LONG), f"LiveKit: an interruption ends the price: {paid} of {len(LONG)}")
        print(f"         LiveKit: {paid} of {len(LONG)} credits")

    async def errors(self):
        """The service's refusals are LiveKit's errors, and are not tried again where that would not help."""
        from livekit.agents import APIConnectOptions, APIStatusError

        options = APIConnectOptions(max_retry=2, retry_interval=0.1)
        async with self.make(voice="nobody") as tts:
            try:
                await tts.synthesize("Hello.", conn_options=options).collect()
            except APIStatusError as error:
                check(error.status_code == 404 and error.body["code"] == "ereader_not_found", f"LiveKit: {error!r}")
                check(not error.retryable, "LiveKit: an unknown voice is not tried again")
            else:
                check(False, "LiveKit: an unknown voice is refused")

    async def run(self):
        await self.speak()
        await self.session()
        await self.errors()


class Pipecat:
    """Pipecat."""

    def __init__(self, server, folder):
        from lectern_pipecat import LecternTTSService

        self.server, self.folder = server, folder
        self.make = lambda **fields: LecternTTSService(**{"api_key": os.environ["LECTERN_API_KEY"], "base_url": server.url} | fields)

    async def pipeline(self, talk, **fields):
        """Runs a pipeline of the service and of a part that keeps what comes out; `talk` is given the worker and that part."""
        from pipecat.frames.frames import TTSAudioRawFrame, TTSStoppedFrame, TTSTextFrame
        from pipecat.pipeline.pipeline import Pipeline
        from pipecat.pipeline.worker import PipelineWorker
        from pipecat.processors.frame_processor import FrameProcessor
        from pipecat.workers.runner import WorkerRunner

        class Kept(FrameProcessor):
            def __init__(self):
                super().__init__()
                self.audio, self.words, self.ends, self.began = b"", [], [], asyncio.Event()

            async def process_frame(self, frame, direction):
                await super().process_frame(frame, direction)
                if isinstance(frame, TTSAudioRawFrame):
                    self.audio += frame.audio
                    self.began.set()
                elif isinstance(frame, TTSStoppedFrame):
                    self.ends.append(len(self.audio))
                elif isinstance(frame, TTSTextFrame):
                    self.words.append((frame.text, (frame.pts or 0) / 1e9))
                await self.push_frame(frame, direction)

        kept = Kept()
        worker = PipelineWorker(Pipeline([self.make(**fields), kept]))
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        running = asyncio.create_task(runner.run())
        await talk(worker, kept)
        await asyncio.wait_for(running, 120)
        return kept

    async def speak(self):
        """Two answers in a row, token by token, on one socket."""
        from pipecat.frames.frames import EndFrame, LLMFullResponseEndFrame, LLMFullResponseStartFrame, LLMTextFrame

        async def talk(worker, _):
            for _ in range(2):
                await worker.queue_frames([LLMFullResponseStartFrame(), *map(LLMTextFrame, TOKENS), LLMFullResponseEndFrame()])
            await worker.queue_frame(EndFrame())

        kept = await self.pipeline(talk)
        check(len(kept.ends) == 2 and kept.ends[1] == len(kept.audio), f"Pipecat: each answer stops once: {kept.ends}")
        understood(self.folder, "pipecat", kept.audio[: kept.ends[0]])
        understood(self.folder, "pipecat-second", kept.audio[kept.ends[0] :])
        said = " ".join(word for word, _ in kept.words)
        check(said == f"{TEXT} {TEXT}", f"Pipecat: the words are the text: {kept.words}")
        first = kept.words[: len(kept.words) // 2]
        begin = first[0][1]
        check_times([(word, at - begin) for word, at in first], kept.ends[0] / 2 / RATE, "Pipecat")

    async def interrupt(self):
        """An answer is interrupted; the next one is spoken on the same socket, and nothing of the first is heard in it."""
        from pipecat.frames.frames import EndFrame, InterruptionFrame, LLMFullResponseEndFrame, LLMFullResponseStartFrame, LLMTextFrame

        before = self.server.available()
        heard = {}

        async def talk(worker, kept):
            await worker.queue_frames([LLMFullResponseStartFrame(), LLMTextFrame(LONG), LLMFullResponseEndFrame()])
            await asyncio.wait_for(kept.began.wait(), 60)
            await worker.queue_frame(InterruptionFrame())
            await asyncio.sleep(1)
            heard["first"] = len(kept.audio)
            await worker.queue_frames([LLMFullResponseStartFrame(), *map(LLMTextFrame, TOKENS), LLMFullResponseEndFrame(), EndFrame()])

        kept = await self.pipeline(talk)
        # Negative control: without the flush after `cancel`, the rest of the first answer is heard in the second one.
        understood(self.folder, "pipecat-after", kept.audio[heard["first"] :])
        check(len(kept.audio) - heard["first"] < 8 * 2 * RATE, "Pipecat: only the second answer is heard after the interruption")
        await self.server.settled()
        paid = before - self.server.available()
        check(len(TEXT) < paid < len(LONG), f"Pipecat: an interruption ends the price: {paid} of {len(LONG)}")
        print(f"         Pipecat: {paid} of {len(LONG) + len(TEXT)} credits")

    async def nobody(self):
        """Nobody answers: an answer of many tokens waits for one try, and the next answer has its own."""
        from pipecat.frames.frames import EndFrame, LLMFullResponseEndFrame, LLMFullResponseStartFrame, LLMTextFrame

        async def talk(worker, _):
            for _ in range(2):
                await worker.queue_frames([LLMFullResponseStartFrame(), *map(LLMTextFrame, LONG.split()), LLMFullResponseEndFrame()])
            await worker.queue_frame(EndFrame())

        begun = time.monotonic()
        # Negative control, seen: with a try for each token this takes over four minutes.
        kept = await self.pipeline(talk, base_url=f"http://127.0.0.1:{free_port()}")
        check(not kept.audio and len(kept.ends) == 2, f"Pipecat: two answers without a service are silent and end: {kept.ends}")
        print(f"         Pipecat: {time.monotonic() - begun:.1f} s for two answers without a service")

    async def bot(self):
        """A bot: Pipecat's own transport, language model service (of a model that stands here) and contexts, and a client that
        listens at the pace of speech. It is interrupted, and its context has what was heard; the next answer has another voice."""
        from pipecat.frames.frames import EndFrame, InterruptionFrame, LLMRunFrame, TTSUpdateSettingsFrame
        from pipecat.pipeline.pipeline import Pipeline
        from pipecat.pipeline.worker import PipelineParams, PipelineWorker
        from pipecat.processors.aggregators.llm_context import LLMContext
        from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
        from pipecat.serializers.protobuf import ProtobufFrameSerializer
        from pipecat.services.openai.llm import OpenAILLMService
        from pipecat.services.settings import TTSSettings
        from pipecat.transports.websocket.server import SingleClientWebsocketServerParams, SingleClientWebsocketServerTransport
        from pipecat.workers.runner import WorkerRunner

        answers = iter([f"{TEXT} " * 4, TEXT])

        async def complete(request):
            """A language model, as OpenAI's interface streams it."""
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            text = next(answers)
            for at in range(0, len(text), 5):
                choice = {"index": 0, "delta": {"content": text[at : at + 5]}, "finish_reason": None}
                chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "here", "choices": [choice]}
                await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
            await response.write(b"data: [DONE]\n\n")
            return response

        model = web.Application()
        model.router.add_post("/chat/completions", complete)
        site = web.AppRunner(model)
        await site.setup()
        model_port, bot_port = free_port(), free_port()
        await web.TCPSite(site, "127.0.0.1", model_port).start()

        rate = 8_000  # A telephone's: the service speaks at the rate of the pipeline.
        serializer = ProtobufFrameSerializer()
        parameters = SingleClientWebsocketServerParams(audio_out_enabled=True, serializer=serializer, allowed_origins=[])
        transport = SingleClientWebsocketServerTransport(params=parameters, host="127.0.0.1", port=bot_port)
        llm = OpenAILLMService(
            api_key="none", base_url=f"http://127.0.0.1:{model_port}", settings=OpenAILLMService.Settings(model="here")
        )
        context = LLMContext([{"role": "user", "content": "Tell me a story."}])
        contexts = LLMContextAggregatorPair(context)
        stages = [transport.input(), contexts.user(), llm, self.make(), transport.output(), contexts.assistant()]
        worker = PipelineWorker(Pipeline(stages), params=PipelineParams(audio_out_sample_rate=rate))
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        running = asyncio.create_task(runner.run())

        heard, rates = bytearray(), set()

        async def listen():
            async for one in connect(f"ws://127.0.0.1:{bot_port}"):
                async for message in one:
                    frame = await ProtobufFrameSerializer().deserialize(message)
                    if audio := getattr(frame, "audio", None):
                        heard.extend(audio)
                        rates.add(frame.sample_rate)

        async def until(condition, what):
            for _ in range(1200):
                if condition():
                    return
                await asyncio.sleep(0.05)
            check(False, f"Pipecat's bot: {what}")

        def said():
            return [one["content"] for one in context.get_messages() if one["role"] == "assistant"]

        there = asyncio.Event()

        @transport.event_handler("on_client_connected")
        async def _(*_):
            there.set()

        listening = asyncio.create_task(listen())
        # What is said to nobody is lost.
        await asyncio.wait_for(there.wait(), 60)
        try:
            await worker.queue_frame(LLMRunFrame())
            await until(lambda: len(heard) > 4 * 2 * rate, "four seconds are heard")
            await worker.queue_frame(InterruptionFrame())
            await until(said, "the context has what was heard")
            await asyncio.sleep(1)
            first = len(heard)
            check(first < 6 * 2 * rate, f"Pipecat's bot is silent after an interruption: {first / 2 / rate} s")
            check(f"{TEXT} {TEXT} {TEXT}".startswith(said()[0]) and len(said()[0]) < 2 * len(TEXT), f"Pipecat's bot: {said()}")
            context.add_message({"role": "user", "content": "Again."})
            await self.server.settled()
            before = self.server.available()
            await worker.queue_frame(TTSUpdateSettingsFrame(delta=TTSSettings(voice="alma")))
            await worker.queue_frame(LLMRunFrame())
            await until(lambda: len(said()) == 2, "the context has the second answer")
        finally:
            # A pipeline that goes on would keep the program from ending with what is not so.
            await worker.queue_frame(EndFrame())
            await asyncio.wait_for(running, 60)
            listening.cancel()
        await site.cleanup()
        check(said()[1] == TEXT, f"Pipecat's bot: {said()}")
        await self.server.settled()
        # Negative control, seen: a class that keeps its socket goes on with the voice before, for one credit a character.
        check(before - self.server.available() > len(TEXT), f"Pipecat's bot has a dearer voice: {before - self.server.available()}")
        check(rates == {rate}, f"Pipecat's bot speaks at the rate of its pipeline: {rates}")
        understood(self.folder, "pipecat-bot", bytes(heard[first:]), rate)

    async def run(self):
        await self.speak()
        await self.interrupt()
        await self.nobody()
        await self.bot()


class Account(Server):
    """The server, with the balance of the account whose key the classes use."""

    def available(self):
        return self.get("/v1/saas/credits/balance")["available"]

    def get(self, path):
        request = urllib.request.Request(f"{self.url}{path}", headers={"Authorization": f"Bearer {os.environ['LECTERN_API_KEY']}"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    async def settled(self):
        """Waits until nothing is held any more."""
        for _ in range(200):
            if self.get("/v1/saas/credits/balance")["held"] == 0:
                return
            await asyncio.sleep(0.1)
        check(False, "what was held is charged or released")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    wheel = only("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"]
    subprocess.run([*pip, wheel], check=True)
    importlib.invalidate_caches()
    sys.path.insert(0, str(TOP / "docs/examples"))
    # Loguru is Pipecat's logger: what it tells while it works is no result.
    loguru.logger.remove()
    loguru.logger.add(sys.stderr, level="ERROR", format="         Pipecat's log: {message}")
    with tempfile.TemporaryDirectory(prefix="lectern-agents.") as folder:
        folder = pathlib.Path(folder)
        with Account(binary, folder) as server:
            account = server.admin("invite", "create", "--email", "agent@example.com", "--credits", "100000")
            server.admin("account", "set-tier", "--account", "agent@example.com", "--tier", "premium")
            os.environ |= {"LECTERN_API_KEY": account["live_key"], "LECTERN_BASE_URL": server.url}
            for framework in (LiveKit, Pipecat):
                begun = time.monotonic()
                asyncio.run(framework(server, folder).run())
                print(f"{time.monotonic() - begun:5.1f} s  {framework.__doc__}", flush=True)
            check(server.admin("ledger", "verify")["ok"], "the ledger adds up")


if __name__ == "__main__":
    main()
