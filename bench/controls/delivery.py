"""`prosody pitch="+3st"` and `rate="80%"`: the pitch, the duration, and what a judge of quality says."""

from harness import BENCH, median, table

from .judging import error_rate, mean
from .routes import RATE, write_wav
from .sound import extent_s, semitones

PITCH_ST, PITCH_OFF_ST = 3, 0.3
DURATION, DURATION_OFF = 1.25, 0.03
LEAST_MOS = -0.15
WAYS = {"plain": "{}", "pitch": '<prosody pitch="+3st">{}</prosody>', "rate": '<prosody rate="80%">{}</prosody>'}


def sentences():
    return (BENCH / "texts/prosody/sentences.txt").read_text(encoding="utf-8").splitlines()


def measure(bench):
    for voice in bench.voices:
        of_voice(bench, voice)


def of_voice(bench, voice):
    found = {way: [] for way in WAYS}
    for number, sentence in enumerate(sentences()):
        for way, form in WAYS.items():
            samples = bench.customer.synthesize(f"<speak>{form.format(sentence)}</speak>", is_ssml=True, voice=voice)
            wav = write_wav(bench.folder / f"{voice}-{way}-{number}.wav", samples)
            pitch = bench.judges.pitch.ask(wav=wav)["median_hz"]
            judged = bench.judges.speech.ask(wav=wav, text=sentence) if bench.judged else None
            found[way].append({"hz": pitch, "s": extent_s(samples, RATE), "judged": judged})
    shifts = [semitones(one["hz"], other["hz"]) for one, other in zip(found["plain"], found["pitch"])]
    longer = [other["s"] / one["s"] for one, other in zip(found["plain"], found["rate"])]
    rows = [
        ['pitch="+3st": median F0, semitones', f"{min(shifts):+.2f}", f"{median(shifts):+.2f}", f"{max(shifts):+.2f}"],
        ['rate="80%": duration, %', *(f"{100 * value:.1f}" for value in (min(longer), median(longer), max(longer)))],
    ]
    table(f"`prosody` on {len(shifts)} sentences, voice {voice}, against the same without", ["", "least", "median", "most"], rows)
    inside = sum(abs(shift - PITCH_ST) <= PITCH_OFF_ST for shift in shifts)
    bench.goal(
        f'`prosody pitch="+3st"`, {voice}', "F0 median +3 ± 0.3 st",
        f"{median(shifts):+.2f} st; {inside} of {len(shifts)} sentences within", abs(median(shifts) - PITCH_ST) <= PITCH_OFF_ST,
    )  # fmt: skip
    inside = sum(abs(value - DURATION) <= DURATION_OFF for value in longer)
    bench.goal(
        f'`prosody rate="80%"`, {voice}', "duration 125 ± 3 %",
        f"{100 * median(longer):.1f} %; {inside} of {len(longer)} sentences within", abs(median(longer) - DURATION) <= DURATION_OFF,
    )  # fmt: skip
    if bench.judged:
        quality(bench, voice, {way: [one["judged"] for one in of_way] for way, of_way in found.items()})


def quality(bench, voice, verdicts):
    keys = ("p808", "ovrl", "distillmos")
    rows = [[way, f"{error_rate(found):.2f}", *(f"{mean(found, key):.2f}" for key in keys)] for way, found in verdicts.items()]
    table(f"The same, judged, voice {voice}", ["", "WER %", "DNSMOS P.808", "DNSMOS overall", "DistillMOS"], rows)
    for way in ("pitch", "rate"):
        difference = mean(verdicts[way], "distillmos") - mean(verdicts["plain"], "distillmos")
        bench.goal(f"DistillMOS of `prosody {way}`, {voice}", "≥ −0.15", f"{difference:+.2f}", difference >= LEAST_MOS)
