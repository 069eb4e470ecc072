"""NOTICE and the folder licenses name each other: a licence that must travel with the program or its
voice packs is there, and none lies there that nothing asks for."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


class Notice(unittest.TestCase):
    def test_every_licence_that_notice_names_is_there_and_every_file_is_named(self):
        named = set(re.findall(r"licenses/([\w.-]+\.txt)", (TOP / "NOTICE").read_text(encoding="utf-8")))
        lying = {path.name for path in (TOP / "licenses").iterdir()}
        self.assertEqual(named, lying)

    def test_no_licence_is_cut_short(self):
        for path in sorted((TOP / "licenses").iterdir()):
            text = path.read_text(encoding="utf-8")
            self.assertIn("copyright", text.lower(), path.name)
            self.assertRegex(text.lower(), r"warrant(y|ies)", path.name)


if __name__ == "__main__":
    unittest.main()
