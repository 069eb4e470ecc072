"""The peers' side of harness.py's protocol: times one generator of sample arrays per request."""

import json
import sys
import time
import wave


def serve(rate, stream):
    """Answers requests for ever. `stream(text)` yields one float array in -1 to 1 a sentence."""
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        started, cpu = time.perf_counter(), time.process_time()
        first, parts = None, []
        for part in stream(request["text"]):
            if first is None:
                first = time.perf_counter() - started
            parts.append(part)
        answer = {
            "first_s": first,
            "total_s": time.perf_counter() - started,
            "cpu_s": time.process_time() - cpu,
            "samples": sum(len(part) for part in parts),
            "rate": rate,
        }
        if "wav" in request:
            write(request["wav"], rate, parts)
        print(json.dumps(answer), flush=True)


def write(path, rate, parts):
    import numpy

    samples = numpy.clip(numpy.concatenate(parts), -1.0, 1.0)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((samples * 32767.0).round().astype("<i2").tobytes())
