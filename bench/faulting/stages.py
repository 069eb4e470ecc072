"""The system under test: processes of the service on private servers, started fresh and stopped together."""

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from . import clients, disks, servers

GRANTED = 100_000_000
MASTER_KEY = "a master key that only benchmarks know, long enough"
ENGINE_S = 0.05


@dataclasses.dataclass(frozen=True)
class Setup:
    """What to start."""

    # Objects in a folder and embedded dispatch, without S3 and NATS.
    plain: bool
    # One process on SQLite without any servers.
    alone: bool = False
    # What is on a separate disk: `objects`, `temporary` (the workers' files under their data
    # folders), `postgres` or `all`.
    disk: str | None = None
    lease_s: int = 5


class Stage:
    """Everything, running."""

    def __init__(self, binary, s3_server, folder, setup):
        self.binary, self.folder, self.setup, self.s3_server = binary, Path(folder), setup, s3_server
        self.urls, self.processes, self.slowest_end_s, self.taken_over = [], {}, 0.0, []
        # What a fault measured of itself: {what: (expected, actual)}.
        self.met = {}
        self.cable, self.s3_proxy, self.postgres, self.nats, self.redis, self.s3, self.disk = {}, None, None, None, None, None, None
        self.ends = contextlib.ExitStack()
        self.folder.mkdir()
        # PostgreSQL's account must be able to enter it.
        self.folder.chmod(0o755)
        try:
            self.bring_up()
        except BaseException:
            self.ends.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ends.close()

    def ending(self, server):
        self.ends.callback(server.end)
        return server

    def place(self, what):
        """The folder for a component, on the separate disk if it is there."""
        return (self.disk.folder if self.setup.disk in (what, "all") else self.folder) / what

    def bring_up(self):
        setup = self.setup
        if setup.disk:
            self.disk = self.ending(disks.Disk(self.folder / "disk.img", self.folder / "disk"))
        self.engine, self.receiver = clients.Engine(ENGINE_S), clients.Receiver(self.folder)
        self.ends.callback(self.engine.shutdown)
        self.ends.callback(self.receiver.shutdown)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LECTERN_")},
            "LECTERN_SPEECH__VOICES_DIR": str(self.folder / "none"),
            "LECTERN_UPSTREAM__BASE_URL": f"http://127.0.0.1:{self.engine.server_port}/v1",
            "LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE": "1000000",
            "LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE_PER_IP": "1000000",
            "LECTERN_SECRETS__MASTER_KEY": MASTER_KEY,
            "LECTERN_JOBS__LEASE_SECONDS": str(setup.lease_s),
            "LECTERN_WEBHOOKS__ALLOWED_NETWORKS": "127.0.0.0/8",
            "LECTERN_WEBHOOKS__EXTRA_CA_FILE": str(self.receiver.certificate),
        }
        if setup.alone:
            self.bring_up_alone()
        else:
            self.bring_up_servers()
        for url in self.urls:
            servers.wait_for(f"an answer of {url}", lambda: answers(url))
        key = self.admin("invite", "create", "--email", "bench@example.com", "--credits", str(GRANTED))["live_key"]
        self.account = clients.Account("bench", key, self.urls)
        self.ereader = self.admin(
            "voices", "add", "--slug", "tone", "--name", "Tone", "--engine", "upstream", "--voice", "tone",
            "--tier", "free", "--price", "1", "--language", "en-US",
        )["id"]  # fmt: skip
        body = {"url": self.receiver.url, "events": ["chunk.completed", "chunk.failed", "material.completed"]}
        status, answer = self.account.call("POST", "/v1/saas/webhooks", body)
        if status != 201:
            sys.exit(f"error: the webhook was not registered: {answer}")

    def bring_up_alone(self):
        self.store = servers.Sqlite(self.place("lectern.db"))
        self.environment |= {
            "LECTERN_DATABASE__URL": self.store.url,
            "LECTERN_STORAGE__URL": f"file://{self.place('objects')}",
        }
        self.run("migrate")
        self.serve("serve-1", "serve")

    def bring_up_servers(self):
        plain = self.setup.plain
        self.store = self.postgres = self.ending(servers.Postgres(self.folder / "postgresql", self.place("postgres")))
        self.redis = self.ending(servers.Redis())
        self.environment |= {
            "LECTERN_DATABASE__URL": self.postgres.url,
            "LECTERN_RATE_LIMIT__REDIS_URL": self.redis.url,
        }
        # The second worker's connection to everything, and the others' to S3.
        self.cable = {"postgres": servers.Proxy(self.postgres.port)}
        by_cable = {
            "LECTERN_DATABASE__URL": self.postgres.url.replace(str(self.postgres.port), str(self.cable["postgres"].port)),
        }
        if plain:
            self.environment["LECTERN_STORAGE__URL"] = f"file://{self.place('objects')}"
        else:
            self.nats = self.ending(servers.Nats(self.folder / "nats"))
            self.s3 = self.ending(servers.S3(self.s3_server, self.place("objects")))
            self.s3_proxy = servers.Proxy(self.s3.port)
            self.cable |= {"nats": servers.Proxy(self.nats.port), "s3": servers.Proxy(self.s3.port)}
            self.environment |= self.s3.settings
            self.environment["LECTERN_STORAGE__ENDPOINT"] = f"http://127.0.0.1:{self.s3_proxy.port}"
            self.environment["LECTERN_QUEUE__URL"] = self.nats.url
            by_cable["LECTERN_QUEUE__URL"] = f"nats://127.0.0.1:{self.cable['nats'].port}"
            by_cable["LECTERN_STORAGE__ENDPOINT"] = f"http://127.0.0.1:{self.cable['s3'].port}"
        self.run("migrate")
        for name in ("serve-1", "serve-2"):
            self.serve(name, "serve", "--no-workers")
        self.add("worker-1", ["worker"])
        self.add("worker-2", ["worker"], **by_cable)

    def serve(self, name, *arguments):
        port = servers.free_port()
        self.urls.append(f"http://127.0.0.1:{port}")
        self.add(name, arguments, LECTERN_HTTP__LISTEN=f"127.0.0.1:{port}", LECTERN_HTTP__PUBLIC_URL=self.urls[0])

    def add(self, name, arguments, **settings):
        data = self.place("temporary") / name
        data.mkdir(parents=True)
        environment = {
            **self.environment,
            "LECTERN_DATA_DIR": str(data),
            "LECTERN_MANAGEMENT__LISTEN": f"127.0.0.1:{servers.free_port()}",
            **settings,
        }
        process = servers.Lectern(self.binary, arguments, environment, self.folder, name)
        self.processes[name] = self.ending(process)
        process.start()

    def run(self, *arguments, check=True):
        environment = {**self.environment, "LECTERN_DATA_DIR": str(self.folder / "commands")}
        done = subprocess.run([self.binary, *arguments], env=environment, cwd=self.folder, check=check, capture_output=True, text=True)
        return done.stdout

    def admin(self, *arguments):
        return json.loads(self.run("admin", *arguments, "--json"))

    def meets(self, what, wanted, is_there):
        """Records what a fault measured; of several results, the unexpected one."""
        if what not in self.met or wanted != is_there:
            self.met[what] = wanted, is_there

    def number(self, sql):
        rows = self.store.rows(sql)
        return int(rows[0][0]) if rows and rows[0][0] else 0

    def restart_s3(self):
        """Its port changes; clients connect through proxies and do not notice."""
        self.s3.kill()
        self.s3.start()
        for proxy in (self.s3_proxy, self.cable["s3"]):
            proxy.target = self.s3.port


def answers(url):
    try:
        urllib.request.urlopen(f"{url}/openapi.json", timeout=2).close()
        return True
    except urllib.error.HTTPError:
        return True
