"""Debian's packages: in a root file system of Debian that has nothing else."""

import subprocess

from checking import TEXT, check, clean_environment, ran, understood


def run(packages, place, any_size):
    root = place / "root"
    environment = clean_environment(place / "home") | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
    ran(["mmdebstrap", "--quiet", "--variant=minbase", "--include=adduser", "bookworm", root], environment)
    inside = ["chroot", root]
    debs = [packages.program["deb"], packages.voices["deb"]]
    lint(debs)
    for path in debs:
        (root / "tmp" / path.name).write_bytes(path.read_bytes())
    names = [f"/tmp/{path.name}" for path in debs]
    installed = ran([*inside, "dpkg", "--install", *names], environment)
    check("rror" not in installed, installed)
    state(root, inside, environment)
    # As the service's account, which has no home to look for voices in.
    speak = [*inside, "setpriv", "--reuid=lectern", "--regid=lectern", "--clear-groups", "lectern", "speak", TEXT, "-o", "/tmp/hello.mp3"]
    ran(speak, environment | {"HOME": "/nonexistent"})
    print(f"deb: {understood(root / 'tmp/hello.mp3', 'the deb')}")
    ran([*inside, "lectern", "--config", "/etc/lectern/lectern.toml", "migrate"], environment | {"LECTERN_DATA_DIR": "/var/lib/lectern"})
    removal(root, inside, environment, names)


def state(root, inside, environment):
    said = ran([*inside, "stat", "-c", "%U:%G %a %n", "/etc/lectern", "/etc/lectern/lectern.toml", "/var/lib/lectern", "/usr/bin/lectern"], environment)
    wanted = ["root:lectern 750 /etc/lectern", "root:root 644 /etc/lectern/lectern.toml", "lectern:lectern 750 /var/lib/lectern", "root:root 755 /usr/bin/lectern"]
    check(said.split("\n")[:4] == wanted, said)
    units = {path.name for path in (root / "lib/systemd/system").glob("lectern*")}
    check(units == {"lectern.service", "lectern-api@.service", "lectern-worker@.service"}, f"the units are {units}")


def removal(root, inside, environment, names):
    """Removal keeps data and settings, a new installation keeps a change of them, purge deletes both."""
    settings, data = root / "etc/lectern/lectern.toml", root / "var/lib/lectern"
    settings.write_text(settings.read_text() + "# mine\n")
    check((data / "lectern.db").exists() or any(data.iterdir()), "the migration left no database")
    before = sorted(path.name for path in data.iterdir())
    ran([*inside, "dpkg", "--install", *names], environment)
    check("# mine" in settings.read_text(), "an upgrade overwrites settings")
    ran([*inside, "dpkg", "--remove", "lectern"], environment)
    check(not (root / "usr/bin/lectern").exists() and "# mine" in settings.read_text(), "removal does not keep the settings")
    check(sorted(path.name for path in data.iterdir()) == before, "removal does not keep the data")
    ran([*inside, "dpkg", "--purge", "lectern", "lectern-voice-hibari"], environment)
    left = [path for path in (settings.parent, data, root / "usr/share/lectern", root / "usr/share/doc/lectern") if path.exists()]
    check(not left, f"purge leaves {left}")
    print("deb: removal keeps data and settings, purge deletes them")


def lint(debs):
    said = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", *map(str, debs)], capture_output=True, text=True)
    print(f"lintian: {said.stdout.strip() or 'nothing to say'}")
    check(said.returncode == 0, f"lintian finds an error:\n{said.stderr}")
