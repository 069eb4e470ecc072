"""Manifests, compose file and units: names that are named exist, settings are settings of Lectern, containers are confined."""

import copy
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
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
    for made in kustomization.get("configMapGenerator", []):
        lines = [line for path in made["envs"] for line in (folder / path).read_text().splitlines()]
        data = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": made["name"]}, "data": data})
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
        files = [*KUBERNETES.rglob("*.yaml"), *KUBERNETES.rglob("*.example"), *KUBERNETES.rglob("settings.env"), *(DEPLOY / "systemd").iterdir()]
        pages = sorted((TOP / "docs/operations").glob("*.md"))
        self.assertEqual(len(pages), 5)
        for path in [*files, DEPLOY / "compose.yaml", DEPLOY / "Dockerfile", *pages]:
            with self.subTest(path.name):
                self.assertEqual(unknown_settings(path.read_text()), [])

    def test_two_of_each_and_a_budget_for_each(self):
        counts = {key(thing)[1]: thing["spec"]["minReplicas"] for thing in self.things if thing["kind"] == "HorizontalPodAutoscaler"}
        self.assertEqual(counts, {"lectern-api": 2, "lectern-worker": 2})
        budgets = {key(thing)[1] for thing in self.things if thing["kind"] == "PodDisruptionBudget"}
        self.assertEqual(budgets, {"lectern-api", "lectern-worker"})

    def test_every_apply_that_changes_a_setting_rolls_the_pods(self):
        # Seen to fail with the settings as a resource of their own: kustomize then leaves their name as it is.
        program = shutil.which("kubectl")
        if program is None:
            self.skipTest("kubectl is not here; deploy/check says so as well")
        with tempfile.TemporaryDirectory() as folder:
            copied = shutil.copytree(KUBERNETES, Path(folder, "kubernetes")) / "overlays/example"
            shutil.copy(copied / "secrets.env.example", copied / "secrets.env")

            def built():
                made = subprocess.run([program, "kustomize", copied], capture_output=True, text=True, check=True)
                return list(yaml.safe_load_all(made.stdout))

            before = built()
            self.assertEqual({thing["kind"] for thing in before}, {thing["kind"] for thing in self.things} | {"Secret"})
            settings_file = copied / "settings.yaml"
            settings_file.write_text(settings_file.read_text().replace("speech.example.com", "speech.example.org"))
            after = built()

        def read_from(things):
            found = [source for _, template in pod_specs(things) for source in template["spec"]["containers"][0]["envFrom"]]
            return {source[field]["name"] for source in found for field in source}

        there = {thing["metadata"]["name"] for thing in before if thing["kind"] in ("ConfigMap", "Secret")}
        self.assertEqual(read_from(before), there)
        self.assertEqual(len(read_from(before) & read_from(after)), 1, "the secrets stay, the settings get another name")

    def test_a_process_speaks_on_as_many_cores_as_it_asks_for(self):
        # Seen to fail without LECTERN_SPEECH__THREADS, and with 3 of it.
        data = next(thing for thing in self.things if key(thing) == ("ConfigMap", "lectern-settings"))["data"]
        for who, template in pod_specs(self.things):
            if thing_stays(who):
                asked = template["spec"]["containers"][0]["resources"]["requests"]["cpu"]
                self.assertEqual(asked, data.get("LECTERN_SPEECH__THREADS"), who)

    def test_a_worker_has_the_memory_that_its_readers_may_take(self):
        # Seen to fail with the 2Gi that there were.
        limits = tomllib.loads((TOP / "config/lectern.toml").read_text())["limits"]
        source = (TOP / "crates/service/src/services/materials/document_reader.rs").read_text()
        program = int(re.search(r"const PROGRAM_BYTES: u64 = (\d+) << 20;", source)[1]) << 20
        readers = int(re.search(r"const EXTRACTIONS: usize = (\d+);", (TOP / "crates/service/src/workers/jobs/slots.rs").read_text())[1])
        worker = next(template for who, template in pod_specs(self.things) if who == ("Deployment", "lectern-worker"))
        limit = worker["spec"]["containers"][0]["resources"]["limits"]["memory"]
        self.assertGreaterEqual(int(limit.removesuffix("Gi")) << 30, readers * (limits["extraction_memory_bytes"] + program) + 300 * 10**6)

    def test_an_api_process_leaves_before_it_ends_and_answers_while_the_storage_is_away(self):
        # Seen to fail without `preStop`, with 40 s of grace, and with /readyz as the readiness.
        spec = next(template for who, template in pod_specs(self.things) if who == ("Deployment", "lectern-api"))["spec"]
        container = spec["containers"][0]
        data = next(thing for thing in self.things if key(thing) == ("ConfigMap", "lectern-settings"))["data"]
        sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        self.assertGreaterEqual(sleep, 5)
        # Eight seconds after http.shutdown_seconds it ends by itself, whatever hangs.
        self.assertGreater(spec["terminationGracePeriodSeconds"], sleep + int(data["LECTERN_HTTP__SHUTDOWN_SECONDS"]) + 8)
        asked = [container[probe]["httpGet"]["path"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")]
        self.assertEqual(asked, ["/readyz", "/healthz", "/healthz"])

    def test_the_ingress_lets_the_largest_upload_and_a_silent_stream_pass(self):
        # Seen to fail without `proxy-body-size`.
        ingress = next(thing for thing in self.things if thing["kind"] == "Ingress")
        said = {name.rpartition("/")[2]: value for name, value in ingress["metadata"].get("annotations", {}).items()}
        largest = tomllib.loads((TOP / "config/lectern.toml").read_text())["limits"]["file_bytes"]
        self.assertGreater(int(said.get("proxy-body-size", "0m").removesuffix("m")) << 20, largest)
        self.assertGreaterEqual(int(said["proxy-read-timeout"]), 120)
        self.assertEqual(said["proxy-request-buffering"], "off")

    def test_the_page_says_which_namespaces_the_policies_want_labelled(self):
        # Seen to fail with the line of the monitoring namespace taken out.
        page = (KUBERNETES / "README.md").read_text()
        for thing in self.things:
            for rule in thing["spec"].get("ingress", []) if thing["kind"] == "NetworkPolicy" else []:
                for (label, value), in (one["namespaceSelector"]["matchLabels"].items() for one in rule["from"]):
                    self.assertRegex(page, rf"kubectl label namespace \S+ {re.escape(label)}={value}")

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

    def test_mails_are_kept_where_somebody_can_read_them(self):
        # Seen to fail with the mails below /var/lib/lectern, a tmpfs of each process's own.
        ours = [service for service in self.services.values() if service["image"] == "lectern:local"]
        for service in [*ours, self.services["mails"]]:
            self.assertRegex(service["volumes"][0], r"^outbox:/outbox(:ro)?$")
        self.assertEqual({service["environment"]["LECTERN_MAIL__URL"] for service in ours}, {"file:///outbox"})
        self.assertIn("outbox", self.services["api-1"]["depends_on"], "a new volume is root's")

    def test_the_bucket_is_there_when_its_job_has_ended_well(self):
        # Seen to fail without the second look: weed's shell always ends with 0.
        self.assertIn(":8333/", self.services["s3"]["healthcheck"]["test"][1])
        command = self.services["bucket"]["command"][0].replace("$$", "$")
        with tempfile.TemporaryDirectory() as folder:
            weed, made, deaf = (Path(folder, name) for name in ("weed", "made", "deaf"))
            weed.write_text(
                f"""#!/bin/sh
                case "$(cat)" in
                s3.bucket.list) printf '  lectern-of-others\\tsize:0\\n'; [ ! -e {made} ] || printf '  lectern\\tsize:0\\n' ;;
                s3.bucket.create*) [ -e {deaf} ] || echo >>{made} ;;
                esac
                """
            )
            weed.chmod(0o755)

            def ended():
                path = f"{folder}:{os.environ['PATH']}"
                return subprocess.run(["/bin/sh", "-ec", command], env=os.environ | {"PATH": path}, capture_output=True).returncode

            deaf.touch()
            self.assertNotEqual(ended(), 0, "nobody made it")
            deaf.unlink()
            self.assertEqual(ended(), 0)
            self.assertEqual(ended(), 0)
            self.assertEqual(made.read_text(), "\n", "one that is there is made anew")

    def test_images_are_pinned_and_what_is_waited_for_is_there(self):
        for name, service in self.services.items():
            self.assertRegex(service["image"], r":[\w.-]+$", name)
            self.assertNotIn(":latest", service["image"])
            self.assertLessEqual(set(service.get("depends_on", {})), set(self.services), name)
            for other, condition in service.get("depends_on", {}).items():
                if condition["condition"] == "service_healthy":
                    self.assertIn("test", self.services[other].get("healthcheck", {}), f"{name} waits for {other}")


class Proxy(unittest.TestCase):
    def test_who_lives_is_asked_when_nobody_is_ready(self):
        # Seen to fail without the line `use_backend`, and with /readyz in both.
        parts, section = {}, None
        for line in (DEPLOY / "haproxy.cfg").read_text().splitlines():
            if re.match(r"\w", line):
                section = parts.setdefault(line, [])
            elif line.strip() and not line.strip().startswith("#"):
                section.append(line.strip())
        self.assertIn("use_backend alive if { nbsrv(api) eq 0 }", parts["frontend public"])
        self.assertIn("default_backend api", parts["frontend public"])
        ready, alive = parts["backend api"], parts["backend alive"]
        self.assertIn("option httpchk GET /readyz", ready)
        self.assertEqual(alive, [line.replace("/readyz", "/healthz") for line in ready])


class Units(unittest.TestCase):
    def test_every_unit_is_confined_alike(self):
        wanted = {"NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=", "SystemCallFilter=@system-service",
                  "RestartPreventExitStatus=78 2", "MemoryDenyWriteExecute=yes"}
        for path in (DEPLOY / "systemd").iterdir():
            self.assertLessEqual(wanted, set(path.read_text().splitlines()), path.name)

    def test_no_number_of_failed_starts_keeps_a_process_down(self):
        # Seen to fail with a limit of 20 starts in 120 s: a storage that was away for a minute had every unit given up for good.
        for path in (DEPLOY / "systemd").iterdir():
            lines = path.read_text().splitlines()
            self.assertIn("StartLimitIntervalSec=0", lines, path.name)
            self.assertEqual([line for line in lines if line.startswith("StartLimitBurst")], [], path.name)
            self.assertIn("Restart=on-failure", lines, path.name)

    def test_the_operators_commands_go_by_the_processes_settings(self):
        # Seen to fail with LECTERN_DATA_DIR taken out of the wrapper, and with another name of the deployment.
        document = (TOP / "docs/operations/install.md").read_text().split("### The operator's commands\n")[1]
        systemd, kubernetes, compose = re.findall(r"^lectern\(\) \{(.*?)\}$", document.split("```\n")[0].replace("\\\n", ""), re.DOTALL | re.MULTILINE)
        unit = (DEPLOY / "systemd/lectern.service").read_text()
        of = lambda name: re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE)
        program = of("ExecStart")[0].removesuffix(" serve")
        wanted = {f"--uid={of('User')[0]}", f"--gid={of('Group')[0]}", f"--property=EnvironmentFile={of('EnvironmentFile')[0]}",
                  f"--property=UMask={of('UMask')[0]}", f"--property=StateDirectory={of('StateDirectory')[0]}"}
        # How logs look is the terminal's affair.
        wanted |= {f"--setenv={one}" for one in of("Environment")[0].split() if not one.startswith("LECTERN_LOG__")}
        self.assertEqual(sorted(wanted - set(systemd.split())), [])
        self.assertTrue(systemd.strip().endswith(f'{program} "$@"'), systemd)
        api = next(thing for thing in yaml.safe_load_all((KUBERNETES / "base/api.yaml").read_text()) if thing["kind"] == "Deployment")
        entry = re.search(r'^ENTRYPOINT \["(.*)"\]$', (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)[1]
        namespace = yaml.safe_load((KUBERNETES / "base/kustomization.yaml").read_text())["namespace"]
        self.assertIn(f"kubectl -n {namespace} exec -i deploy/{api['metadata']['name']} -- {entry} ", kubernetes)
        self.assertIn("deploy/compose.yaml run --rm admin ", compose)
        self.assertIn("admin", yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"])


if __name__ == "__main__":
    unittest.main()
