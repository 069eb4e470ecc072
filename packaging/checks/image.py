"""The image's root file system: laid out, confined and used by deploy/check_image, which weighs it as well."""

import os
import subprocess

from checking import check

from targets import TOP


def run(packages, place, any_size):
    prefix = place / "prefix"
    prefix.mkdir()
    for path in (packages.program["archive"], packages.voices["archive"]):
        subprocess.run(["tar", "-xzf", path, "-C", prefix, "--strip-components", "1"], check=True)
    # It takes the voices from the data directory of whoever calls it.
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "XDG_DATA_HOME": str(prefix / "share")}
    command = [TOP / "deploy/check_image", prefix / "bin/lectern", *(["--any-size"] if any_size else [])]
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True)
    print(done.stdout.strip())
    check(done.returncode == 0, done.stderr)
