#!/usr/bin/env python3
"""Writes the generated pages of the guide: docs/reference/operations.md from openapi.json, settings.md from config/lectern.toml, and
commands.md from what `lectern … --help` prints.

usage: reference_pages.py LECTERN [--check]

With --check nothing is written: exits 1 with the first page that is out of date.
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys
import textwrap
import tomllib

from environment import clean_environment

TOP = pathlib.Path(__file__).resolve().parent.parent
MADE = "This page is made by `scripts/reference_pages.py`. Change what it is made from."

# The document's operations that programs do not call.
NOT_FOR_PROGRAMS = {"Web application"}


def cell(text):
    """A text as one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def first_sentence(text):
    return re.split(r"(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0]


def operations():
    """A table of the API's operations for each of its tags."""
    document = json.loads((TOP / "openapi.json").read_text())
    by_tag = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    yield "# Operations of the API"
    yield (
        "Every operation that programs call, from [openapi.json](../../openapi.json). [The interactive reference]"
        "(http://127.0.0.1:8080/docs) of a running service has their fields and examples, and a form to try each. [ERRORS.md]"
        "(../ERRORS.md) has the error codes, [API-DESIGN.md](../API-DESIGN.md) what the document cannot say."
    )
    for tag in document["tags"]:
        found = by_tag.pop(tag["name"], [])
        if tag["name"] in NOT_FOR_PROGRAMS or not found:
            continue
        yield f"## {tag['name']}\n\n{tag['description']}."
        rows = [f"| `{method} {path}` | {cell(one['summary'])} | {cell(first_sentence(one.get('description', '')))} |" for method, path, one in found]
        yield "\n".join(["| Operation | | What it does |", "|---|---|---|", *rows])
    if by_tag.keys() - NOT_FOR_PROGRAMS:
        sys.exit(f"openapi.json does not describe these tags: {sorted(by_tag)}")


def help_of(binary, *command):
    done = subprocess.run(
        ["lectern", *command, "--help"],
        executable=binary, capture_output=True, text=True, check=True, env=clean_environment(),
    )
    # Lines end without white space, as in every document.
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def commands_below(text):
    """The names under `Commands:` of a help text."""
    listed = re.search(r"^Commands:\n((?:  .*\n?|\n)*)", text, re.MULTILINE)
    names = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    return [name for name in names if name != "help"]


def walk(binary, *command):
    text = help_of(binary, *command)
    yield command, text
    for name in commands_below(text):
        yield from walk(binary, *command, name)


def commands(binary):
    """What each command prints with --help."""
    yield "# Commands"
    yield "<!-- not run: what `lectern … --help` prints -->"
    yield (
        "What each command of `lectern` prints with `--help`. Exit codes: 0 fine, 1 failed, 2 wrong usage, 78 bad configuration. "
        "[Settings](settings.md) come from a file and the environment."
    )
    for command, text in walk(binary):
        name = " ".join(["lectern", *command])
        yield f"{'#' * min(2 + max(0, len(command) - 1), 4)} {name}"
        yield f"```text\n{text}\n```"


def described(source):
    """Of each section of config/lectern.toml its name, what is said of it as a whole, and its settings: key and comment."""
    section, comment, settings = "", [], []
    for line in source.split("\n\n", 1)[1].splitlines():
        if line.startswith("#"):
            comment.append(line.lstrip("#").strip())
        elif found := re.match(r"\[([\w.]+)\]$", line):
            yield section, settings
            section, settings, comment = found[1], [], []
        elif found := re.match(r"([\w-]+) = ", line):
            settings.append((found[1], " ".join(comment)))
            comment = []
        elif line.strip() and not re.match(r'    "|\]$', line):
            sys.exit(f"config/lectern.toml has a line that this script does not know: {line}")
    yield section, settings


def settings():
    """A table for each section of config/lectern.toml: key, default, environment variable, meaning."""
    source = (TOP / "config/lectern.toml").read_text()
    values = tomllib.loads(source)
    yield "# Settings"
    title, *introduction = re.findall(r"^# (.*)", source.split("\n\n", 1)[0], re.MULTILINE)
    yield f"{title} They are in [config/lectern.toml](../../config/lectern.toml)."
    yield textwrap.fill(" ".join(introduction), 120, break_long_words=False, break_on_hyphens=False)
    for section, found in described(source):
        if section:
            yield f"## {section}"
        rows = ["| Setting | Default | Environment | Meaning |", "|---|---|---|---|"]
        for key, comment in found:
            value = json.dumps(values[section][key] if section else values[key], ensure_ascii=False)
            name = "__".join(part.upper() for part in (section, key) if part)
            rows.append(f"| `{key}` | `{value}` | `LECTERN_{name}` | {cell(comment)} |")
        yield "\n".join(rows)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    pages = {"operations": operations(), "commands": commands(binary), "settings": settings()}
    for name, parts in pages.items():
        title, *rest = parts
        text = "\n\n".join([title, MADE, *rest]) + "\n"
        file = TOP / f"docs/reference/{name}.md"
        if "--check" not in sys.argv:
            file.write_text(text)
        elif file.read_text() != text:
            difference = difflib.unified_diff(file.read_text().splitlines(), text.splitlines(), str(file), "made now", lineterm="")
            sys.exit("\n".join([*difference, f"docs/reference/{name}.md is out of date; write it again: scripts/reference_pages.py LECTERN"]))


if __name__ == "__main__":
    main()
