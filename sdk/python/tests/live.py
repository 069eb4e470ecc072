"""Calls what the README does not, at a real service: for scripts/sdks.py, which sets LECTERN_BASE_URL and LECTERN_API_KEY."""

from __future__ import annotations

import base64
from typing import Any

import lectern
from lectern import Audio, Done, Flushed, Lectern, errors, operations, types

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
PLS = b"""<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en-US">
<lexeme><grapheme>Siobhan</grapheme><alias>Shivawn</alias></lexeme></lexicon>"""


def refused(kind: type[lectern.APIError], call: Any) -> None:
    try:
        call()
    except kind as error:
        assert error.request_id, error
    else:
        raise AssertionError(f"{kind.__name__} is raised")


def speech(client: Lectern, heart: str) -> None:
    for replayed in (False, True):
        with client.speech.stream(ereader_id=heart, text="Hello.", format="wav", idempotency_key="live-1") as audio:
            assert audio.read().startswith(b"RIFF") and audio.content_type == "audio/wav"
            assert (audio.replayed, audio.characters, audio.credits) == (replayed, 6, 6), audio.headers
    timed = client.speech.synthesize(ereader_id=heart, text="Hello you.", timestamps="word", speed=1.1)
    assert timed.timestamps and isinstance(timed.timestamps[0], lectern.types.WordTimestamp), timed
    with client.speech.socket(ereader_id=heart, format="pcm") as socket:
        socket.send("This is a sentence that goes on for a while, and then some. " * 4)
        cancelled = False
        for event in socket:
            if isinstance(event, Audio) and not cancelled:
                cancelled = True
                socket.cancel()
                socket.flush()
            elif isinstance(event, Flushed):
                socket.send("Only this.")
                socket.end()
            elif isinstance(event, Done):
                assert 10 < event.credits_charged < 250, event
    with client.speech.socket(ereader_id="erd_0") as socket:
        refused(errors.EreaderNotFoundError, lambda: list(socket.speak(["Hello."])))


def materials(client: Lectern, heart: str) -> None:
    text = "[speaker Ines]\nHello.\n[speaker Ada]\nHello, you."
    book = client.materials.create(text=text, title="Two voices", language="en")
    assert client.materials.wait(book.id, timeout=60).status == "ready"
    cast = client.materials.set_cast(book.id, [{"name": "Ines", "ereader_id": heart}])
    assert client.materials.cast(book.id) == cast
    said = [quote for quote in client.materials.quotes(book.id, speaker="Ada")]
    place = types.QuoteSpeaker(chunk_index=said[0].chunk_index, start=said[0].start, text=said[0].text, speaker=None)
    (changed,) = client.materials.set_quotes(book.id, [place]).quotes
    assert changed.speaker is None and changed.given, changed
    assert list(client.materials.quotes(book.id, unattributed=True)) == []
    assert client.materials.update(book.id, author="Ada", year=1843, series=None).author == "Ada"
    assert client.materials.set_cover(book.id, PIXEL).has_cover
    with client.materials.cover(book.id) as cover:
        assert cover.content_type == "image/png" and cover.read()
    assert not client.materials.delete_cover(book.id).has_cover
    (chapter,) = client.materials.chapters(book.id)
    assert client.materials.update_chapter(book.id, chapter.index, title="Été").title == "Été"
    assert "Ines" in client.materials.chunk_text(book.id, 0).text
    assert client.materials.set_chunk_text(book.id, 0, "Café.").text == "Café."
    refused(errors.ChunkNotReadyError, lambda: client.materials.audio_url(book.id))
    conversion = client.materials.convert(book.id, ereader_id=heart, format="flac")
    assert conversion.credits_held == 5, conversion
    assert client.materials.wait(book.id, timeout=60).status == "completed"
    kinds = [event.type for event in client.materials.events(book.id)]
    assert kinds[-2:] == ["chunk.completed", "material.completed"], kinds
    assert [chunk.status for chunk in client.materials.chunks(book.id)] == ["completed"]
    with client.materials.chunk_audio(book.id, 0) as audio:
        assert audio.read().startswith(b"fLaC") and audio.length
    with client.files.open(client.materials.chunk_audio_url(book.id, 0).audio_url) as audio:
        assert audio.read().startswith(b"fLaC")
    assert client.materials.chunk_timestamps(book.id, 0).timestamps
    assert client.materials.captions(book.id, format="srt").startswith("1\n")
    assert client.materials.audio_url(book.id, format="epub", granularity="word").audio_url
    feed = client.materials.make_feed(book.id)
    assert client.materials.feed(book.id) == feed
    with client.files.open(feed.url) as stream:
        assert b"<rss" in stream.read()
    client.materials.delete_feed(book.id)
    refused(errors.NotFoundError, lambda: client.materials.feed(book.id))
    assert client.materials.cancel(book.id).status == "completed"
    assert client.materials.delete(book.id).status == "deleted"


def others(client: Lectern) -> None:
    made = client.lexicons.create(name="Names", language="en", entries=[{"word": "Lectern", "alias": "lek turn"}])
    read = client.lexicons.get(made.id, include="entries")
    assert read.entries and read.entries[0].alias == "lek turn"
    assert client.lexicons.replace(made.id, name="N", language="en", entries=read.entries, default=False).name == "N"
    assert client.lexicons.replace_from_pls(made.id, PLS, name="PLS").entries_count == 1
    assert client.lexicons.create_from_pls(PLS, name="Two").language
    assert len(list(client.lexicons.list(include="entries", limit=1))) == 2
    client.lexicons.delete(made.id)

    url = "https://127.0.0.1:9443/hook"
    hook = client.webhooks.create(url=url, events=["chunk.completed"], description="A test")
    assert hook.secret.startswith("whsec_") and client.webhooks.get(hook.id).url == url
    assert client.webhooks.update(hook.id, description=None, events=["material.completed"]).description is None
    assert client.webhooks.rotate_secret(hook.id).secret != hook.secret
    delivery = client.webhooks.test(hook.id)
    assert [one.id for one in client.webhooks.deliveries(hook.id)] == [delivery.id]
    assert client.webhooks.delivery(hook.id, delivery.id).event_type == "webhook.test"
    try:
        client.webhooks.retry_delivery(hook.id, delivery.id)
    except errors.AlreadyInFlightError:
        pass
    assert hook.id in [one.id for one in client.webhooks.list()]
    client.webhooks.delete(hook.id)

    key = client.keys.create(name="Reader", scopes=["read"], environment="test")
    other = Lectern(key.key, base_url=client._config.base_url)
    refused(errors.InsufficientScopeError, lambda: other.speech.synthesize(ereader_id="erd_0", text="Hello."))
    refused(errors.InsufficientScopeError, lambda: other.speech.socket(ereader_id="erd_0").__enter__())
    assert key.id in [one.id for one in client.keys.list()]
    client.keys.revoke(key.id)
    refused(errors.ApiKeyRevokedError, other.account.me)

    assert client.account.me().key.scopes == ["read", "write", "admin"]
    balance = client.credits.balance()
    assert balance.available == balance.balance - balance.held
    assert client.credits.usage(group_by="ereader").data
    assert next(iter(client.events.list(type="chunk.completed"))).data["material_id"]
    with client.ereaders.sample("heart") as sample:
        assert sample.content_type == "audio/mpeg" and sample.read()
    assert client.files.openapi()["openapi"] == "3.1.0"
    assert client.request(operations.GET_SUBSCRIPTION).character_limit
    refused(errors.ApiKeyNotAllowedOnBffError, lambda: client.request(operations.WEB_LIST_KEYS))


def main() -> None:
    with Lectern() as client:
        heart = client.ereaders.get("heart").id
        speech(client, heart)
        materials(client, heart)
        others(client)


if __name__ == "__main__":
    main()
