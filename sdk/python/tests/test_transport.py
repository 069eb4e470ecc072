"""What the clients do when a request fails: the same for both."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
import traceback
import unittest
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import lectern
from fake import Answer, Fake, fake_server, refusal
from lectern import errors

KEY = "svc_test_secretsecretsecret"
T = TypeVar("T")


def entered(test: unittest.TestCase, context: AbstractContextManager[T]) -> T:
    """`enterContext`, which Python 3.10 does not have."""
    value = context.__enter__()
    test.addCleanup(context.__exit__, None, None, None)
    return value


class Transport(unittest.TestCase):
    def setUp(self) -> None:
        self.fake: Fake = entered(self, fake_server())
        self.waits: list[float] = []
        entered(self, mock.patch("lectern._sync.client.sleep", self.waits.append))
        self.client = lectern.Lectern(KEY, base_url=self.fake.url, timeout=5)
        self.addCleanup(self.client.close)

    def synthesize(self) -> lectern.types.Synthesis:
        return self.client.speech.synthesize(ereader_id="erd_1", text="Hello.")

    def test_a_refused_request_is_sent_again_after_the_time_asked_for_with_the_same_idempotency_key(self) -> None:
        refused = refusal(429, "rate_limited", Retry_After="7"), refusal(503, "service_unavailable", Retry_After="2")
        self.fake.answers = [*refused, Answer(body={"id": "syn_1"})]
        self.assertEqual(self.synthesize().id, "syn_1")
        self.assertEqual(self.waits, [7, 2])
        keys = {sent.headers["idempotency-key"] for sent in self.fake.sent}
        self.assertEqual((len(self.fake.sent), len(keys)), (3, 1))
        self.assertRegex(keys.pop(), r"^[A-Za-z0-9_-]{1,128}$")

    def test_each_call_has_an_idempotency_key_of_its_own(self) -> None:
        self.synthesize()
        self.synthesize()
        self.assertEqual(len({sent.headers["idempotency-key"] for sent in self.fake.sent}), 2)

    def test_a_wait_that_is_too_long_is_not_waited_for(self) -> None:
        self.fake.answers = [refusal(429, "rate_limited", Retry_After="61")]
        with self.assertRaises(errors.RateLimitedError) as caught:
            self.synthesize()
        self.assertEqual((caught.exception.retry_after, self.waits), (61, []))

    def test_retry_after_may_be_a_date_of_a_proxy(self) -> None:
        self.fake.answers = [Answer(503, b"<html>", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})]
        self.client.account.me()
        self.assertEqual(self.waits, [0])

    def test_it_gives_up_after_the_last_retry(self) -> None:
        self.fake.answers = [refusal(503, "service_unavailable", Retry_After="0")] * 4
        with self.assertRaises(errors.ServiceUnavailableError):
            self.client.account.me()
        self.assertEqual(len(self.fake.sent), 4)

    def test_a_failure_of_the_server_is_tried_again_after_growing_times(self) -> None:
        self.fake.answers = [refusal(502, "tts_provider_error"), refusal(500, "internal_error")]
        self.synthesize()
        first, second = self.waits
        self.assertTrue(0.37 <= first <= 0.5 and 0.75 <= second <= 1.0, self.waits)

    def test_what_cannot_be_repeated_is_sent_again_only_if_it_was_refused(self) -> None:
        self.fake.answers = [refusal(429, "rate_limited", Retry_After="1"), refusal(500, "internal_error")]
        with self.assertRaises(errors.InternalError):
            self.client.account.login(email="a@example.com", password="x")
        self.fake.answers = [Answer(cut=True)]
        with self.assertRaises(lectern.APIConnectionError):
            self.client.account.login(email="a@example.com", password="x")
        self.assertEqual(len(self.fake.sent), 3)

    def test_a_broken_connection_is_tried_again(self) -> None:
        self.fake.answers = [Answer(cut=True), Answer(body={"id": "syn_1"}, short=True), Answer(body={"id": "syn_1"})]
        self.assertEqual(self.synthesize().id, "syn_1")
        self.assertEqual(len({sent.headers["idempotency-key"] for sent in self.fake.sent}), 1)

    def test_errors_have_a_class_for_each_code(self) -> None:
        details = {"locked_ereader_id": "erd_2"}
        envelope = {"code": "ereader_locked", "message": "No.", "details": details, "request_id": "req_7"}
        self.fake.answers = [Answer(409, {"error": envelope})]
        with self.assertRaises(errors.EreaderLockedError) as caught:
            self.client.materials.convert("mat_1", ereader_id="erd_1")
        error = caught.exception
        self.assertIsInstance(error, errors.ConflictError)
        self.assertEqual((error.status, error.code, error.details), (409, "ereader_locked", details))
        self.assertEqual(str(error), "No. (ereader_locked, req_7)")

    def test_a_code_of_a_newer_service_is_of_its_family(self) -> None:
        self.fake.answers = [refusal(404, "moon_not_found")]
        with self.assertRaises(errors.NotFoundError) as caught:
            self.client.account.me()
        self.assertEqual(caught.exception.code, "moon_not_found")

    def test_an_answer_of_a_newer_service_is_read(self) -> None:
        self.fake.answers = [Answer(body={"id": "mat_1", "status": "dreaming", "moon": 1})]
        self.assertEqual(self.client.materials.get("mat_1").status, "dreaming")

    def test_an_answer_in_time_is_waited_for(self) -> None:
        import socket

        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            with lectern.Lectern(KEY, base_url=url, timeout=0.2, max_retries=1) as client:
                self.assertRaises(lectern.APITimeoutError, client.account.me)

    def test_nothing_shows_the_key(self) -> None:
        shown = [repr(self.client), repr(self.client._config), str(vars(self.client.with_options(max_retries=1)))]
        for base in (self.fake.url, "http://127.0.0.1:9"):
            client = lectern.Lectern(KEY, base_url=base, max_retries=0)
            for _ in range(2):
                self.fake.answers = [refusal(401, "invalid_api_key"), Answer(cut=True)]
                try:
                    client.account.me()
                except lectern.LecternError as error:
                    shown += ["".join(traceback.format_exception(error)), repr(error), str(vars(error))]
                try:
                    with client.speech.socket(ereader_id="erd_1"):
                        pass
                except lectern.LecternError as error:
                    shown += ["".join(traceback.format_exception(error)), repr(error), str(vars(error))]
        try:
            lectern.Lectern(f"{KEY}\n", base_url=self.fake.url)
        except lectern.LecternError as error:
            shown.append("".join(traceback.format_exception(error)))
        self.assertEqual(len(shown), 3 + 3 * 8 + 1)
        self.assertNotIn("secretsecret", "".join(shown))

    def test_nothing_shows_a_secret_of_an_answer(self) -> None:
        self.fake.answers = [
            Answer(201, {"id": "key_1", "key": "svc_live_secretsecret"}),
            Answer(201, {"id": "whk_1", "secret": "whsec_secretsecret"}),
            Answer(200, {"secret": "whsec_secretsecret"}),
            Answer(200, {"session_token": "secretsecret"}),
        ]
        made = self.client.keys.create(name="a", scopes=["read"])
        hook = self.client.webhooks.create(url="https://hooks.example.com", events=["chunk.completed"])
        rotated = self.client.webhooks.rotate_secret("whk_1")
        login = self.client.account.login(email="a@example.com", password="x")
        self.assertIn("key_1", repr(made))
        self.assertNotIn("secretsecret", repr([made, hook, rotated, login]))
        self.assertEqual((made.key, hook.secret), ("svc_live_secretsecret", "whsec_secretsecret"))

    def test_the_key_is_not_sent_with_a_url_of_audio(self) -> None:
        self.fake.answers = [Answer(body=b"sound")]
        with self.client.files.open(f"{self.fake.url}/media/x.mp3?expires=1&signature=2") as stream:
            self.assertEqual(stream.read(), b"sound")
        self.assertNotIn("authorization", self.fake.sent[0].headers)
        self.assertEqual(self.fake.sent[0].path, "/media/x.mp3?expires=1&signature=2")

    def test_lists_go_on_to_the_last_page(self) -> None:
        pages: list[Any] = [{"data": [{"id": "mat_1"}, {"id": "mat_2"}], "next_cursor": "c/2"}, {"data": [{"id": "mat_3"}]}]
        self.fake.answers = [Answer(body=page) for page in pages]
        found = self.client.materials.list(limit=2)
        self.assertEqual(len(self.fake.sent), 0)
        self.assertEqual([one.id for one in found], ["mat_1", "mat_2", "mat_3"])
        paths = [sent.path for sent in self.fake.sent]
        self.assertEqual(paths, ["/v1/saas/materials?limit=2", "/v1/saas/materials?limit=2&cursor=c%2F2"])

    def test_an_upload_tells_how_far_it_is_and_can_be_sent_again(self) -> None:
        content = os.urandom(300_000)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, 'a "book".txt')
            file.write_bytes(content)
            uploads: list[Callable[[Any], Any]] = [
                lambda tell: self.client.materials.upload(file, title="Été", progress=tell),
                lambda tell: self.client.materials.upload(io.BytesIO(content), filename="b", title="Été", progress=tell),
                lambda tell: self.client.materials.upload(content, title="Été", progress=tell),
            ]
            for upload in uploads:
                told: list[tuple[int, int]] = []
                self.fake.sent.clear()
                self.fake.answers = [refusal(503, "service_unavailable", Retry_After="0"), Answer(202, {"id": "mat_1"})]
                upload(lambda sent, total, told=told: told.append((sent, total)))
                self.assertEqual(told[-1], (300_000, 300_000))
                self.assertGreater(len(told), 4)
                for sent in self.fake.sent:
                    self.assertIn(content, sent.body)
                    self.assertIn("Été".encode(), sent.body)
                self.assertEqual(len(self.fake.sent), 2)

    def test_a_file_appears_when_it_is_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "book.m4b")
            self.fake.answers = [Answer(body=b"x" * 100_000, short=True)]
            with self.assertRaises(lectern.APIConnectionError):
                self.client.materials.download("mat_1", target)
            self.assertEqual(os.listdir(folder), [])
            self.assertIn("format=m4b", self.fake.sent[0].path)
            told: list[tuple[int, int | None]] = []
            self.fake.answers = [Answer(body=b"x" * 100_000)]
            self.client.materials.download("mat_1", target, progress=lambda *far: told.append(far))
            self.assertEqual((target.stat().st_size, told[-1]), (100_000, (100_000, 100_000)))

    def test_a_file_that_is_being_made_is_waited_for(self) -> None:
        making = Answer(202, {"status": "assembling", "progress": 0.25}, {"Retry-After": "3"})
        self.fake.answers = [making, Answer(body=b"sound")]
        told: list[float] = []
        waits: list[float] = []
        with mock.patch("lectern._sync.resources.sleep", waits.append):
            with self.client.materials.audio("mat_1", on_assembling=told.append) as stream:
                self.assertEqual(stream.read(), b"sound")
        self.assertEqual((told, waits), ([0.25], [3]))
        self.fake.answers = [making]
        with self.assertRaises(lectern.WaitTimeoutError):
            self.client.materials.audio_url("mat_1", timeout=1)

    def test_waiting_follows_the_events(self) -> None:
        events = b': hello\n\nid: 1\nevent: material.ready\ndata: {"status": "ready"}\n\n'
        stream = Answer(body=events, headers={"Content-Type": "text/event-stream"})
        self.fake.answers = [Answer(body={"status": "processing"}), stream, Answer(body={"status": "ready"})]
        seen: list[lectern.MaterialEvent] = []
        self.assertEqual(self.client.materials.wait("mat_1", on_event=seen.append).status, "ready")
        self.assertEqual([(event.type, event.sequence) for event in seen], [("material.ready", 1)])

    def test_waiting_ends_in_time(self) -> None:
        events = Answer(body=b"x" * 99, headers={"Content-Type": "text/event-stream", "Content-Length": "999"}, stall=True)
        self.fake.answers = [Answer(body={"status": "converting"}), events, Answer(body={"status": "converting"})]
        with self.assertRaises(lectern.WaitTimeoutError):
            self.client.materials.wait("mat_1", timeout=0.2)

    def test_null_is_sent_where_it_means_something(self) -> None:
        self.client.materials.update("mat_1", author=None, title="New")
        self.assertEqual(self.fake.sent[0].body, b'{"title":"New","author":null}')

    def test_settings_are_checked(self) -> None:
        for base in (None, "speech.example.com", "https://speech.example.com/v1"):
            with self.assertRaises(lectern.LecternError):
                lectern.Lectern(KEY, base_url=base)
        with self.assertRaisesRegex(lectern.LecternError, "LECTERN_API_KEY"):
            lectern.Lectern(base_url=self.fake.url).account.me()


class AsyncTransport(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.fake: Fake = entered(self, fake_server())

    async def test_the_client_with_async_does_the_same(self) -> None:
        async with lectern.AsyncLectern(KEY, base_url=self.fake.url) as client:
            self.fake.answers = [refusal(429, "rate_limited", Retry_After="0"), Answer(body={"id": "syn_1"})]
            spoken = await client.speech.synthesize(ereader_id="erd_1", text="Hello.")
            self.assertEqual(spoken.id, "syn_1")
            self.assertEqual(len({sent.headers["idempotency-key"] for sent in self.fake.sent}), 1)
            pages: list[Any] = [{"data": [{"id": "mat_1"}], "next_cursor": "c"}, {"data": [{"id": "mat_2"}]}]
            self.fake.answers = [Answer(body=page) for page in pages]
            self.assertEqual([one.id async for one in client.materials.list()], ["mat_1", "mat_2"])
            self.fake.answers = [Answer(body=b"sound", headers={"Lectern-Credits": "6"})]
            async with client.speech.stream(ereader_id="erd_1", text="Hello.") as stream:
                self.assertEqual((await stream.read(), stream.credits), (b"sound", 6))
            self.fake.answers = [refusal(404, "material_not_found")]
            with self.assertRaises(errors.MaterialNotFoundError):
                await client.materials.get("mat_0")
            told: list[tuple[int, int]] = []
            self.fake.answers = [Answer(202, {"id": "mat_1"})]
            await client.materials.upload(b"x" * 100_000, progress=lambda *far: told.append(far))
            self.assertEqual(told[-1], (100_000, 100_000))

    async def test_calls_can_be_made_at_once(self) -> None:
        async with lectern.AsyncLectern(KEY, base_url=self.fake.url) as client:
            await asyncio.gather(*(client.account.me() for _ in range(8)))
        self.assertEqual(len(self.fake.sent), 8)


if __name__ == "__main__":
    unittest.main()
