#!/usr/bin/env python3
"""Follows the tutorials of the guide, word for word, each in an empty folder against a fresh `lectern serve --demo`.

usage: guide_tour.py LECTERN [--heavy] [--only NAME,NAME…]

Run it with the Python of `sdk_python_tools` (scripts/setup.sh). Every block of a tutorial is executed, in order:

    <!-- server -->          starts the service; a second one, after the first is stopped, as the text says
    <!-- file: NAME -->      is saved as NAME
    <!-- terminal: NAME -->  runs in a terminal of its own until the tutorial ends
    <!-- prints -->          must be in what the block before it printed, line by line; … is anything. With a name: in what that terminal prints
    <!-- not run: REASON --> is left out; scripts/test_guide.py checks its syntax
    ```sh                    runs in one bash

The programs and commands of other documents that a comment leaves to this script run in one folder, against one service; of those,
`https://speech.example.com` is changed to the service's address as well. They must succeed.

At the end of a tutorial a recognizer must understand the audio that the tutorial's `<!-- heard: FILE: WORDS -->` name. Nothing of a block is changed
but ports (8080, 10200 and 3000, which may be taken) and the key that the service printed, in the place of `svc_live_…`. Packages are
installed with the versions of scripts/test_requirements.txt, in an environment that is kept in the target folder. Tutorials with
`<!-- heavy -->` install a gigabyte: they are left out without --heavy, and said to be. Exits 1 with the first thing that is not as the
tutorial says.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv

import guide_blocks
from environment import clean_environment
from sdks import check, recognized
from webhook_guide import free_port

TOP = guide_blocks.TOP
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target")).resolve()
PATIENCE = 120
PINS = {False: "scripts/test_requirements.txt", True: "scripts/agent_requirements.txt"}


def environment_of(heavy):
    """The `bin` of an environment for the tutorials' `pip install`, which is made if it is missing."""
    folder = TARGET / ("guide-agents" if heavy else "guide-tools")
    if not (folder / "bin/pip").exists():
        venv.create(folder, with_pip=True)
    # Lectern's own package is installed as it is now.
    pip = [folder / "bin/pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", "lectern-tts"], stderr=subprocess.DEVNULL, check=True)
    return folder / "bin"


class Process:
    """A command in a terminal of its own; what it prints is kept."""

    def __init__(self, code, folder, environment):
        self.output = ""
        self.process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", code],
            cwd=folder, env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.output += line

    def wait_for(self, pattern, what):
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.output, re.DOTALL)):
            check(self.process.poll() is None, f"{what}; it ended:\n{self.output[-3000:]}")
            check(time.monotonic() < deadline, f"{what}:\n{self.output[-3000:]}")
            time.sleep(0.05)
        return found

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 15)
        self.process.wait(timeout=30)


class Shell:
    """The reader's terminal: one bash for the whole tutorial."""

    END = "this block has ended"

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-euo", "pipefail"],
            cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )

    def run(self, code, what):
        """What a block prints. It must succeed."""
        # In braces, so that no command reads the rest of the tutorial from its standard input.
        self.process.stdin.write(f"{{\n{code}\n}} </dev/null\nprintf '\\n%s\\n' '{self.END}'\n")
        self.process.stdin.flush()
        watchdog = threading.Timer(600, self.process.kill)
        watchdog.daemon = True
        watchdog.start()
        output = []
        for line in self.process.stdout:
            if line.strip() == self.END:
                break
            output.append(line)
        else:
            check(False, f"{what} succeeds:\n{''.join(output)[-4000:]}")
        watchdog.cancel()
        return "".join(output)

    def environment(self):
        """The variables that the terminal has by now: other terminals of the reader have them, too."""
        lines = self.run("env -0 | tr '\\n\\0' ' \\n'", "env").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def pattern_of(code):
    """What a `prints` block says, as a regular expression: its lines in order, … for anything."""
    return ".*".join(re.escape(line.strip()).replace("…", "[^\\n]*?") for line in code.strip().splitlines())


class Tour:
    """A tutorial that is followed."""

    def __init__(self, document, binary, folder, heavy):
        self.document, self.folder = document, folder
        self.ports = {port: free_port() for port in (8080, 10200, 3000)}
        self.key = "svc_live_…"
        self.server = None
        self.terminals = {}
        programs = folder.parent / "programs"
        programs.mkdir()
        (programs / "lectern").symlink_to(binary)
        (folder / "docs").symlink_to(TOP / "docs")
        (folder / "target/quick").mkdir(parents=True)
        (folder / "target/quick/lectern").symlink_to(binary)
        (folder / "target/sdk").symlink_to(TARGET / "sdk")
        base = clean_environment()
        self.environment = base | {
            "PATH": f"{programs}:{environment_of(heavy)}:{base['PATH']}",
            "PIP_CONSTRAINT": str(TOP / PINS[heavy]),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONUNBUFFERED": "1",
            "LANG": "C.UTF-8",
        }
        self.shell = Shell(folder, self.environment)

    def adapted(self, code):
        """The block with the ports that are free, and the key that the service printed."""
        for port, free in self.ports.items():
            code = re.sub(rf"(?<=[: ]){port}\b|(?<=\(\"127\.0\.0\.1\", ){port}\b", str(free), code)
        code = code.replace("https://speech.example.com", f"http://127.0.0.1:{self.ports[8080]}")
        return code.replace("svc_live_…", self.key)

    def serve(self, code):
        if self.server:
            self.server.stop()
        settings = {"LECTERN_HTTP__LISTEN": f"127.0.0.1:{self.ports[8080]}", "LECTERN_MANAGEMENT__LISTEN": "127.0.0.1:0"}
        self.server = Process(f"exec {code.strip()}", self.folder, self.environment | settings)
        self.key = self.server.wait_for(r"Bearer (svc_live_\w+)", "the service starts and prints a key")[1]

    def follow(self):
        printed = ""
        for block in guide_blocks.blocks(self.document):
            if guide_blocks.runner(block)[0] is None:
                continue
            code = self.adapted(block.code)
            if block.mark("server") is not None:
                self.serve(code)
            elif name := block.mark("file"):
                (self.folder / name).write_text(code)
            elif name := block.mark("terminal"):
                self.terminals[name] = Process(code, self.folder, self.shell.environment())
            elif (name := block.mark("prints")) is not None:
                if name:
                    self.terminals[name].wait_for(pattern_of(code), f"{block.where}: {name} prints this")
                else:
                    check(re.search(pattern_of(code), printed, re.DOTALL), f"{block.where}: what is printed:\n{printed[-3000:]}")
            else:
                printed = self.shell.run(code, block.where)
        self.listen()

    def listen(self):
        """A recognizer understands what the tutorial leaves."""
        heard = guide_blocks.page_marks(self.document, "heard")
        check(heard, f"{self.document.name} says what is to be heard at its end")
        for one in heard:
            name, text = one.split(": ")
            check((self.folder / name).exists(), f"{self.document.name} leaves {name}")
            words, recognized_words = text.split(), recognized(self.folder / name)
            found = sum(word in recognized_words for word in words)
            needed = 3 if name.endswith(".m4b") else 0.6 * len(words)
            print(f"         {name}: {' '.join(recognized_words)[:100]}", flush=True)
            check(found >= needed, f"{self.document.name}: {name} says {text!r}: {' '.join(recognized_words)}")

    def stop(self):
        self.shell.stop()
        for process in [*self.terminals.values(), *filter(None, [self.server])]:
            process.stop()


def follow_others(documents, binary, folder):
    """The programs and commands of documents that are no tutorials."""
    tour = Tour(None, binary, folder, heavy=False)
    shutil.copy(TOP / "docs/examples/the-lantern-keeper.epub", folder / "book.epub")
    try:
        tour.serve("lectern serve --demo")
        tour.shell.run("pip install --quiet openai elevenlabs target/sdk/*.whl", "the packages are installed")
        for document in documents:
            for block in guide_blocks.blocks(document):
                if guide_blocks.runner(block)[0] != "scripts/guide_tour.py":
                    continue
                if block.language == "python":
                    (folder / "program.py").write_text(tour.adapted(block.code))
                    tour.shell.run("python3 program.py", block.where)
                else:
                    tour.shell.run(tour.adapted(guide_blocks.commands(block.code)), block.where)
                print(f"         {block.where} works", flush=True)
    finally:
        tour.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--heavy", action="store_true")
    parser.add_argument("--only", default="", help="names of tutorials, with commas between them")
    arguments = parser.parse_args()
    only = [name for name in arguments.only.split(",") if name]
    documents = guide_blocks.documents()
    tutorials = {document.stem: document for document in documents if guide_blocks.TUTORIALS in document.parents}
    if unknown := set(only) - tutorials.keys():
        parser.error(f"there is no tutorial {', '.join(sorted(unknown))}; there are {', '.join(tutorials)}")
    if not list((TARGET / "sdk").glob("*.whl")):
        subprocess.run([TOP / "sdk/build"], check=True)
    for name in only or tutorials:
        is_heavy = bool(guide_blocks.page_marks(tutorials[name], "heavy"))
        if is_heavy and not (arguments.heavy or only):
            print(f"NOT RUN: {name}, which installs a gigabyte (--heavy)")
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="lectern-guide.") as place:
            folder = pathlib.Path(place, "work")
            folder.mkdir()
            tour = Tour(tutorials[name], arguments.binary.resolve(), folder, is_heavy)
            try:
                tour.follow()
            finally:
                tour.stop()
        print(f"{time.monotonic() - begun:5.1f} s  docs/tutorials/{name}.md works, word for word", flush=True)
    if not only:
        others = [document for document in documents if guide_blocks.TUTORIALS not in document.parents]
        with tempfile.TemporaryDirectory(prefix="lectern-guide.") as place:
            folder = pathlib.Path(place, "work")
            folder.mkdir()
            follow_others(others, arguments.binary.resolve(), folder)


if __name__ == "__main__":
    main()
