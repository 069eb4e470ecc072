#!/usr/bin/env python3
"""Backs up a service under load, restores it into an empty place, and compares, with the very commands of docs/operations/run.md.

usage: backup_drill.py LECTERN [--postgres URL] [--answers N] [--control objects-first|wrong-key]

Clients synthesize and convert without a pause. The block `backup-sqlite` (or `backup-postgres`) of the run-book is run meanwhile, then
the service is killed and `restore-…` run into an empty place, `ledger verify` with it. A service is started there: it must know the
same key, have every synthesis and chunk that had been answered before the back-up began, with the same bytes, have audio for every
material that it calls completed, and have charged no more than was charged. Prints one line; exits 1 when anything is missing.

--control makes a mistake that the run-book warns of, and must fail. Seen: "of what was restored, 3 completed materials have no audio"
(objects copied before the database) and "is not the master key that this store was made with" (another key), on both databases.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from environment import clean_environment

TOP = pathlib.Path(__file__).resolve().parent.parent
MASTER_KEY = "a master key of a drill, long enough for one"


def block(name):
    """The ```sh block after `<!-- drill: NAME -->`."""
    found = re.findall(rf"<!-- drill: {name} -->\n```sh\n(.*?)^```", (TOP / "docs/operations/run.md").read_text(), re.DOTALL | re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"docs/operations/run.md has {len(found)} blocks of the name {name}")
    return found[0]


class Service:
    """`lectern serve --demo` on free ports."""

    def __init__(self, binary, data, environment, log):
        settings = environment | {"LECTERN_DATA_DIR": str(data), "LECTERN_HTTP__LISTEN": "127.0.0.1:0", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
        self.process = subprocess.Popen([binary, "serve", "--demo"], env=settings, stdout=subprocess.PIPE, stderr=log, text=True)
        first = self.process.stdout.readline()
        if not first:
            sys.exit(f"the service did not start: {pathlib.Path(log.name).read_text()[-2000:]}")
        self.address = json.loads(first)["listening"]
        self.key = self.ereader = None
        for line in self.process.stdout:
            self.key = self.key or next(iter(re.findall(r"Bearer (svc_live_\w+)", line)), None)
            self.ereader = self.ereader or next(iter(re.findall(r'"ereader_id": "(erd_\w+)"', line)), None)
            if self.key and self.ereader:
                break
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def ask(self, method, path, body=None, key=None):
        request = urllib.request.Request(f"http://{self.address}{path}", method=method, data=json.dumps(body).encode() if body else None)
        request.add_header("Authorization", f"Bearer {key or self.key}")
        if body:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client(threading.Thread):
    """Synthesizes and converts, and records the responses and the audio."""

    def __init__(self, service, number, stop):
        super().__init__(daemon=True)
        self.service, self.number, self.stop = service, number, stop
        self.heard, self.failures = [], []

    def run(self):
        turn = 0
        while not self.stop.is_set():
            turn += 1
            try:
                self.synthesize(turn)
                if turn % 3 == 0:
                    self.convert(turn)
            except (urllib.error.URLError, OSError, ValueError) as error:
                if not self.stop.is_set():
                    self.failures.append(repr(error))
                    time.sleep(0.2)

    def synthesize(self, turn):
        body = {"ereader_id": self.service.ereader, "text": f"Client {self.number} says this for the {turn}th time."}
        said = json.loads(self.service.ask("POST", "/v1/saas/tts:synthesize", body))
        path = said["audio_url"].split("/", 3)[3]
        self.note("/" + path)

    def convert(self, turn):
        text = "\n\n".join(f"Passage {passage} of text {turn} of client {self.number}." for passage in range(3))
        book = json.loads(self.service.ask("POST", "/v1/saas/materials", {"text": text}))["id"]
        while not self.stop.is_set() and self.status(book) == "processing":
            time.sleep(0.05)
        self.service.ask("POST", f"/v1/saas/materials/{book}/convert", {"ereader_id": self.service.ereader})
        while not self.stop.is_set() and self.status(book) == "converting":
            time.sleep(0.05)
        if not self.stop.is_set():
            self.note(f"/v1/saas/materials/{book}/chunks/0/audio")

    def status(self, book):
        return json.loads(self.service.ask("GET", f"/v1/saas/materials/{book}"))["status"]

    def note(self, path):
        digest = hashlib.sha256(self.service.ask("GET", path)).hexdigest()
        self.heard.append((time.monotonic(), path, digest))


def until(clients, answers):
    """Waits until the clients have received this many responses."""
    end = time.monotonic() + 240
    while sum(len(client.heard) for client in clients) < answers:
        failures = [failure for client in clients for failure in client.failures]
        if failures or time.monotonic() > end:
            sys.exit(f"the clients have too few answers: {failures[:3]}")
        time.sleep(0.05)


def run(script, variables, environment):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], env=environment | variables, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def plain(url):
    """Creates an empty database on the server of the URL: its name, its URL, and the URL of the server's default database."""
    parts = urllib.parse.urlsplit(url)
    return lambda name: urllib.parse.urlunsplit(parts._replace(path=f"/{name}"))


def spent(service, key):
    return sum(-row["credits"] for row in every(service, key) if row["kind"] == "charge")


def every(service, key):
    rows, cursor = [], ""
    while True:
        page = json.loads(service.ask("GET", f"/v1/saas/credits/transactions?limit=100{cursor}", key=key))
        rows += page["data"]
        if not page["next_cursor"]:
            return rows
        cursor = f"&cursor={page['next_cursor']}"


def books(service, key):
    """All completed materials of the restored service."""
    page = json.loads(service.ask("GET", "/v1/saas/materials?limit=100", key=key))
    return [book["id"] for book in page["data"] if book["status"] == "completed"]


def sounds(service, key, book):
    try:
        return len(service.ask("GET", f"/v1/saas/materials/{book}/chunks/0/audio", key=key)) > 1_000
    except urllib.error.HTTPError:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lectern", type=pathlib.Path)
    parser.add_argument("--postgres", help="URL of a server on which two databases may be made")
    parser.add_argument("--answers", type=int, default=24, help="how many there are before the back-up begins")
    parser.add_argument("--control", choices=["objects-first", "wrong-key"])
    options = parser.parse_args()
    binary = options.lectern.resolve()
    environment = clean_environment()
    kind = "postgres" if options.postgres else "sqlite"
    backup, restore = block(f"backup-{kind}"), block(f"restore-{kind}")
    with tempfile.TemporaryDirectory(prefix="lectern-drill.") as folder:
        at = pathlib.Path(folder)
        (at / "elsewhere").mkdir()
        (at / "bin").mkdir()
        (at / "bin/lectern").symlink_to(binary)
        environment["PATH"] = ":".join([str(at / "bin"), environment["PATH"], *map(str, pathlib.Path("/usr/lib/postgresql").glob("*/bin"))])
        variables = {name: str(at / name) for name in ("data", "backup", "elsewhere", "restored")}
        first = dict(environment)
        second = dict(environment)
        if options.postgres:
            at_name = plain(options.postgres)
            names = [f"drill_{os.getpid()}_{which}" for which in ("old", "new")]
            for name in names:
                subprocess.run(["psql", "-qX", at_name("postgres"), "-c", f"CREATE DATABASE {name}"], env=environment, check=True)
            variables |= {"database": at_name(names[0]), "empty_database": at_name(names[1])}
            environment["LECTERN_SECRETS__MASTER_KEY"] = MASTER_KEY
            first = environment | {"LECTERN_DATABASE__URL": variables["database"]}
            second = environment | {"LECTERN_DATABASE__URL": variables["empty_database"]}
            subprocess.run([binary, "migrate"], env=first | {"LECTERN_DATA_DIR": variables["data"]}, check=True, stdout=subprocess.DEVNULL)
        try:
            drill(options, binary, at, variables, (environment, first, second), (backup, restore))
        finally:
            if options.postgres:
                for name in names:
                    subprocess.run(["psql", "-qX", at_name("postgres"), "-c", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"], env=environment)


def drill(options, binary, at, variables, environments, scripts):
    (environment, first, second), (backup, restore) = environments, scripts
    with open(at / "log", "w") as log:
        service = Service(binary, variables["data"], first, log)
        stop = threading.Event()
        clients = [Client(service, number, stop) for number in range(4)]
        for client in clients:
            client.start()
        until(clients, options.answers)
        if options.control == "objects-first":
            backup = objects_first(backup)
        began = time.monotonic()
        code, said = run(backup, variables, environment)
        took = time.monotonic() - began
        if code:
            sys.exit(f"the back-up failed ({code}): {said}")
        until(clients, sum(len(client.heard) for client in clients) + options.answers // 4)
        stop.set()
        charged = spent(service, service.key)
        key = service.key
        service.kill()
        for client in clients:
            client.join(timeout=70)
        failures = [failure for client in clients for failure in client.failures]
        if failures:
            sys.exit(f"{len(failures)} requests failed while it was backed up: {failures[:3]}")
        before = [(path, digest) for client in clients for when, path, digest in client.heard if when < began]
        during = sum(when > began for client in clients for when, _, _ in client.heard)

        if options.control == "wrong-key":
            if options.postgres:
                environment = environment | {"LECTERN_SECRETS__MASTER_KEY": MASTER_KEY + "!"}
            else:
                pathlib.Path(variables["elsewhere"], "master.key").write_text("5a" * 32)
        code, said = run(restore, variables, environment)
        if code or not re.search(r"^ok: true$", said, re.MULTILINE):
            sys.exit(f"what was restored is not whole ({code}): {said}")
        restored = Service(binary, variables["restored"], second, log)
        try:
            missing = []
            for path, digest in before:
                try:
                    if hashlib.sha256(restored.ask("GET", path, key=key)).hexdigest() != digest:
                        missing.append(f"{path}: other bytes")
                except urllib.error.HTTPError as error:
                    missing.append(f"{path}: {error.code}")
            if missing:
                sys.exit(f"{len(missing)} of {len(before)} answers are not in what was restored: {missing[:3]}")
            silent = [book for book in books(restored, key) if not sounds(restored, key, book)]
            if silent:
                sys.exit(f"of what was restored, {len(silent)} completed materials have no audio: {silent[:3]}")
            after = spent(restored, key)
        finally:
            restored.kill()
        if after > charged:
            sys.exit(f"{after} credits are charged where {charged} were")
    kind = "PostgreSQL" if options.postgres else "SQLite"
    print(f"{kind}: backed up in {took:.2f} s under load ({during} answers meanwhile and after), restored; the ledger is whole, all "
          f"{len(before)} answers from before are there")


def objects_first(script):
    """The mistake: copies the objects before the database, with the delay of a large store in between."""
    lines = script.splitlines()
    (objects,) = [line for line in lines if "-c " in line and "objects" in line]
    rest = [line for line in lines if line != objects]
    return "\n".join([rest[0], objects, "sleep 3"] + rest[1:])


if __name__ == "__main__":
    main()
