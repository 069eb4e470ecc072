"""Archives: by the installer. One that differs from the release stops it."""

import shutil
import subprocess

from checking import TEXT, TOP_BUILD, check, clean_environment, ran, refused, understood


def run(packages, place, any_size):
    release = place / "release"
    release.mkdir()
    for path in (packages.program["archive"], packages.voices["archive"]):
        shutil.copy(path, release)
    subprocess.run([*TOP_BUILD, "installer", "--releases", f"file://{release}", "--out", release], check=True, stdout=subprocess.DEVNULL)
    home = place / "home"
    environment = clean_environment(home, home / ".local/bin")
    differs(release, packages, environment, place)
    ran(["sh", release / "install.sh"], environment, cwd=place)
    ran(["lectern", "speak", TEXT, "-o", place / "hello.mp3"], environment, cwd=place)
    print(f"installer: {understood(place / 'hello.mp3', 'the installer')}")
    # Once more, as an upgrade does.
    ran(["sh", release / "install.sh"], environment, cwd=place)
    voices_differ(place, environment)


def differs(release, packages, environment, place):
    """One byte of the program or of the voices: nothing may be installed."""
    for kind in (packages.program, packages.voices):
        archive = release / kind["archive"].name
        whole = archive.read_bytes()
        archive.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
        prefix = place / "nowhere"
        refused(["sh", release / "install.sh"], environment | {"PREFIX": str(prefix)}, "is not the file that was released", cwd=place)
        check(not prefix.exists(), "the installer left something of an archive that differs")
        archive.write_bytes(whole)
    print("installer: an archive with another checksum is not installed")


def voices_differ(place, environment):
    """`lectern voices fetch` refuses an archive that is not the pinned one."""
    folder = place / "archives"
    folder.mkdir()
    (folder / "hibari_tts-0.2.1-py3-none-any.whl").write_bytes(b"not the pinned one")
    voices = place / "voices"
    command = ["lectern", "voices", "fetch", "hibari", "--from", folder]
    refused(command, environment | {"LECTERN_SPEECH__VOICES_DIR": str(voices)}, "SHA-256", cwd=place)
    check(not (voices / "hibari").exists(), "voices of an archive that differs were installed")
    print("voices: an archive with another checksum is refused")
