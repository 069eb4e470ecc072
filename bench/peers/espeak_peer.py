"""espeak-ng, the formant synthesizer: one process per text, since that is how it is used; its start-up is included."""

import json
import os
import resource
import subprocess
import sys
import time

HEADER_BYTES = 44
RATE = 22050

print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with subprocess.Popen(
        ["espeak-ng", "-v", "en-us", "--stdout", "--", request["text"]], stdout=subprocess.PIPE
    ) as process:
        pipe, count, first = process.stdout.fileno(), 0, None
        while block := os.read(pipe, 1 << 16):
            count += len(block)
            if first is None and count > HEADER_BYTES:
                first = time.perf_counter() - started
    total = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    samples = (count - HEADER_BYTES) // 2
    peak = after.ru_maxrss * 1024
    print(
        json.dumps({"first_s": first, "total_s": total, "cpu_s": cpu, "samples": samples, "rate": RATE, "peak": peak}),
        flush=True,
    )
