"""The processes that measure and judge recordings, each in the environment of `bench/setup judges`."""

import json
import subprocess
import sys

from harness import BENCH, python


class Judge:
    """One of `bench/judges`: a line in, a line out. It starts when it is asked first."""

    def __init__(self, name):
        self.name, self.process = name, None

    def ask(self, **question):
        if not self.process:
            command = [python("judges"), str(BENCH / "judges" / f"{self.name}.py")]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps({key: str(value) if key in ("wav", "raw") else value for key, value in question.items()}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"error: {self.name}.py ended early")
        return json.loads(line)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(60)


class Judges:
    def __init__(self):
        self.speech, self.pitch, self.limiter = Judge("judge"), Judge("pitch"), Judge("limiter")

    def close(self):
        for judge in (self.speech, self.pitch, self.limiter):
            judge.close()


def error_rate(verdicts):
    return 100 * sum(verdict["errors"] for verdict in verdicts) / sum(verdict["words"] for verdict in verdicts)


def mean(verdicts, key):
    return sum(verdict[key] for verdict in verdicts) / len(verdicts)
