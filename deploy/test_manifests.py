"""Manifests, compose file and units: names that are named exist, settings are settings of Lectern, containers are confined."""

import copy
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import yaml

DEPLOY = Path(__file__).resolve().parent
TOP = DEPLOY.parent
KUBERNETES = DEPLOY / "kubernetes"


def settings():
    """Every variable that Lectern reads: from config/lectern.toml, which lists each key."""
    names, section = set(), ""
    for line in (TOP / "config/lectern.toml").read_text().splitlines():
        if found := re.fullmatch(r"\[(\w+)\]", line):
            section = found[1].upper() + "__"
        elif found := re.match(r"(\w+) = ", line):
            names.add(f"LECTERN_{section}{found[1].upper()}")
    return names


def unknown_settings(text):
    return sorted(set(re.findall(r"\bLECTERN_[A-Z0-9_]+", text)) - settings())


def kustomized(folder):
    """What a kustomization makes, as far as ours use the tool: resources, labels aside, and patches of maps."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    found = []
    for name in kustomization["resources"]:
        path = (folder / name).resolve()
        found += kustomized(path) if path.is_dir() else list(yaml.safe_load_all(path.read_text()))
    for secret in kustomization.get("secretGenerator", []):
        found.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": secret["name"]}})
    for patch in kustomization.get("patches", []):
        wanted = yaml.safe_load((folder / patch["path"]).read_text())
        target = next(one for one in found if key(one) == key(wanted))
        target["data"].update(wanted["data"])
    return found


def key(thing):
    return thing["kind"], thing["metadata"]["name"]


def thing_stays(who):
    """Whether it runs until it is told to end."""
    return who[0] == "Deployment"


def pod_specs(things):
    for thing in things:
        if thing["kind"] in ("Deployment", "Job"):
            yield key(thing), thing["spec"]["template"]


def complaints(things):
    """What does not hold together, in sentences."""
    there = {key(thing) for thing in things}
    said = []

    def needs(who, kind, name):
        if (kind, name) not in there:
            said.append(f"{who} names {kind} {name}, which is not there")

    templates = []
    for who, template in pod_specs(things):
        spec, labels = template["spec"], template["metadata"]["labels"]
        templates.append((labels, {port.get("name") for one in spec["containers"] for port in one.get("ports", [])}))
        if spec.get("serviceAccountName"):
            needs(who, "ServiceAccount", spec["serviceAccountName"])
        volumes = {volume["name"] for volume in spec.get("volumes", [])}
        security = spec.get("securityContext", {})
        if not security.get("runAsNonRoot") or security.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            said.append(f"{who} may run as root or with any system call")
        for container in spec["containers"]:
            for source in container.get("envFrom", []):
                for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
                    if field in source:
                        needs(who, kind, source[field]["name"])
            for mount in container.get("volumeMounts", []):
                if mount["name"] not in volumes:
                    said.append(f"{who} mounts {mount['name']}, which is no volume of it")
            confined = container.get("securityContext", {})
            if not confined.get("readOnlyRootFilesystem") or confined.get("allowPrivilegeEscalation") is not False:
                said.append(f"{who} may write to its root file system or gain rights")
            if confined.get("capabilities") != {"drop": ["ALL"]}:
                said.append(f"{who} keeps capabilities")
            if "memory" not in container.get("resources", {}).get("limits", {}):
                said.append(f"{who} has no limit of memory")
            ports = {port["name"] for port in container.get("ports", [])}
            if thing_stays(who) and not {"livenessProbe", "readinessProbe"} <= set(container):
                said.append(f"{who} is not asked how it is")
            for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
                asked = container.get(probe, {}).get("httpGet", {}).get("port")
                if asked and asked not in ports:
                    said.append(f"the {probe} of {who} asks port {asked}, which is none of its own")

    def selects(who, selector):
        if not any(selector.items() <= labels.items() for labels, _ in templates):
            said.append(f"{who} selects no pod")

    for thing in things:
        who, spec = key(thing), thing.get("spec", {})
        if thing["kind"] in ("Deployment", "PodDisruptionBudget"):
            selects(who, spec["selector"]["matchLabels"])
        if thing["kind"] == "NetworkPolicy" and "matchLabels" in spec["podSelector"]:
            selects(who, spec["podSelector"]["matchLabels"])
        if thing["kind"] == "Service":
            selects(who, spec["selector"])
            for port in spec["ports"]:
                if not any(spec["selector"].items() <= labels.items() and port["targetPort"] in ports for labels, ports in templates):
                    said.append(f"{who} leads to port {port['targetPort']}, which its pods do not have")
        if thing["kind"] == "HorizontalPodAutoscaler":
            needs(who, spec["scaleTargetRef"]["kind"], spec["scaleTargetRef"]["name"])
        if thing["kind"] == "Ingress":
            for rule in spec["rules"]:
                for path in rule["http"]["paths"]:
                    needs(who, "Service", path["backend"]["service"]["name"])
    return said


class Kubernetes(unittest.TestCase):
    def setUp(self):
        self.things = kustomized(KUBERNETES / "overlays/example")

    def test_what_is_named_is_there_and_containers_are_confined(self):
        self.assertEqual(complaints(self.things), [])

    def test_each_fault_is_found(self):
        # The control of the test above: it must speak up at each of these.
        def deployment(things):
            return next(thing for thing in things if key(thing) == ("Deployment", "lectern-api"))["spec"]["template"]

        def pod(things):
            return deployment(things)["spec"]

        def worker(things):
            found = next(thing for thing in things if key(thing) == ("Deployment", "lectern-worker"))
            return found["spec"]["template"]["spec"]["containers"][0]

        faults = {
            "which is not there": lambda things: pod(things).update(serviceAccountName="nobody"),
            "as root": lambda things: pod(things)["securityContext"].pop("runAsNonRoot"),
            "write to its root": lambda things: pod(things)["containers"][0]["securityContext"].pop("readOnlyRootFilesystem"),
            "keeps capabilities": lambda things: pod(things)["containers"][0]["securityContext"].pop("capabilities"),
            "no limit of memory": lambda things: pod(things)["containers"][0]["resources"].pop("limits"),
            "not asked how it is": lambda things: worker(things).pop("livenessProbe"),
            "none of its own": lambda things: pod(things)["containers"][0]["livenessProbe"]["httpGet"].update(port="x"),
            "no volume of it": lambda things: pod(things)["volumes"].clear(),
            "selects no pod": lambda things: deployment(things)["metadata"]["labels"].clear(),
            "names Secret lectern-secrets": lambda things: things.remove(
                next(thing for thing in things if thing["kind"] == "Secret")
            ),
        }
        for words, fault in faults.items():
            things = copy.deepcopy(self.things)
            fault(things)
            with self.subTest(words):
                self.assertTrue(any(words in said for said in complaints(things)), complaints(things))

    def test_every_setting_is_one_of_lectern(self):
        self.assertIn("LECTERN_DATA_DIR", settings())
        self.assertEqual(unknown_settings("LECTERN_HTTP__LISTEM=1"), ["LECTERN_HTTP__LISTEM"])
        files = [*KUBERNETES.rglob("*.yaml"), *KUBERNETES.rglob("*.example"), *(DEPLOY / "systemd").iterdir()]
        for path in [*files, DEPLOY / "compose.yaml", DEPLOY / "Dockerfile", TOP / "docs/OPERATIONS.md"]:
            with self.subTest(path.name):
                self.assertEqual(unknown_settings(path.read_text()), [])

    def test_two_of_each_and_a_budget_for_each(self):
        counts = {key(thing)[1]: thing["spec"]["minReplicas"] for thing in self.things if thing["kind"] == "HorizontalPodAutoscaler"}
        self.assertEqual(counts, {"lectern-api": 2, "lectern-worker": 2})
        budgets = {key(thing)[1] for thing in self.things if thing["kind"] == "PodDisruptionBudget"}
        self.assertEqual(budgets, {"lectern-api", "lectern-worker"})

    def test_kubernetes_own_schemas_hold_where_the_package_is(self):
        try:
            import kubernetes_validate
        except ImportError:
            self.skipTest("the package kubernetes-validate is not here; deploy/check says so as well")
        for thing in self.things:
            with self.subTest(key(thing)):
                kubernetes_validate.validate(thing, "1.30", strict=True)


class Compose(unittest.TestCase):
    def setUp(self):
        self.services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]

    def test_two_api_processes_two_workers_and_all_they_lean_on(self):
        commands = [service.get("command", [None])[0] for service in self.services.values()]
        self.assertEqual((commands.count("serve"), commands.count("worker"), commands.count("migrate")), (2, 2, 1))
        self.assertLessEqual({"postgres", "nats", "redis", "s3"}, set(self.services))

    def test_our_processes_are_asked_how_they_are_and_have_time_to_end(self):
        # Seen to fail with `healthcheck: {disable: true}` at the workers.
        for name, service in self.services.items():
            if service.get("command", [None])[0] in ("serve", "worker"):
                self.assertIn("/usr/bin/lectern", service["healthcheck"].get("test", []), name)
                self.assertGreaterEqual(int(service["stop_grace_period"].removesuffix("s")), 20, name)

    def test_the_queue_takes_the_password_that_is_made(self):
        program = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            self.skipTest("nats-server is not here; deploy/check says so as well")
        wrap = self.services["nats"]["environment"]["NATS_PASSWORD"]
        self.assertRegex(wrap, r'^"\$\{NATS_PASSWORD:\?[^}]*\}"$')

        def taken(password):
            command = [program, "-t", "-c", DEPLOY / "nats.conf"]
            return subprocess.run(command, env={"NATS_PASSWORD": password}, capture_output=True).returncode == 0

        # A word of digits with an e in it is what the quotes are for.
        self.assertTrue(taken('"12e5"'))
        self.assertFalse(taken("12e5"), "the quotes are needed no more")

    def test_our_containers_are_confined_and_publish_nothing(self):
        for name, service in self.services.items():
            if service["image"] == "lectern:local":
                self.assertTrue(service["read_only"] and service["cap_drop"] == ["ALL"], name)
                self.assertEqual(service["user"], "65532:65532", name)
                self.assertNotIn("ports", service, name)

    def test_images_are_pinned_and_what_is_waited_for_is_there(self):
        for name, service in self.services.items():
            self.assertRegex(service["image"], r":[\w.-]+$", name)
            self.assertNotIn(":latest", service["image"])
            self.assertLessEqual(set(service.get("depends_on", {})), set(self.services), name)
            for other, condition in service.get("depends_on", {}).items():
                if condition["condition"] == "service_healthy":
                    self.assertIn("test", self.services[other].get("healthcheck", {}), f"{name} waits for {other}")


class Units(unittest.TestCase):
    def test_every_unit_is_confined_alike(self):
        wanted = {"NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=", "SystemCallFilter=@system-service",
                  "RestartPreventExitStatus=78 2", "MemoryDenyWriteExecute=yes"}
        for path in (DEPLOY / "systemd").iterdir():
            self.assertLessEqual(wanted, set(path.read_text().splitlines()), path.name)


if __name__ == "__main__":
    unittest.main()
