"""The Helm chart says what the manifests say, where the values change nothing.

Helm's own engine renders it: `helm` on the PATH, or the Python package helm-python-sdk, which binds it. Without both, the tests
that render are skipped.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "packaging"), str(TOP / "deploy")]

import chart  # noqa: E402
from targets import PackagingError, version  # noqa: E402
from test_manifests import complaints, key, kustomized, unknown_settings  # noqa: E402

try:
    import helm_python.chart as helm_sdk
    import helm_python.errors as helm_errors
except ImportError:
    helm_sdk = None
HELM = shutil.which("helm")


def rendered(folder, values):
    """What Helm makes of the chart, as resources. Raises RuntimeError with Helm's words."""
    if HELM:
        command = [HELM, "template", "lectern", str(folder), "--namespace", "lectern", "--kube-version", "1.30.0", "--values", "-"]
        said = subprocess.run(command, input=json.dumps(values), capture_output=True, text=True)
        if said.returncode:
            raise RuntimeError(said.stderr)
        texts = [said.stdout]
    else:
        loaded = helm_sdk.Chart.load(str(folder))
        try:
            loaded.validate_schema(values)
            made = loaded.render(values, name="lectern", namespace="lectern", revision=1, is_install=True)
        except helm_errors.HelmError as error:
            raise RuntimeError(str(error)) from error
        texts = [text for name, text in made.items() if name.endswith(".yaml")]
    return [thing for text in texts for thing in yaml.safe_load_all(text) if thing]


def by_key(things):
    return {key(thing): thing for thing in things}


def pods(things):
    return {who[1]: thing["spec"]["template"] for who, thing in by_key(things).items() if who[0] in ("Deployment", "Job")}


class Made(unittest.TestCase):
    def test_a_manifest_that_changed_makes_no_chart(self):
        with self.assertRaisesRegex(PackagingError, "0 times, not 1 times"):
            chart.workload("api.yaml", (chart.BASE / "api.yaml").read_text().replace("image: lectern\n", "image: other\n"), "api")

    def test_its_values_are_all_explained_and_in_the_schema(self):
        values = yaml.safe_load((chart.SOURCES / "values.yaml").read_text())
        schema = json.loads((chart.SOURCES / "values.schema.json").read_text())
        self.assertEqual(set(values), set(schema["properties"]) - {"global"})
        self.assertEqual(unknown_settings((chart.SOURCES / "values.yaml").read_text().replace("LECTERN_SECTION__KEY", "")), [])


@unittest.skipUnless(HELM or helm_sdk, "neither helm nor helm-python-sdk is here")
class Rendered(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = chart.lay_out(Path(folder.name, "lectern"))

    def render(self, **values):
        return rendered(self.folder, values)

    def test_helm_finds_nothing_wrong(self):
        if HELM:
            said = subprocess.run([HELM, "lint", "--strict", str(self.folder)], capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        else:
            said = helm_sdk.lint(str(self.folder))
            self.assertEqual([one for one in said["messages"] if one["severity"] > 1] + said["errors"], [])

    def test_without_values_it_is_the_base(self):
        base = by_key(kustomized(chart.BASE))
        del base["Namespace", "lectern"]
        made = by_key(self.render())
        job = made.pop(("Job", "lectern-migrate-1"))
        job["metadata"]["name"] = "lectern-migrate"
        made["Job", "lectern-migrate"] = job
        for _, template in ((who, thing["spec"]["template"]) for who, thing in made.items() if who[0] in ("Deployment", "Job")):
            template["metadata"].pop("annotations", None)
            (container,) = template["spec"]["containers"]
            self.assertEqual(container.pop("imagePullPolicy"), "IfNotPresent")
            self.assertEqual(container["image"], f"ghcr.io/lectern/lectern:{version()}")
            container["image"] = "lectern"
        self.assertEqual(set(made), set(base))
        for who, thing in base.items():
            with self.subTest(who):
                self.assertEqual(made[who], thing)

    def test_what_is_named_is_there(self):
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "lectern-secrets"}}
        self.assertEqual(complaints([*self.render(ingress={"enabled": True}), secret]), [])

    def test_a_setting_goes_to_the_processes_and_rolls_them(self):
        before, after = self.render(), self.render(settings={"LECTERN_HTTP__SHUTDOWN_SECONDS": 1500000, "LECTERN_LOG__FORMAT": "text"})
        data = by_key(after)["ConfigMap", "lectern-settings"]["data"]
        # Seen to fail without the conversion: Helm reads the number as 1.5e+06.
        self.assertEqual((data["LECTERN_HTTP__SHUTDOWN_SECONDS"], data["LECTERN_LOG__FORMAT"]), ("1500000", "text"))
        self.assertEqual(data["LECTERN_SPEECH__THREADS"], "2")
        for name in ("lectern-api", "lectern-worker"):
            annotations = [pods(things)[name]["metadata"]["annotations"] for things in (before, after)]
            self.assertNotEqual(*annotations, name)

    def test_counts_and_resources_are_the_values(self):
        made = by_key(self.render(autoscaling=False, networkPolicies=False, api={"minReplicas": 3, "resources": {"limits": {"memory": "2Gi"}}}))
        self.assertFalse({who for who in made if who[0] in ("HorizontalPodAutoscaler", "NetworkPolicy")})
        self.assertEqual((made["Deployment", "lectern-api"]["spec"]["replicas"], made["Deployment", "lectern-worker"]["spec"]["replicas"]), (3, 2))
        (container,) = made["Deployment", "lectern-api"]["spec"]["template"]["spec"]["containers"]
        self.assertEqual(container["resources"], {"limits": {"memory": "2Gi"}})

    def test_image_secret_and_ingress_are_the_values(self):
        made = self.render(image={"tag": "1-bare", "pullSecrets": ["mine"]}, existingSecret="ours", ingress={"enabled": True, "host": "a.example"})
        for name, template in pods(made).items():
            (container,) = template["spec"]["containers"]
            self.assertEqual(container["image"], "ghcr.io/lectern/lectern:1-bare", name)
            self.assertIn({"secretRef": {"name": "ours"}}, container["envFrom"])
            self.assertEqual(template["spec"]["imagePullSecrets"], [{"name": "mine"}])
        self.assertEqual(by_key(made)["Ingress", "lectern"]["spec"]["rules"][0]["host"], "a.example")

    def test_wrong_values_are_refused(self):
        for values in ({"image": {"tagg": "1"}}, {"api": {"minReplicas": 0}}, {"settings": {"lectern": "x"}}, {"replicas": 2}):
            with self.subTest(values), self.assertRaises(RuntimeError):
                self.render(**values)


if __name__ == "__main__":
    unittest.main()
