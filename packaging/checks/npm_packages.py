"""npm packages: in an empty prefix."""

import json
import os
import signal
import subprocess
import time
import urllib.request

from checking import TEXT, CheckError, check, clean_environment, ran, refused, understood


def run(packages, place, any_size):
    prefix = place / "prefix"
    prefix.mkdir()
    environment = clean_environment(place / "home") | {"npm_config_cache": str(place / "cache"), "npm_config_update_notifier": "false"}
    files = [packages.launcher, packages.program["npm"], packages.voices["npm"]]
    begun = time.monotonic()
    # Offline: the packages for other machines are optional, and not there.
    ran(["npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", prefix, *files], environment, cwd=prefix)
    command = prefix / "node_modules/.bin/lectern"
    ran([command, "speak", TEXT, "-o", place / "hello.mp3"], environment, cwd=place)
    spent = time.monotonic() - begun
    print(f"npm: from nothing to speech in {spent:.1f} s: {understood(place / 'hello.mp3', 'npm')}")
    check(ran(["npx", "--no-install", "lectern", "--version"], environment, cwd=prefix).startswith("lectern "), "npx starts something else")
    # Exit codes and signals are the program's.
    refused([command, "speak", "x", "--voice", "nobody", "-o", place / "no.mp3"], environment, "nobody")
    ends_with_it(command, environment, place)
    without_program(prefix, environment, packages)


def ends_with_it(command, environment, place):
    free = {"LECTERN_HTTP__LISTEN": "127.0.0.1:0", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
    folder = place / "service"
    folder.mkdir()
    service = subprocess.Popen([command, "serve"], cwd=folder, env=environment | free, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    line = service.stdout.readline()
    check(line, "the service of the npm package does not start")
    answers(json.loads(line)["listening"])
    children = [int(child) for child in open(f"/proc/{service.pid}/task/{service.pid}/children").read().split()]
    service.send_signal(signal.SIGTERM)
    service.stdout.close()
    ended = service.wait(timeout=60)
    check(ended == 0, f"the service of the npm package ended with {ended}")
    check(children and not any(os.path.exists(f"/proc/{child}") for child in children), "the program outlives its launcher")


def answers(address):
    """Waits for the first answer: before it, a signal may find the service without a handler."""
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://{address}/", timeout=30).close()
            return
        except OSError:
            time.sleep(0.2)
    raise CheckError("the service of the npm package does not answer")


def without_program(prefix, environment, packages):
    """A machine for which npm installed no program gets told, not a stack trace."""
    name = f"{packages.target.npm_os}-{packages.target.npm_cpu}"
    ran(["npm", "uninstall", "--offline", "--no-audit", "--no-fund", "--prefix", prefix, f"@lectern-tts/{name}"], environment, cwd=prefix)
    folder = prefix / "node_modules/@lectern-tts" / name
    if folder.exists():
        folder.rename(prefix / "gone")
    refused([prefix / "node_modules/.bin/lectern", "--version"], environment, f"the package @lectern-tts/{name} is not installed")
