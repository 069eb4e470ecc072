"""Aligns recordings: reads lines {"wav", "words"} and prints, for each, [[start_s, end_s], …] of the words, or null.

PocketSphinx 5 with its own American English model. A word is what it was written as, in lower case; one that the model's
dictionary lacks, or that holds digits, makes the whole recording null, and so does one that it cannot align: nothing is guessed.
"""

import json
import re
import sys
import wave

import numpy
from pocketsphinx import Decoder
from scipy.signal import resample_poly

RATE = 16_000


def load(path):
    with wave.open(path) as file:
        rate = file.getframerate()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(numpy.float32)
    divisor = numpy.gcd(rate, RATE)
    samples = resample_poly(samples, RATE // divisor, rate // divisor)
    return (samples * (28_000 / numpy.abs(samples).max())).astype("<i2").tobytes()


def parts(word):
    return [part for part in (p.strip("'") for p in re.findall(r"[a-z']+", word.lower().replace("’", "'"))) if part]


def align(decoder, path, words):
    if any(re.search(r"\d", word) for word in words):
        return None
    spelled = [parts(word) for word in words]
    flat = [part for word in spelled for part in word]
    if any(decoder.lookup_word(part) is None for part in flat):
        return None
    decoder.set_align_text(" ".join(flat))
    decoder.start_utt()
    decoder.process_raw(load(path), full_utt=True)
    decoder.end_utt()
    found = [segment for segment in decoder.seg() or [] if not segment.word.startswith(("<", "[", "("))]
    if [re.sub(r"\(\d+\)$", "", segment.word) for segment in found] != flat:
        return None
    times, at = [], 0
    for word in spelled:
        own = found[at : at + len(word)]
        at += len(word)
        times.append([own[0].start_frame / 100, (own[-1].end_frame + 1) / 100] if own else None)
    return times


decoder = Decoder(samprate=RATE, loglevel="FATAL")
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(align(decoder, asked["wav"], asked["words"])), flush=True)
