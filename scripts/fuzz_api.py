#!/usr/bin/env python3
"""Drives a real server with schemathesis: every operation of openapi.json, every check, thousands of cases.

usage: fuzz_api.py LECTERN [--postgres URL] [--seconds N] [--seed N]

Starts LECTERN on free ports with a store of its own (on SQLite, or in a database that it makes on the PostgreSQL of URL by
psql and drops at the end), makes an account with a key of each scope, one with all of them and a
session, and lets schemathesis try each in turn. Operations that no trial reached in time are tried once more.
Needs the packages of scripts/test_requirements.txt; exits 1 when
a check fails, and prints what schemathesis says of it, and when an operation never answered anything but 401 and 403.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

from environment import clean_environment

TOP = pathlib.Path(__file__).resolve().parent.parent
CREDITS = 100_000_000


@contextlib.contextmanager
def database_on(server):
    """Settings for a temporary database on this PostgreSQL server."""
    name = f"lectern_fuzz_{os.getpid()}"

    def psql(sql):
        subprocess.run(["psql", "--no-psqlrc", "--quiet", "--command", sql, server], check=True)

    psql(f"CREATE DATABASE {name}")
    try:
        yield {
            "LECTERN_DATABASE__URL": urllib.parse.urlsplit(server)._replace(path=f"/{name}").geturl(),
            # Only the SQLite store creates one by itself.
            "LECTERN_SECRETS__MASTER_KEY": "a master key that only tests know, of 32 characters and more",
        }
    finally:
        psql(f"DROP DATABASE {name} WITH (FORCE)")


class Server:
    """Runs the service with a store in a temporary folder."""

    def __init__(self, binary, folder, database=None):
        self.binary = binary
        self.environment = clean_environment() | {
            "LECTERN_DATA_DIR": str(folder / "data"),
            "LECTERN_HTTP__LISTEN": "127.0.0.1:0",
            "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0",
            "LECTERN_HTTP__SHUTDOWN_SECONDS": "2",
            # The limits have their own tests; here they would hide everything else.
            "LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE": "100000000",
            "LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE": "100000000",
            "LECTERN_RATE_LIMIT__REGISTER_PER_MINUTE": "100000000",
            "LECTERN_LOG__FILTER": "warn",
        } | (database or {})
        self.log = folder / "server.log"

    def __enter__(self):
        subprocess.run([self.binary, "migrate"], env=self.environment, stdout=subprocess.DEVNULL, check=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve"], env=self.environment, stdout=subprocess.PIPE, stderr=log
            )
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the server did not start:\n{self.log.read_text(errors='replace')}")
        self.url = f"http://{json.loads(line)['listening']}"
        # Drain the output: a full pipe would block the server.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)

    def admin(self, *arguments):
        done = subprocess.run(
            [self.binary, "admin", *arguments, "--json"], env=self.environment, capture_output=True, check=True
        )
        return json.loads(done.stdout)

    def post(self, path, body, key=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        request = urllib.request.Request(f"{self.url}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as response:
            return json.load(response)


SIGN_IN = {"email": "fuzz@example.com", "password": "nine otters under the bridge"}

# The web application's routes take sessions, all others take keys.
BFF = "^/v1/bff/"

# Each operation of the document.
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in json.loads((TOP / "openapi.json").read_text())["paths"].items()
    for method, operation in methods.items()
}

# Those that need no credentials.
OPEN = {name for name, operation in OPERATIONS.items() if {} in operation.get("security", [])}

# The statuses of each operation, one per line.
ANSWERS = "answers"


def new_key(server, name, environment, scopes):
    body = {"name": name, "scopes": scopes, "environment": environment}
    return server.post("/v1/saas/keys", body, server.admin_key)["key"]


def credentials_of(server):
    """Name, bearer token (none where the trial signs in by itself) and which routes it is for. The account's first admin key is
    not among them: a trial that revokes all it finds must leave one with which the next can be made."""
    address = SIGN_IN["email"]
    invite = server.admin("invite", "create", "--email", address, "--credits", str(CREDITS))
    free = next(voice["id"] for voice in server.admin("voices", "list") if voice["tier"] == "free")
    said = {"ereader_id": free, "text": "Hello."}
    server.media = server.post("/v1/saas/tts:synthesize", said, invite["live_key"])["audio_url"]
    server.admin_key = invite["live_key"]
    kinds = {
        "live, all scopes": ("live", ["read", "write", "admin"]),
        "live, read": ("live", ["read"]),
        "live, write": ("live", ["write"]),
        "test, admin": ("test", ["admin"]),
    }
    for name, (environment, scopes) in kinds.items():
        yield name, new_key(server, name, environment, scopes), ["--exclude-path-regex", BFF]
    server.post("/v1/saas/auth/register", {"password": SIGN_IN["password"], "invite_token": invite["invite_token"]})
    server.admin("account", "confirm-email", "--account", address)

    yield "session", None, ["--include-path-regex", BFF]


def credentials_again(server, missed):
    """As `credentials_of`, for these operations only: on a busy machine a trial's time may be up before it comes
    to all. Where nothing makes what a path names, a 404 for a random id shows that requests come through."""
    paths = {name.partition(" ")[2] for name in missed}
    for name, has_key in [("live, all scopes", True), ("session", False)]:
        some = sorted(re.escape(path) for path in paths if bool(re.match(BFF, path)) != has_key)
        if some:
            key = new_key(server, f"again: {name}", "live", ["read", "write", "admin"]) if has_key else None
            yield f"again: {name}", key, ["--include-path-regex", f"^(?:{'|'.join(some)})$"]


def unreached(answers):
    """The operations that need credentials and never answered anything but 401 or 403: whatever was sent, nobody was let in,
    and nothing of them was tried. One other answer shows that requests came through. An operation that is open to all is
    reached by any request; its own 403 may be that an invitation is missing."""
    reached = set()
    for line in answers.read_text().splitlines():
        operation, _, status = line.rpartition(" ")
        if operation in OPEN or status not in ("401", "403"):
            reached.add(operation)
    return sorted(OPERATIONS.keys() - reached)


def trial(server, folder, name, token, routes, seconds, seed):
    """One run of schemathesis; whether every check held."""
    command = [
        str(pathlib.Path(sys.executable).parent / "st"),
        "--config-file",
        str(TOP / "scripts/schemathesis.toml"),
        "run",
        str(TOP / "openapi.json"),
        "--url",
        server.url,
        *([] if token is None else ["--header", f"Authorization: Bearer {token}"]),
        *routes,
        "--checks",
        "all",
        "--max-time",
        str(seconds),
        "--seed",
        str(seed),
        "--workers",
        "1",
        # How long speech takes is the machine's affair; only what hangs fails.
        "--request-timeout",
        "90",
        "--max-response-time",
        "90",
        "--no-color",
    ]
    print(f"-- {name}", flush=True)
    # It records failures in its working directory and starts with those the next time.
    environment = os.environ | {
        "SCHEMATHESIS_HOOKS": str(TOP / "scripts/schemathesis_hooks.py"),
        "LECTERN_FUZZ_ANSWERS": str(folder / ANSWERS),
        "LECTERN_FUZZ_MEDIA": server.media,
    }
    if token is None:
        sign_in = SIGN_IN | {"url": f"{server.url}/v1/saas/auth/login"}
        environment["LECTERN_FUZZ_SIGN_IN"] = json.dumps(sign_in)
    return subprocess.run(command, check=False, cwd=folder, env=environment).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--postgres", metavar="URL", help="of a server; without it the store is SQLite")
    parser.add_argument("--seconds", type=int, default=40, help="for each key")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    store = database_on(arguments.postgres) if arguments.postgres else contextlib.nullcontext({})
    with tempfile.TemporaryDirectory(prefix="lectern-fuzz.") as folder, store as database:
        folder = pathlib.Path(folder)
        with Server(arguments.binary.resolve(), folder, database) as server:
            server.admin("voices", "samples")
            held = [
                trial(server, folder, *credential, arguments.seconds, arguments.seed)
                for credential in credentials_of(server)
            ]
            held += [
                trial(server, folder, *credential, arguments.seconds, arguments.seed)
                for credential in credentials_again(server, unreached(folder / ANSWERS))
            ]
            verified = server.admin("ledger", "verify")
        missed = unreached(folder / ANSWERS)
        log = server.log.read_text(errors="replace")
    if log:
        print(f"-- the server's log\n{log}")
    if not verified["ok"]:
        print(f"the ledger does not add up: {verified}")
    if "panicked" in log:
        print("the server panicked")
    if missed:
        print("nothing but 401 and 403 came from:\n  " + "\n  ".join(missed))
    sys.exit(0 if all(held) and verified["ok"] and "panicked" not in log and not missed else 1)


if __name__ == "__main__":
    main()
