"""Private servers on loopback that can be stopped, killed, wiped and started again at the same address, and a proxy that
does to a connection what a network does."""

import asyncio
import collections
import contextlib
import json
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            if condition():
                return
        time.sleep(0.05)
    raise SystemExit(f"error: {what} did not come about within {seconds} s")


def listens(port):
    with socket.create_connection(("127.0.0.1", port), timeout=1):
        return True


class Postgres:
    """PostgreSQL with full durability. It does not run as root, so root uses another account."""

    def __init__(self, folder, data):
        self.bin = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None) or Path(shutil.which("initdb")).resolve().parent
        self.folder, self.data, self.port, self.account = Path(folder), Path(data), free_port(), None
        self.folder.mkdir()
        self.data.mkdir()
        if os.getuid() == 0:
            names = [entry.pw_name for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody")]
            self.account = pwd.getpwnam(sorted(names)[-1])
            for owned in (self.folder, self.data):
                os.chown(owned, self.account.pw_uid, self.account.pw_gid)
        self.run("initdb", "-D", self.data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale")
        self.start()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments, check=True):
        lend = {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []} if self.account else {}
        # The server inherits the output of `pg_ctl`: a pipe would never end.
        with open(self.folder / "commands.log", "ab") as log:
            return subprocess.run([self.bin / program, *arguments], cwd="/", check=check, stdout=log, stderr=log, **lend)

    def start(self, check=True):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c max_connections=200 -c shared_buffers=128MB"
        return self.run(
            "pg_ctl", "-D", self.data, "-w", "-t", "60", "-l", self.folder / "server.log", "-o", options, "start", check=check
        )  # fmt: skip

    def stop_at_once(self):
        """As in a power cut: no shutdown, so recovery has to run."""
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop", check=False)

    def keep_up(self):
        """Starts it if it has ended by itself, as its supervisor would; returns whether it is up."""
        is_up = self.run("pg_ctl", "-D", self.data, "status", check=False).returncode == 0
        return is_up or self.start(check=False).returncode == 0

    def rows(self, sql):
        command = ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", self.url, "-c", sql]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in out.splitlines() if line]

    def end(self):
        self.stop_at_once()


class Sqlite:
    """The database in a file, looked at from outside."""

    def __init__(self, path):
        self.path, self.url = Path(path), f"sqlite://{path}"

    def rows(self, sql):
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)) as connection:
            return [["" if value is None else str(value) for value in row] for row in connection.execute(sql)]


class Killable:
    """A server that is one process."""

    def __init__(self):
        self.port, self.process = free_port(), None
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(f"{self.command()[0]} on its port", lambda: listens(self.port))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.kill()


class Nats(Killable):
    def __init__(self, folder):
        self.folder = Path(folder)
        super().__init__()
        self.url = f"nats://127.0.0.1:{self.port}"

    def command(self):
        # Debian installs it in root's PATH.
        program = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin") or "nats-server"
        return [program, "--addr", "127.0.0.1", "--port", str(self.port), "--jetstream", "--store_dir", str(self.folder)]

    def wipe(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Killable):
    def __init__(self):
        super().__init__()
        self.url = f"redis://127.0.0.1:{self.port}"

    def command(self):
        return ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]


class S3:
    """A server that speaks S3 and checks signatures: `crates/testkit/examples/s3_server.rs`."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.folder.mkdir()
        self.start()

    def start(self):
        command = [self.program, str(self.folder), "lectern"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.settings = json.loads(self.process.stdout.readline())
        self.port = int(self.settings["LECTERN_STORAGE__ENDPOINT"].rsplit(":", 1)[1].strip("/"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Proxy:
    """Forwards TCP connections to a port, in the current mode:

    `pass`; `slow` (each piece half a second late); `fail` (connections are closed at once); `truncate` (answers are cut off after
    some bytes of each connection); `mute` (nothing is carried any more, and nothing is closed).
    """

    SLOWNESS_S, CUT_AFTER_BYTES = 0.5, 3000

    def __init__(self, target):
        self.target, self.mode, self.port = target, "pass", free_port()
        # How often each fault has hit a connection.
        self.met = collections.Counter()
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)

        async def main():
            await asyncio.start_server(self.carry, "127.0.0.1", self.port)
            ready.set()
            await asyncio.Event().wait()

        self.loop.run_until_complete(main())

    async def carry(self, reader, writer):
        if self.mode == "fail":
            self.met["fail"] += 1
            writer.transport.abort()
            return
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ways = (self.pipe(reader, there_writer, None), self.pipe(there_reader, writer, self.CUT_AFTER_BYTES))
        tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, there_writer):
            end.transport.abort() if self.mode in ("fail", "truncate") else end.close()

    async def pipe(self, source, sink, room):
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self.mode == "fail":
                    return
                if self.mode == "slow":
                    self.met["slow"] += 1
                    await asyncio.sleep(self.SLOWNESS_S)
                while self.mode == "mute":
                    await asyncio.sleep(0.05)
                if self.mode == "truncate" and room is not None:
                    data, room = data[:room], room - len(data)
                sink.write(data)
                await sink.drain()
                if room is not None and room <= 0:
                    self.met["truncate"] += 1
                    return


# The log lines of a started process.
STARTED = (b'"message":"listening"', b'"message":"working"')


class Lectern:
    """A process of the service, started again after it was killed."""

    def __init__(self, binary, arguments, environment, folder, name):
        self.binary, self.arguments, self.name = binary, arguments, name
        self.environment, self.folder = environment, folder
        self.log = open(Path(folder, f"{name}.log"), "ab")
        self.process, self.logged, self.is_wanted, self.lock = None, 0, False, threading.Lock()

    def start(self, **environment):
        with self.lock:
            self.spawn(environment)

    def spawn(self, environment):
        self.logged = os.path.getsize(self.log.name)
        self.process = subprocess.Popen(
            [self.binary, *self.arguments],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=self.folder,
            env={**self.environment, **environment},
        )  # fmt: skip
        self.is_wanted = True

    def gauge(self, name):
        """The value of a gauge without labels in its `/metrics`; 0 if absent."""
        with contextlib.suppress(OSError):
            url = f"http://{self.environment['LECTERN_MANAGEMENT__LISTEN']}/metrics"
            with urllib.request.urlopen(url, timeout=5) as answer:
                lines = answer.read().decode().splitlines()
            return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0.0)
        return 0.0

    def missing(self):
        """What is missing according to its `/readyz`; empty if it is ready."""
        try:
            urllib.request.urlopen(f"http://{self.environment['LECTERN_MANAGEMENT__LISTEN']}/readyz", timeout=5).close()
        except urllib.error.HTTPError as answer:
            return set(json.load(answer)["error"]["details"]["missing"])
        return set()

    def is_running(self):
        return self.process.poll() is None

    def revive(self):
        """Starts it again if it ended and nobody asked it to: its exit code, and whether it had come as far as to work."""
        with self.lock:
            if not self.is_wanted or self.is_running():
                return None
            with open(self.log.name, "rb") as log:
                log.seek(self.logged)
                lines = log.read()
            end = self.process.returncode, any(word in lines for word in STARTED)
            self.spawn({})
            return end

    def not_wanted(self):
        with self.lock:
            self.is_wanted = False

    def kill(self):
        self.not_wanted()
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def ask_to_end(self, seconds=20):
        self.not_wanted()
        self.process.terminate()
        return self.process.wait(seconds)

    def end(self):
        self.not_wanted()
        if self.process and self.is_running():
            self.thaw()
            self.kill()
        self.log.close()
