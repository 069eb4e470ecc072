"""Dashboard and alerts name only metrics that the source has, and each alert leads to a section that says what to do."""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

DEPLOY = Path(__file__).resolve().parent
TOP = DEPLOY.parent
FOLDER = DEPLOY / "observability"
# What Prometheus itself makes.
OF_PROMETHEUS = {"up"}
NAME = re.compile(r"\b(?:lectern|process)_[a-z_]+\b")


def of_the_source(texts):
    """The metrics that the source counts: name to kind of metric."""
    call = re.compile(r'\b(?<!describe_)(counter|gauge|histogram)!\(\s*"([a-z_]+)"')
    return {name: kind for text in texts for kind, name in call.findall(text)}


def source_texts():
    crates = ("service", "http", "server")
    return (path.read_text() for name in crates for path in sorted((TOP / "crates" / name / "src").rglob("*.rs")))


def planned():
    lines = (FOLDER / "planned.txt").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def named(text):
    """The metrics that a text names, histograms by their own name."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in NAME.findall(text)}


def unknown(text, known):
    return sorted(named(text) - set(known) - OF_PROMETHEUS)


def anchors(markdown):
    """The anchors of a document's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", markdown, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Observability(unittest.TestCase):
    def setUp(self):
        self.source = of_the_source(source_texts())
        self.alerts = (FOLDER / "alerts.yml").read_text()

    def test_the_source_is_read(self):
        self.assertEqual(self.source.get("lectern_jobs_total"), "counter")
        self.assertEqual(self.source.get("lectern_http_request_seconds"), "histogram")
        self.assertEqual(self.source.get("lectern_webhook_backlog"), "gauge")

    def test_dashboard_alerts_and_scaling_name_metrics_that_exist(self):
        # Seen to fail with `lectern_jobs_total` called `lectern_job_runs_total` in alerts.yml: ['lectern_job_runs_total'].
        scaling = list((DEPLOY / "kubernetes").rglob("*.yaml"))
        for path in [FOLDER / "alerts.yml", FOLDER / "alerts_test.yml", FOLDER / "dashboard.json", *scaling]:
            with self.subTest(path.name):
                self.assertEqual(unknown(path.read_text(), self.source | dict.fromkeys(planned())), [])

    def test_a_name_that_does_not_exist_is_found(self):
        self.assertEqual(unknown("rate(lectern_nothing_total[5m])", self.source), ["lectern_nothing_total"])
        self.assertEqual(unknown("rate(lectern_job_seconds_bucket[5m])", self.source), [])

    def test_what_the_source_has_is_no_longer_planned(self):
        self.assertEqual(sorted(planned() & set(self.source)), [], "take these lines out of planned.txt")

    def test_the_dashboard_is_what_its_list_makes(self):
        made = subprocess.run([sys.executable, "-B", FOLDER / "make_dashboard.py"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(made.stdout), json.loads((FOLDER / "dashboard.json").read_text()))

    def test_counters_are_rated_and_gauges_are_not(self):
        panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
        expressions = [target["expr"] for panel in panels for target in panel.get("targets", [])]
        for expression in expressions + [self.alerts]:
            for name in NAME.findall(expression):
                kind = self.source.get(re.sub(r"_(bucket|sum|count)$", "", name))
                rated = re.search(rf"(?:rate|increase)\({name}\b", expression) is not None
                if kind in ("counter", "histogram"):
                    self.assertTrue(rated, f"{name} is a {kind}: {expression}")
                elif kind == "gauge":
                    self.assertFalse(rated, f"{name} is a gauge: {expression}")

    def test_the_rules_say_what_their_cases_want_where_promtool_is(self):
        # Seen to fail with each rule that has a case changed, such as the two sums of LecternLeasesLost added up.
        program = shutil.which("promtool")
        if program is None:
            self.skipTest("promtool is not here; deploy/check says so as well")
        done = subprocess.run([program, "test", "rules", "alerts_test.yml"], cwd=FOLDER, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_may_have_no_series_is_not_added_up(self):
        # Seen to fail with the two sums of LecternLeasesLost added up: the sum is empty while one of them is.
        self.assertNotRegex(self.alerts, r"\)\s*\+\s*(?:sum|max)\b")

    def test_every_alert_leads_to_a_section_that_is_there(self):
        # Seen to fail with the heading "Jobs die" taken out of the run-book.
        there = anchors((TOP / "docs/operations/incidents.md").read_text())
        runbooks = re.findall(r"runbook: docs/operations/incidents\.md#(\S+)", self.alerts)
        self.assertEqual(len(runbooks), self.alerts.count("- alert:"))
        self.assertEqual(sorted(set(runbooks) - there), [])

    def test_links_into_the_runbook_lead_somewhere(self):
        # Seen to fail with `(#sizing)` written `(#size)` in install.md, and with `install.md#nats` written `install.md#jobs` in run.md.
        pages = {path.stem: path.read_text() for path in sorted((TOP / "docs/operations").glob("*.md"))}
        self.assertEqual(set(pages), {"install", "run", "incidents", "security", "proxy"})
        there = {f"{name}#{anchor}" for name, text in pages.items() for anchor in anchors(text)}
        # Links within a page, from page to page, and from elsewhere, which names the folder.
        wanted = {f"{name}#{anchor}" for name, text in pages.items() for anchor in re.findall(r"\(#([\w-]+)\)", text)}
        for text in pages.values():
            wanted |= {f"{name}#{anchor}" for name, anchor in re.findall(r"\((\w+)\.md#([\w-]+)\)", text)}
        elsewhere = [TOP / "README.md", TOP / "SECURITY.md", *(TOP / "docs").rglob("*.md"), *DEPLOY.rglob("*"), *(TOP / "config").glob("*.toml")]
        for path in elsewhere:
            if path.is_file() and path.suffix in (".md", ".yaml", ".yml", ".service", ".toml"):
                wanted |= {f"{name}#{anchor}" for name, anchor in re.findall(r"operations/(\w+)\.md#([\w-]+)", path.read_text())}
        self.assertGreater(len(wanted), 40)
        self.assertEqual(sorted(wanted - there), [])

    def test_the_runbook_names_every_alert(self):
        document = (TOP / "docs/operations/incidents.md").read_text()
        missing = [name for name in re.findall(r"- alert: (\w+)", self.alerts) if name not in document]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
