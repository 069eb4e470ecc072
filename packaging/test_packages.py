"""Making packages: what differs from what is pinned stops it, and the same files make the same package.

That the packages install and speak is the check of scripts/packages.py, with a real binary.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import unittest
from pathlib import Path
from unittest import mock

import yaml

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "packaging"))

import archive  # noqa: E402
import npm  # noqa: E402
import stage  # noqa: E402
import targets  # noqa: E402
from targets import TARGETS, PackagingError, version  # noqa: E402

WORKFLOW = yaml.safe_load((TOP / ".github/workflows/release.yml").read_text())
MACHINE = next(target for target in TARGETS.values() if target.triple.startswith(f"{os.uname().machine}-") and target.is_linux)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def put(self, name, text, mode=0o644):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


class Voices(Folder):
    def test_a_file_that_is_not_the_pinned_one_makes_no_package(self):
        # Seen to fail without the comparison in stage.voices.
        pack = self.put("pack/vocab.json", "{}").parent
        pinned = {"name": "vocab.json", "bytes": 2, "sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}
        manifest = {"name": "hibari", "file": [pinned]}
        stage.voices(pack, manifest, self.folder / "right")
        self.put("pack/vocab.json", "[]")
        with self.assertRaisesRegex(PackagingError, "is not the pinned file"):
            stage.voices(pack, manifest, self.folder / "wrong")


class Archives(Folder):
    def prefix(self):
        self.put("prefix/bin/lectern", "#!/bin/sh\necho lectern\n", 0o755)
        self.put("prefix/share/doc/lectern/NOTICE", "said")
        return self.folder / "prefix"

    def test_the_same_files_make_the_same_archive_whoever_packs_them(self):
        prefix = self.prefix()
        first = archive.pack(prefix, "a", self.folder).read_bytes()
        os.utime(prefix / "bin/lectern", (1, 1))
        (prefix / "share/doc/lectern/NOTICE").chmod(0o600)
        self.assertEqual(archive.pack(prefix, "a", self.folder).read_bytes(), first)
        with tarfile.open(self.folder / "a.tar.gz") as packed:
            self.assertEqual(oct(packed.getmember("a/bin/lectern").mode), "0o755")

    def install(self, **environment):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home")} | environment
        return subprocess.run(["sh", self.folder / "release/install.sh"], env=environment, capture_output=True, text=True)

    def release(self):
        out = self.folder / "release"
        out.mkdir()
        archive.program(MACHINE, self.prefix(), out)
        self.put("voices/share/lectern/voices/hibari/vocab.json", "{}")
        voices = tomllib.loads((TOP / "crates/speech/hibari-pack.toml").read_text())["source"][0]["version"]
        archive.voice(self.folder / "voices", voices, out)
        command = [sys.executable, "-B", TOP / "packaging/build", "installer", "--releases", f"file://{out}", "--out", out]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return out

    def test_the_installer_installs_what_was_released(self):
        self.release()
        done = self.install()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "home/.local/bin/lectern").exists())
        self.assertTrue((self.folder / "home/.local/share/lectern/voices/hibari/vocab.json").exists())
        self.assertIn("not on your PATH", done.stdout)
        bare = self.install(PREFIX=str(self.folder / "bare"), LECTERN_WITHOUT_VOICES="1")
        self.assertEqual((bare.returncode, (self.folder / "bare/share/lectern").exists()), (0, False))

    def test_the_installer_installs_nothing_of_an_archive_that_differs(self):
        # Seen to fail without the comparison in install.sh.
        for changed in (f"lectern-{version()}-{MACHINE.triple}.tar.gz", "lectern-voice-hibari-*.tar.gz"):
            with self.subTest(changed):
                shutil.rmtree(self.folder / "release", ignore_errors=True)
                (path,) = self.release().glob(changed)
                path.write_bytes(path.read_bytes() + b"x")
                done = self.install(PREFIX=str(self.folder / "nowhere"))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("is not the file that was released", done.stderr)
                self.assertFalse((self.folder / "nowhere").exists())

    def test_the_installer_says_which_machine_it_has_nothing_for(self):
        self.release()
        self.put("machine/uname", "#!/bin/sh\n[ $1 = -s ] && echo Plan9 || echo mips\n", 0o755)
        done = self.install(PATH=f"{self.folder}/machine:{os.environ['PATH']}")
        self.assertIn("there is no program for Plan9 on mips", done.stderr)
        self.assertNotEqual(done.returncode, 0)


class Binaries(unittest.TestCase):
    def test_the_tag_of_a_wheel_says_what_the_binary_needs(self):
        target = TARGETS["x86_64-unknown-linux-gnu"]
        with mock.patch.multiple(targets, libraries=lambda _: ["libc.so.6", "ld-linux-x86-64.so.2"], newest_symbol=lambda _: ((2, 28), "fcntl64")):
            self.assertEqual(targets.wheel_platform(target, "x"), "manylinux_2_28_x86_64")
        with mock.patch.multiple(targets, libraries=lambda _: ["libc.so.6", "libssl.so.3"], newest_symbol=lambda _: ((2, 17), "x")):
            with self.assertRaisesRegex(PackagingError, "libssl.so.3"):
                targets.wheel_platform(target, "x")

    def test_versions_are_compared_as_numbers(self):
        # 2.4 is older than 2.17. Seen to fail with the texts compared.
        said = " 1: 0 FUNC GLOBAL DEFAULT UND a@GLIBC_2.4 (3)\n 2: 0 FUNC GLOBAL DEFAULT UND b@GLIBC_2.17 (2)\n"
        with mock.patch.object(targets, "readelf", lambda *_: said):
            self.assertEqual(targets.newest_symbol("x"), ((2, 17), "b"))

    def test_what_is_no_program_is_refused(self):
        with self.assertRaisesRegex(PackagingError, "no program for Linux"):
            targets.newest_symbol(TOP / "README.md")


class Release(Folder):
    def test_the_launcher_knows_every_machine_and_one_version(self):
        (self.folder / "out").mkdir()
        made = npm.launcher("0.2.1", self.folder, self.folder / "out")
        with tarfile.open(made) as packed:
            package = json.load(packed.extractfile("package/package.json"))
        self.assertEqual(set(package["optionalDependencies"].values()), {version()})
        self.assertEqual(len(package["optionalDependencies"]), len(TARGETS))

    def test_the_workflow_builds_every_machine(self):
        matrix = WORKFLOW["jobs"]["program"]["strategy"]["matrix"]["include"]
        self.assertEqual({one["target"] for one in matrix}, set(TARGETS))

    def test_each_action_is_pinned_by_its_commit(self):
        used = [step["uses"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "uses" in step]
        self.assertTrue(used)
        self.assertEqual([one for one in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", one)], [])

    def test_nothing_is_published_without_a_tag(self):
        jobs = WORKFLOW["jobs"]
        for name, job in jobs.items():
            if "environment" in job:
                needed = [job, *(jobs[one] for one in [job["needs"]] if one != "program")]
                self.assertTrue(any(one.get("if") == "github.ref_type == 'tag'" for one in needed), name)


if __name__ == "__main__":
    unittest.main()
