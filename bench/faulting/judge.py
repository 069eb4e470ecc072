"""Compares the clients' responses with the final state, once everything is up and nothing is in progress.

Controls, seen: with the audio of one synthesis and of one book's chunks deleted, one notice of a chunk forgotten and one answer counted twice, each was told;
with workers on their machines' clocks `clock` left jobs, holds and credits over. With a disk that nothing fills, both looks at its being full failed; with
a sentence cut to nothing and a chunk deleted while it was full, both were told, and what doctor misses as well. With a sentence, a chunk and
a book cut in half, each was told. A service that took a full disk for its own
fault was told for answers of 500 (all places), and for jobs, holds, credits and customers left over (SQLite, which never wrote again); chunks
that found no room when their dead worker's lease ended were told as late."""

import json
import re
import time

from . import clients
from .stages import GRANTED

PANIC = re.compile(r"panicked at|it panicked")
# The engine's audio for a character: 10 ms at 24 kHz, two bytes a sample, after the WAV header.
WAV_HEAD, WAV_BYTES_A_CHARACTER, WAV_BYTES_A_MS = 44, 480, 48
# MPEG-2 layer III, as books are stored: 24 kHz, 576 samples a frame.
MP3_FRAME_S = 576 / 24_000

# The messages of the operating system, SQLite and an S3 server.
FULL = re.compile(r"No space left on device|disk is full|answered InternalError")


def settled(stage, seconds):
    """Waits until no job, delivery or hold is left; returns what is left after the timeout."""
    end = time.monotonic() + seconds
    left = {}
    while time.monotonic() < end:
        balance = stage.account.call("GET", "/v1/saas/credits/balance", until=end)[1]
        left = {
            "jobs": stage.number("SELECT COUNT(*) FROM jobs"),
            "deliveries": stage.number("SELECT COUNT(*) FROM webhook_deliveries WHERE status <> 'succeeded'"),
            "holds": balance["held"] if balance else "no answer",
        }
        if not any(left.values()):
            return left
        time.sleep(0.5)
    return left


def judge(stage, sentences, books, patience_s, fresh=None):
    """[(what, as it should be, as it is)], the last two equal when all is well. Sums are over all clients there were, audio is
    looked at where it is of those that are `fresh`."""
    left = settled(stage, patience_s)
    found = [(f"{name} left over after {patience_s} s", 0, count) for name, count in left.items()]
    told = sum(credits for client in sentences for _, credits, _ in client.done)
    told += sum(characters for client in books for _, characters in client.done.values())
    _, answer = stage.account.call("GET", "/v1/saas/credits/balance", until=time.monotonic() + patience_s)
    found.append(("credits charged, by the balance", told, GRANTED - answer["balance"] if answer else "no answer"))
    ledger = json.loads(stage.run("admin", "ledger", "verify", "--json", check=False))
    found.append(("the ledger adds up", True, ledger["ok"]))
    syntheses = sum(len(client.done) for client in sentences)
    found.append(("syntheses in the database", syntheses, stage.number("SELECT COUNT(*) FROM syntheses")))
    spoken = {material: chunks for client in books for material, (chunks, _) in client.done.items()}
    wanted = {("chunk.completed", material, index) for material, chunks in spoken.items() for index in range(chunks)}
    wanted |= {("material.completed", material, None) for material in spoken}
    events = stage.receiver.seen()
    found.append(("chunks and books without a webhook", 0, len(wanted - set(events))))
    found.append(("ends with two events", 0, sum(len(ids) > 1 for what, ids in events.items() if what in wanted)))
    failed = [what for what in events if what[0] == "chunk.failed" and what[1] in spoken]
    found.append(("chunks reported as failed", 0, examples("failed", map(str, failed))))
    found.append(("conversions a customer had to ask for again", 0, sum(client.again for client in books)))
    found += audio(stage, [client for client in sentences + books if fresh is None or client in fresh])
    found.append(("answers that should not be", 0, examples("unexpected", stage.account.unexpected)))
    unclear = [f"{what}, {count} times" for what, count in stage.account.unclear.items()]
    found.append(("kinds of refusals that are not clear", 0, examples("not clear", unclear)))
    return found


def audio(stage, those):
    """All that these clients were told is there, heard to its end, and as long as what was to be said."""
    missing = short = 0
    for characters, _, url in (done for client in those if isinstance(client, clients.Sentences) for done in client.done):
        sound = clients.content(url)
        missing += sound is None
        short += sound is not None and len(sound) != WAV_HEAD + WAV_BYTES_A_CHARACTER * characters
    found = [("audio of syntheses that is missing", 0, missing), ("audio of syntheses that is not as long as its text", 0, short)]
    missing = short = missing_books = short_books = 0
    for client in (client for client in those if isinstance(client, clients.Books)):
        for material, (chunks, _) in client.done.items():
            path, seconds = f"/v1/saas/materials/{material}", 0.0
            listed = stage.account.call("GET", f"{path}/chunks", until=time.monotonic() + clients.TIMEOUT_S)[1] or {"data": []}
            missing += max(0, chunks - len(listed["data"]))
            for chunk, characters in zip(listed["data"], client.chapters[material]):
                sound = clients.content(f"{stage.urls[0]}{path}/chunks/{chunk['index']}/audio", stage.account.key)
                missing += sound is None
                # The duration in the row, including title and pauses, and that of the text alone.
                least = max(WAV_BYTES_A_MS * (chunk["duration_ms"] - 1), WAV_BYTES_A_CHARACTER * characters)
                short += sound is not None and len(sound) < WAV_HEAD + least
                seconds += chunk["duration_ms"] / 1000
            book = clients.content(f"{stage.urls[0]}{path}/audio?format=mp3", stage.account.key)
            missing_books += book is None
            short_books += book is not None and frames(book) * MP3_FRAME_S < seconds
    return [
        *found,
        ("audio of chunks that is missing", 0, missing), ("audio of chunks that is cut short", 0, short),
        ("whole books that are missing", 0, missing_books), ("whole books that are cut short", 0, short_books),
    ]  # fmt: skip


def frames(mp3):
    """The frames of an MP3 of MPEG-2 layer III at 24 kHz, one after the other (ISO/IEC 13818-3, 2.4.2); 0 for what is none."""
    at, count = 0, 0
    if mp3[:3] == b"ID3":
        at = 10 + sum((byte & 0x7F) << shift for byte, shift in zip(mp3[6:10], (21, 14, 7, 0)))
    kilobits = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
    while at + 4 <= len(mp3) and mp3[at] == 0xFF and mp3[at + 1] & 0xFE == 0xF2 and mp3[at + 2] & 0x0C == 0x04:
        rate = mp3[at + 2] >> 4
        if not 0 < rate < 15:
            break
        at += 72 * kilobits[rate] * 1000 // 24_000 + (mp3[at + 2] >> 1 & 1)
        count += at <= len(mp3)
    return count


def rows_and_objects(stage):
    """Checks that the objects named in rows exist, whatever the clients' responses."""
    findings = json.loads(stage.run("doctor", "--json", check=False))["findings"]
    looks = [finding for finding in findings if finding["what"] == "stored audio"]
    return [("looks at the objects that rows name that found all", 1, sum(look["state"] == "fine" for look in looks))]


def logs(stage, sizes):
    """[(what, as it should be, as it is)] of what was logged since the logs had these sizes."""
    lines = [line for path in stage.folder.glob("*.log") for line in since(path, sizes.get(path, 0)).splitlines()]
    panics = [line for line in lines if PANIC.search(line)]
    found = [("panics", 0, examples("a panic", panics))]
    if stage.disk:
        lines += since(stage.folder / "postgresql/server.log", 0).splitlines() if stage.setup.disk == "postgres" else []
        # If no disk was full, or nothing wrote to it, the run shows nothing.
        found.append(("times a disk was found full", 2, stage.disk.times_full))
        found.append(("whether anything hit the full disk", True, any(FULL.search(line) for line in lines)))
    return found


def since(path, size):
    with open(path, "rb") as file:
        file.seek(size)
        return file.read().decode(errors="replace")


def examples(what, those):
    those = list(those)
    for example in those[:5]:
        print(f"  {what}: {example[:400]}")
    return len(those)
