"""Tests setup.sh on machines that lack programs: each case has its own PATH with fake programs."""

import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
BASICS = ["bash", "dirname", "readlink", "sort", "tail", "env", "cat"]


class Machine:
    """A folder that is the whole PATH, and a log of the calls of the fake programs."""

    def __init__(self, folder):
        self.path = Path(folder)
        self.log = self.path / "log"
        for name in BASICS:
            found = next(p for d in ("/usr/bin", "/bin") if (p := Path(d, name)).exists())
            (self.path / name).symlink_to(found)

    def program(self, name, body="exit 0"):
        script = self.path / name
        script.write_text(f'#!/bin/bash\nprintf "%s\\n" "{name} $*" >>"{self.log}"\n{body}\n')
        script.chmod(0o755)

    def asked(self):
        return self.log.read_text() if self.log.exists() else ""

    def run(self, commands):
        script = f"set -euo pipefail\nsource {SCRIPTS}/setup.sh\n{commands}"
        environment = {"PATH": str(self.path), "HOME": str(self.path)}
        return subprocess.run(
            ["/bin/bash", "-c", script], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = Machine(folder.name)

    def with_toolchain(self):
        for name in ("cargo", "cc", "make", "python3"):
            self.machine.program(name)

    def test_nothing_is_installed_and_apt_is_not_touched_when_nothing_is_missing(self):
        self.with_toolchain()
        self.machine.program("cmake")
        self.machine.program("apt-get")
        result = self.machine.run("need_build_tools; install_missing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("apt-get", self.machine.asked())

    def test_root_installs_what_is_missing_without_refreshing_the_lists_first(self):
        self.with_toolchain()
        self.machine.program("id", "echo 0")
        self.machine.program("apt-get")
        result = self.machine.run("need_build_tools; install_missing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("apt-get install -q -y --no-install-recommends cmake\n", self.machine.asked())
        self.assertNotIn("apt-get update", self.machine.asked())

    def test_a_failed_install_is_tried_again_after_refreshing_the_lists(self):
        self.with_toolchain()
        self.machine.program("id", "echo 0")
        self.machine.program("apt-get", f'[[ $1 == update ]] && touch "{self.machine.path}/fresh"; [[ -e "{self.machine.path}/fresh" ]]')
        (self.machine.path / "touch").symlink_to("/usr/bin/touch")
        result = self.machine.run("need_build_tools; install_missing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("apt-get update", self.machine.asked())

    def test_an_install_that_fails_twice_ends_with_an_error(self):
        self.with_toolchain()
        self.machine.program("id", "echo 0")
        self.machine.program("apt-get", "exit 100")
        result = self.machine.run("need_build_tools; install_missing; echo went on")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("went on", result.stdout)

    def test_without_root_or_sudo_the_one_command_is_printed_and_nothing_runs(self):
        self.machine.program("cargo")
        self.machine.program("cc")
        self.machine.program("make")
        self.machine.program("id", "echo 1000")
        self.machine.program("apt-get")
        self.machine.program("sudo", "exit 1")
        result = self.machine.run("need_build_tools; install_missing; echo went on")
        self.assertEqual(result.returncode, 1)
        self.assertIn(
            "  sudo apt-get install -y --no-install-recommends cmake python3 python3-pip\n", result.stderr
        )
        self.assertNotIn("went on", result.stdout)
        self.assertNotIn("apt-get", self.machine.asked())

    def test_with_passwordless_sudo_sudo_installs(self):
        self.with_toolchain()
        self.machine.program("id", "echo 1000")
        self.machine.program("apt-get")
        self.machine.program("sudo", '[[ $1 == -n ]] || exec "$@"')
        result = self.machine.run("need_build_tools; install_missing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get install", self.machine.asked())

    def test_python_without_pip_asks_for_pip_only(self):
        self.machine.program("id", "echo 1000")
        self.machine.program("apt-get")
        self.machine.program("python3", '[[ $2 != pip ]]')
        result = self.machine.run("need_python; install_missing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--no-install-recommends python3-pip\n", result.stderr)

    def test_no_rust_is_said_at_once(self):
        result = self.machine.run("need_build_tools")
        self.assertEqual(result.returncode, 1)
        self.assertIn("install Rust", result.stderr)

    def test_a_machine_without_apt_is_told_the_names(self):
        self.with_toolchain()
        self.machine.program("id", "echo 0")
        result = self.machine.run("need_build_tools; install_missing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("lacks cmake", result.stderr)

    def test_node_before_18_19_is_too_old(self):
        # Negative control: when only the major version is compared, 18.0.0 and 18.18.2 pass, and
        # this fails.
        real = next(p for d in os.environ["PATH"].split(":") if (p := Path(d, "node")).exists())
        self.machine.program("npm")
        self.machine.program("apt-get")
        self.machine.program("id", "echo 1000")
        for version, is_enough in (("16.20.0", False), ("18.0.0", False), ("18.18.2", False), ("18.19.0", True), ("18.20.4", True), ("20.9.0", False), ("20.10.0", True), ("22.1.0", True)):
            lie = f'Object.defineProperty(process.versions, "node", {{ value: "{version}" }});'
            self.machine.program("node", f"exec {real} -e '{lie}'\"$2\"")
            result = self.machine.run("need_node; install_missing")
            self.assertEqual(result.returncode == 0, is_enough, version)

    def test_a_web_application_whose_build_broke_off_is_built_again(self):
        # Negative control: with dist/app/index.html as the marker, the second call accepts the
        # broken build as complete.
        for name in ("find", "cmp", "cp", "rm", "mkdir", "touch"):
            (self.machine.path / name).symlink_to(next(p for d in ("/usr/bin", "/bin") if (p := Path(d, name)).exists()))
        top = self.machine.path / "top"
        for folder in ("web/src", "web/messages", "web/public", "web/scripts", "web/vite", "web/node_modules"):
            (top / folder).mkdir(parents=True)
        for file in ("web/index.html", "web/package-lock.json", "web/package.json", "web/vite.config.ts", "openapi.json"):
            (top / file).write_text("{}")
        # The first build writes its page and then fails.
        self.machine.program(
            "npm",
            f'[[ $1 == ci ]] && exit 0\nmkdir -p dist/app; : >dist/app/index.html\n'
            f'[[ -e "{self.machine.path}/broke" ]] || {{ : >"{self.machine.path}/broke"; exit 1; }}',
        )
        builds = lambda: self.machine.asked().count("npm run --silent build")
        self.assertEqual(self.machine.run(f"build_web {top}").returncode, 1)
        for expected in (2, 2):
            result = self.machine.run(f"build_web {top}")
            self.assertEqual((result.returncode, builds()), (0, expected), result.stderr)

    def test_the_guide_is_built_when_a_document_is_newer_and_else_not(self):
        # Negative control: without the documents outside of docs in build_guide's list, the change of
        # sdk/python/README.md builds nothing.
        for name in ("find", "cmp", "cp", "rm", "mkdir", "touch"):
            (self.machine.path / name).symlink_to(next(p for d in ("/usr/bin", "/bin") if (p := Path(d, name)).exists()))
        top = self.machine.path / "top"
        documents = [top / name for name in ("README.md", "docs/SSML.md", "sdk/python/README.md", "docs/site/pages.json", "web/scripts/compress.js")]
        for file in (*documents, top / "docs/site/package-lock.json", top / "docs/site/node_modules/x.js", top / "bench/x", top / "deploy/kubernetes/x"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("{}")
        self.machine.program("npm", "[[ $1 == ci ]] || mkdir -p ../../web/dist/guide")
        builds = lambda: self.machine.asked().count("npm run --silent build")
        later = time.time()
        for expected, changed in enumerate([None, *documents], 1):
            if changed:
                later += 10
                os.utime(changed, (later, later))
            for _ in range(2):
                result = self.machine.run(f"build_guide {top}; touch -d @{int(later) + 5} {top}/web/dist/guide/.complete")
                self.assertEqual((result.returncode, builds()), (0, expected), f"{changed}: {result.stderr}")


if __name__ == "__main__":
    unittest.main()
