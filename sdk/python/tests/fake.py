"""A server that answers what a test tells it, and keeps what it was sent."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Sent:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answer:
    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Close the connection without an answer."""
    short: bool = False
    """Close it in the middle of the body."""
    stall: bool = False
    """Promise more than comes, and say nothing."""


def refusal(status: int, code: str, **headers: str) -> Answer:
    error = {"code": code, "message": f"It is {code}.", "request_id": "req_1"}
    return Answer(status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()})


class Fake:
    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.sent: list[Sent] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                body = self._body()
                headers = {name.lower(): value for name, value in self.headers.items()}
                fake.sent.append(Sent(self.command, self.path, headers, body))
                answer = fake.answers.pop(0) if fake.answers else Answer()
                if answer.cut:
                    self.close_connection = True
                    return
                content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                kind = "application/octet-stream" if isinstance(answer.body, bytes) else "application/json"
                for name, value in ({"Content-Type": kind} | answer.headers).items():
                    self.send_header(name, value)
                if not answer.stall:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if answer.short:
                    content = content[: len(content) // 2]
                    self.close_connection = True
                self.wfile.write(content)

            def _body(self) -> bytes:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", "0")))
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@contextlib.contextmanager
def fake_server() -> Iterator[Fake]:
    fake = Fake()
    thread = threading.Thread(target=fake.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.server.shutdown()
        fake.server.server_close()
        thread.join()
