"""What a malformed or hostile text or lexicon costs: the processor time of the service until it has refused it."""

import http.client
import json
import os
import time

from harness import table

MOST_MS = 100
TICKS_S = os.sysconf("SC_CLK_TCK")
ROUNDS = 10


def bodies():
    """{what: (path, type, body)}; each is refused, or does nothing that costs anything."""

    def ssml(inner):
        return "/v1/saas/tts:synthesize", "application/json", {"text_type": "ssml", "text": inner, "ereader_id": None}

    def lexicon(entries):
        return "/v1/saas/lexicons", "application/json", {"name": "x", "language": "en-US", "entries": entries}

    def pls(attributes, entries):
        root = f'<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" xml:lang="en-US" {attributes}>'
        return "/v1/saas/lexicons", "application/pls+xml", f"<?xml version='1.0'?>{root}{entries}</lexicon>"

    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))
    # Of a million, 16 MiB hold what fits.
    many = [{"word": f"w{at}", "alias": "x"} for at in range(450_000)]
    lexeme = "<lexeme><grapheme>w{0}</grapheme><alias>w{1}</alias></lexeme>"
    ring = "".join(lexeme.format(at, (at + 1) % 9_000) for at in range(9_000))
    return {
        "entity bomb": ssml(f'<!DOCTYPE speak [<!ENTITY e0 "ha">{entities}]><speak>&e9;</speak>'),
        "40,000 characters of nested tags": ssml("<speak>" + "<p>" * 13_330),
        "40,000 characters of closing tags": ssml("<speak>" + "</p>" * 9_990),
        "a break of a day": ssml('<speak>A<break time="86400s"/></speak>'),
        "a pitch of 1,000 %": ssml('<speak><prosody pitch="+1000%">A</prosody></speak>'),
        "a voice without a price": ssml('<speak><voice name="nobody">A</voice></speak>'),
        "IPA that no voice has": ssml('<speak><phoneme ph="ǃ☃">A</phoneme></speak>'),
        "4,000 attributes": ssml("<speak><p " + " ".join(f'a{at}=""' for at in range(4_000)) + ">A</p></speak>"),
        "lexicon of 450,000 entries": lexicon(many),
        "PLS of a million entries": pls('alphabet="ipa"', "<lexeme/>" * 1_000_000),
        "PLS with 9,000 aliases in a ring": pls('alphabet="ipa"', ring),
        "PLS with another alphabet": pls('alphabet="x-arpabet"', "<lexeme><grapheme>a</grapheme><phoneme>AA1</phoneme></lexeme>"),
        "lexicon with a word twice": lexicon([{"word": "a", "alias": "b"}] * 2),
    }  # fmt: skip


def measure(bench):
    customer, rows, worst = bench.customer, [], 0
    for what, (path, kind, body) in bodies().items():
        if isinstance(body, dict):
            if "ereader_id" in body:
                body["ereader_id"] = customer.ereaders["heart"]["id"]
            body = json.dumps(body)
        data = body.encode()
        before = spent_s(bench.service.process.pid)
        for _ in range(ROUNDS):
            status, answer = send(bench, path, kind, data)
        ms = 1000 * (spent_s(bench.service.process.pid) - before) / ROUNDS
        worst = max(worst, ms)
        rows.append([what, f"{len(data) / 1e6:.2f}", status, answer, f"{ms:.0f}"])
        if status == 201:
            forget(bench)
    table(f"Processor time of a refusal, mean of {ROUNDS}", ["", "MB", "status", "answer", "ms"], rows)
    bench.goal("bad input", f"under {MOST_MS} ms of processor", f"at most {worst:.0f} ms", worst < MOST_MS)


def spent_s(pid):
    """Seconds of processor time of a process and its threads."""
    fields = open(f"/proc/{pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S


def send(bench, path, kind, data, method="POST"):
    connection = http.client.HTTPConnection(bench.service.api, timeout=120)
    headers = {"Authorization": f"Bearer {bench.customer.key}", "Content-Type": kind}
    while True:
        connection.request(method, path, data, headers)
        reply = connection.getresponse()
        text = reply.read()
        if reply.status != 429:
            break
        time.sleep(float(reply.headers.get("Retry-After", 1)))
    connection.close()
    answer = json.loads(text) if text else {}
    return reply.status, answer.get("error", {}).get("code", "taken")


def forget(bench):
    """Removes the lexicons that were taken: an account has at most fifty."""
    connection = http.client.HTTPConnection(bench.service.api, timeout=120)
    headers = {"Authorization": f"Bearer {bench.customer.key}"}
    connection.request("GET", "/v1/saas/lexicons?limit=100", headers=headers)
    listed = json.loads(connection.getresponse().read())
    connection.close()
    for one in listed["data"]:
        send(bench, f"/v1/saas/lexicons/{one['id']}", "application/json", b"", "DELETE")
