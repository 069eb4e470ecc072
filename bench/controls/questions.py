"""How far the pitch rises at the ends of questions, with the rise and without it.

A word with a pitch of its own does not rise, so `prosody pitch="+0.001st"`, which nobody hears, turns the rise off.
"""

from html import escape

from harness import BENCH, median, table

from .judging import error_rate, mean
from .routes import write_wav

LEAST_ST, LEAST_SHARE = 1.5, 0.8
OFF = '<prosody pitch="+0.001st">{}</prosody>'
# What the judges cannot tell apart on this many short recordings.
SAME_WORDS, SAME_MOS = 1.0, 0.05


def questions():
    """[(kind, text)]."""
    lines = (BENCH / "texts/prosody/questions.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def measure(bench):
    for voice in bench.voices:
        of_voice(bench, voice)


def of_voice(bench, voice):
    found = []
    for number, (kind, text) in enumerate(questions()):
        one = {"kind": kind, "text": text}
        for way, form in (("on", "{}"), ("off", OFF)):
            document = f"<speak>{form.format(escape(text, quote=False))}</speak>"
            samples = bench.customer.synthesize(document, is_ssml=True, voice=voice)
            wav = write_wav(bench.folder / f"{voice}-question-{way}-{number}.wav", samples)
            one[way] = bench.judges.pitch.ask(wav=wav)
            if bench.judged and kind != "wh":
                one[way] |= bench.judges.speech.ask(wav=wav, text=text)
        found.append(one)
    report(bench, voice, found)


def report(bench, voice, found):
    rows = []
    for kind in ("yes-no", "declarative", "wh"):
        for way in ("on", "off"):
            ends = [one[way] for one in found if one["kind"] == kind]
            rises, clock = ([end[key] for end in ends if end[key] is not None] for key in ("rise", "rise_by_clock"))
            rows.append([
                f"{kind}, {way}", len(ends), len(rises), sum(rise > LEAST_ST for rise in rises), f"{median(rises):+.1f}",
                len(clock), sum(rise > LEAST_ST for rise in clock), f"{median(clock):+.1f}",
            ])  # fmt: skip
    head = ["", "questions", "measured", "rise > 1.5", "median st", "by the clock", "rise > 1.5", "median st"]
    table(f"Final rises, voice {voice}, with the rise and with it turned off", head, rows)
    rising = [one for one in found if one["kind"] != "wh"]
    up = [one for one in rising if (one["on"]["rise"] or 0) > LEAST_ST]
    bench.goal(
        f"yes/no and declarative questions that rise > 1.5 st, {voice}", "≥ 80 % of 40",
        f"{len(up)} of {len(rising)}, {100 * len(up) / len(rising):.0f} %", len(up) >= LEAST_SHARE * len(rising),
    )  # fmt: skip
    others = [one for one in found if one["kind"] == "wh"]
    raised = [one for one in others if (one["on"]["rise"] or 0) > LEAST_ST and one["on"]["rise"] != one["off"]["rise"]]
    up = sum((one["on"]["rise"] or 0) > LEAST_ST for one in others)
    bench.goal(
        f"questions with a question word, {voice}", "none is raised",
        f"{len(raised)} raised; {up} of {len(others)} rise by themselves", not raised,
    )  # fmt: skip
    bench.note("Did not rise: " + "; ".join(f"{one['text']} ({shown(one['on']['rise'])})" for one in rising if one not in [u for u in rising if (u["on"]["rise"] or 0) > LEAST_ST]))
    if bench.judged:
        quality(bench, voice, rising)


def shown(rise):
    return "not measured" if rise is None else f"{rise:+.1f}"


def quality(bench, voice, rising):
    verdicts = {way: [one[way] for one in rising] for way in ("on", "off")}
    keys = ("p808", "ovrl", "distillmos")
    rows = [
        [f"rise {way}", f"{error_rate(of_way):.2f}", sum(one["errors"] for one in of_way), *(f"{mean(of_way, key):.2f}" for key in keys)]
        for way, of_way in verdicts.items()
    ]
    words = sum(one["words"] for one in verdicts["on"])
    head = ["", "WER %", f"errors of {words}", "DNSMOS P.808", "DNSMOS overall", "DistillMOS"]
    table(f"The {len(rising)} questions, judged, voice {voice}", head, rows)
    worse = error_rate(verdicts["on"]) - error_rate(verdicts["off"])
    bench.goal(f"word errors of questions, {voice}", "unchanged (± 1 point)", f"{worse:+.2f} points", worse <= SAME_WORDS)
    better = mean(verdicts["on"], "distillmos") - mean(verdicts["off"], "distillmos")
    bench.goal(f"DistillMOS of questions, {voice}", "unchanged (± 0.05)", f"{better:+.2f}", better >= -SAME_MOS)
