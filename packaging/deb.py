"""Packages for Debian and Ubuntu, by dpkg-deb."""

import gzip
import hashlib
import os
import shutil
import subprocess
from email.utils import formatdate
from pathlib import Path

from targets import TOP, PackagingError, libraries, newest_symbol, version

SOURCES = TOP / "packaging/debian"
UNITS = TOP / "deploy/systemd"
MAINTAINER = "The Lectern authors <packages@lectern.example>"
# The same files make the same package.
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))
CHANGELOG = """{package} ({version}) unstable; urgency=medium

  * CHANGELOG.md in Lectern's repository says what is new.

 -- """ + MAINTAINER + """  {date}
"""


def server(target, prefix, voices_version, work, out):
    """The package with program, units, settings and manual."""
    root = work / "deb-lectern"
    shutil.copytree(prefix, root / "usr")
    share = root / "usr/share"
    # Debian's zsh looks elsewhere than that of others.
    if (share / "zsh/site-functions").is_dir():
        (share / "zsh/site-functions").rename(share / "zsh/vendor-completions")
    for unit in sorted(UNITS.glob("*.service")):
        put(unit, root / "lib/systemd/system" / unit.name)
    put(SOURCES / "lectern/lectern.toml", root / "etc/lectern/lectern.toml")
    put(TOP / "config/lectern.toml", share / "doc/lectern/examples/lectern.toml")
    for page in sorted((TOP / "docs/operations").glob("*.md")):
        put(page, share / "doc/lectern/operations" / page.name)
    documents(root, "lectern", version())
    depends = f"libc6 (>= {'.'.join(map(str, newest_symbol(root / 'usr/bin/lectern')[0]))}), adduser, init-system-helpers (>= 1.52)"
    if any(library.startswith("libgcc_s") for library in libraries(root / "usr/bin/lectern")):
        depends += ", libgcc-s1"
    return build(root, "lectern", {"VERSION": version(), "ARCHITECTURE": target.deb, "DEPENDS": depends, "VOICES": voices_version}, out)


def voice(prefix, voices_version, work, out):
    """The package with the voice pack."""
    root = work / "deb-voice"
    shutil.copytree(prefix, root / "usr")
    documents(root, "lectern-voice-hibari", voices_version)
    put(TOP / "NOTICE", root / "usr/share/doc/lectern-voice-hibari/NOTICE")
    return build(root, "voice-hibari", {"VERSION": voices_version}, out)


def put(file, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)
    to.chmod(0o644)


def documents(root, package, package_version):
    """Copyright and changelog, which Debian wants in one place and one form."""
    folder = root / "usr/share/doc" / package
    folder.mkdir(parents=True, exist_ok=True)
    # Debian has the text of Apache-2.0 once for all packages; `copyright` names it.
    (folder / "LICENSE").unlink(missing_ok=True)
    put(SOURCES / "copyright", folder / "copyright")
    put(SOURCES / package.removeprefix("lectern-") / "lintian-overrides", root / "usr/share/lintian/overrides" / package)
    changelog = CHANGELOG.format(package=package, version=package_version, date=formatdate(EPOCH))
    (folder / "changelog.gz").write_bytes(gzip.compress(changelog.encode(), mtime=0))


def build(root, sources, values, out):
    control = root / "DEBIAN"
    control.mkdir()
    for template in sorted((SOURCES / sources).iterdir()):
        if template.name in ("lectern.toml", "lintian-overrides"):
            continue
        text = template.read_text()
        for name, value in {**values, "MAINTAINER": MAINTAINER}.items():
            text = text.replace(f"@{name}@", value)
        (control / template.name).write_text(text)
        (control / template.name).chmod(0o755 if text.startswith("#!") else 0o644)
    files = sorted(path for path in root.rglob("*") if path.is_file() and control not in path.parents)
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    with open(control / "control", "a") as text:
        text.write(f"Installed-Size: {size}\n")
    # Of settings the package manager keeps sums of its own.
    summed = [path for path in files if path.relative_to(root).parts[0] != "etc"]
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in summed]
    (control / "md5sums").write_text("".join(sums))
    modes(root)
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "--build", str(root), str(out)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise PackagingError(f"dpkg-deb made no package: {done.stderr}")
    return Path(done.stdout.split("'")[-2])


def modes(root):
    """What goes into the package does not depend on the umask."""
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
