"""`lectern serve` with a private store, for the benchmarks of the service. Standard library only."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit


class Service:
    """`lectern serve` on free loopback ports, and a keep-alive connection to it."""

    def __init__(self, binary, data, cpus, **settings):
        self.environment = {
            **os.environ,
            "LECTERN_DATA_DIR": str(data),
            "LECTERN_HTTP__LISTEN": "127.0.0.1:0",
            "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0",
            **settings,
        }
        self.binary = binary
        self.log = open(Path(data, "bench.log"), "ab")
        started = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", cpus, binary, "serve"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=self.environment, cwd=data,
        )  # fmt: skip
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"error: lectern serve ended at once; its log:\n{Path(data, 'bench.log').read_text()[-2000:]}")
        places = json.loads(line)
        self.api, self.management = host(places["listening"]), host(places["management"])
        while self.ready() != 200:
            if time.perf_counter() - started > 60:
                sys.exit("error: lectern serve was not ready within a minute")
            time.sleep(0.002)
        self.start_s = time.perf_counter() - started

    def ready(self):
        connection = http.client.HTTPConnection(self.management, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def admin(self, *arguments):
        command = [self.binary, "admin", *arguments, "--json"]
        result = subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True)
        return json.loads(result.stdout)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()


def host(place):
    return urlsplit(place if "//" in place else f"//{place}").netloc


def customer(service):
    account = service.admin("invite", "create", "--email", "bench@example.com", "--credits", "100000000")
    return account["live_key"]
