"""`break time="1s"`: the silence between the sounds on either side, by every route that takes markup."""

from harness import BENCH, median, table

from .routes import RATE
from .sound import longest_silence_ms

WANTED_MS, MOST_OFF_MS = 1000, 20
THRESHOLDS_DB = (-40, -45, -50)
BREAK = '<break time="1s"/>'


def lines():
    return (BENCH / "texts/prosody/breaks.txt").read_text(encoding="utf-8").splitlines()


def ssml(line):
    return "<speak>" + line.replace("|", f" {BREAK} ") + "</speak>"


def plain(line):
    return line.replace("|", " ")


def measure(bench):
    customer = bench.customer
    # Where SSML is asked for as such.
    documents = {
        "tts:synthesize": customer.synthesize, "tts:stream": customer.stream, "tts:socket": customer.socket,
        "/v1/audio/speech, input_type": customer.openai, "lectern speak --text-type ssml": customer.speak,
    }  # fmt: skip
    # ElevenLabs' routes know the tag in a plain text.
    tags = {
        "/v1/text-to-speech": customer.elevenlabs, "…/stream": customer.elevenlabs_stream,
        "…/stream-input": customer.elevenlabs_socket,
    }  # fmt: skip
    found = {}
    for name, speak in documents.items():
        found[name] = [(speak(ssml(line), is_ssml=True), speak(plain(line))) for line in lines()]
    for name, speak in tags.items():
        found[name] = [(speak(line.replace("|", f" {BREAK} ")), speak(plain(line))) for line in lines()]
    for sounds_db in THRESHOLDS_DB:
        report(bench, found, sounds_db)


def report(bench, found, sounds_db):
    """Where a sound ends is a matter of what counts as one: a voice fades over some 20 ms."""
    rows, worst = [], 0
    for name, pairs in found.items():
        silences = [[longest_silence_ms(samples, RATE, sounds_db) for samples in pair] for pair in pairs]
        broken, natural = ([pair[side] for pair in silences] for side in (0, 1))
        off = [abs(silence - WANTED_MS) for silence in broken]
        worst = max(worst, *off)
        within = sum(one <= MOST_OFF_MS for one in off)
        rows.append([
            name, f"{min(natural)} to {max(natural)}", min(broken), f"{median(broken):.0f}", max(broken), max(off),
            f"{within} of {len(off)}",
        ])  # fmt: skip
    table(
        f"Silence at `{BREAK}`, ms; what is {-sounds_db} dB fainter than the loudest is silence",
        ["", "without the break", "least", "median", "most", "farthest from 1,000", "within 20 ms"], rows,
    )  # fmt: skip
    what = f'`break time="1s"`, every route, {sounds_db} dB'
    bench.goal(what, "1,000 ± 20 ms", f"at most {worst} ms off", worst <= MOST_OFF_MS)
