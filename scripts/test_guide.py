"""The guide: each code block has a runner or a reason, what no script runs is at least of its language, and every document has a page."""

import ast
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

import guide_blocks

TOP = guide_blocks.TOP

# Documents that are no pages: notes next to what they are about, and files of other makers.
NO_PAGES = {"web/dist/README.md", ".github"}


def all_blocks():
    return [block for document in guide_blocks.documents() for block in guide_blocks.blocks(document)]


def bash(code):
    done = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SyntaxError(done.stderr)


def javascript(code):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "block.mjs")
        file.write_text(code)
        done = subprocess.run(["node", "--check", str(file)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SyntaxError(done.stderr)


def yaml(code):
    """Enough of YAML for a compose file: indentation by two, and a key or an item on each line."""
    for line in code.splitlines():
        if not re.fullmatch(r"(  )*(- )?[\w.-]+:( .*)?|(  )*- .*|", line):
            raise SyntaxError(line)


CHECKS = {
    "python": ast.parse,
    "json": json.loads,
    "toml": tomllib.loads,
    "sh": bash,
    "console": lambda code: bash(guide_blocks.commands(code)),
    "js": javascript,
    "yaml": yaml,
}


class Guide(unittest.TestCase):
    # Negative control: a block without a mark in docs/SOCKET.md fails this, and is named with its line.
    def test_every_code_block_has_a_runner_or_a_reason(self):
        unmarked = [block.where for block in all_blocks() if guide_blocks.runner(block) == (None, None)]
        self.assertEqual(unmarked, [])

    # Negative control: a mark that names another script fails this.
    def test_a_runner_is_a_script_that_reads_the_document(self):
        for block in all_blocks():
            script, _ = guide_blocks.runner(block)
            if script:
                with self.subTest(block.where):
                    source = (TOP / script).read_text()
                    name = block.document.relative_to(TOP).as_posix()
                    known = name in source or all(part in source for part in (block.document.name, "SDK"))
                    self.assertTrue(known or script == "scripts/guide_tour.py", f"{script} does not read {name}")

    # Negative control: `print(` in the block of docs/tutorials/livekit.md that is not run fails this.
    def test_what_is_not_run_is_of_its_language(self):
        checked = 0
        for block in all_blocks():
            check = CHECKS.get(block.language)
            if check and not (block.language in ("js",) and not shutil.which("node")):
                checked += 1
                with self.subTest(block.where):
                    try:
                        check(block.code)
                    except (SyntaxError, ValueError) as error:
                        self.fail(f"{block.where}: {error}")
        self.assertGreater(checked, 60)

    # Negative control: with docs/SOCKET.md taken out of docs/site/pages.json this fails.
    def test_every_document_has_a_page(self):
        shown = set(guide_blocks.documents())
        for document in sorted((TOP / "docs").rglob("*.md")):
            if "node_modules" not in document.parts:
                self.assertIn(document, shown)

    def test_every_tutorial_ends_with_audio_that_is_heard(self):
        tutorials = [document for document in guide_blocks.documents() if guide_blocks.TUTORIALS in document.parents]
        self.assertGreater(len(tutorials), 9)
        for tutorial in tutorials:
            self.assertTrue(guide_blocks.page_marks(tutorial, "heard"), tutorial.name)


class Blocks(unittest.TestCase):
    def blocks_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            document = pathlib.Path(folder, "page.md")
            document.write_text(text)
            return guide_blocks.blocks(document)

    def test_the_nearest_mark_counts(self):
        text = "# A\n\n<!-- not run: all -->\n\n```sh\none\n```\n\n## B\n\n<!-- run by: scripts/x.py -->\n```sh\ntwo\n```\n\n```sh\nthree\n```\n\n"
        text += "## C\n\n<!-- run by: scripts/y.py -->\n\n### D\n\n```sh\nfour\n```\n\n# E\n\n```sh\nfive\n```\n"
        found = [guide_blocks.runner(block) for block in self.blocks_of(text)]
        self.assertEqual(found, [(None, "all"), ("scripts/x.py", None), (None, "all"), ("scripts/y.py", None), (None, None)])

    def test_a_reason_is_needed(self):
        (block,) = self.blocks_of("<!-- not run: -->\n```sh\none\n```\n")
        self.assertEqual(guide_blocks.runner(block), (None, None))

    def test_blocks_within_lists_lose_their_indentation(self):
        (block,) = self.blocks_of("1. Do\n\n   ```sh\n   one\n     two\n   ```\n")
        self.assertEqual(block.code, "one\n  two\n")


if __name__ == "__main__":
    unittest.main()
