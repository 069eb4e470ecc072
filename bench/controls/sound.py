"""Sound and silence in 16-bit samples, by their level. Standard library only."""

import math

# A millisecond sounds when it is at most this much fainter than the loudest of the recording.
SOUNDS_DB = -50


def sounding(samples, rate, sounds_db=SOUNDS_DB):
    """The milliseconds that sound."""
    step = rate // 1000
    powers = [sum(s * s for s in samples[at : at + step]) for at in range(0, len(samples) - step + 1, step)]
    least = max(powers) * 10 ** (sounds_db / 10)
    return [at for at, power in enumerate(powers) if power > least]


def longest_silence_ms(samples, rate, sounds_db=SOUNDS_DB):
    """The longest time without a sound between the first and the last one."""
    sounds = sounding(samples, rate, sounds_db)
    return max(after - before - 1 for before, after in zip(sounds, sounds[1:]))


def extent_s(samples, rate):
    """Seconds from the first sound to the last."""
    sounds = sounding(samples, rate)
    return (sounds[-1] + 1 - sounds[0]) / 1000


def semitones(from_hz, to_hz):
    return 12 * math.log2(to_hz / from_hz)
