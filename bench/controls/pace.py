"""Whether a text takes as long as its speed says."""

from harness import median, table, texts

from .routes import RATE
from .sound import extent_s

SPEEDS = (0.5, 0.75, 1.5, 2.0)
MOST_OFF = 0.04


def measure(bench):
    rows, worst = [], {}
    paragraphs = [text for _, text in texts()][: min(5, bench.limit)]
    for voice in bench.voices:
        once = [extent_s(bench.customer.synthesize(text, voice=voice), RATE) for text in paragraphs]
        for speed in SPEEDS:
            found = [extent_s(bench.customer.synthesize(text, voice=voice, speed=speed), RATE) for text in paragraphs]
            reached = [one / other / speed for one, other in zip(once, found)]
            rows.append([f"{voice}, {speed}", *(f"{100 * value:.1f}" for value in (min(reached), median(reached), max(reached)))])
            worst[voice] = max(worst.get(voice, 0), *(abs(value - 1) for value in reached))
    table(f"Speed that is reached, % of what was asked for, {len(paragraphs)} paragraphs", ["", "least", "median", "most"], rows)
    for voice, off in worst.items():
        bench.goal(f"speed 0.5 to 2.0, {voice}", "± 4 %", f"at most {100 * off:.1f} % off", off <= MOST_OFF)
