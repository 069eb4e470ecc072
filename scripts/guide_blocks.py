"""The documents of the guide, their code blocks, and what runs each.

A comment on a line of its own says it, in the document:

    <!-- not run: REASON -->        nothing runs it; the reason is needed
    <!-- run by: scripts/X.py -->   that script runs it, word for word
    <!-- server -->, <!-- file: NAME -->, <!-- terminal: NAME -->, <!-- prints -->, <!-- prints: NAME -->
                                    how scripts/guide_tour.py runs the block of a tutorial (see there)
    <!-- needs: … -->, <!-- drill: … -->
                                    of the run-book: scripts/operations_tour.py and scripts/backup_drill.py

Directly before a block a comment is about that block; elsewhere it is about all blocks that follow in its section, up to the next
heading of the same or a higher level. The nearest one counts. Blocks that show data need no comment.
"""

import json
import pathlib
import re
import textwrap
from dataclasses import dataclass, field

TOP = pathlib.Path(__file__).resolve().parent.parent
TUTORIALS = TOP / "docs/tutorials"


@dataclass
class Block:
    document: pathlib.Path
    line: int
    language: str
    code: str
    # The comments directly before it, and those of the sections that it is in, the innermost first.
    marks: list[str] = field(default_factory=list)
    of_sections: list[str] = field(default_factory=list)

    def mark(self, name):
        """What stands after `name` in a comment directly before the block: "" for nothing, `None` if there is no such comment."""
        for mark in self.marks:
            if mark == name or mark.startswith(f"{name}:"):
                return mark[len(name) + 1 :].strip()
        return None

    @property
    def where(self):
        return f"{self.document.relative_to(TOP)}:{self.line}"


def documents():
    """Every document of the guide, from docs/site/pages.json."""
    found = [TOP / "docs/README.md"]
    sections = json.loads((TOP / "docs/site/pages.json").read_text())
    for entries in (entries for groups in sections.values() for entries in groups.values()):
        for entry in entries:
            pages = sorted(TOP.glob(entry)) if "*" in entry else [TOP / entry]
            found += [page for page in pages if page not in found]
    return found


def blocks(document):
    """The code blocks of a document."""
    found, marks, sections = [], [], []
    lines = iter(enumerate(document.read_text().splitlines(), 1))
    for number, line in lines:
        if opening := re.match(r"( *)(```+)(\w*)", line):
            indent, fence, language = opening.groups()
            code = []
            for _, inner in lines:
                if inner.strip() == fence:
                    break
                code.append(inner.removeprefix(indent))
            of_sections = [mark for _, own in reversed(sections) for mark in reversed(own)]
            found.append(Block(document, number, language, "\n".join(code) + "\n", marks, of_sections))
            marks = []
        elif comment := re.fullmatch(r" *<!-- (.*) -->", line):
            marks.append(comment[1])
        elif heading := re.match(r"(#+) ", line):
            level = len(heading[1])
            sections = [(above, own) for above, own in sections if above < level] + [(level, [])]
            marks = []
        elif line.strip():
            marks = []
        # A comment that a blank line follows is about the section.
        elif marks and sections:
            sections[-1][1].extend(marks)
            marks = []
    return found


def commands(code):
    """The commands of a `console` block, without prompts and output."""
    found, goes_on = [], False
    for line in textwrap.dedent(code).splitlines():
        if line.startswith("$ ") or goes_on:
            found.append(line.removeprefix("$ "))
            goes_on = line.endswith("\\")
        # A quoted text or an indented line goes on, too.
        elif found and (line.startswith("  ") and "\n".join(found).count("'") % 2):
            found.append(line)
    return "\n".join(found)


def page_marks(document, name):
    """What stands after `name` in the comments of a document."""
    return re.findall(rf"^<!-- {name}:? ?(.*) -->$", document.read_text(), re.MULTILINE)


# Blocks of these languages show data, which nothing runs; scripts/test_guide.py checks the syntax of what is JSON, TOML or YAML.
DATA = ("", "ini", "json", "markdown", "mermaid", "toml", "yaml")

OF_TOUR = ("server", "file", "terminal", "prints")
OF_RUN_BOOK = {"needs": "scripts/operations_tour.py", "drill": "scripts/backup_drill.py"}


def runner(block):
    """The script that runs a block, or `None` and the reason why none does; `None, None` if neither is said."""
    shows_data = block.language in DATA and TUTORIALS not in block.document.parents
    for mark in block.marks if shows_data else [*block.marks, *block.of_sections]:
        name, _, value = mark.partition(":")
        if name == "not run" and value.strip():
            return None, value.strip()
        if name == "run by":
            return value.strip(), None
        if mark in block.marks and name in OF_RUN_BOOK:
            return OF_RUN_BOOK[name], None
        if mark in block.marks and name in OF_TOUR and TUTORIALS in block.document.parents:
            return "scripts/guide_tour.py", None
    if TUTORIALS in block.document.parents and block.language == "sh":
        return "scripts/guide_tour.py", None
    return (None, "shows data") if shows_data or block.language in DATA else (None, None)
