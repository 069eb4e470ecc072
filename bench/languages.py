"""How well Kokoro's voices say each language: `bench/quality --language all` runs it.

The lines of bench/texts/languages/LANGUAGE.txt are read by our front end, spoken by one voice, and heard by a multilingual
recognizer (Whisper small, 8-bit). The phonemes are held against misaki's, in the same environment: `bench/setup languages`.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import BENCH, ONE_THREAD, table

VOICES = {
    "es": ("es-ES", "ef_dora"),
    "fr": ("fr-FR", "ff_siwis"),
    "it": ("it-IT", "if_sara"),
    "pt": ("pt-BR", "pf_dora"),
    "ja": ("ja-JP", "jf_alpha"),
    "zh": ("zh-CN", "zf_xiaobei"),
    "hi": ("hi-IN", "hf_alpha"),
}
ABSENT = 3


def lines(language, held_out):
    folder = BENCH / "texts/languages"
    path = (folder / "held-out" if held_out else folder) / f"{language}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def said(binary, language, voice, texts, wavs):
    """What the front end makes of each line, and its recording. None when there is no such language or voice yet."""
    tag, usual = VOICES[language]
    command = [binary, "--language", tag]
    if wavs:
        command += ["--voice", voice or usual, "--wavs", str(wavs)]
    if folder := os.environ.get("LECTERN_VOICES"):
        command += ["--voices", folder]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    if done.returncode == ABSENT:
        print(f"{language} is left out: {done.stderr.strip()}", file=sys.stderr)
        return None
    if done.returncode:
        sys.exit(f"error: {language}: {done.stderr[-500:]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for number, (line, text) in enumerate(zip(found, texts)):
        line["text"] = text
        if wavs:
            line["wav"] = str(wavs / f"{number}.wav")
    return found


def percent(errors, count):
    return f"{100 * errors / count:.1f}" if count else ""


def row(language, voice, texts, spoken, verdict):
    """One row of the table."""
    read_s = sum(line["read_s"] for line in spoken)
    say_s = sum(line.get("say_s", 0) for line in spoken)
    heard = "units" in verdict
    return [
        language,
        voice,
        len(texts),
        verdict["units"] if heard else "",
        percent(verdict["errors"], verdict["units"]) if heard else "",
        percent(verdict["reading_errors"], verdict["readings"]) if "readings" in verdict else "",
        percent(verdict["phoneme_errors"], verdict["phonemes"]),
        f"{100 * read_s / say_s:.2f}" if say_s else "",
        f"{max(spoken[-1]['resident_kib'] - spoken[0]['before_kib'], 0) / 1024:.1f}" if not say_s else "",
    ]


def show(language, spoken, verdict):
    """Every difference, for people."""
    for part in verdict.get("parts", []):
        if part["errors"] or part.get("reading_errors"):
            readings = f", {part['reading_errors']} of reading" if "reading_errors" in part else ""
            print(f"\n{language}: {part['errors']} errors{readings}\n  {part['text']}\n  {part['heard']}")
            print("  " + "  ".join(part["differences"]))
    for line, other in zip(spoken, verdict["lines"]):
        if other["phoneme_errors"]:
            print(f"\n{language}: {other['phoneme_errors']} phonemes\n  {line['spoken']}\n  {line['phonemes']}\n  {other['theirs']}")
            print("  " + "  ".join(other["differences"]))


def main(wanted, *, voice, held_out, joined, mute, show_words):
    """`wanted`: names of languages with commas between, or "all"."""
    names = list(VOICES) if wanted == "all" else wanted.split(",")
    if unknown := set(names) - set(VOICES):
        sys.exit(f"error: no texts in {', '.join(sorted(unknown))}; there are {', '.join(VOICES)}")
    binary = harness.built("examples/languages", "-p", "lectern-speech", "--example", "languages")
    judge = subprocess.Popen(
        [harness.python("languages"), str(BENCH / "judges/languages.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    rows = []
    for language in names:
        texts = lines(language, held_out)
        if not texts:
            print(f"{language} is left out: it has no such lines", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            spoken = said(binary, language, voice, texts, None if mute else Path(folder))
            if spoken is None:
                continue
            judge.stdin.write(json.dumps({"language": language, "lines": spoken, "joined": joined}) + "\n")
            judge.stdin.flush()
            answer = judge.stdout.readline()
            if not answer:
                sys.exit("error: the judge ended early")
        verdict = json.loads(answer)
        rows.append(row(language, voice or VOICES[language][1], texts, spoken, verdict))
        print(f"judged {rows[-1]}", file=sys.stderr, flush=True)
        if show_words:
            show(language, spoken, verdict)
    judge.stdin.close()
    judge.wait(60)
    how = "in stretches of 28 s" if joined else "sentence by sentence"
    table(
        f"Languages, {'held-out lines' if held_out else 'lines'} heard {how} (words, in ja and zh characters; reading: kana of ja, pinyin of zh)",
        ["", "voice", "lines", "words", "WER %", "reading %", "phonemes %", "front end, % of speaking", "memory, MB"],
        rows,
    )
