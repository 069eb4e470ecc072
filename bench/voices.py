"""Judges Kokoro's voices, each on five paragraphs of its language, in Lectern's engine and, for some, in ONNX Runtime.

`bench/quality --voices all` runs it. Both engines say the same phonemes, so what differs is the network alone.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import BENCH, ONE_THREAD, table

# One voice of each language and gender also speaks on ONNX Runtime.
COMPARED = ("af_heart", "am_michael", "bf_emma", "bm_george", "ef_dora")
LANGUAGES = {"a": "en", "b": "en", "e": "es", "f": "fr", "i": "it", "p": "pt"}


def paragraphs(language):
    return [path.read_text(encoding="utf-8").strip() for path in sorted((BENCH / "texts/voices" / language).glob("*.txt"))]


def run(command, given=None):
    done = subprocess.run(command, input=given, capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    if done.returncode:
        sys.exit(f"error: {' '.join(command[:2])}: {done.stderr[-500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def record(binary, voices, voice, folder, compared):
    """The recordings of a voice: {engine: [(path, text, language)]}."""
    language = LANGUAGES[voice[0]]
    found = {"Lectern": []} | ({"ONNX Runtime": []} if compared else {})
    for number, text in enumerate(paragraphs(language)):
        own = folder / f"{voice}-{number}.wav"
        said = run([binary, "--voices", str(voices), "--voice", voice, "--wav", str(own), text])
        found["Lectern"].append((own, text, language))
        if compared:
            peer = folder / f"{voice}-{number}-ort.wav"
            script = [harness.python("hibari"), str(BENCH / "peers/kokoro_ort_peer.py"), harness.kokoro_model()]
            run([*script, str(voices / "kokoro/voices.bin"), str(said["index"]), "1", "1", str(peer)], json.dumps(said["ids"]))
            found["ONNX Runtime"].append((peer, text, language))
    return found


def judged(recordings):
    judge = subprocess.Popen(
        [harness.python("judges"), str(BENCH / "judges/judge.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    verdicts = []
    for path, text, language in recordings:
        judge.stdin.write(json.dumps({"wav": str(path), "text": text, "language": language}) + "\n")
        judge.stdin.flush()
        line = judge.stdout.readline()
        if not line:
            sys.exit("error: the judges ended early")
        verdicts.append(json.loads(line))
    judge.stdin.close()
    judge.wait(60)
    return verdicts


def main(wanted, figures, show_words):
    """`wanted`: names of voices, or "all". `figures` makes word error rate and ratings of verdicts."""
    binary = harness.built("examples/kokoro", "-p", "lectern-speech", "--example", "kokoro")
    voices = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share", "lectern/voices")
    listed = subprocess.run([binary, "--list"], capture_output=True, text=True, check=True).stdout.split()
    names = listed if wanted == "all" else wanted.split(",")
    if unknown := set(names) - set(listed):
        sys.exit(f"error: Kokoro has no voice {', '.join(sorted(unknown))}")
    rows, languages = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for engine, recordings in record(binary, voices, name, Path(folder), name in COMPARED).items():
                verdicts = judged(recordings)
                rows.append([name, engine, *(f"{value:.2f}" for value in figures(verdicts))])
                if engine == "Lectern":
                    languages.setdefault(name[0], []).extend(verdicts)
                print(f"judged {rows[-1]}", file=sys.stderr, flush=True)
                for (_, text, _), verdict in zip(recordings, verdicts):
                    if show_words and verdict["errors"]:
                        print(f"\n{name}, {engine}: {verdict['errors']} of {verdict['words']}\n  {text}\n  {verdict['heard']}")
    for language, verdicts in languages.items():
        rows.append([f"all {language}*", "Lectern", *(f"{value:.2f}" for value in figures(verdicts))])
    table(
        "Kokoro's voices on five paragraphs of 20 sentences (word error rate: lower is better; the rest, 1 to 5: higher)",
        ["voice", "engine", "WER %", "DNSMOS P.808", "DNSMOS overall", "DistillMOS"],
        rows,
    )
