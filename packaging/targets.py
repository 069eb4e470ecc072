"""The machines that packages are made for, and what each kind of package calls them."""

import dataclasses
import re
import subprocess
import tomllib
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


class PackagingError(Exception):
    """An error that a person can act on."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A machine. `wheel` is the platform of a wheel's tag; `{glibc}` in it becomes the glibc that the binary needs."""

    triple: str
    wheel: str
    npm_os: str
    npm_cpu: str
    deb: str | None = None

    @property
    def is_linux(self):
        return self.deb is not None


TARGETS = {
    target.triple: target
    for target in (
        Target("x86_64-unknown-linux-gnu", "manylinux_{glibc}_x86_64", "linux", "x64", "amd64"),
        Target("aarch64-unknown-linux-gnu", "manylinux_{glibc}_aarch64", "linux", "arm64", "arm64"),
        # The oldest systems that Rust's own libraries are built for.
        Target("x86_64-apple-darwin", "macosx_10_12_x86_64", "darwin", "x64"),
        Target("aarch64-apple-darwin", "macosx_11_0_arm64", "darwin", "arm64"),
    )
}

# What a manylinux wheel may name, of what the binary could: all of it is on every system with that glibc.
ALLOWED_LIBRARIES = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s|ld-linux-[\w-]+)\.so\.\d+")


def version():
    """The version of the workspace, which the binary has as well."""
    return tomllib.loads((TOP / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def readelf(binary, *arguments):
    said = subprocess.run(["readelf", "--wide", *arguments, str(binary)], capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    if said.returncode:
        raise PackagingError(f"{binary} is no program for Linux: {said.stderr.strip()}")
    return said.stdout


def libraries(binary):
    """The shared libraries that a binary names."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf(binary, "--dynamic"))


def newest_symbol(binary):
    """The highest version of glibc that a binary's symbols ask for, such as (2, 17), and one symbol that does."""
    symbols = re.findall(r"(\w+)@+GLIBC_(\d+)\.(\d+)", readelf(binary, "--dyn-syms"))
    if not symbols:
        raise PackagingError(f"{binary} asks for no symbol of glibc")
    name, major, minor = max(symbols, key=lambda symbol: (int(symbol[1]), int(symbol[2])))
    return (int(major), int(minor)), name


def wheel_platform(target, binary):
    """The platform of the wheel's tag, from what the binary asks for."""
    if not target.is_linux:
        return target.wheel
    foreign = [library for library in libraries(binary) if not ALLOWED_LIBRARIES.fullmatch(library)]
    if foreign:
        raise PackagingError(f"{binary} names libraries that not every system has: {', '.join(foreign)}")
    # Rust's own libraries need 2.17, whatever symbols are left of them.
    major, minor = max(newest_symbol(binary)[0], (2, 17))
    return target.wheel.format(glibc=f"{major}_{minor}")
