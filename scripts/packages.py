#!/usr/bin/env python3
"""Installs the packages of a release where nothing of Lectern is, and makes each of them speak.

usage: packages.py [--any-size] [--without KIND]… FOLDER…          (as root: for chroots and namespaces)

The folders hold what `packaging/build program`, `voices` and `launcher` made. Each package is installed by its own client in a
place of its own: wheels from an index on this machine with an empty cache, npm packages into an empty prefix, Debian's into a
root file system that mmdebstrap makes, archives by the installer, the image's root file system under namespaces. There
`lectern speak` runs without a setting and without a voice in the home directory, and a recogniser must understand what it says.

Prints the sizes, the highest symbol of glibc, and how long it takes from nothing to speech with the wheel. Exits 1 when anything
does not hold or is larger than the goals. KIND leaves some out: archive, deb, image, npm, wheel.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "packaging"), str(TOP / "packaging/checks")]

import archives  # noqa: E402
import debian  # noqa: E402
import image  # noqa: E402
import npm_packages  # noqa: E402
import wheels  # noqa: E402
from checking import CheckError, Packages, check  # noqa: E402

from targets import TARGETS, newest_symbol  # noqa: E402

KINDS = {"wheel": wheels.run, "npm": npm_packages.run, "deb": debian.run, "archive": archives.run, "image": image.run}
# Without voices, in bytes.
GOALS = {"wheel": 25_000_000, "deb": 25_000_000}
OLDEST_GLIBC = (2, 17)


def machine():
    name = os.uname()
    (target,) = (one for one in TARGETS.values() if one.triple.split("-")[0] == name.machine and one.is_linux)
    return target


def sizes(packages, any_size):
    for kind, path in packages.listed():
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}")
    for kind, most in GOALS.items():
        size = packages.program[kind].stat().st_size
        check(any_size or size <= most, f"the {kind} has {size / 1e6:.1f} MB, and may have {most / 1e6:.0f}")


def glibc(packages, folder, any_glibc):
    """The oldest glibc that the binary runs with, from the binary in the archive."""
    subprocess.run(["tar", "-xzf", packages.program["archive"], "-C", folder, "--strip-components", "1"], check=True)
    newest, symbol = newest_symbol(folder / "bin/lectern")
    print(f"the highest symbol of glibc is {symbol} of {newest[0]}.{newest[1]}")
    check(any_glibc or newest <= OLDEST_GLIBC, f"the binary needs glibc {newest[0]}.{newest[1]}, and may need 2.17")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--any-size", action="store_true", help="also any glibc: for a binary that is not the release's")
    parser.add_argument("--without", action="append", default=[], choices=sorted(KINDS), metavar="KIND")
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    asked = parser.parse_args()
    check(os.geteuid() == 0, "needs root, for chroots and namespaces")
    packages = Packages([folder.resolve() for folder in asked.folders], machine())
    sizes(packages, asked.any_size)
    with tempfile.TemporaryDirectory(prefix="lectern-packages.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        prefix = folder / "prefix"
        prefix.mkdir()
        glibc(packages, prefix, asked.any_size)
        for kind, run in KINDS.items():
            if kind in asked.without:
                print(f"left out: {kind}")
                continue
            place = folder / kind
            place.mkdir()
            run(packages, place, asked.any_size)


if __name__ == "__main__":
    try:
        main()
    except CheckError as error:
        sys.exit(f"packages: {error}")
