#!/usr/bin/env python3
"""Follows docs/WEBHOOKS.md: its receivers, word for word, get real events through `lectern webhooks listen` and verify them with
the public libraries of their languages.

usage: webhook_guide.py LECTERN RECEIVE_WEBHOOKS NODE_TOOLS

LECTERN is started on free ports with a store of its own and the real voice; RECEIVE_WEBHOOKS is the built example of that name;
NODE_TOOLS is a folder in which `npm ci` has installed scripts/webhook_guide. Needs the packages of scripts/test_requirements.txt. The
Go receiver is built and run where `go` is installed and its modules can be had, and named as not run elsewhere. Exits 1 with the first
thing that is not as it should be.
"""

import base64
import contextlib
import http.server
import json
import pathlib
import queue
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from fuzz_api import TOP, Server
from environment import clean_environment

PATIENCE = 60
TEXT = "The lamp was lit before the storm came over the hill."


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def blocks():
    """The guide's programs by language."""
    guide = (TOP / "docs/WEBHOOKS.md").read_text()
    return dict(re.findall(r"^```(python|ts|rust|go)\n(.*?)^```", guide, re.DOTALL | re.MULTILINE))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def python_receiver(program, folder):
    file = folder / "receive.py"
    file.write_text(program)
    return [sys.executable, str(file)]


def typescript_receiver(program, folder, tools):
    """Type-checked by the compiler in strict mode, run by Node."""
    place = folder / "typescript"
    place.mkdir()
    (place / "node_modules").symlink_to(tools / "node_modules")
    (place / "receive.ts").write_text(program)
    options = ["--strict", "--target", "es2022", "--module", "commonjs", "--esModuleInterop", "--types", "node"]
    compiler = [str(tools / "node_modules/.bin/tsc"), *options, "receive.ts"]
    done = subprocess.run(compiler, cwd=place, capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"the TypeScript receiver compiles:\n{done.stdout}")
    return ["node", str(place / "receive.js")]


def rust_receiver(program, example):
    source = (TOP / "crates/server/examples/receive_webhooks.rs").read_text()
    check(source.endswith(program), "crates/server/examples/receive_webhooks.rs is the guide's program")
    return [str(example)]


def go_receiver(program, folder):
    """`None` and the reason if it cannot be built."""
    if not shutil.which("go"):
        return None, "go is not installed"
    place = folder / "go"
    place.mkdir()
    (place / "main.go").write_text(program)
    for step in (["go", "mod", "init", "receive"], ["go", "mod", "tidy"]):
        done = subprocess.run(step, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            return None, f"its modules cannot be had: {done.stderr.strip().splitlines()[-1]}"
    done = subprocess.run(["go", "build", "-o", "receive", "."], cwd=place, capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"the Go receiver compiles:\n{done.stderr}")
    return [str(place / "receive")], None


class Lines:
    """The output of a process, line by line."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def wait_for(self, wanted, what):
        seen, deadline = [], time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                line = self.lines.get(timeout=0.5)
                if wanted(line):
                    return line
                seen.append(line)
            check(self.process.poll() is None, f"{what}; it ended, after {seen}")
        return check(False, f"{what}; it said {seen}")

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=20)


class Receiver:
    """A running program of the guide, with a tunnel to it."""

    def __init__(self, language, command, server, key):
        self.language = language
        self.secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        self.url = f"http://127.0.0.1:{(port := free_port())}/hook"
        environment = clean_environment()
        self.program = Lines(command, environment | {"PORT": str(port), "WEBHOOK_SECRET": self.secret})
        self._wait_for_port(port)
        tunnel = [server.binary, "webhooks", "listen", "--server", server.url, "--forward-to", self.url]
        tunnel += ["--secret", self.secret, "--json"]
        self.tunnel = Lines(tunnel, environment | {"LECTERN_API_KEY": key})
        self.tunnel.wait_for(lambda line: "forwarding_to" in line, f"the tunnel to {language} opens")

    def _wait_for_port(self, port):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return
            check(self.program.process.poll() is None, f"the {self.language} receiver runs")
            time.sleep(0.05)
        check(False, f"the {self.language} receiver listens")

    def status_of(self, headers, body):
        request = urllib.request.Request(self.url, body, headers | {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def end(self):
        self.tunnel.end()
        self.program.end()


def captured(server, key, secret, convert):
    """Headers and body of a `chunk.completed` as the tunnel sends it."""
    kept = queue.Queue()

    class Keep(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.put(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    keeper = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keep)
    threading.Thread(target=keeper.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{keeper.server_address[1]}/"
    tunnel = [server.binary, "webhooks", "listen", "--server", server.url, "--forward-to", url]
    tunnel += ["--secret", secret, "--events", "chunk.completed", "--json"]
    environment = clean_environment() | {"LECTERN_API_KEY": key}
    listening = Lines(tunnel, environment)
    listening.wait_for(lambda line: "forwarding_to" in line, "the tunnel opens")
    convert()
    headers, body = kept.get(timeout=PATIENCE)
    listening.end()
    keeper.shutdown()
    check(headers["user-agent"] == "Lectern-Webhooks/1", "deliveries say who sends them")
    return {name: value for name, value in headers.items() if name.startswith("webhook-")}, body


def convert(server, key, title):
    """Uploads a material of one chunk and has it converted."""
    material = server.post("/v1/saas/materials", {"title": title, "text": TEXT}, key)
    deadline = time.monotonic() + PATIENCE
    ereaders = urllib.request.Request(f"{server.url}/v1/saas/ereaders", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(ereaders) as response:
        heart = next(one["id"] for one in json.load(response)["data"] if one["slug"] == "heart")
    while time.monotonic() < deadline:
        try:
            return server.post(f"/v1/saas/materials/{material['id']}/convert", {"ereader_id": heart}, key)
        except urllib.error.HTTPError as error:
            check(error.code == 409, f"the material is converted: {error.code}")
            time.sleep(0.1)
    return check(False, "the material becomes ready")


def check_forgeries(receiver, headers, body):
    """Accepts an unchanged delivery, also with a second signature, and rejects changed ones."""
    other = "v1," + base64.b64encode(secrets.token_bytes(32)).decode()
    both = headers | {"webhook-signature": f"{other} {headers['webhook-signature']}"}
    older = headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}
    ancient = headers | {"webhook-timestamp": "1600000000"}
    unsigned = {name: value for name, value in headers.items() if name != "webhook-signature"}
    for what, status, sent, content in [
        ("as it came", 204, headers, body),
        ("with a signature of another secret before its own", 204, both, body),
        ("with the signature of another secret", 400, headers | {"webhook-signature": other}, body),
        ("with another body", 400, headers, body.replace(b"chunk.completed", b"chunk.completeD")),
        ("with another id", 400, headers | {"webhook-id": "evt_0"}, body),
        ("with another time", 400, older, body),
        ("of long ago", 400, ancient, body),
        ("unsigned", 400, unsigned, body),
    ]:
        got = receiver.status_of(sent, content)
        check(got == status, f"{receiver.language} answers {status} to a delivery {what}: {got}")


def main():
    binary, example, tools = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    programs = blocks()
    check(sorted(programs) == ["go", "python", "rust", "ts"], f"the guide has four receivers: {sorted(programs)}")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lectern-guide.")))
        commands = {
            "Python": python_receiver(programs["python"], folder),
            "TypeScript": typescript_receiver(programs["ts"], folder, tools),
            "Rust": rust_receiver(programs["rust"], example),
        }
        go, why = go_receiver(programs["go"], folder)
        if go:
            commands["Go"] = go
        else:
            print(f"NOT RUN: the Go receiver ({why})")
        server = stack.enter_context(Server(binary, folder))
        key = server.admin("invite", "create", "--email", "guide@example.com", "--credits", "100000")["live_key"]
        receivers = []
        for language, command in commands.items():
            receivers.append(Receiver(language, command, server, key))
            stack.callback(receivers[-1].end)
        convert(server, key, "live")
        for receiver in receivers:
            line = receiver.program.wait_for(
                lambda line: line.startswith("chunk.completed evt_"), f"{receiver.language} verifies a chunk.completed"
            )
            told = receiver.tunnel.wait_for(lambda said, line=line: line.split()[1] in said, "the tunnel tells of it")
            check(json.loads(told)["status_code"] == 204, f"the tunnel tells of {receiver.language}'s answer: {told}")
        for receiver in receivers:
            again = captured(server, key, receiver.secret, lambda: convert(server, key, "again"))
            check_forgeries(receiver, *again)
        print(f"docs/WEBHOOKS.md works, word for word: {', '.join(commands)}.")


if __name__ == "__main__":
    main()
