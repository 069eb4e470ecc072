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
import zipfile
from pathlib import Path
from unittest import mock

import yaml

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "packaging"))

import archive  # noqa: E402
import npm  # noqa: E402
import stage  # noqa: E402
import targets  # noqa: E402
import wheel  # noqa: E402
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


class Wheels(Folder):
    def test_a_wheel_is_smaller_and_has_the_same_files(self):
        # Seen to fail when nothing is compressed anew.
        made = self.folder / "a.whl"
        program = (TOP / "openapi.json").read_bytes()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, mode, content in [("bin/lectern", 0o755, program), ("RECORD", 0o644, b"of all files")]:
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
                packed.writestr(entry, content)

        def about():
            with zipfile.ZipFile(made) as packed:
                return [(one.filename, one.date_time, one.external_attr, one.CRC) for one in packed.infolist()]

        before, bytes_before = about(), made.stat().st_size
        self.assertEqual(wheel.smaller(made), made)
        self.assertEqual(about(), before)
        self.assertLess(made.stat().st_size, bytes_before * 0.98)
        with mock.patch.object(wheel.shutil, "which", return_value=None), self.assertRaisesRegex(PackagingError, "advancecomp"):
            wheel.smaller(made)


class Archives(Folder):
    def prefix(self, does="echo lectern"):
        self.put("prefix/bin/lectern", f"#!/bin/sh\n{does}\n", 0o755)
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

    def release(self, does="echo lectern"):
        out = self.folder / "release"
        out.mkdir(exist_ok=True)
        archive.program(MACHINE, self.prefix(does), out)
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

    def test_a_program_that_does_not_run_here_leaves_the_one_that_does(self):
        # Seen to fail with an installer that replaces first and tries then.
        self.release()
        self.assertEqual(self.install().returncode, 0)
        self.release("exit 1")
        done = self.install()
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not run on this machine", done.stderr)
        self.assertIn("Nothing was installed", done.stderr)
        there = sorted(path.name for path in (self.folder / "home/.local/bin").iterdir())
        self.assertEqual(there, ["lectern"])
        self.assertNotIn("exit 1", (self.folder / "home/.local/bin/lectern").read_text())

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
                needs = job["needs"] if isinstance(job["needs"], list) else [job["needs"]]
                needed = [job, *(jobs[one] for one in needs if one not in ("program", "sdks"))]
                self.assertTrue(any(one.get("if") == "github.ref_type == 'tag'" for one in needed), name)

    def test_what_is_published_has_the_guide(self):
        # Seen to fail on the workflow that built the application alone: its program had nothing under /docs/guide/.
        folders = [step.get("working-directory") for step in WORKFLOW["jobs"]["pages"]["steps"] if "npm run build" in step.get("run", "")]
        self.assertEqual(folders, ["web", "docs/site"])
        self.assertIn("build_guide", (TOP / "packaging/for_this_machine").read_text())

    def test_every_package_has_its_provenance(self):
        # Seen to fail on the workflow that attested the programs alone.
        for name, job in WORKFLOW["jobs"].items():
            used = [step.get("uses", "") for step in job["steps"]]
            uploads = [step["with"]["name"] for step in job["steps"] if step.get("uses", "").startswith("actions/upload-artifact@")]
            if any(one.startswith("packages-") for one in uploads):
                self.assertTrue(any(one.startswith("actions/attest-build-provenance@") for one in used), name)

    def test_each_project_of_pypi_has_an_environment_of_its_own(self):
        # PyPI takes one pending publisher for a repository, workflow and environment.
        job = WORKFLOW["jobs"]["pypi"]
        self.assertEqual(job["environment"], "pypi-${{ matrix.project }}")
        projects = [one["project"] for one in job["strategy"]["matrix"]["include"]]
        self.assertEqual(sorted(projects), ["lectern-server", "lectern-tts", "lectern-voice-hibari"])
        guide = (TOP / "docs/how-to/release.md").read_text()
        self.assertEqual([one for one in projects if f"`{one}`" not in guide], [])


if __name__ == "__main__":
    unittest.main()
