#!/usr/bin/env python3
"""Prints the licence texts of all crates that a binary for a target contains, each text once.

usage: packaging/third_party.py TRIPLE > THIRD-PARTY.txt

Which crates those are, Cargo says; the texts lie in the crates' own archives. A crate without one is named with its licence alone.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TEXTS = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def metadata(triple):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", triple]
    return json.loads(subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, check=True).stdout)


def linked(found):
    """The packages that the binary links, which excludes what only builds or tests it, and macros."""
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    reached, waiting = set(), [id for id, package in packages.items() if package["name"] == "lectern-server"]
    while waiting:
        here = waiting.pop()
        if here in reached or all("proc-macro" in target["kind"] or "custom-build" in target["kind"] for target in packages[here]["targets"]):
            continue
        reached.add(here)
        waiting += [dep["pkg"] for dep in nodes[here]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    return sorted((packages[id] for id in reached if packages[id]["source"]), key=lambda package: (package["name"], package["version"]))


def texts(package):
    folder = Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and TEXTS.match(path.name):
            yield path.read_text(errors="replace").strip()


def main():
    packages = linked(metadata(sys.argv[1]))
    users = {}
    for package in packages:
        for text in texts(package):
            users.setdefault(text, []).append(f"{package['name']} {package['version']}")
    print("The crates that the program lectern contains, with their licences.\n")
    for package in packages:
        print(f"{package['name']} {package['version']}: {package['license'] or 'see its text'}")
    for text, names in users.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n{'=' * 100}\n\n{text}")


if __name__ == "__main__":
    main()
