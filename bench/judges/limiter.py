"""Measures what the limiter did: reads lines {"wav", "raw", "ceiling_db"} and prints figures for each.

`wav` is a recording as it is served, `raw` the same samples as the voice gives them, and `ceiling_db` the true peak that the
limiter keeps. Everything is counted in frames of 10 ms.

- `loudest`: frames whose loudest sample is within 0.1 dB of the loudest of the recording, the measure of ADR 33.
- `at_ceiling`: frames whose true peak is within 0.1 dB of the ceiling.
- `over_0`, `over_1`, `over_3`: frames that the limiter lowered by more than 0.1, 1 and 3 dB. The gain of a frame is its RMS
  against that of `raw`; where the limiter does nothing, all frames have the same. Only frames that sound are compared.
- `most_db`: the most that a frame was lowered.
"""

import json
import sys
import wave

import numpy
from scipy.signal import fftconvolve, resample_poly

CLOSE_DB = 0.1
# Frames fainter than this against the loudest are noise of 16 bits, or room tone.
SOUNDS_DB = 35


def load(path):
    with wave.open(path) as file:
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float) / 32768
        return samples, file.getframerate()


def frames(samples, length):
    return samples[: len(samples) // length * length].reshape(-1, length)


def db(values):
    return 20 * numpy.log10(numpy.maximum(values, 1e-9))


def rms(samples, length):
    return numpy.sqrt((frames(samples, length) ** 2).mean(axis=1))


def offset(samples, raw, rate):
    """Where `raw` begins in `samples`: files for ACX have room tone before the speech."""
    if len(samples) == len(raw):
        return 0
    step = rate // 1000
    envelope = [numpy.abs(frames(part, step)).mean(axis=1) for part in (samples, raw)]
    near = int(fftconvolve(envelope[0], envelope[1][::-1]).argmax()) - len(envelope[1]) + 1
    part = raw[: 20 * rate]
    ways = range(max(0, (near - 3) * step), (near + 4) * step)
    return max(ways, key=lambda at: float(samples[at : at + len(part)] @ part[: len(samples) - at]))


def measured(wav, raw_wav, ceiling_db):
    samples, rate = load(wav)
    raw, raw_rate = load(raw_wav)
    assert rate == raw_rate
    length = rate // 100
    peaks = numpy.abs(frames(samples, length)).max(axis=1)
    oversampled = resample_poly(samples, 8, 1)
    true_peaks = numpy.abs(frames(oversampled, 8 * length)).max(axis=1)
    at = offset(samples, raw, rate)
    cut = samples[at : at + len(raw)]
    before, after = db(rms(raw[: len(cut)], length)), db(rms(cut, length))
    sounds = before > before.max() - SOUNDS_DB
    gains = (after - before)[sounds]
    lowered = numpy.percentile(gains, 75) - gains
    total = len(peaks)
    share = lambda found: float(100 * found.sum() / total)  # noqa: E731
    return {
        "frames": total,
        "sounding": float(100 * sounds.sum() / total),
        "loudest": share(db(peaks) >= db(peaks.max()) - CLOSE_DB),
        "at_ceiling": share(db(true_peaks) >= ceiling_db - CLOSE_DB),
        "true_peak_db": float(db(true_peaks.max())),
        "raw_crest_db": float(db(numpy.abs(raw).max()) - db(numpy.sqrt((raw**2).mean()))),
        "crest_db": float(db(peaks.max()) - db(numpy.sqrt((cut**2).mean()))),
        "over_0": share(lowered > 0.1),
        "over_1": share(lowered > 1),
        "over_3": share(lowered > 3),
        "most_db": float(lowered.max()),
    }


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(measured(asked["wav"], asked["raw"], asked["ceiling_db"])), flush=True)
