"""A real novel for the benchmarks: "Pride and Prejudice" as Debian's package r-cran-janeaustenr ships it (public domain).

The package keeps each book as zlib-compressed, serialized R strings, one a line, which is all that is read here.
Standard library only; the package is downloaded by apt and unpacked into bench/.venv, not installed.
"""

import subprocess
import sys
import zlib
from pathlib import Path

from harness import VENV

PACKAGE = "r-cran-janeaustenr"
DATA = "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"
# The header of each string in R's serialization: a CHARSXP in ASCII (R Internals, section 1.8).
STRING = b"\x00\x04\x00\x09"


def novels():
    """The books as lists of lines."""
    folder = VENV / PACKAGE
    if not (folder / DATA).exists():
        folder.mkdir(parents=True, exist_ok=True)
        fetched = subprocess.run(["apt-get", "download", "-qq", PACKAGE], cwd=folder)
        packages = list(folder.glob("*.deb"))
        if fetched.returncode or not packages:
            sys.exit(f"error: apt-get download {PACKAGE} failed")
        subprocess.run(["dpkg-deb", "-x", str(packages[0]), str(folder)], check=True)
    packed = (folder / DATA).read_bytes()
    while packed:
        inflate = zlib.decompressobj()
        # The first four bytes are the length, which is not needed.
        yield lines(inflate.decompress(packed[4:]))
        packed = inflate.unused_data


def lines(serialized):
    found, at = [], serialized.find(STRING)
    while at >= 0 and serialized[at : at + 4] == STRING:
        length = max(int.from_bytes(serialized[at + 4 : at + 8], "big", signed=True), 0)
        found.append(serialized[at + 8 : at + 8 + length].decode())
        at += 8 + length
    return found


def novel(characters):
    """As many of the novel's first chapters as fit; the last one is cut at a paragraph."""
    book = next("\n".join(book) for book in novels() if book[0].startswith("PRIDE AND PREJUDICE"))
    if len(book) < characters:
        sys.exit(f"error: the novel has only {len(book)} characters")
    return book[: book.rindex("\n\n", 0, characters)] + "\n"
