"""Shared by the benchmarks: the texts, the protocol of peer processes, and tables. Standard library only.

A peer is a process that loads its voice, prints `{"ready": true}`, and then answers each line `{"text": …}` on standard
input with one line: seconds until the first sentence's samples (`first_s`), seconds until all (`total_s`), processor
seconds (`cpu_s`), `samples` and `rate`. With `{"wav": PATH}` it writes what it said, too. Each peer times itself, so
that pipes and JSON are not measured.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
TOP = BENCH.parent
VENV = BENCH / ".venv"

# Peers run on one thread, unless a row says otherwise.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def texts():
    """The paragraphs, in order: [(name, text)]."""
    return [(path.stem, path.read_text(encoding="utf-8").strip()) for path in sorted((BENCH / "texts").glob("*.txt"))]


def python(environment):
    interpreter = VENV / environment / "bin" / "python"
    if not interpreter.exists():
        sys.exit(f"error: {interpreter} is missing; run bench/setup first")
    return str(interpreter)


# Another profile of Cargo than `release` saves building time where speed is not what is measured. A folder of programs that
# were built before saves it all.
# Taken out: the service refuses settings that it does not know.
PROFILE = os.environ.pop("LECTERN_BENCH_PROFILE", "release")
BUILT = os.environ.pop("LECTERN_BENCH_BUILT", None)


def release_target():
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"],
        cwd=TOP, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return Path(json.loads(metadata.stdout)["target_directory"]) / PROFILE


def built(name, *build):
    """Builds a program, so that nothing stale is measured."""
    if BUILT:
        return str(Path(BUILT) / name)
    print(f"Building {name}", file=sys.stderr)
    subprocess.run(["cargo", "build", "--quiet", "--profile", PROFILE, "--locked", *build], cwd=TOP, check=True)
    return str(release_target() / name)


def lectern():
    return built("lectern", "-p", "lectern-server", "--bin", "lectern")


def lectern_peer():
    return built("examples/peer", "-p", "lectern-speech", "--example", "peer")


def kokoro_model():
    """Kokoro's network as published, in 32-bit floats: joined of the pack's pinned sources, once."""
    model = VENV / "kokoro-fp32.onnx"
    if model.exists():
        return str(model)
    sys.path.insert(0, str(TOP / "scripts"))
    import voice_pack

    manifest = voice_pack.read_manifest((TOP / "crates/speech/kokoro-pack.toml").read_text(encoding="utf-8"))
    (conversion,) = manifest["conversion"]
    pinned = {"name": conversion["of"], "bytes": conversion["bytes"], "sha256": conversion["sha256"]}
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        for source in {source["file"]: source for source, _ in voice_pack.members_of(manifest, pinned)}.values():
            print(f"Fetching {source['file']}", file=sys.stderr)
            voice_pack.fetch_once(source, Path(folder), voice_pack.download)
        voice_pack.unpack(manifest, pinned, Path(folder), Path(folder))
        os.replace(Path(folder) / pinned["name"], model)
    return str(model)


class Peer:
    """A peer's process."""

    def __init__(self, command, cpus, environment=ONE_THREAD):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", cpus, *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env={**os.environ, **environment},
        )  # fmt: skip
        self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"error: a peer ended early: {self.process.args}")
        return json.loads(line)

    def say(self, text, **more):
        self.process.stdin.write(json.dumps({"text": text, **more}) + "\n")
        self.process.stdin.flush()
        return self.read()

    def age(self):
        return time.perf_counter() - self.started

    def peak_bytes(self):
        return memory(self.process.pid, "VmHWM")

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)


def memory(pid, field):
    """`VmRSS` or `VmHWM` of a process, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def core_seconds(pid):
    """The processor seconds of a process, of its children, and of those children that it has seen end."""
    def fields(stat):
        return stat.read_text().rsplit(")", 1)[1].split()

    ticks = sum(map(int, fields(Path(f"/proc/{pid}/stat"))[11:15]))
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            found = fields(stat)
        except OSError:
            continue
        if int(found[1]) == pid:
            ticks += int(found[11]) + int(found[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(count):
    return f"{count / 1e6:.0f}"


def median(values):
    return statistics.median(values)


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"


def table(title, head, rows):
    """A Markdown table, padded so that it also reads well in a terminal."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    print(f"\n{title}\n")
    for number, row in enumerate(cells):
        padded = [cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        print("| " + " | ".join(padded) + " |")
        if number == 0:
            print("|" + "|".join(("-" * (w + 2)) if i == 0 else ("-" * (w + 1) + ":") for i, w in enumerate(widths)) + "|")
