"""The operations of `/v1/saas`, by what they are about. Arguments have the names of the API's fields."""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx

from .. import types
from .._config import NOT_GIVEN, NotGiven, given, given_or_null, query_of
from .._errors import APIConnectionError, APITimeoutError, WaitTimeoutError
from .._events import ENDS, EventReader, MaterialEvent
from .._generated import operations
from .._retry import retry_after
from .._runtime_async import sleep
from .._socket_async import AsyncSocket, open_socket
from .._upload import Progress, Upload, Uploadable
from .paging import AsyncPager
from .streams import AsyncAudioStream, AsyncBinaryStream

if TYPE_CHECKING:
    from .client import AsyncLectern

SampleRate = Literal[8000, 16000, 22050, 24000, 44100, 48000]
FileProgress = Callable[[int, int | None], None]

# A proxy or a network that fails silently is noticed after this time: the service sends a comment more often.
_SILENCE = 45.0
# How often `wait` looks at the material itself, for changes that no event tells of.
_LOOK = 15.0


class _AsyncResource:
    def __init__(self, client: AsyncLectern) -> None:
        self._client = client


def _json(fields: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    return lambda: {"json": fields}


class AsyncAccount(_AsyncResource):
    """The account that the key belongs to."""

    async def me(self) -> types.Me:
        """The account, and what the key may do."""
        return await self._client._json(operations.GET_ME)

    async def register(
        self, *, password: str, email: str | None = None, invite_token: str | None = None
    ) -> types.Registration:
        """Registers an account. Needs no key."""
        body = given(password=password, email=email, invite_token=invite_token)
        return await self._client._json(operations.REGISTER, body=_json(body))

    async def login(self, *, email: str, password: str) -> types.Login:
        """Signs in. Needs no key. The session's token is for the web application, not for this client."""
        return await self._client._json(operations.LOGIN, body=_json({"email": email, "password": password}))


class AsyncCredits(_AsyncResource):
    """Credits, and what they were spent on."""

    async def balance(self) -> types.Balance:
        return await self._client._json(operations.GET_BALANCE)

    def transactions(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[types.Transaction]:
        """The ledger, newest first."""
        query = given(limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_TRANSACTIONS, types.Transaction, query)

    async def usage(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        group_by: types.UsageGroup | None = None,
    ) -> types.Usage:
        """Characters, credits and requests, by day, e-reader or key."""
        query = given(**{"from": _time(from_), "to": _time(to), "group_by": group_by})
        return await self._client._json(operations.GET_USAGE, query=query_of(query))


class AsyncEreaders(_AsyncResource):
    """The voices."""

    def list(
        self,
        *,
        language: str | None = None,
        tier: types.Tier | None = None,
        engine: Literal["hibari", "kokoro", "piper", "upstream"] | None = None,
        gender: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[types.Ereader]:
        query = given(language=language, tier=tier, engine=engine, gender=gender, limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_EREADERS, types.Ereader, query)

    async def get(self, slug: str) -> types.Ereader:
        return await self._client._json(operations.GET_EREADER, path={"slug": slug})

    @asynccontextmanager
    async def sample(self, slug: str, *, lang: str | None = None) -> AsyncGenerator[AsyncBinaryStream, None]:
        """A sample of the voice, as MP3."""
        query = query_of(given(lang=lang))
        async with self._client._streamed(
            operations.GET_EREADER_SAMPLE, path={"slug": slug}, query=query
        ) as response:
            yield AsyncBinaryStream(response)


class AsyncEvents(_AsyncResource):
    """The events of the last 30 days, whether or not a webhook received them."""

    def list(
        self, *, type: types.EventType | None = None, limit: int | None = None, cursor: str | None = None
    ) -> AsyncPager[types.Event]:
        query = given(type=type, limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_EVENTS, types.Event, query)


class AsyncFiles(_AsyncResource):
    """What needs no key: audio by its URL, podcast feeds, the document of the API."""

    @asynccontextmanager
    async def open(self, url: str) -> AsyncGenerator[AsyncBinaryStream, None]:
        """The audio at an `audio_url`, or a feed's file. The key is not sent there."""
        client = self._client
        operation = operations.GET_FEED_FILE if "/feeds/" in url else operations.GET_MEDIA
        async with client._streamed(operation, url=url) as response:
            yield AsyncBinaryStream(response)

    async def download(
        self, url: str, to: str | os.PathLike[str], *, progress: FileProgress | None = None
    ) -> Path:
        """Writes the audio at an `audio_url` to a file."""
        async with self.open(url) as stream:
            return await stream.to_file(to, progress=progress)

    async def openapi(self) -> dict[str, Any]:
        """The document of the API."""
        answer: dict[str, Any] = await self._client._json(operations.GET_OPENAPI)
        return answer


class AsyncKeys(_AsyncResource):
    """API keys. They need a key with the scope `admin`."""

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[types.Scope],
        environment: types.Environment | None = None,
        expires_at: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> types.NewApiKey:
        """Makes a key. Its secret is `key`, and is shown this once."""
        body = given(name=name, scopes=list(scopes), environment=environment, expires_at=_time(expires_at))
        return await self._client._json(operations.CREATE_KEY, body=_json(body), idempotency_key=idempotency_key)

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[types.ApiKey]:
        query = given(limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_KEYS, types.ApiKey, query)

    async def update(self, id: str, *, name: str | None = None) -> types.ApiKey:
        """Renames a key."""
        return await self._client._json(operations.UPDATE_KEY, path={"id": id}, body=_json(given(name=name)))

    async def roll(
        self, id: str, *, previous_ends_in_seconds: int | None = None, idempotency_key: str | None = None
    ) -> types.RolledApiKey:
        """Replaces a key. The new secret is `key`, and is shown this once; the previous key ends as `previous` says."""
        body = given(previous_ends_in_seconds=previous_ends_in_seconds)
        return await self._client._json(
            operations.ROLL_KEY, path={"id": id}, body=_json(body), idempotency_key=idempotency_key
        )

    async def revoke(self, id: str) -> types.ApiKey:
        return await self._client._json(operations.REVOKE_KEY, path={"id": id})


class AsyncLexicons(_AsyncResource):
    """How words are said."""

    async def create(
        self,
        *,
        name: str,
        language: str,
        entries: Sequence[types.LexiconEntry | Mapping[str, str]],
        default: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Lexicon:
        """`entries` have `word` and one of `ipa`, `x_sampa` and `alias`."""
        body = given(name=name, language=language, entries=[_entry(one) for one in entries], default=default)
        return await self._client._json(
            operations.CREATE_LEXICON, body=_json(body), idempotency_key=idempotency_key
        )

    async def create_from_pls(
        self,
        pls: bytes,
        *,
        name: str | None = None,
        language: str | None = None,
        default: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Lexicon:
        """A lexicon from a file in the W3C's Pronunciation Lexicon Specification."""
        return await self._client._json(
            operations.CREATE_LEXICON,
            query=query_of(given(name=name, language=language, default=default)),
            body=lambda: {"content": pls},
            headers={"Content-Type": "application/pls+xml"},
            idempotency_key=idempotency_key,
        )

    def list(
        self, *, include: Literal["entries"] | None = None, limit: int | None = None, cursor: str | None = None
    ) -> AsyncPager[types.Lexicon]:
        """`include="entries"` answers their entries, too."""
        query = given(include=include, limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_LEXICONS, types.Lexicon, query)

    async def get(self, id: str, *, include: Literal["entries"] | None = None) -> types.Lexicon:
        """`include="entries"` answers the entries, too."""
        query = query_of(given(include=include))
        return await self._client._json(operations.GET_LEXICON, path={"id": id}, query=query)

    async def replace(
        self,
        id: str,
        *,
        name: str,
        language: str,
        entries: Sequence[types.LexiconEntry | Mapping[str, str]],
        default: bool | None = None,
    ) -> types.Lexicon:
        body = given(name=name, language=language, entries=[_entry(one) for one in entries], default=default)
        return await self._client._json(operations.REPLACE_LEXICON, path={"id": id}, body=_json(body))

    async def replace_from_pls(
        self,
        id: str,
        pls: bytes,
        *,
        name: str | None = None,
        language: str | None = None,
        default: bool | None = None,
    ) -> types.Lexicon:
        return await self._client._json(
            operations.REPLACE_LEXICON,
            path={"id": id},
            query=query_of(given(name=name, language=language, default=default)),
            body=lambda: {"content": pls},
            headers={"Content-Type": "application/pls+xml"},
        )

    async def delete(self, id: str) -> types.Lexicon:
        return await self._client._json(operations.DELETE_LEXICON, path={"id": id})


class AsyncSpeech(_AsyncResource):
    """Texts of up to 5,000 characters, spoken at once; and sockets for text that comes piece by piece."""

    async def synthesize(
        self,
        *,
        ereader_id: str,
        text: str,
        format: types.AudioFormat | None = None,
        language: str | None = None,
        lexicon_ids: Sequence[str] | None = None,
        loudness: types.Loudness | None = None,
        pitch: float | None = None,
        sample_rate_hz: SampleRate | None = None,
        bitrate_kbps: int | None = None,
        seed: int | None = None,
        speakers: Mapping[str, str] | None = None,
        speed: float | None = None,
        text_type: types.TextType | None = None,
        timestamps: types.Timestamps | None = None,
        idempotency_key: str | None = None,
    ) -> types.Synthesis:
        """Speaks a text. The audio is at `audio_url`, for 24 hours: see `client.files.download`."""
        body = given(
            ereader_id=ereader_id,
            text=text,
            format=format,
            language=language,
            lexicon_ids=lexicon_ids,
            loudness=loudness,
            pitch=pitch,
            sample_rate_hz=sample_rate_hz,
            bitrate_kbps=bitrate_kbps,
            seed=seed,
            speakers=speakers,
            speed=speed,
            text_type=text_type,
            timestamps=timestamps,
        )
        return await self._client._json(operations.SYNTHESIZE, body=_json(body), idempotency_key=idempotency_key)

    @asynccontextmanager
    async def stream(
        self,
        *,
        ereader_id: str,
        text: str,
        format: types.AudioFormat | None = None,
        language: str | None = None,
        lexicon_ids: Sequence[str] | None = None,
        loudness: types.StreamLoudness | None = None,
        pitch: float | None = None,
        sample_rate_hz: SampleRate | None = None,
        bitrate_kbps: int | None = None,
        seed: int | None = None,
        speakers: Mapping[str, str] | None = None,
        speed: float | None = None,
        text_type: types.TextType | None = None,
        timestamps: types.NoTimestamps | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncGenerator[AsyncAudioStream, None]:
        """Speaks a text, and gives the audio while it is being spoken."""
        body = given(
            ereader_id=ereader_id,
            text=text,
            format=format,
            language=language,
            lexicon_ids=lexicon_ids,
            loudness=loudness,
            pitch=pitch,
            sample_rate_hz=sample_rate_hz,
            bitrate_kbps=bitrate_kbps,
            seed=seed,
            speakers=speakers,
            speed=speed,
            text_type=text_type,
            timestamps=timestamps,
        )
        async with self._client._streamed(
            operations.STREAM, body=_json(body), idempotency_key=idempotency_key
        ) as response:
            yield AsyncAudioStream(response)

    @asynccontextmanager
    async def socket(
        self,
        *,
        ereader_id: str,
        format: types.AudioFormat | None = None,
        language: str | None = None,
        lexicon_ids: Sequence[str] | None = None,
        loudness: types.StreamLoudness | None = None,
        pitch: float | None = None,
        sample_rate_hz: SampleRate | None = None,
        bitrate_kbps: int | None = None,
        seed: int | None = None,
        speakers: Mapping[str, str] | None = None,
        speed: float | None = None,
        text_type: types.TextType | None = None,
        timestamps: types.NoTimestamps | None = None,
    ) -> AsyncGenerator[AsyncSocket, None]:
        """A socket for text that comes piece by piece. docs/SOCKET.md says when speech begins, and what it costs."""
        start = given(
            ereader_id=ereader_id,
            format=format,
            language=language,
            lexicon_ids=lexicon_ids,
            loudness=loudness,
            pitch=pitch,
            sample_rate_hz=sample_rate_hz,
            bitrate_kbps=bitrate_kbps,
            seed=seed,
            speakers=speakers,
            speed=speed,
            text_type=text_type,
            timestamps=timestamps,
        )
        async with open_socket(self._client._config, operations.OPEN_SOCKET, start) as socket:
            yield socket


class AsyncMaterials(_AsyncResource):
    """Books and other long texts, and the audio that is made of them."""

    async def create(
        self,
        *,
        text: str | None = None,
        url: str | None = None,
        title: str | None = None,
        language: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Material:
        """A material of a text, or of the document at an address. Give one of the two."""
        body = given(text=text, url=url, title=title, language=language)
        return await self._client._json(
            operations.CREATE_MATERIAL, body=_json(body), idempotency_key=idempotency_key
        )

    async def upload(
        self,
        file: Uploadable,
        *,
        filename: str | None = None,
        title: str | None = None,
        language: str | None = None,
        progress: Progress | None = None,
        idempotency_key: str | None = None,
    ) -> types.Material:
        """A material of a file: its bytes, its path, or the open file.

        `progress` is called with the number of bytes that are sent and that of all; from the beginning again when the
        file has to be sent again.
        """
        form = Upload(file, filename, given(title=title, language=language), progress)
        try:
            return await self._client._json(
                operations.CREATE_MATERIAL, body=form.body, idempotency_key=idempotency_key
            )
        finally:
            form.close()

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[types.Material]:
        query = given(limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_MATERIALS, types.Material, query)

    async def get(self, id: str) -> types.Material:
        return await self._client._json(operations.GET_MATERIAL, path={"id": id})

    async def update(
        self,
        id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        author: str | None | NotGiven = NOT_GIVEN,
        narrator: str | None | NotGiven = NOT_GIVEN,
        publisher: str | None | NotGiven = NOT_GIVEN,
        year: int | None | NotGiven = NOT_GIVEN,
        language: str | None | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        series: str | None | NotGiven = NOT_GIVEN,
        series_index: float | None | NotGiven = NOT_GIVEN,
        isbn: str | None | NotGiven = NOT_GIVEN,
        copyright: str | None | NotGiven = NOT_GIVEN,
    ) -> types.Material:
        """Changes what the files say about the book. What is left out does not change; `None` removes."""
        body = given_or_null(
            title=title,
            author=author,
            narrator=narrator,
            publisher=publisher,
            year=year,
            language=language,
            description=description,
            series=series,
            series_index=series_index,
            isbn=isbn,
            copyright=copyright,
        )
        return await self._client._json(operations.UPDATE_MATERIAL, path={"id": id}, body=_json(body))

    async def delete(self, id: str) -> types.Material:
        return await self._client._json(operations.DELETE_MATERIAL, path={"id": id})

    async def convert(
        self,
        id: str,
        *,
        ereader_id: str,
        format: types.AudioFormat | None = None,
        language: str | None = None,
        lexicon_ids: Sequence[str] | None = None,
        chapters: Sequence[int] | None = None,
        chunks: Sequence[int] | None = None,
        notes: types.NotesMode | None = None,
        again: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Conversion:
        """Begins to speak a material. The whole price is held; see `wait`."""
        body = given(
            ereader_id=ereader_id,
            format=format,
            language=language,
            lexicon_ids=lexicon_ids,
            chapters=chapters,
            chunks=chunks,
            notes=notes,
            again=again,
        )
        return await self._client._json(
            operations.CONVERT_MATERIAL, path={"id": id}, body=_json(body), idempotency_key=idempotency_key
        )

    async def cancel(self, id: str, *, idempotency_key: str | None = None) -> types.Material:
        """Begins nothing new; what is done stays."""
        return await self._client._json(
            operations.CANCEL_MATERIAL, path={"id": id}, idempotency_key=idempotency_key
        )

    async def events(self, id: str, *, last_event_id: int | None = None) -> AsyncIterator[MaterialEvent]:
        """What happens to a material, from its first event on or after `last_event_id`, until it is completed or
        failed. When the connection breaks, it is opened again."""
        failures = 0
        while True:
            try:
                async with aclosing(self._events_once(id, last_event_id)) as events:
                    async for event in events:
                        if event is None:
                            continue
                        failures = 0
                        last_event_id = event.sequence or last_event_id
                        yield event
                        if event.type in ENDS:
                            return
            except httpx.TransportError as error:
                failures += 1
                if failures > self._client._config.retry.retries:
                    raise APIConnectionError(f"the events of {id}: {type(error).__name__}") from error
                await sleep(1.0)
            else:
                return

    async def _events_once(
        self, id: str, last_event_id: int | None, *, read_timeout: float = _SILENCE
    ) -> AsyncGenerator[MaterialEvent | None, None]:
        """The events of one connection; `None` for each other line, so that the caller can look at the clock."""
        headers = {"Accept": "text/event-stream"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = str(last_event_id)
        reader = EventReader()
        async with self._client._streamed(
            operations.FOLLOW_MATERIAL, path={"id": id}, headers=headers, read_timeout=read_timeout
        ) as response:
            async for line in response.aiter_lines():
                yield reader.line(line)

    async def wait(
        self,
        id: str,
        *,
        timeout: float | None = None,
        on_event: Callable[[MaterialEvent], None] | None = None,
    ) -> types.Material:
        """Waits until the service has finished what it does with a material, and answers the material.

        After an upload that is until it is `ready` or `failed`; after `convert`, until it is `completed`,
        `partially_failed`, or `ready` if not all of it was to be spoken. `on_event` is called with each event.
        """
        ends = None if timeout is None else time.monotonic() + timeout
        seen: int | None = None
        while True:
            material = await self.get(id)
            if material.status not in ("processing", "converting"):
                return material
            left = _LOOK if ends is None else min(_LOOK, ends - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"{id} is not finished after {timeout:g} s")
            look = time.monotonic() + left
            try:
                async with aclosing(self._events_once(id, seen, read_timeout=left)) as events:
                    async for event in events:
                        if event is not None:
                            seen = event.sequence or seen
                            if on_event:
                                on_event(event)
                            if event.type.startswith("material."):
                                break
                        if time.monotonic() > look:
                            break
                    else:
                        # The stream was at its end; the material may change a moment later.
                        await sleep(0.2)
            except (httpx.TimeoutException, APITimeoutError):
                pass
            except (httpx.TransportError, APIConnectionError):
                await sleep(1.0)

    @asynccontextmanager
    async def audio(
        self,
        id: str,
        *,
        format: types.BookFormat | None = None,
        granularity: types.Granularity | None = None,
        loudness: types.BookLoudness | None = None,
        timeout: float | None = None,
        on_assembling: Callable[[float], None] | None = None,
    ) -> AsyncGenerator[AsyncBinaryStream, None]:
        """The whole book as one file. Waits until it is made; `on_assembling` is called with how far it is, 0 to 1."""
        query = given(format=format, granularity=granularity, loudness=loudness)
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            async with self._client._streamed(
                operations.GET_MATERIAL_AUDIO, path={"id": id}, query=query_of(query)
            ) as response:
                if response.status_code != 202:
                    yield AsyncBinaryStream(response)
                    return
                await response.aread()
                pause = retry_after(response.headers) or 1.0
                if on_assembling:
                    on_assembling(response.json()["progress"])
            if ends is not None and time.monotonic() + pause > ends:
                raise WaitTimeoutError(f"the file of {id} is not made after {timeout:g} s")
            await sleep(pause)

    async def download(
        self,
        id: str,
        to: str | os.PathLike[str],
        *,
        format: types.BookFormat | None = None,
        granularity: types.Granularity | None = None,
        loudness: types.BookLoudness | None = None,
        timeout: float | None = None,
        on_assembling: Callable[[float], None] | None = None,
        progress: FileProgress | None = None,
    ) -> Path:
        """Writes the whole book to a file. `format` is by default the end of the file's name."""
        ending = Path(to).suffix.removeprefix(".")
        if format is None and ending in ("mp3", "m4b", "zip", "epub"):
            format = ending  # type: ignore[assignment]
        async with self.audio(
            id,
            format=format,
            granularity=granularity,
            loudness=loudness,
            timeout=timeout,
            on_assembling=on_assembling,
        ) as stream:
            return await stream.to_file(to, progress=progress)

    async def audio_url(
        self,
        id: str,
        *,
        format: types.BookFormat | None = None,
        granularity: types.Granularity | None = None,
        loudness: types.BookLoudness | None = None,
        timeout: float | None = None,
        on_assembling: Callable[[float], None] | None = None,
    ) -> types.AudioUrl:
        """A URL of the whole book that needs no key, valid for 24 hours. Waits until the file is made."""
        query = query_of(given(format=format, granularity=granularity, loudness=loudness, url=True))
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            response = await self._client._send(operations.GET_MATERIAL_AUDIO, path={"id": id}, query=query)
            if response.status_code != 202:
                return self._client._decoded(operations.GET_MATERIAL_AUDIO, response)
            pause = retry_after(response.headers) or 1.0
            if on_assembling:
                on_assembling(response.json()["progress"])
            if ends is not None and time.monotonic() + pause > ends:
                raise WaitTimeoutError(f"the file of {id} is not made after {timeout:g} s")
            await sleep(pause)

    async def captions(self, id: str, *, format: types.CaptionFormat | None = None) -> str:
        """The captions of the whole book."""
        query = query_of(given(format=format))
        return (await self._client._send(operations.GET_MATERIAL_CAPTIONS, path={"id": id}, query=query)).text

    async def chapters(self, id: str) -> builtins.list[types.Chapter]:
        return (await self._client._json(operations.LIST_CHAPTERS, path={"id": id})).data

    async def update_chapter(
        self, id: str, index: int, *, title: str | None | NotGiven = NOT_GIVEN, included: bool | NotGiven = NOT_GIVEN
    ) -> types.Chapter:
        """Renames a chapter (`None` removes its title), or leaves it out of the book."""
        body = given_or_null(title=title, included=included)
        return await self._client._json(
            operations.UPDATE_CHAPTER, path={"id": id, "index": index}, body=_json(body)
        )

    def chunks(
        self, id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> AsyncPager[types.Chunk]:
        query = given(limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_CHUNKS, types.Chunk, query, {"id": id})

    @asynccontextmanager
    async def chunk_audio(self, id: str, index: int) -> AsyncGenerator[AsyncBinaryStream, None]:
        async with self._client._streamed(
            operations.GET_CHUNK_AUDIO, path={"id": id, "index": index}
        ) as response:
            yield AsyncBinaryStream(response)

    async def chunk_audio_url(self, id: str, index: int) -> types.AudioUrl:
        """A URL of a chunk's audio that needs no key, valid for 24 hours."""
        path = {"id": id, "index": index}
        return await self._client._json(operations.GET_CHUNK_AUDIO, path=path, query=query_of({"url": True}))

    async def chunk_text(self, id: str, index: int) -> types.ChunkText:
        return await self._client._json(operations.GET_CHUNK_TEXT, path={"id": id, "index": index})

    async def set_chunk_text(self, id: str, index: int, text: str) -> types.ChunkText:
        """Corrects a text. It is spoken, and paid, when the chunk is converted the next time."""
        return await self._client._json(
            operations.SET_CHUNK_TEXT,
            path={"id": id, "index": index},
            body=lambda: {"content": text.encode()},
            headers={"Content-Type": "text/plain; charset=utf-8"},
        )

    async def chunk_timestamps(self, id: str, index: int) -> types.ChunkTimestamps:
        return await self._client._json(operations.GET_CHUNK_TIMESTAMPS, path={"id": id, "index": index})

    @asynccontextmanager
    async def cover(self, id: str) -> AsyncGenerator[AsyncBinaryStream, None]:
        async with self._client._streamed(operations.GET_COVER, path={"id": id}) as response:
            yield AsyncBinaryStream(response)

    async def set_cover(
        self, id: str, picture: bytes, *, media_type: Literal["image/jpeg", "image/png"] | None = None
    ) -> types.Material:
        """`media_type` is by default what the picture's first bytes say."""
        kind = media_type or ("image/png" if picture.startswith(b"\x89PNG") else "image/jpeg")
        return await self._client._json(
            operations.SET_COVER,
            path={"id": id},
            body=lambda: {"content": picture},
            headers={"Content-Type": kind},
        )

    async def delete_cover(self, id: str) -> types.Material:
        return await self._client._json(operations.DELETE_COVER, path={"id": id})

    async def cast(self, id: str) -> types.Cast:
        """Who speaks in a material, and by which e-reader they are said."""
        return await self._client._json(operations.GET_CAST, path={"id": id})

    async def set_cast(
        self, id: str, speakers: Sequence[types.CastSpeaker | Mapping[str, Any]]
    ) -> types.Cast:
        """Until the first conversion. `speakers` have `name` and `ereader_id`."""
        body = {"speakers": [_entry(one) for one in speakers]}
        return await self._client._json(operations.SET_CAST, path={"id": id}, body=_json(body))

    def quotes(
        self,
        id: str,
        *,
        speaker: str | None = None,
        unattributed: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[types.Quote]:
        """What is said in the text, and whose it is. `unattributed=True` answers the quotes without a speaker."""
        query = given(speaker=speaker, unattributed=unattributed, limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_QUOTES, types.Quote, query, {"id": id})

    async def set_quotes(
        self, id: str, quotes: Sequence[types.QuoteSpeaker | Mapping[str, Any]]
    ) -> types.Quotes:
        """Until the first conversion. `quotes` have `chunk_index`, `start` and `speaker`: a name, or `None` for the narrator."""
        # Here `None` says something.
        body = {"quotes": [dict(one) if isinstance(one, Mapping) else vars(one) for one in quotes]}
        return await self._client._json(operations.SET_QUOTES, path={"id": id}, body=_json(body))

    async def make_feed(self, id: str, *, idempotency_key: str | None = None) -> types.BookFeed:
        """The secret URL of a podcast of the book's chapters; made if there is none."""
        return await self._client._json(operations.MAKE_FEED, path={"id": id}, idempotency_key=idempotency_key)

    async def feed(self, id: str) -> types.BookFeed:
        return await self._client._json(operations.GET_FEED, path={"id": id})

    async def delete_feed(self, id: str) -> types.BookFeed:
        """Revokes the URL."""
        return await self._client._json(operations.DELETE_FEED, path={"id": id})


class AsyncWebhooks(_AsyncResource):
    """Endpoints that receive events. They need a key with the scope `admin`. See also `lectern.webhooks.verify`."""

    async def create(
        self,
        *,
        url: str,
        events: Sequence[types.EventType],
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.NewWebhook:
        """The answer has the `secret`, which is shown this once."""
        body = given(url=url, events=list(events), description=description)
        return await self._client._json(
            operations.CREATE_WEBHOOK, body=_json(body), idempotency_key=idempotency_key
        )

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[types.Webhook]:
        query = given(limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_WEBHOOKS, types.Webhook, query)

    async def get(self, id: str) -> types.Webhook:
        return await self._client._json(operations.GET_WEBHOOK, path={"id": id})

    async def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: Sequence[types.EventType] | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        status: types.WebhookSwitch | NotGiven = NOT_GIVEN,
    ) -> types.Webhook:
        """What is left out does not change; `description=None` removes it."""
        body = given_or_null(url=url, events=events, description=description, status=status)
        return await self._client._json(operations.UPDATE_WEBHOOK, path={"id": id}, body=_json(body))

    async def delete(self, id: str) -> types.Webhook:
        return await self._client._json(operations.DELETE_WEBHOOK, path={"id": id})

    async def rotate_secret(self, id: str, *, idempotency_key: str | None = None) -> types.RotatedWebhook:
        """A new secret. The old one stays valid for 24 hours."""
        return await self._client._json(
            operations.ROTATE_WEBHOOK_SECRET, path={"id": id}, idempotency_key=idempotency_key
        )

    async def test(self, id: str, *, idempotency_key: str | None = None) -> types.Delivery:
        """Sends a `webhook.test` at once."""
        return await self._client._json(operations.TEST_WEBHOOK, path={"id": id}, idempotency_key=idempotency_key)

    def deliveries(
        self,
        id: str,
        *,
        status: types.DeliveryStatus | None = None,
        event_type: types.EventType | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[types.Delivery]:
        query = given(status=status, event_type=event_type, limit=limit, cursor=cursor)
        return AsyncPager(self._client, operations.LIST_DELIVERIES, types.Delivery, query, {"id": id})

    async def delivery(self, id: str, delivery_id: str) -> types.DeliveryDetail:
        """A delivery with each of its attempts."""
        path = {"id": id, "delivery_id": delivery_id}
        return await self._client._json(operations.GET_DELIVERY, path=path)

    async def retry_delivery(
        self, id: str, delivery_id: str, *, idempotency_key: str | None = None
    ) -> types.Delivery:
        """Sends it again now."""
        path = {"id": id, "delivery_id": delivery_id}
        return await self._client._json(operations.RETRY_DELIVERY, path=path, idempotency_key=idempotency_key)


def _time(value: datetime | str | None) -> str | None:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a time needs a time zone: datetime(…, tzinfo=timezone.utc)")
        return value.isoformat()
    return value


def _entry(one: Any) -> dict[str, Any]:
    return dict(one) if isinstance(one, Mapping) else given(**vars(one))
