"""Compares what clients were told with what there is, once everything is up again and nothing is under way any more.

Controls, seen: with the audio of one synthesis and of one book's chunks deleted, one notice of a chunk forgotten and one answer counted twice, each was told;
with workers on their machines' clocks `clock` left jobs, holds and credits over. With a disk that nothing fills, both looks at its being full failed; with
a sentence cut to nothing and a chunk deleted while it was full, both were told, and what doctor misses as well. A service that took a full disk for its own
fault was told for answers of 500 (all places), and for jobs, holds, credits and customers left over (SQLite, which never wrote again); chunks
that found no room when their dead worker's lease ended were told as late."""

import json
import re
import time

from . import clients
from .stages import GRANTED

PANIC = re.compile(r"panicked at|it panicked")
# The operating system's, SQLite's and an S3 server's words for it.
FULL = re.compile(r"No space left on device|disk is full|answered InternalError")


def settled(stage, seconds):
    """Waits until no job, delivery or hold is left; what is left after that time."""
    end = time.monotonic() + seconds
    left = {}
    while time.monotonic() < end:
        left = {
            "jobs": stage.number("SELECT COUNT(*) FROM jobs"),
            "deliveries": stage.number("SELECT COUNT(*) FROM webhook_deliveries WHERE status <> 'succeeded'"),
            "holds": stage.account.call("GET", "/v1/saas/credits/balance")[1]["held"],
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
    balance = stage.account.call("GET", "/v1/saas/credits/balance")[1]["balance"]
    found.append(("credits charged, by the balance", told, GRANTED - balance))
    ledger = json.loads(stage.run("admin", "ledger", "verify", "--json", check=False))
    found.append(("the ledger adds up", True, ledger["ok"]))
    syntheses = sum(len(client.done) for client in sentences)
    found.append(("syntheses in the database", syntheses, stage.number("SELECT COUNT(*) FROM syntheses")))
    spoken = {material: chunks for client in books for material, (chunks, _) in client.done.items()}
    wanted = {(material, index) for material, chunks in spoken.items() for index in range(chunks)}
    found.append(("chunks that no webhook told of", 0, len(wanted - set(stage.receiver.chunks))))
    found.append(("conversions a customer had to ask for again", 0, sum(client.again for client in books)))
    found += audio(stage, [client for client in sentences + books if fresh is None or client in fresh])
    found.append(("answers that should not be", 0, examples("unexpected", stage.account.unexpected)))
    unclear = [f"{what}, {count} times" for what, count in stage.account.unclear.items()]
    found.append(("kinds of refusals that are not clear", 0, examples("not clear", unclear)))
    return found


def audio(stage, those):
    """All that these clients were told is there, heard to its end."""
    missing = short = 0
    for characters, _, url in (done for client in those if isinstance(client, clients.Sentences) for done in client.done):
        size = clients.size(url)
        missing += size is None
        # A tone of 10 ms a character, levelled and encoded as WAV, whose silence may be cut.
        short += size is not None and size < 44 + characters * 100
    found = [("audio of syntheses that is missing", 0, missing), ("audio of syntheses that is cut short", 0, short)]
    missing = whole = 0
    for material, (chunks, _) in (done for client in those if isinstance(client, clients.Books) for done in client.done.items()):
        url = f"{stage.urls[0]}/v1/saas/materials/{material}"
        missing += sum((clients.size(f"{url}/chunks/{index}/audio", stage.account.key) or 0) < 1000 for index in range(chunks))
        whole += (clients.size(f"{url}/audio?format=mp3", stage.account.key) or 0) < 1000
    return [*found, ("audio of chunks that is missing", 0, missing), ("whole books that are missing", 0, whole)]


def rows_and_objects(stage):
    """Whatever clients were told: the objects that rows name are there."""
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
        # A disk that was not full, or that nobody met, would have shown nothing.
        found.append(("times a disk was found full", 2, stage.disk.times_full))
        found.append(("whether anybody met the full disk", True, any(FULL.search(line) for line in lines)))
    return found


def since(path, size):
    with open(path, "rb") as file:
        file.seek(size)
        return file.read().decode(errors="replace")


def examples(what, those):
    for example in those[:5]:
        print(f"  {what}: {example[:400]}")
    return len(those)
