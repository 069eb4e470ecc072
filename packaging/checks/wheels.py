"""Wheels: by pip and by uv, from an index on this machine, with an empty cache."""

import contextlib
import functools
import http.server
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from checking import TEXT, check, clean_environment, ran, refused, understood

# Seconds from nothing to a file with speech.
GOAL = 60


def index(packages, place):
    """A folder in the form of a package index (PEP 503)."""
    for kind, name in (("program", "lectern-server"), ("voices", "lectern-voice-hibari")):
        wheel = getattr(packages, kind)["wheel"]
        folder = place / "simple" / name
        folder.mkdir(parents=True)
        shutil.copy(wheel, folder)
        (folder / "index.html").write_text(f'<!doctype html><a href="{wheel.name}">{wheel.name}</a>')
    return place


@contextlib.contextmanager
def served(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/simple"
    finally:
        server.shutdown()


def run(packages, place, any_size):
    with served(index(packages, place)) as url:
        by_pip(packages, place, url, any_size)
        too_old(place, url)
        by_uv(place, url)


def by_pip(packages, place, url, any_size):
    environment = clean_environment(place / "home", place / "venv/bin")
    audio = place / "hello.mp3"
    begun = time.monotonic()
    ran([sys.executable, "-m", "venv", place / "venv"], environment)
    ran([place / "venv/bin/pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--index-url", url, "lectern-server"], environment)
    ran(["lectern", "speak", TEXT, "-o", audio], environment, cwd=place)
    spent = time.monotonic() - begun
    said = understood(audio, "the wheel")
    print(f"wheel: from nothing to speech in {spent:.1f} s, download from this machine: {said}")
    check(any_size or spent <= GOAL, f"the wheel takes {spent:.1f} s to speak, and may take {GOAL}")
    for command in (["lectern-server"], ["python", "-m", "lectern_server"]):
        check(ran([*command, "--version"], environment).startswith("lectern "), f"{command} is not the program")
    serves(place, environment)
    # What was there goes, and nothing is left behind.
    ran([place / "venv/bin/pip", "uninstall", "--yes", "lectern-server", "lectern-voice-hibari"], environment)
    left = [path for path in (place / "venv").rglob("*lectern*") if path.is_file()]
    left += [path for path in (place / "venv/share/lectern").rglob("*") if path.is_file()]
    check(not left, f"pip leaves {left} behind")


def serves(place, environment):
    """`lectern serve --demo`, and the curl that it prints."""
    folder = place / "service"
    folder.mkdir()
    free = {"LECTERN_HTTP__LISTEN": "127.0.0.1:0", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
    with open(folder / "log", "w") as log:
        service = subprocess.Popen(["lectern", "serve", "--demo"], cwd=folder, env=environment | free, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address = key = voice = None
        for line in service.stdout:
            address = address or next(iter(re.findall(r"(?:http://)?(127\.0\.0\.1:\d+)", line)), None)
            key = key or next(iter(re.findall(r"Bearer (svc_live_\w+)", line)), None)
            voice = voice or next(iter(re.findall(r'"ereader_id": "(erd_\w+)"', line)), None)
            if address and key and voice:
                break
        check(address and key and voice, f"the service says no address, key or voice:\n{(folder / 'log').read_text()}")
        body = json.dumps({"ereader_id": voice, "text": TEXT}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"http://{address}/v1/saas/tts:synthesize", body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            said = json.load(answer)
        audio = folder / "hello.mp3"
        with urllib.request.urlopen(said["audio_url"], timeout=60) as answer:
            audio.write_bytes(answer.read())
        understood(audio, "the service of the wheel")
        with urllib.request.urlopen(f"http://{address}/", timeout=60) as answer:
            check(b"<script" in answer.read(), "the service has no pages")
        with urllib.request.urlopen(f"http://{address}/docs/guide/", timeout=60) as answer:
            check(b"Lectern" in answer.read(), "the service has no guide")
    finally:
        service.send_signal(signal.SIGTERM)
        service.stdout.close()
        ended = service.wait(timeout=60)
    check(ended == 0, f"the service ended with {ended}")
    print("wheel: lectern serve --demo speaks, and has its pages and the guide")


def too_old(place, url):
    """On a system with an older glibc pip must find nothing to install."""
    environment = clean_environment(place / "home")
    old = ["--platform", "manylinux_2_12_x86_64", "--only-binary", ":all:", "--no-deps", "--dest", place / "old"]
    words = "No matching distribution found for lectern-server"
    refused([place / "venv/bin/pip", "download", "--no-cache-dir", "--index-url", url, *old, "lectern-server"], environment, words)
    print(f"wheel: with glibc 2.12 pip says: {words}")


def by_uv(place, url):
    environment = clean_environment(place / "home") | {"UV_CACHE_DIR": str(place / "uv"), "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1"}
    uvx = [shutil.which("uvx", path=f"{sys.exec_prefix}/bin") or "uvx", "--python", sys.executable, "--index-url", url]
    begun = time.monotonic()
    ran([*uvx, "lectern-server", "speak", TEXT, "-o", place / "uvx.mp3"], environment, cwd=place)
    spent = time.monotonic() - begun
    print(f"wheel: uvx lectern-server, from nothing to speech in {spent:.1f} s: {understood(place / 'uvx.mp3', 'uvx')}")
    ran([*uvx, "--from", "lectern-server", "lectern", "--version"], environment, cwd=place)
