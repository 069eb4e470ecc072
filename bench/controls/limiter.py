"""How much the limiter does at each loudness, and whether judges of quality notice."""

from harness import table, texts

from .judging import error_rate, mean

# The true peak that the limiter keeps: the ceiling less its margin of 0.3 dB.
CEILINGS = {"standard": -1.3, "broadcast": -1.3, "acx": -4.3}


def measure(bench):
    for voice in bench.voices:
        of_voice(bench, voice)


def of_voice(bench, voice):
    found, verdicts = {name: [] for name in CEILINGS}, {"none": [], "standard": []}
    for name, text in texts()[: bench.limit]:
        wavs = {}
        for loudness in ("none", *CEILINGS):
            wavs[loudness] = bench.folder / f"{voice}-{name}-{loudness}.wav"
            wavs[loudness].write_bytes(bench.customer.file(text, voice=voice, loudness=loudness))
        for loudness, ceiling in CEILINGS.items():
            found[loudness].append(bench.judges.limiter.ask(wav=wavs[loudness], raw=wavs["none"], ceiling_db=ceiling))
        if bench.judged and voice == bench.voices[0]:
            for loudness, of_loudness in verdicts.items():
                of_loudness.append(bench.judges.speech.ask(wav=wavs[loudness], text=text))
    report(bench, voice, found)
    if verdicts["none"]:
        keys = ("p808", "ovrl", "distillmos")
        rows = [[name, f"{error_rate(of)}"[:4], *(f"{mean(of, key):.2f}" for key in keys)] for name, of in verdicts.items()]
        head = ["loudness", "WER %", "DNSMOS P.808", "DNSMOS overall", "DistillMOS"]
        table(f"The same, judged at one level, voice {voice}", head, rows)


def report(bench, voice, found):
    rows = []
    for loudness, paragraphs in found.items():
        total = sum(one["frames"] for one in paragraphs)
        share = lambda key: sum(one[key] * one["frames"] for one in paragraphs) / total  # noqa: E731
        rows.append([
            loudness, *(f"{share(key):.2f}" for key in ("loudest", "at_ceiling", "over_0", "over_1", "over_3")),
            f"{max(one['most_db'] for one in paragraphs):.1f}", f"{max(one['true_peak_db'] for one in paragraphs):.2f}",
            f"{mean(paragraphs, 'raw_crest_db'):.1f}", f"{mean(paragraphs, 'crest_db'):.1f}",
        ])  # fmt: skip
        if loudness == "standard":
            bench.goal(
                f"frames at the ceiling, {voice}", "no goal; 1.8 to 2.6 % before",
                f"{share('loudest'):.2f} % (sample peak), {share('at_ceiling'):.2f} % (true peak)", None,
            )  # fmt: skip
    head = [
        "loudness", "% at the loudest sample", "% at the ceiling", "% lowered > 0.1 dB", "> 1 dB", "> 3 dB", "most dB",
        "true peak dB", "crest before", "after",
    ]  # fmt: skip
    table(f"The limiter on {len(found['standard'])} paragraphs, frames of 10 ms, voice {voice}", head, rows)
