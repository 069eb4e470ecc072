#!/usr/bin/env python3
"""Builds both SDKs, installs them where nothing else is, and follows their READMEs, word for word, against a real server.

usage: sdks.py LECTERN

Run it with the Python of `sdk_python_tools` (scripts/setup.sh). Starts LECTERN on free ports with a store of its own and the real
voice. In this order: the packages are built; their own tests run; the installed packages and the READMEs' programs are
type-checked, strictly; the programs run, and a recognizer must understand the audio that they leave; a page in Chromium uses the
TypeScript one. Needs ffmpeg, Node and Chromium; what Node older than 20 cannot run, and Bun and Deno where they are not installed, are
named as not run. Exits 1 with the first thing that is not as it should be.
"""

import base64
import concurrent.futures
import contextlib
import datetime
import functools
import http.server
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import pocketsphinx
import standardwebhooks

from environment import clean_environment
from fuzz_api import TOP, Server
from webhook_guide import free_port

SDK = TOP / "sdk"
TOOLS = pathlib.Path(sys.executable).parent
PATIENCE = 60

# How a program of the TypeScript README is run.
RUNTIMES = {
    "node": ["node"],
    "bun": ["bun"],
    "deno": ["deno", "run", "--allow-all", "--node-modules-dir=manual"],
}

# What the READMEs' programs print, in the order of the programs: a part of each output.
PRINTED = {
    "python": [
        r"\d+ ms for 53 credits",
        r"^$",
        r"(\d+) of \1 bytes\n(.*\n)*?\d+ credits for \d+ characters\n(.*\n)*chunk.completed\n(.*\n)*material.completed\n",
        r"hill",
        r"^$",
        r"20\d\d-\d\d-\d\d .* charge -\d+\n(.*\n)*\d+ ",
        r"There is no such voice\.",
        r"reader@example\.com",
    ],
    "typescript": [
        r"\d+ ms for 53 credits",
        r"^$",
        r"\d+ of \d+ bytes\n(.*\n)*?\d+ credits for \d+ characters\n(.*\n)*chunk.completed\n(.*\n)*material.completed\n",
        r"hill",
        r"20\d\d-\d\d-\d\dT.* charge -\d+\n(.*\n)*\d+ ",
        r"There is no such voice\.",
        r"reader@example\.com",
    ],
}

# What is to be heard in the files that they leave.
HEARD = {
    "python": {
        "hello.mp3": "the lamp was lit before the storm came over the hill",
        "stream.mp3": "the storm came over the hill the lamp was lit",
        "book.m4b": "lamp light keeper harbour steps storm night sea house",
        "socket.wav": "the lamp was lit before the storm came over the hill",
        "async-1.mp3": "the lamp was lit",
        "async-2.mp3": "the storm came over the hill",
    },
    "typescript": {
        "hello.mp3": "the lamp was lit before the storm came over the hill",
        "stream.mp3": "the storm came over the hill the lamp was lit",
        "book.m4b": "lamp light keeper harbour steps storm night sea house",
        "socket.mp3": "the lamp was lit before the storm came over the hill",
    },
}


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def run(command, **options):
    """The output of a command that must succeed."""
    options = {"timeout": 300, "env": clean_environment()} | options
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )
    check(done.returncode == 0, f"{' '.join(map(str, command))[:200]} succeeds:\n{done.stdout[-6000:]}")
    return done.stdout


@contextlib.contextmanager
def timed(what):
    begun = time.monotonic()
    yield
    print(f"{time.monotonic() - begun:5.1f} s  {what}", flush=True)


def programs(language, fence):
    """The programs of a README, complete ones all of them."""
    return re.findall(rf"^```{fence}\n(.*?)^```", (SDK / language / "README.md").read_text(), re.DOTALL | re.MULTILINE)


def only(pattern):
    (file,) = (pathlib.Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target")) / "sdk").glob(pattern)
    return file


@functools.cache
def runtimes():
    """Those of RUNTIMES that are there and new enough."""
    found = {name for name in RUNTIMES if shutil.which(name)}
    if int(run(["node", "--version"]).strip("v\n").partition(".")[0]) < 20:
        found.remove("node")
    for name in RUNTIMES.keys() - found:
        print(f"NOT RUN: the TypeScript programs by {name}, which is not installed or too old")
    return found


def install_python(folder):
    """A virtual environment with the package and what it needs; its Python."""
    run([sys.executable, "-m", "venv", folder])
    python = folder / "bin/python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--constraint", SDK / "requirements.txt", only("*.whl")])
    return python


def check_python(folder, python):
    """Its own tests, and its types: of the package, its tests and the README's programs."""
    run([python, "-B", "-W", "error::DeprecationWarning", "-m", "unittest", "--quiet"], cwd=SDK / "python/tests")
    for number, program in enumerate(programs("python", "python")):
        (folder / f"program{number}.py").write_text(program)
    mypy = [TOOLS / "mypy", "--strict", "--no-error-summary", "--cache-dir", folder / "mypy"]
    # Programs and tests as their authors see the installed package; then the package itself.
    users = [*sorted(folder.glob("program*.py")), *sorted((SDK / "python/tests").glob("*.py"))]
    run([*mypy, "--python-executable", python, *users], cwd=SDK / "python/tests")
    run([*mypy, "src"], cwd=SDK / "python")
    return [[python, folder / f"program{number}.py"] for number, _ in enumerate(programs("python", "python"))]


def install_typescript(folder):
    """A package of its own that has the SDK, the compiler and Node's types."""
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    lock = json.loads((SDK / "typescript/package-lock.json").read_text())["packages"]
    wanted = ["standardwebhooks", "ws", "typescript", "@types/node"]
    pinned = [f"{name}@{lock[f'node_modules/{name}']['version']}" for name in wanted]
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run(["npm", "install", *options, only("*.tgz"), *pinned], cwd=folder)


def check_typescript(folder):
    """Its own tests, and its types as the README's programs and a page see them."""
    if "node" in runtimes():
        run(["node", "--test", *sorted((SDK / "typescript/tests").glob("*.test.js"))], cwd=SDK / "typescript")
    found = programs("typescript", "ts")
    for number, program in enumerate(found):
        (folder / f"program{number}.ts").write_text(program)
    compiler = [folder / "node_modules/.bin/tsc", "--strict", "--target", "es2022", "--noUncheckedIndexedAccess"]
    compiler += ["--exactOptionalPropertyTypes"]
    here = [f"program{number}.ts" for number, _ in enumerate(found)]
    run([*compiler, "--module", "nodenext", "--lib", "es2022", "--types", "node", *here], cwd=folder)
    shutil.copy(SDK / "typescript/tests/page.ts", folder)
    page = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", "--types", "lectern-tts"]
    run([*compiler, *page, "--noEmit", "page.ts"], cwd=folder)
    bundle = folder / "page.js"
    esbuild = SDK / "typescript/node_modules/.bin/esbuild"
    run([esbuild, "page.ts", "--bundle", "--minify", "--platform=browser", "--format=esm", f"--outfile={bundle}"], cwd=folder)
    print(f"         the client in a page: {bundle.stat().st_size / 1024:.0f} KiB, minified")
    return [folder / f"program{number}.js" for number, _ in enumerate(found)]


def try_python(folder):
    return check_python(folder, install_python(folder))


def try_typescript(folder):
    install_typescript(folder)
    return check_typescript(folder)


def recognized(file):
    """The words that a recognizer hears in an audio file, of which it gets at most 40 s."""
    form = ["-t", "40", "-f", "s16le", "-ar", "16000", "-ac", "1", "-"]
    decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", file, *form], capture_output=True, check=False)
    check(decoded.returncode == 0 and decoded.stdout, f"ffmpeg decodes {file.name}: {decoded.stderr.decode()}")
    decoder = pocketsphinx.Decoder(samprate=16_000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(decoded.stdout, no_search=False, full_utt=True)
    decoder.end_utt()
    return decoder.hyp().hypstr.split() if decoder.hyp() else []


def follow(language, commands, place, environment):
    """Runs the programs in an empty folder with a book in it."""
    place.mkdir()
    shutil.copy(TOP / "docs/examples/the-lantern-keeper.epub", place / "book.epub")
    *others, receiver = commands
    check(len(others) == len(PRINTED[language]), f"{language}: what {len(others)} programs print is known")
    for number, (command, printed) in enumerate(zip(others, PRINTED[language], strict=True)):
        output = run(command, cwd=place, env=environment)
        check(re.search(printed, output), f"{language}, program {number} prints {printed}: {output[-2000:]}")
    files = {file.name for file in place.iterdir()} - {"book.epub"}
    check(files == set(HEARD[language]), f"{language}: the programs leave {sorted(HEARD[language])}: {sorted(files)}")
    for name, text in HEARD[language].items():
        words, heard = text.split(), recognized(place / name)
        found = sum(word in heard for word in words)
        needed = 3 if name.startswith("book") else 0.6 * len(words)
        print(f"         {language}, {name}: {' '.join(heard)[:100]}")
        check(found >= needed, f"{language}: {name} says {text!r}: {' '.join(heard)}")
    check_receiver(language, receiver, place)


def check_receiver(language, command, place):
    """The program that receives webhooks accepts what is signed, and nothing else."""
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    port = free_port()
    environment = clean_environment() | {"PORT": str(port), "WEBHOOK_SECRET": secret}
    program = subprocess.Popen(
        [str(part) for part in command], env=environment, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        payload = {"type": "chunk.completed", "timestamp": "2026-11-21T07:08:11.524Z", "data": {"material_id": "mat_7"}}
        body = json.dumps(payload)
        now = datetime.datetime.now(datetime.timezone.utc)
        headers = {
            "webhook-id": "evt_7",
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": standardwebhooks.Webhook(secret).sign("evt_7", now, body),
        }
        for sent, status in ((body, 204), (body.replace("mat_7", "mat_8"), 400)):
            got = posted(f"http://127.0.0.1:{port}/", sent.encode(), headers)
            check(got == status, f"{language}: the receiver answers {status}: {got}")
        line = program.stdout.readline().strip()
        check(line == "chunk.completed evt_7 mat_7", f"{language}: the receiver prints the event: {line}")
    finally:
        program.terminate()
        program.wait(timeout=20)


def posted(url, body, headers):
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError:
            check(time.monotonic() < deadline, f"{url} is listened to")
            time.sleep(0.05)


def check_in_chromium(server, key, folder):
    """A page speaks, streams and uploads. Its server passes on what is for the service, as a proxy would."""
    chromium = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None
    )
    check(chromium, "Chromium is installed")
    told, done = [], threading.Event()

    class Proxy(http.server.BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if self.path == "/told":
                told.append(json.loads(body))
                done.set()
                return self.send(200, "text/plain", b"")
            if self.path in ("/", "/page.js"):
                page = b'<!doctype html><script type="module" src="/page.js"></script>'
                content = page if self.path == "/" else (folder / "page.js").read_bytes()
                return self.send(200, "text/html" if self.path == "/" else "text/javascript", content)
            passed = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
            request = urllib.request.Request(server.url + self.path, body or None, passed, method=self.command)
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                    return self.send(response.status, response.headers["Content-Type"], response, response.headers)
            except urllib.error.HTTPError as error:
                return self.send(error.code, error.headers["Content-Type"], error.read(), error.headers)

        def send(self, status, kind, content, others=()):
            self.send_response(status)
            self.send_header("Content-Type", kind or "text/plain")
            for name in others:
                if name.lower().startswith(("x-request", "lectern-", "retry-")):
                    self.send_header(name, others[name])
            self.end_headers()
            # Events are passed on one by one. The page may have left.
            pieces = [content] if isinstance(content, bytes) else iter(lambda: content.read1(65_536), b"")
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                for piece in pieces:
                    self.wfile.write(piece)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        def log_message(self, *_):
            pass

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    # The socket goes to the service itself: WebSockets know no origins.
    address = f"http://127.0.0.1:{proxy.server_address[1]}/#{key},{server.url}"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    options += ["--disable-component-update", "--disable-sync", f"--user-data-dir={folder / 'profile'}"]
    browser = subprocess.Popen(
        [chromium, *options, "--remote-debugging-port=0", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        check(done.wait(timeout=PATIENCE), "the page in Chromium ends")
    finally:
        browser.terminate()
        browser.wait(timeout=20)
        proxy.shutdown()
    (result,) = told
    check(result.get("error") is None, f"the page works: {result}")
    check(result["audio"] > 5_000 and result["socket"] > 5_000, f"the page gets audio: {result}")
    check(result["progress"] and result["status"] == "ready", f"the page uploads, and is told how far: {result}")
    check(result["code"] == "ereader_not_found", f"the page gets typed errors: {result}")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="lectern-sdks.") as name:
        folder = pathlib.Path(name)
        with timed("building the packages"):
            run([SDK / "build"], env=dict(os.environ))
        with timed("both packages installed, their tests and types"), concurrent.futures.ThreadPoolExecutor() as pool:
            both = [pool.submit(try_python, folder / "python"), pool.submit(try_typescript, folder / "typescript")]
            python_programs, typescript_programs = (one.result() for one in both)
        # So that an endpoint for webhooks can be made where there is no network.
        with Server(binary, folder, {"LECTERN_WEBHOOKS__ALLOWED_NETWORKS": "127.0.0.1/32"}) as server:
            account = server.admin("invite", "create", "--email", "reader@example.com", "--credits", "1000000")
            environment = clean_environment() | {"LECTERN_BASE_URL": server.url, "LECTERN_API_KEY": account["live_key"]}
            with timed("following the Python README"):
                follow("python", python_programs, folder / "followed-python", environment)
            for runtime in sorted(runtimes()):
                commands = [[*RUNTIMES[runtime], program] for program in typescript_programs]
                with timed(f"following the TypeScript README by {runtime}"):
                    follow("typescript", commands, folder / f"followed-{runtime}", environment)
            with timed("every other method at the service"):
                run([folder / "python/bin/python", "-B", SDK / "python/tests/live.py"], env=environment)
                if "node" in runtimes():
                    run(["node", SDK / "typescript/tests/live.js"], env=environment)
            with timed("a page in Chromium"):
                check_in_chromium(server, account["test_key"], folder / "typescript")
            spent = server.admin("ledger", "verify")
            check(spent["ok"], f"the ledger adds up: {spent}")
    print("Both SDKs work, and their READMEs, word for word.")


if __name__ == "__main__":
    main()
