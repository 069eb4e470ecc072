"""The Helm chart: the manifests of deploy/kubernetes, with values put in where installations differ.

The manifests stay what is read, validated and tested. Each replacement below names how often it applies, so that a manifest
that changed makes no chart instead of a wrong one.
"""

import shutil
import tarfile

from archive import anonymous
from targets import TOP, PackagingError, version

BASE = TOP / "deploy/kubernetes/base"
SOURCES = TOP / "packaging/helm"

IMAGE = """image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          imagePullPolicy: {{ .Values.image.pullPolicy }}"""
PULL = """securityContext:
        runAsNonRoot: true"""
PULL_SECRETS = """{{- with .Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - {name: {{ . | quote }}}
        {{- end }}
      {{- end }}
      """
POD = """    metadata:
      labels: {app.kubernetes.io/name: lectern, app.kubernetes.io/component: %s}
"""
# A change of the settings rolls the pods, as the hash in kustomize's name of the ConfigMap does.
CHECKSUM = '      annotations: {lectern.example/settings: {{ include "lectern.settings" . | sha256sum | quote }}}\n'
SECRET = "secretRef: {name: lectern-secrets}"
COUNT = "  # The autoscaler owns the count.\n"


def resources(process):
    """Resources of the manifest, unless the values name others."""

    def put(found):
        lines = found.splitlines()
        return f"{{{{- with .Values.{process}.resources }}}}\n          resources:\n            {{{{- toYaml . | nindent 12 }}}}\n          {{{{- else }}}}\n" + "\n".join(lines) + "\n          {{- end }}\n"

    return put


def replace(text, old, new, count, where):
    if text.count(old) != count:
        raise PackagingError(f"deploy/kubernetes/base/{where} has {old!r} {text.count(old)} times, not {count} times: packaging/chart.py must follow")
    return text.replace(old, new)


def workload(name, text, process):
    text = replace(text, "image: lectern\n", f"{IMAGE}\n", 1, name)
    text = replace(text, SECRET, "secretRef: {name: {{ .Values.existingSecret | quote }}}", 1, name)
    text = replace(text, PULL, PULL_SECRETS + PULL, 1, name)
    if process is None:
        # A Job cannot be changed, so each revision has one of its own.
        return replace(text, "name: lectern-migrate\n", "name: lectern-migrate-{{ .Release.Revision }}\n", 1, name)
    text = replace(text, POD % process, POD % process + CHECKSUM, 1, name)
    text = replace(text, COUNT, "  {{- if not .Values.autoscaling }}\n  replicas: {{ .Values.%s.minReplicas }}\n  {{- end }}\n" % process, 1, name)
    start = text.index("          resources:\n")
    end = text.index("          volumeMounts:\n")
    return text[:start] + "          " + resources(process)(text[start:end]) + text[end:]


def scaling(name, text):
    for process, document in zip(("worker", "api"), text.split("---\n"), strict=True):
        found = replace(document, "minReplicas: 2", "minReplicas: {{ .Values.%s.minReplicas }}" % process, 1, name)
        found = replace(found, "maxReplicas: 40", "maxReplicas: {{ .Values.%s.maxReplicas }}" % process, 1, name)
        text = text.replace(document, found)
    return "{{- if .Values.autoscaling }}\n" + text + "{{- end }}\n"


def template(name):
    text = (BASE / name).read_text()
    if name in ("api.yaml", "worker.yaml"):
        return workload(name, text, name.removesuffix(".yaml"))
    if name == "migrate.yaml":
        return workload(name, text, None)
    if name == "scaling.yaml":
        return scaling(name, text)
    if name == "network.yaml":
        return "{{- if .Values.networkPolicies }}\n" + text + "{{- end }}\n"
    return text


def lay_out(folder):
    """The chart as a folder."""
    shutil.copytree(SOURCES, folder)
    described = (folder / "Chart.yaml").read_text()
    (folder / "Chart.yaml").write_text(described.replace("ersion: 0.0.0", f"ersion: {version()}"))
    shutil.copy(BASE / "settings.env", folder)
    shutil.copy(TOP / "LICENSE", folder)
    for name in ("api.yaml", "worker.yaml", "migrate.yaml", "scaling.yaml", "disruption.yaml", "network.yaml"):
        (folder / "templates" / name).write_text(template(name))
    return folder


def pack(work, out):
    folder = lay_out(work / "lectern")
    path = out / f"lectern-chart-{version()}.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for file in sorted(folder.rglob("*")):
            archive.add(file, f"lectern/{file.relative_to(folder)}", recursive=False, filter=anonymous)
    return path
