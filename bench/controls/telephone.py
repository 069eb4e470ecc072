"""8 kHz μ-law: what a recogniser hears of it, and whether a reader of RTP plays it whole.

The reader is ffmpeg with an SDP of payload type 0 (RFC 3551): it takes packets of 160 bytes, one every 20 ms, from a UDP
port, orders them, decodes G.711 and writes what a telephone would play.
"""

import signal
import socket
import struct
import subprocess
import time

from harness import table, texts

from .judging import error_rate, mean
from .routes import samples_of, write_wav

RATE, PACKET, PACKET_S = 8000, 160, 0.02
# One word more or less in a hundred is what one recogniser hears differently in the same speech.
SAME = 0.5


def decoded(ulaw, folder):
    """μ-law as 16-bit samples, by ffmpeg."""
    command = ["ffmpeg", "-v", "error", "-f", "mulaw", "-ar", str(RATE), "-ac", "1", "-i", "-", "-f", "s16le", "-"]
    return samples_of(subprocess.run(command, input=ulaw, check=True, capture_output=True, cwd=folder).stdout)


def measure(bench):
    spoken = texts()[: bench.limit]
    pairs = []
    for name, text in spoken:
        ulaw = bench.customer.file(text, format="ulaw")
        wav = bench.folder / f"{name}-8000.wav"
        wav.write_bytes(bench.customer.file(text, format="wav", sample_rate_hz=RATE))
        pairs.append((write_wav(bench.folder / f"{name}-ulaw.wav", decoded(ulaw, bench.folder), RATE), wav, text))
    sent, played = through_rtp(bench, spoken[0][1])
    if bench.judged:
        judged = {
            "WAV, 8 kHz": [bench.judges.speech.ask(wav=wav, text=text) for _, wav, text in pairs],
            "μ-law, 8 kHz": [bench.judges.speech.ask(wav=ulaw, text=text) for ulaw, _, text in pairs],
        }
        keys = ("p808", "ovrl", "distillmos")
        rows = [
            [name, f"{error_rate(found):.2f}", sum(one["errors"] for one in found), *(f"{mean(found, key):.2f}" for key in keys)]
            for name, found in judged.items()
        ]
        words = sum(one["words"] for one in judged["WAV, 8 kHz"])
        head = ["", "WER %", f"errors of {words}", "DNSMOS P.808", "DNSMOS overall", "DistillMOS"]
        table(f"Telephony on {len(spoken)} paragraphs", head, rows)
        worse = error_rate(judged["μ-law, 8 kHz"]) - error_rate(judged["WAV, 8 kHz"])
        bench.goal("word errors of μ-law against WAV, both 8 kHz", "equal (± 0.5 points)", f"{worse:+.2f} points", abs(worse) <= SAME)
    bench.goal(
        "a reader of RTP plays the μ-law stream", "whole",
        f"{len(played)} of {len(sent)} samples, {'the same' if played == sent else 'not the same'}", played == sent,
    )  # fmt: skip


def free_port():
    # RTP has an even port, RTCP the next one.
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
            if port % 2 == 0:
                return port


def through_rtp(bench, text):
    """What is sent at the pace of a telephone, and what ffmpeg plays of it, as samples."""
    ulaw = bench.customer.ask(
        "POST", "/v1/saas/tts:stream",
        {"ereader_id": bench.customer.ereaders["heart"]["id"], "text": text, "format": "ulaw", "seed": 7},
    )  # fmt: skip
    # The last packet is filled up with silence.
    ulaw += b"\xff" * (-len(ulaw) % PACKET)
    port = free_port()
    sdp, out = bench.folder / "call.sdp", bench.folder / "call.s16"
    sdp.write_text(
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=call\nc=IN IP4 127.0.0.1\nt=0 0\n"
        f"m=audio {port} RTP/AVP 0\na=rtpmap:0 PCMU/8000\na=ptime:20\n"
    )
    command = ["ffmpeg", "-v", "error", "-y", "-protocol_whitelist", "file,udp,rtp", "-i", str(sdp), "-f", "s16le", str(out)]
    reader = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    await_bound(port)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        due = time.monotonic()
        for number, at in enumerate(range(0, len(ulaw), PACKET)):
            marker = 0x80 if number == 0 else 0
            header = struct.pack("!BBHII", 0x80, marker, number & 0xFFFF, at & 0xFFFFFFFF, 0x1EC7E2)
            sender.sendto(header + ulaw[at : at + PACKET], ("127.0.0.1", port))
            due += PACKET_S
            time.sleep(max(0, due - time.monotonic()))
    # The reader writes in blocks, and what is left at its end. It has no more to read when its queue is empty.
    while waiting(port):
        time.sleep(0.05)
    reader.send_signal(signal.SIGINT)
    reader.wait(30)
    return decoded(ulaw, bench.folder), samples_of(out.read_bytes())


def udp_sockets():
    """{port: bytes that wait to be read}, of the kernel's table."""
    found = {}
    for line in open("/proc/net/udp", encoding="ascii").readlines()[1:]:
        fields = line.split()
        found[int(fields[1].split(":")[1], 16)] = int(fields[4].split(":")[1], 16)
    for line in open("/proc/net/udp6", encoding="ascii").readlines()[1:]:
        fields = line.split()
        found.setdefault(int(fields[1].split(":")[1], 16), int(fields[4].split(":")[1], 16))
    return found


def await_bound(port):
    until = time.monotonic() + 30
    while port not in udp_sockets():
        if time.monotonic() > until:
            raise TimeoutError("ffmpeg did not open its port")
        time.sleep(0.02)


def waiting(port):
    return udp_sockets().get(port, 0) > 0
