"""Kokoro on ONNX Runtime: `kokoro_ort_peer.py MODEL VOICES_BIN VOICE_INDEX THREADS RUNS [WAV]`, rows of ids as JSON on standard input.

Runs the published fp32 network, as it is, over the rows, and prints one JSON line like `examples/kokoro`.
"""

import json
import os
import sys
import threading
import time
import wave

start, cpu = time.perf_counter(), time.process_time()
import numpy
import onnxruntime


def memory(name):
    line = next(line for line in open("/proc/self/status") if line.startswith(name))
    return int(line.split()[1]) / 1000


def trimmed(samples):
    loud = numpy.flatnonzero(numpy.abs(samples) > 0.01)
    return samples[max(loud[0] - 1200, 0) : loud[-1] + 2400]


def main(model, voices, index, threads, runs, wav=None):
    rows = json.load(sys.stdin)
    index, threads, runs = int(index), int(threads), int(runs)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    styles = numpy.fromfile(voices, "<f4", 510 * 256, offset=index * 510 * 256 * 4).reshape(510, 1, 256)
    load_s, load_cpu_s, loaded = time.perf_counter() - start, time.process_time() - cpu, memory("VmRSS")
    said = []

    def say(ids):
        given = {"input_ids": [ids], "style": styles[len(ids) - 2], "speed": numpy.ones(1, "f4")}
        return session.run(None, given)[0].ravel()

    def speak():
        for _ in range(runs):
            said.append(numpy.concatenate([say(ids) for ids in rows]))

    began, cpu_began = time.perf_counter(), time.process_time()
    running = [threading.Thread(target=speak) for _ in range(threads)]
    [thread.start() for thread in running]
    [thread.join() for thread in running]
    wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_began
    audio_s = len(said[0]) / 24000
    everything = audio_s * runs * threads
    print(json.dumps({
        "audio_s": audio_s, "load_s": load_s, "load_cpu_s": load_cpu_s, "loaded_mb": loaded, "most_mb": memory("VmHWM"),
        "wall_s": wall_s, "cpu_s": cpu_s, "rtf_wall": wall_s / everything, "rtf_cpu": cpu_s / everything,
    }))  # fmt: skip
    if wav:
        # Lectern trims the silence of a second around each utterance and makes its own pauses.
        quiet = numpy.zeros(int(0.3 * 24000), "f4")
        parts = [part for row in rows for part in (trimmed(say(row)), quiet)]
        with wave.open(wav, "wb") as file:
            file.setparams((1, 2, 24000, 0, "NONE", ""))
            file.writeframes((numpy.clip(numpy.concatenate(parts) / 1.5, -1, 1) * 32767).astype("<i2").tobytes())


main(*sys.argv[1:])
