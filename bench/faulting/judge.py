"""Compares what clients were told with what there is, once everything is up again and nothing is under way any more.

Controls, seen: with the audio of one synthesis and of one book's chunks deleted, one notice of a chunk forgotten and one answer counted twice, each was told;
with workers on their machines' clocks `clock` left jobs, holds and credits over."""

import json
import time
import urllib.error

from . import clients


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


def judge(stage, sentences, books, granted, patience_s):
    """[(what, as it should be, as it is)], the last two equal when all is well."""
    left = settled(stage, patience_s)
    found = [(f"{name} left over after {patience_s} s", 0, count) for name, count in left.items()]
    told = sum(credits for client in sentences for _, credits, _ in client.done)
    spoken = [material for client in books for material in client.done.items()]
    told += sum(characters for _, (_, characters) in spoken)
    balance = stage.account.call("GET", "/v1/saas/credits/balance")[1]["balance"]
    found.append(("credits charged, by the balance", told, granted - balance))
    ledger = json.loads(stage.run("admin", "ledger", "verify", "--json", check=False))
    found.append(("the ledger adds up", True, ledger["ok"]))
    syntheses = sum(len(client.done) for client in sentences)
    found.append(("syntheses in the database", syntheses, stage.number("SELECT COUNT(*) FROM syntheses")))

    missing = short = 0
    for client in sentences:
        for characters, _, url in client.done:
            try:
                size = clients.size(url)
                # A tone of 10 ms a character, levelled and encoded as WAV, whose silence may be cut.
                short += size < 44 + characters * 100
            except (OSError, urllib.error.HTTPError):
                missing += 1
    found += [("audio of syntheses that is missing", 0, missing), ("audio of syntheses that is cut short", 0, short)]

    missing = 0
    for material, (chunks, _) in spoken:
        for index in range(chunks):
            url = f"{stage.urls[0]}/v1/saas/materials/{material}/chunks/{index}/audio"
            try:
                missing += clients.size(url, stage.account.key) < 1000
            except (OSError, urllib.error.HTTPError):
                missing += 1
    found.append(("audio of chunks that is missing", 0, missing))
    wanted = {(material, index) for material, (chunks, _) in spoken for index in range(chunks)}
    found.append(("chunks that no webhook told of", 0, len(wanted - set(stage.receiver.chunks))))
    found.append(("conversions a customer had to ask for again", 0, sum(client.again for client in books)))
    unexpected = stage.account.unexpected
    for example in unexpected[:5]:
        print(f"  unexpected: {example}")
    found.append(("answers that should not be", 0, len(unexpected)))
    return found
