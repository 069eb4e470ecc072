"""Clients that continue through every fault, as a customer's code would: each call is repeated under an Idempotency-Key until it is
answered, and each response is recorded. Nothing is asserted here; the judge compares the responses with the final state."""

import collections
import contextlib
import http.client
import http.server
import json
import math
import random
import ssl
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

TIMEOUT_S = 20
# Statuses that are retried while something is down or busy.
PASSING = {408, 429, 500, 502, 503, 504}


class Engine(http.server.ThreadingHTTPServer):
    """An engine for the upstream protocol, which returns a tone as long as the text after a delay."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, seconds):
        super().__init__(("127.0.0.1", 0), Speaker)
        self.seconds = seconds
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Speaker(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        text = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        time.sleep(self.server.seconds)
        samples = 240 * len(text)
        tone = struct.pack(f"<{samples}h", *(int(3000 * math.sin(at * 0.05)) for at in range(samples)))
        head = struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + len(tone), b"WAVEfmt ", 16, 1, 1, 24000, 48000, 2, 16, b"data", len(tone))
        with contextlib.suppress(OSError):
            self.send_response(200)
            self.send_header("content-type", "audio/wav")
            self.send_header("content-length", str(len(head + tone)))
            self.end_headers()
            self.wfile.write(head + tone)

    def log_message(self, *_):
        pass


class Receiver(http.server.ThreadingHTTPServer):
    """A customer's HTTPS receiver and the events it received."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Taker)
        # Event ids by event content.
        self.events, self.lock = collections.defaultdict(set), threading.Lock()
        key, self.certificate = Path(folder, "key.pem"), Path(folder, "certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
             "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"https://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def seen(self):
        with self.lock:
            return {what: set(ids) for what, ids in self.events.items()}

    def handle_error(self, *_):
        """Connections of processes that were killed."""


class Taker(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            what = event["type"], event["data"]["material_id"], event["data"].get("chunk_index")
            self.server.events[what].add(self.headers["webhook-id"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Account:
    """A customer with a live key, and the totals of its responses."""

    def __init__(self, name, key, processes):
        self.name, self.key, self.processes = name, key, processes
        self.told = collections.Counter()
        self.unexpected = []
        # Refusals without the information that a client needs.
        self.unclear = collections.Counter()

    def call(self, method, path, body=None, idempotency_key=None, until=None):
        """Calls either process until the response is not a temporary failure: (status, response)."""
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        if idempotency_key:
            headers["idempotency-key"] = idempotency_key
        data = None if body is None else json.dumps(body).encode()
        while until is None or time.monotonic() < until:
            request = urllib.request.Request(random.choice(self.processes) + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                    content = answer.read()
                    self.told[answer.status] += 1
                    return answer.status, json.loads(content)
            except urllib.error.HTTPError as refused:
                self.told[refused.code] += 1
                rest = refused.headers.get("retry-after", "")
                # A delivery that was lost with a killed process says nothing.
                with contextlib.suppress(OSError, http.client.HTTPException):
                    content = self.understood(refused, rest)
                    if refused.code not in PASSING:
                        return refused.code, content
                time.sleep(min(float(rest), 2.0) if rest.isdigit() else 0.2)
            except (OSError, ValueError, http.client.HTTPException):
                self.told["no answer"] += 1
                time.sleep(0.1)
        return None, None

    def once(self, method, path, body):
        """The status of one call without a key, whatever it is; `None` without a response."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(random.choice(self.processes) + path, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                return answer.status
        except urllib.error.HTTPError as refused:
            return refused.code
        except (OSError, http.client.HTTPException):
            return None

    def understood(self, refused, rest):
        """The body of a refusal, which must be the envelope. A temporary failure must not be an internal error."""
        try:
            content = json.loads(refused.read())
            code = content["error"]["code"]
            is_whole = bool(content["error"]["message"]) and content["error"]["request_id"] == refused.headers["x-request-id"]
        except (ValueError, KeyError, TypeError):
            content, code, is_whole = None, "no envelope", False
        if refused.code == 500 or not is_whole:
            self.unclear[f"{refused.code} {code}"] += 1
        elif refused.code in (429, 503) and not rest.isdigit():
            self.unclear[f"{refused.code} {code} without Retry-After"] += 1
        return content


class Worker(threading.Thread):
    """Continues until it is asked to stop, and finishes the work in progress."""

    MOST_REST_S = 1.0

    def __init__(self, account, ereader, stop, seed):
        super().__init__(daemon=True)
        self.account, self.ereader, self.stop, self.chance = account, ereader, stop, random.Random(seed)
        self.longest_gap_s = 0.0

    def run(self):
        while not self.stop.is_set():
            began = time.monotonic()
            self.once()
            self.longest_gap_s = max(self.longest_gap_s, time.monotonic() - began)
            # Faults should hit work, not as much of it as possible: the small S3 server reads all
            # objects at each listing of its bucket.
            self.stop.wait(self.chance.uniform(0.0, self.MOST_REST_S))

    def unexpected(self, what, status, answer):
        self.account.unexpected.append(f"{what}: {status} {json.dumps(answer)[:300]}")


class Sentences(Worker):
    """Syntheses: [(characters, credits, URL)]."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.done = []

    def once(self):
        text = f"Sentence {self.chance.randrange(10**6)} of this client" + " again" * self.chance.randrange(1, 12) + "."
        body, key = {"text": text, "ereader_id": self.ereader, "format": "wav"}, uuid.UUID(int=self.chance.getrandbits(128)).hex
        status, answer = self.account.call("POST", "/v1/saas/tts:synthesize", body, key)
        if status != 200:
            return self.unexpected("a synthesis", status, answer)
        self.done.append((len(text), answer["credits_charged"], answer["audio_url"]))
        if self.chance.random() < 0.2:
            again = self.account.call("POST", "/v1/saas/tts:synthesize", body, key)
            if again != (200, answer):
                self.unexpected("a replay was another answer", *again)


class Books(Worker):
    """Materials, each fully converted: {material: (chunks, characters)}, and the characters of their chapters."""

    CHUNKS = 12

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.done, self.chapters, self.again = {}, {}, 0

    def once(self):
        number = self.chance.randrange(10**9)
        chapters = [f"Book {number} has a chapter {at}. It is short." for at in range(1, self.CHUNKS + 1)]
        text = "\n\n".join(f"CHAPTER {at}\n\n{chapter}" for at, chapter in enumerate(chapters, 1))
        key = f"book-{number}"
        status, made = self.account.call("POST", "/v1/saas/materials", {"text": text}, key)
        if status != 202:
            return self.unexpected("an upload", status, made)
        material = made["id"]
        found = self.until(material, ("ready", "failed"))
        if found["status"] == "failed":
            return self.unexpected("an extraction", 200, found)
        conversions = 0
        while found["status"] != "completed":
            body = {"ereader_id": self.ereader, "format": "wav"}
            status, answer = self.account.call("POST", f"/v1/saas/materials/{material}/convert", body, f"{key}-{conversions}")
            if status != 202:
                return self.unexpected("a conversion", status, answer)
            found = self.until(material, ("completed", "partially_failed", "ready"))
            conversions += 1
        # If a customer has to request something twice, it did not recover by itself.
        self.again += conversions - 1
        self.chapters[material] = [len(chapter) for chapter in chapters]
        self.done[material] = found["chunk_count"], found["characters"]

    def until(self, material, statuses):
        while True:
            status, found = self.account.call("GET", f"/v1/saas/materials/{material}")
            if status == 200 and found["status"] in statuses:
                return found
            if status != 200:
                self.unexpected("a look at a material", status, found)
            time.sleep(0.25)


def content(url, key=None):
    """The bytes at a URL; `None` if it does not exist."""
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {key}"} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.read()
    except (OSError, http.client.HTTPException):
        return None
