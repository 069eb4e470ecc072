#!/usr/bin/env python3
"""Puts the proxies of docs/operations/proxy.md in front of a real server, with the settings of that page, and speaks through them.

usage: proxies.py LECTERN [--only NAME,NAME…] [--quick]

Starts LECTERN on free ports with a store of its own and the real voice, and each proxy that is installed (caddy, nginx, haproxy,
apache2). Of a page's block only the name, the ports and the files of the certificate are changed. Through each proxy it tries a socket
with text piece by piece and a silence, streamed speech, an event stream, an upload of 12 MB, a part of an audio file by its signed
address, and the limit on sign-ins by client. --quick leaves out the silence. Needs the packages of scripts/test_requirements.txt and openssl. Exits 1 with the first
thing that is not as it should be, or when no proxy is installed.
"""

import argparse
import asyncio
import http.client
import json
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.parse

from websockets.asyncio.client import connect

import guide_blocks
from fuzz_api import Server
from openai_sdk import LONG, TEXT, check, check_speech
from webhook_guide import free_port

PAGE = guide_blocks.TOP / "docs/operations/proxy.md"
LANGUAGES = {"caddy": "caddyfile", "nginx": "nginx", "haproxy": "haproxy", "apache2": "apacheconf"}
PATIENCE = 60
# Longer than the service is silent on a socket between two pings.
SILENCE_S = 21
# A line of a book of 12 MB.
LINE = b"The lamp was lit before the storm came over the hill, and nobody in the house said a word about it.\n\n"
MODULES = "mpm_event authz_core unixd proxy proxy_http ssl"


def block(language):
    (found,) = [block.code for block in guide_blocks.blocks(PAGE) if block.language == language]
    return found


def replaced(text, changes):
    """The text with every change made in one pass: what a change wrote is not changed again.

    A port of the service such as 44315 would otherwise be found where ":443" is looked for.
    """
    for old in changes:
        check(old in text, f"the page has {old}")
    return re.sub("|".join(map(re.escape, changes)), lambda found: changes[found.group()], text)


class Proxy:
    """A proxy with the page's settings, on a free port."""

    def __init__(self, name, folder, upstream, certificate, key, both):
        self.name = name
        self.port = free_port()
        self.folder = folder / name
        self.folder.mkdir()
        self.log = self.folder / "log"
        service = {"127.0.0.1:8080": upstream}
        files = {"/etc/ssl/certs/speech.pem": str(certificate), "/etc/ssl/private/speech.key": str(key)}
        text = block(LANGUAGES[name])
        # The proxies listen on all addresses, so that clients can come from several.
        if name == "caddy":
            text = replaced(text, service | {"speech.example.com {": f"https://:{self.port} {{\n\ttls {certificate} {key}"})
            # It would otherwise listen for its administrator, and answer port 80.
            text = "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni localhost\n}\n" + text
            command = ["caddy", "run", "--adapter", "caddyfile", "--config"]
        elif name == "nginx":
            text = replaced(text, service | files | {"listen 443": f"listen {self.port}"})
            paths = "".join(
                f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            )
            head = f"daemon off;\npid {self.folder}/pid;\nerror_log {self.log};\nevents {{}}\n"
            text = f"{head}http {{\naccess_log off;\n{paths}{text}}}\n"
            command = ["nginx", "-e", str(self.log), "-c"]
        elif name == "haproxy":
            text = replaced(text, service | {":443": f":{self.port}", "/etc/haproxy/speech.pem": str(both)})
            command = ["haproxy", "-db", "-f"]
        else:
            text = replaced(text, service | files | {"*:443": f"*:{self.port}"})
            where = pathlib.Path("/usr/lib/apache2/modules")
            modules = "".join(
                f"LoadModule {module}_module {where}/mod_{module}.so\n"
                for module in MODULES.split()
                if (where / f"mod_{module}.so").exists()
            )
            head = f"ServerName localhost\nPidFile {self.folder}/pid\nErrorLog {self.log}\nListen {self.port}\n"
            text = f"DefaultRuntimeDir {self.folder}\n{head}{modules}{text}"
            command = ["apache2", "-D", "FOREGROUND", "-f"]
        settings = self.folder / "settings"
        settings.write_text(text)
        self.command = [*command, str(settings)]

    def __enter__(self):
        environment = {"PATH": f"{sys.prefix}/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=self.folder
            )
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if self.process.poll() is not None:
                sys.exit(f"{self.name} did not start:\n{self.log.read_text(errors='replace')}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.1)
        sys.exit(f"{self.name} does not listen:\n{self.log.read_text(errors='replace')}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(20)


class Client:
    """Calls through a proxy, from an address of its own."""

    def __init__(self, proxy, context, key):
        self.proxy, self.context, self.key = proxy, context, key

    def open(self, method, path, body=None, headers=None, address="127.0.0.1"):
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.proxy.port, timeout=PATIENCE, context=self.context, source_address=(address, 0)
        )
        given = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if isinstance(body, dict):
            body, given = json.dumps(body), given | {"Content-Type": "application/json"}
        connection.request(method, path, body, given | (headers or {}))
        return connection.getresponse()

    def call(self, method, path, body=None, headers=None, status=200):
        response = self.open(method, path, body, headers)
        answer = response.read()
        check(response.status == status, f"{self.proxy.name}: {method} {path} answers {response.status}: {answer[:300]}")
        return response, answer


async def check_socket(client, ereader, silence_s):
    """A voice agent's turn: pieces of words, a silence, a cancel, the rest."""
    name = client.proxy.name
    # As a browser opens it: with the key in a subprotocol.
    async with connect(
        f"wss://localhost:{client.proxy.port}/v1/saas/tts:socket", ssl=client.context, max_size=None, proxy=None,
        subprotocols=["lectern.v1", f"lectern.key.{client.key}"],
    ) as connection:  # fmt: skip
        check(connection.subprotocol == "lectern.v1", f"{name}: the subprotocol is {connection.subprotocol}")

        async def send(**message):
            await connection.send(json.dumps(message))

        async def until(kind):
            audio = b""
            while True:
                message = await asyncio.wait_for(connection.recv(), PATIENCE)
                if isinstance(message, bytes):
                    audio += message
                    if kind == "audio":
                        return audio
                    continue
                said = json.loads(message)
                check(said["type"] in ("words", kind), f"{name}: {message}")
                if said["type"] == kind:
                    return audio

        await send(type="start", ereader_id=ereader, format="pcm")
        for start in range(0, len(TEXT), 7):
            await send(type="text", text=TEXT[start : start + 7])
        # No flush: it comes because the sentence has ended.
        begun = await until("audio")
        await send(type="flush")
        check_speech(begun + await until("flushed"), f"{name}: a sentence on a socket", raw=True)
        await asyncio.sleep(silence_s)
        await send(type="text", text=LONG)
        await until("audio")
        await send(type="cancel")
        await send(type="flush")
        await until("flushed")
        await send(type="text", text=TEXT)
        await send(type="end")
        check_speech(await until("done"), f"{name}: a sentence after a cancel", raw=True)


def check_stream(client, ereader):
    """The first audio comes long before the last."""
    name = client.proxy.name
    body = {"ereader_id": ereader, "format": "pcm", "text": " ".join([LONG] * 6)}
    begun = time.perf_counter()
    response = client.open("POST", "/v1/saas/tts:stream", body)
    check(response.status == 200, f"{name}: a stream answers {response.status}: {response.headers}")
    audio = response.read(9_600)
    first = time.perf_counter() - begun
    audio += response.read()
    whole = time.perf_counter() - begun
    check_speech(audio, f"{name}: streamed speech", raw=True, times=72)
    check(first < whole / 4, f"{name}: the first of streamed speech comes after {first:.2f} s of {whole:.2f} s")


def check_book(client, ereader):
    """An upload larger than proxies take unasked, its events, and a part of the audio by its signed address."""
    name = client.proxy.name
    boundary = "the-end-of-a-part"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="book.txt"\r\n\r\n'.encode()
    # Spaces between the paragraphs make it large, and cost nothing to read aloud.
    book = LINE + b" " * 12_000_000 + b"\n\n" + LINE
    form = head + book + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    _, answer = client.call("POST", "/v1/saas/materials", form, headers, status=202)
    material = json.loads(answer)["id"]
    ends = time.monotonic() + PATIENCE
    while json.loads(client.call("GET", f"/v1/saas/materials/{material}")[1])["status"] == "processing":
        check(time.monotonic() < ends, f"{name}: the book is read in time")
        time.sleep(0.1)
    events = client.open("GET", f"/v1/saas/materials/{material}/events")
    check(events.status == 200, f"{name}: events answer {events.status}")
    seen = []

    def follow():
        for line in events:
            if line.startswith(b"event:"):
                seen.append((time.monotonic(), line.decode().split(":", 1)[1].strip()))

    following = threading.Thread(target=follow)
    following.start()
    client.call("POST", f"/v1/saas/materials/{material}/convert", {"ereader_id": ereader}, status=202)
    following.join(PATIENCE)
    check(not following.is_alive() and seen and seen[-1][1] == "material.completed", f"{name}: events were {seen}")
    # They were not kept for the end.
    check(seen[-1][0] - seen[0][0] > 0.05, f"{name}: events came all at once: {seen}")
    _, answer = client.call("GET", f"/v1/saas/materials/{material}/chunks/0/audio?url=true")
    address = urllib.parse.urlsplit(json.loads(answer)["audio_url"])
    path = f"{address.path}?{address.query}"
    response, part = Client(client.proxy, client.context, None).call("GET", path, headers={"Range": "bytes=100-299"}, status=206)
    check(len(part) == 200 and response.headers["Content-Range"].startswith("bytes 100-299/"), f"{name}: {response.headers}")


def check_clients(client, addresses):
    """Sign-ins are counted by the client, not by the proxy."""
    name = client.proxy.name
    body = {"email": "nobody@example.com", "password": "nine otters under the bridge"}

    def statuses(address, times, headers=None):
        anyone = Client(client.proxy, client.context, None)
        return [anyone.open("POST", "/v1/bff/auth/login", body, headers, address).status for _ in range(times)]

    first, second = addresses
    got = statuses(first, 4)
    check(got == [401, 401, 401, 429], f"{name}: four sign-ins of a client answer {got}")
    got = statuses(first, 1, {"X-Forwarded-For": "192.0.2.7"})
    check(got == [429], f"{name}: a client cannot name another address: {got}")
    got = statuses(second, 1)
    check(got == [401], f"{name}: another client's sign-in answers {got}")


def certificate_in(folder):
    certificate, key, both = folder / "speech.pem", folder / "speech.key", folder / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", certificate, "-keyout", key],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    # nginx and Apache read the key before they give up root, Caddy and HAProxy never have it.
    return certificate, key, both


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lectern", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(LANGUAGES))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    names = options.only.split(",")
    installed = [name for name in names if shutil.which(name)]
    check(installed, f"one of these is installed: {names}")
    settings = tomllib.loads(block("toml"))["http"]
    with tempfile.TemporaryDirectory(prefix="lectern-proxies.") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        certificate, key_file, both = certificate_in(folder)
        context = ssl.create_default_context(cafile=certificate)
        server = Server(options.lectern.resolve(), folder)
        server.environment["LECTERN_HTTP__TRUSTED_PROXIES"] = ",".join(settings["trusted_proxies"])
        server.environment["LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE"] = "3"
        with server:
            key = server.admin("invite", "create", "--email", "proxies@example.com", "--credits", "1000000")["live_key"]
            for number, name in enumerate(installed):
                with Proxy(name, folder, server.url.removeprefix("http://"), certificate, key_file, both) as proxy:
                    client = Client(proxy, context, key)
                    _, answer = client.call("GET", "/v1/saas/ereaders")
                    ereader = json.loads(answer)["data"][0]["id"]
                    asyncio.run(check_socket(client, ereader, 0 if options.quick else SILENCE_S))
                    check_stream(client, ereader)
                    check_book(client, ereader)
                    check_clients(client, [f"127.0.{number + 1}.{last}" for last in (1, 2)])
            spent = server.admin("ledger", "verify")
            check(spent["ok"], f"the ledger adds up: {spent}")
    left_out = [name for name in names if name not in installed]
    missing = f" Not installed, so left out: {', '.join(left_out)}." if left_out else ""
    print(f"The proxies of docs/operations/proxy.md work: {', '.join(installed)}.{missing}")


if __name__ == "__main__":
    main()
