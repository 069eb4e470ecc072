"""Packages for npm: one for each machine, one that starts the right one, one with the voices."""

import json
import os
import shutil
import subprocess

from targets import TARGETS, TOP, PackagingError, version

SOURCES = TOP / "packaging/npm"


def platform(target, prefix, work, out):
    """The package with the program for a machine."""
    folder = work / "npm-platform"
    folder.mkdir()
    shutil.copytree(prefix, folder, dirs_exist_ok=True)
    machine = f"{target.npm_os}-{target.npm_cpu}"
    more = {
        "name": f"@lectern-tts/{machine}",
        "version": version(),
        "description": f"The program of the package lectern, for {machine}",
        "os": [target.npm_os],
        "cpu": [target.npm_cpu],
    }
    # npm then leaves it out where there is no glibc.
    if target.is_linux:
        more["libc"] = ["glibc"]
    describe(folder, SOURCES / "platform/package.json", more)
    (folder / "README.md").write_text(f"# @lectern-tts/{machine}\n\nThe program of the package [lectern](https://www.npmjs.com/package/lectern), for {machine}.\n")
    return pack(folder, out)


def launcher(voices_version, work, out):
    """The package that people install."""
    folder = work / "npm-lectern"
    shutil.copytree(SOURCES / "lectern", folder)
    describe(folder, folder / "package.json", {
        "version": version(),
        "dependencies": {"@lectern-tts/voice-hibari": voices_version},
        "optionalDependencies": {f"@lectern-tts/{target.npm_os}-{target.npm_cpu}": version() for target in TARGETS.values()},
    })
    return pack(folder, out)


def voice(prefix, voices_version, work, out):
    """The package with the voice pack."""
    folder = work / "npm-voice"
    shutil.copytree(SOURCES / "voice-hibari", folder)
    shutil.copytree(prefix / "share", folder / "share")
    describe(folder, folder / "package.json", {"version": voices_version})
    return pack(folder, out)


def describe(folder, template, more):
    """Writes package.json. npm's provenance wants the repository that the package is built from."""
    package = json.loads(template.read_text()) | more
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        package["repository"] = {"type": "git", "url": f"git+https://github.com/{repository}.git"}
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")
    for name in ("LICENSE", "NOTICE"):
        if not (folder / name).exists():
            shutil.copy(TOP / name, folder)


def pack(folder, out):
    done = subprocess.run(["npm", "pack", "--json", "--pack-destination", str(out)], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise PackagingError(f"npm made no package: {done.stderr}")
    return out / json.loads(done.stdout)[0]["filename"]
