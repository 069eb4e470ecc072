"""Verifying webhooks, with what docs/WEBHOOKS.md says can go wrong."""

from __future__ import annotations

import base64
import json
import secrets
import unittest
from datetime import datetime, timedelta, timezone

import standardwebhooks
from lectern import LecternError, WebhookVerificationError, webhooks

SECRET = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
PAYLOAD = {"type": "chunk.completed", "timestamp": "2026-11-21T07:08:11.524Z", "data": {"material_id": "mat_1"}}
BODY = json.dumps(PAYLOAD)


def signed(at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    at = at or datetime.now(timezone.utc)
    signature = standardwebhooks.Webhook(secret).sign("evt_1", at, BODY)
    return {"Webhook-Id": "evt_1", "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def test_a_signed_event_is_read(self) -> None:
        for body in (BODY, BODY.encode()):
            event = webhooks.verify(body, signed(), SECRET)
            self.assertEqual((event.id, event.type, event.data), ("evt_1", "chunk.completed", {"material_id": "mat_1"}))
            self.assertEqual(event.timestamp.year, 2026)

    def test_a_second_signature_does_no_harm(self) -> None:
        headers = signed()
        headers["webhook-signature"] = f"v1,{base64.b64encode(bytes(32)).decode()} {headers['webhook-signature']}"
        self.assertEqual(webhooks.verify(BODY, headers, SECRET).id, "evt_1")

    def test_forgeries_are_refused(self) -> None:
        now = datetime.now(timezone.utc)
        other = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        forged = {
            "another body": (BODY.replace("mat_1", "mat_2"), signed()),
            "another id": (BODY, signed() | {"Webhook-Id": "evt_2"}),
            "another secret": (BODY, signed(secret=other)),
            "long ago": (BODY, signed(now - timedelta(minutes=6))),
            "from the future": (BODY, signed(now + timedelta(minutes=6))),
            "no signature": (BODY, {k: v for k, v in signed().items() if k != "webhook-signature"}),
            "a signature of no form": (BODY, signed() | {"webhook-signature": "v1"}),
            "a signature that is not base64": (BODY, signed() | {"webhook-signature": "v1,é"}),
            "a time that is none": (BODY, signed() | {"webhook-timestamp": "soon"}),
        }
        for what, (body, headers) in forged.items():
            with self.subTest(what), self.assertRaises(WebhookVerificationError):
                webhooks.verify(body, headers, SECRET)

    def test_a_secret_that_is_none_is_not_shown(self) -> None:
        with self.assertRaises(LecternError) as caught:
            webhooks.verify(BODY, signed(), "whsec_é")
        self.assertNotIn("é", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
