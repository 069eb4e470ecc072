"""What the checks of all packages share: the packages, a clean environment, and an ear."""

import os
import pathlib
import re
import subprocess
import sys
import wave

TOP_BUILD = [sys.executable, "-B", str(pathlib.Path(__file__).resolve().parent.parent / "build")]

# Said by each package. The recogniser has a small model, so the words are common ones.
TEXT = "Good morning. The weather is very nice today, and we are going to the house of my brother."
# Of those words, how many it must hear.
WORDS = 14


class CheckError(Exception):
    """Something does not hold."""


def check(holds, what):
    if not holds:
        raise CheckError(what)


class Packages:
    """The files of a release, by kind."""

    PROGRAM = {
        "wheel": "lectern_server-*{wheel}.whl",
        "npm": "lectern-tts-{npm}-*.tgz",
        "deb": "lectern_*_{deb}.deb",
        "archive": "lectern-[0-9]*-{triple}.tar.gz",
    }
    VOICES = {
        "wheel": "lectern_voice_hibari-*.whl",
        "npm": "lectern-tts-voice-hibari-*.tgz",
        "deb": "lectern-voice-hibari_*_all.deb",
        "archive": "lectern-voice-hibari-*.tar.gz",
    }

    def __init__(self, folders, target):
        self.target = target
        self.folders = folders
        names = {
            "wheel": "x86_64" if target.deb == "amd64" else "aarch64",
            "npm": f"{target.npm_os}-{target.npm_cpu}",
            "deb": target.deb,
            "triple": target.triple,
        }
        self.program = {kind: self.only(pattern.format(**names)) for kind, pattern in self.PROGRAM.items()}
        self.voices = {kind: self.only(pattern) for kind, pattern in self.VOICES.items()}
        self.launcher = self.only("lectern-[0-9]*[0-9].tgz")

    def only(self, pattern):
        found = [path for folder in self.folders for path in folder.glob(pattern)]
        check(len(found) == 1, f"{pattern} is there {len(found)} times")
        return found[0]

    def listed(self):
        yield from self.program.items()
        yield from ((f"voices as {kind}", path) for kind, path in self.voices.items())
        yield "npm", self.launcher


def clean_environment(home, *path):
    """A new account's environment: no setting of this one, and a home directory without voices."""
    home.mkdir(exist_ok=True)
    passed = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "NODE_EXTRA")) or name == "LANG"}
    passed.pop("PIP_FIND_LINKS", None)
    return passed | {"HOME": str(home), "PATH": ":".join([*map(str, path), "/usr/local/bin:/usr/bin:/bin"])}


def ran(command, environment, **more):
    """Runs a command that must succeed. Returns what it says."""
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, **more)
    check(done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def refused(command, environment, words, **more):
    """Runs a command that must fail and say the words. Returns what it says."""
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, **more)
    said = done.stdout + done.stderr
    check(done.returncode != 0, f"{' '.join(map(str, command))} was to be refused:\n{said}")
    check(words in said, f"{' '.join(map(str, command))} does not say {words!r}:\n{said}")
    return said


def words_of(text):
    return re.findall(r"[a-z]+", text.lower())


def heard(path):
    """What the recogniser hears in a WAV file of 16 kHz."""
    import pocketsphinx

    decoder = pocketsphinx.Decoder(samprate=16_000, loglevel="FATAL")
    with wave.open(str(path)) as file:
        samples = file.readframes(file.getnframes())
    decoder.start_utt()
    decoder.process_raw(samples, full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    return hypothesis.hypstr if hypothesis else ""


def understood(audio, what):
    """The file must be as long as the text takes, and most of its words must be heard."""
    probe = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(audio)]
    seconds = float(subprocess.run(probe, capture_output=True, text=True, check=True).stdout)
    check(3.5 < seconds < 9, f"{what}: the speech takes {seconds:.1f} s")
    plain = audio.with_suffix(".16k.wav")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(audio), "-ar", "16000", "-ac", "1", str(plain)], check=True)
    text = heard(plain)
    there = words_of(text)
    found = sum(1 for word in words_of(TEXT) if word in there)
    check(found >= WORDS, f"{what}: of {len(words_of(TEXT))} words {found} are heard: {text!r}")
    return f"{seconds:.1f} s of speech, heard as {text!r}"
