"""Archives of a prefix, for the installer, for Homebrew and for unpacking by hand."""

import gzip
import tarfile

from targets import version


def pack(prefix, name, out):
    """Packs a prefix below a folder of the archive's name. The same files make the same archive."""
    path = out / f"{name}.tar.gz"
    with gzip.GzipFile(path, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for file in sorted(prefix.rglob("*")):
            archive.add(file, f"{name}/{file.relative_to(prefix)}", recursive=False, filter=anonymous)
    return path


def anonymous(member):
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = "root"
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def program(target, prefix, out):
    return pack(prefix, f"lectern-{version()}-{target.triple}", out)


def voice(prefix, voices_version, out):
    return pack(prefix, f"lectern-voice-hibari-{voices_version}", out)
