"""The installer and the Homebrew formula: text with the checksums of a release's archives."""

from targets import TARGETS, TOP, PackagingError, version

SOURCES = TOP / "packaging"


def sums(archives):
    """The lines of SHA256SUMS that are about archives, by name."""
    lines = [line.split("  ", 1) for line in (archives / "SHA256SUMS").read_text().splitlines()]
    return {name: digest for digest, name in lines if name.endswith(".tar.gz")}


def script(known, releases, voices_version, out):
    values = {
        "VERSION": version(),
        "VOICES": voices_version,
        "RELEASES": releases,
        "SUMS": "\n".join(f"{digest}  {name}" for name, digest in sorted(known.items())),
        "GLIBC": "2.17",
    }
    return fill(SOURCES / "install.sh", values, out / "install.sh")


def formula(known, releases, voices_version, out):
    # Archives lie below the repository's page, as https://github.com/OWNER/lectern/releases/download/v0.1.0.
    homepage = releases.partition("/releases/")[0]
    values = {"VERSION": version(), "RELEASES": releases, "HOMEPAGE": homepage, "VOICES": voices_version}
    values["SHA256_VOICE"] = digest(known, f"lectern-voice-hibari-{voices_version}.tar.gz")
    for triple in TARGETS:
        values[f"SHA256_{triple}"] = digest(known, f"lectern-{version()}-{triple}.tar.gz")
    return fill(SOURCES / "homebrew/lectern.rb", values, out / "lectern.rb")


def digest(known, name):
    if name not in known:
        raise PackagingError(f"SHA256SUMS has no {name}")
    return known[name]


def fill(template, values, to):
    text = template.read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    to.write_text(text)
    to.chmod(template.stat().st_mode & 0o777)
    return to
