"""The scripts that follow docs/operations find the blocks that they run, and say so when they do not."""

import unittest
from pathlib import Path

import backup_drill
import operations_tour

DOCUMENT = (Path(__file__).resolve().parent.parent / "docs/operations/install.md").read_text()


class Blocks(unittest.TestCase):
    def test_the_steps_are_found_with_what_they_need(self):
        found = operations_tour.blocks(DOCUMENT, operations_tour.SECTION)
        self.assertGreater(len(found), 8)
        self.assertEqual({needs for _, needs in found}, {"", "nats", "s3"})
        self.assertTrue(any("nats-server" in code for code, needs in found if needs == "nats"))

    def test_what_is_left_out_is_left_out_and_nothing_else(self):
        everything, _ = operations_tour.steps(DOCUMENT, [])
        without, named = operations_tour.steps(DOCUMENT, ["nats"])
        self.assertIn("nats-server --config", everything)
        self.assertNotIn("nats-server --config", without)
        self.assertEqual(named, ["nats"])
        self.assertIn("\ns3_server ", without)

    def test_a_word_that_no_block_needs_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no block of the section needs redis; there are nats, s3"):
            operations_tour.steps(DOCUMENT, ["redis"])

    def test_the_blocks_of_the_drill_are_there_once_each(self):
        for name in ("backup-sqlite", "restore-sqlite", "backup-postgres", "restore-postgres"):
            self.assertIn("lectern", backup_drill.block(name))
        with self.assertRaisesRegex(SystemExit, "0 blocks of the name nothing"):
            backup_drill.block("nothing")

    def test_the_mistake_of_the_control_is_made(self):
        for name in ("backup-sqlite", "backup-postgres"):
            lines = backup_drill.objects_first(backup_drill.block(name)).splitlines()
            database = next(at for at, line in enumerate(lines) if "VACUUM" in line or "pg_dump" in line)
            self.assertLess(next(at for at, line in enumerate(lines) if " -c " in line and "objects" in line), database)


if __name__ == "__main__":
    unittest.main()
