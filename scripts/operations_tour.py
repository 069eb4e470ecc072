#!/usr/bin/env python3
"""Follows "Two API processes and two workers" of docs/operations/install.md word for word.

usage: operations_tour.py LECTERN [--s3-server FILE] [--without WHAT,WHAT…] [--control]

FILE is the example of crates/testkit that the steps call `s3_server`. All ```sh blocks of the section are run by one bash, in an empty
folder, as an account without rights, in a network of its own where only the loopback is (if it is root that asks, and may make one). A block after `<!-- needs: WHAT -->` is left out when WHAT is named with
--without, and said to be. Exits 1 when a command fails, when the book is not whole, when NATS or S3 was not used though its steps were followed, or
when something that the steps started is still there at their end. --control kills worker 2 as well: the tour must fail then, after some minutes,
because nobody takes over. Seen: "failed (1, book of 0 bytes)".
"""

import argparse
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
SECTION = "Two API processes and two workers"


def blocks(document, section):
    """The section's ```sh blocks in order, each with what it needs (or "")."""
    text = document.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return [(code, needs or "") for needs, code in re.findall(r"(?:<!-- needs: ([\w-]+) -->\n)?```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


def steps(document, without):
    """The script to run, and the omitted requirements."""
    found = blocks(document, SECTION)
    known = {needs for _, needs in found if needs}
    if unknown := set(without) - known:
        sys.exit(f"no block of the section needs {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return "\n".join(code for code, needs in found if needs not in without), sorted(set(without))


def account():
    """The account that runs the steps, as PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("root cannot follow the steps, and there is neither an account 'postgres' nor 'nobody'")


def voices():
    if named := os.environ.get("LECTERN_SPEECH__VOICES_DIR"):
        return pathlib.Path(named)
    home = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
    return pathlib.Path(home, "lectern/voices")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lectern", type=pathlib.Path)
    parser.add_argument("--s3-server", type=pathlib.Path, help="the example s3_server of crates/testkit")
    parser.add_argument("--without", default="", help="blocks that are left out: nats, s3")
    parser.add_argument("--control", action="store_true")
    options = parser.parse_args()
    script, left_out = steps((TOP / "docs/operations/install.md").read_text(), [word for word in options.without.split(",") if word])
    if options.s3_server is None and "s3" not in left_out:
        parser.error("the steps start an S3 server: name one with --s3-server, or leave them out with --without s3")
    if options.control:
        killed = 'kill -9 "$(cat worker-1.pid)"\n'
        assert script.count(killed) == 1
        script = script.replace(killed, killed + killed.replace("1", "2"))
    with tempfile.TemporaryDirectory(prefix="lectern-two.", dir="/tmp") as folder:
        folder = pathlib.Path(folder)
        work, programs = folder / "w", folder / "bin"
        work.mkdir()
        programs.mkdir()
        # Copy them, because the account may not be able to read their folder.
        shutil.copy2(options.lectern, programs / "lectern")
        if options.s3_server:
            shutil.copy2(options.s3_server, programs / "s3_server")
        shutil.copytree(voices(), folder / "share/lectern/voices")
        subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
        environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(work), "XDG_DATA_HOME": str(folder / "share"), "LANG": "C.UTF-8"}
        command = ["bash", "-euo", "pipefail", "-c", script]
        if who := account():
            os.chown(work, who.pw_uid, who.pw_gid)
            inner = ["setpriv", "--reuid", who.pw_name, "--regid", str(who.pw_gid), "--clear-groups", *command]
            apart = subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0
            command = ["unshare", "--net", "bash", "-c", 'ip link set lo up && exec "$@"', "bash", *inner] if apart else inner
        tour = subprocess.Popen(command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            said, _ = tour.communicate(timeout=400)
        except subprocess.TimeoutExpired:
            said = "it did not end in 400 s"
            tour.returncode = 1
        left = still_there(tour.pid)
        book = work / "book.mp3"
        bytes_made = book.stat().st_size if book.exists() else 0
        logs = "".join(f"--- {log.name}\n{log.read_text()[-1500:]}" for log in sorted(work.glob("*.log")))
        if tour.returncode or bytes_made < 500_000 or not re.search(r"^ok: true$", said, re.MULTILINE):
            sys.exit(f"the steps of docs/operations/install.md failed ({tour.returncode}, book of {bytes_made} bytes)\n{said}\n{logs}")
        if "nats" not in left_out and not re.search(r"^lectern_queue_messages_total.* [1-9]", said, re.MULTILINE):
            sys.exit(f"no message came through NATS\n{said}\n{logs}")
        if "s3" not in left_out and (any((work / "objects").iterdir()) or not any((work / "s3/lectern").iterdir())):
            sys.exit(f"the book is not in the bucket\n{said}\n{logs}")
        if left:
            sys.exit(f"these were still there at the end of the steps: {left}\n{said}")
    print(f"The steps of docs/operations/install.md work, word for word{' (left out: ' + ', '.join(left_out) + ')' if left_out else ''}.")


def still_there(session):
    """Ends and returns the remaining processes of the steps' session."""
    left = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
            name = (stat.parent / "comm").read_text().strip()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            left.append(name)
            os.kill(int(stat.parent.name), signal.SIGKILL)
    return left


if __name__ == "__main__":
    main()
