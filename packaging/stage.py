"""Lays a prefix out as each package has it: `bin/lectern`, and `share` with licences, completions and manual pages."""

import gzip
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from targets import TOP, PackagingError, version

sys.path.append(str(TOP / "scripts"))
from voice_pack import is_right  # noqa: E402

# Where each shell looks for completions below a prefix's `share`.
COMPLETIONS = {
    "bash": "bash-completion/completions/lectern",
    "zsh": "zsh/site-functions/_lectern",
    "fish": "fish/vendor_completions.d/lectern.fish",
}


def stage(binary, prefix, third_party=None):
    """Makes `prefix` hold the stripped binary and all that goes with it, except voices."""
    (prefix / "bin").mkdir(parents=True)
    program = prefix / "bin/lectern"
    shutil.copyfile(binary, program)
    program.chmod(0o755)
    strip(program)
    licences(prefix / "share/doc/lectern", third_party)
    check_version(program)
    completions(program, prefix / "share")
    manual(program, prefix / "share/man/man1")


def strip(program):
    """Takes the symbol table out. Panics then name file and line, but backtraces no functions."""
    commands = [["strip", "--strip-all", str(program)]]
    if sys.platform == "darwin":
        # Apple's processors run only what is signed, if only by nobody, and a changed file is not any more.
        commands = [["strip", str(program)], ["codesign", "--force", "--sign", "-", str(program)]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise PackagingError(f"{' '.join(command)} failed: {done.stderr.strip()}")


def licences(folder, third_party=None):
    folder.mkdir(parents=True)
    for name in ("LICENSE", "NOTICE"):
        shutil.copy(TOP / name, folder)
    shutil.copytree(TOP / "licenses", folder / "licenses")
    if third_party:
        shutil.copy(third_party, folder / "THIRD-PARTY.txt")


def check_version(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True)
    if said.returncode or said.stdout.split() != ["lectern", version()]:
        raise PackagingError(f"the binary says {said.stdout!r} {said.stderr}, and Cargo.toml has version {version()}")


def completions(program, share):
    for shell, path in COMPLETIONS.items():
        said = subprocess.run([program, "completions", shell], capture_output=True)
        if said.returncode:
            print(f"left out: completions for {shell}, because the binary makes none", file=sys.stderr)
            continue
        to = share / path
        to.parent.mkdir(parents=True)
        to.write_bytes(said.stdout)


def manual(program, folder):
    folder.mkdir(parents=True)
    said = subprocess.run([program, "man", "--out", str(folder)], capture_output=True)
    pages = sorted(folder.glob("*.1"))
    if said.returncode or not pages:
        print("left out: manual pages, because the binary makes none", file=sys.stderr)
        shutil.rmtree(folder)
    for page in pages:
        # Debian wants them compressed, and every reader of manual pages reads them so.
        with gzip.GzipFile(f"{page}.gz", "wb", mtime=0) as packed:
            packed.write(page.read_bytes())
        page.unlink()


def voices(pack, manifest, prefix):
    """Makes `prefix` hold a voice pack, each file of which is checked by size and SHA-256."""
    folder = prefix / "share/lectern/voices" / manifest["name"]
    folder.mkdir(parents=True)
    for pinned in manifest["file"]:
        source = pack / pinned["name"]
        if not is_right(source, pinned):
            raise PackagingError(f"{source} is not the pinned file: ./run --fetch-only fetches it")
        shutil.copyfile(source, folder / pinned["name"])
    return folder


def sha256sums(folder: Path):
    """The checksums of a folder's files, in the form of sha256sum."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir()) if path.is_file()]
    return "".join(line for line in lines if not line.endswith("  SHA256SUMS\n"))
