"""Measures the pitch of recordings: reads lines {"wav"} and prints, for each, the median of the fundamental frequency in
Hz, how many seconds are voiced, and two measures of how the recording ends, in semitones.

The tracker is Praat's (autocorrelation; Boersma 1993), from 75 to 600 Hz in steps of 5 ms, with octave jumps removed.

- `rise`: the last 150 ms of voiced frames against the mean of the 300 ms of voiced frames before them. What has no pitch
  is left out, so a final "t" or a breath moves nothing. The last 150 ms count by their median.
- `rise_by_clock`: the mean of the last 100 ms against that of the time from 450 to 250 ms before the end, by the clock.

Each is null where there is too little voice to tell.
"""

import json
import sys

import numpy
import parselmouth

STEP_S = 0.005
LOWEST_HZ, HIGHEST_HZ = 75, 600
END, BEFORE = 30, 60


def course(path):
    """Times and semitones above 1 Hz of the voiced frames."""
    pitch = parselmouth.Sound(path).to_pitch_ac(time_step=STEP_S, pitch_floor=LOWEST_HZ, pitch_ceiling=HIGHEST_HZ)
    hertz = pitch.kill_octave_jumps().selected_array["frequency"]
    voiced = hertz > 0
    return pitch.xs()[voiced], 12 * numpy.log2(hertz[voiced])


def rise(semitones):
    if len(semitones) < END + BEFORE // 2:
        return None
    return float(numpy.median(semitones[-END:]) - semitones[-END - BEFORE : -END].mean())


def rise_by_clock(times, semitones):
    if not len(times):
        return None
    ago = times[-1] - times
    last, earlier = semitones[ago < 0.1], semitones[(ago >= 0.25) & (ago < 0.45)]
    return float(last.mean() - earlier.mean()) if len(last) >= 5 and len(earlier) >= 5 else None


for line in sys.stdin:
    times, semitones = course(json.loads(line)["wav"])
    found = {
        "median_hz": float(2 ** (numpy.median(semitones) / 12)) if len(times) else None,
        "voiced_s": len(times) * STEP_S,
        "rise": rise(semitones),
        "rise_by_clock": rise_by_clock(times, semitones),
    }
    print(json.dumps(found), flush=True)
