"""An independent listener: Whisper (small, 8-bit) run by ONNX Runtime with a greedy decoder of our own.

It hears one language, writes no time stamps, and starts each stretch afresh, so that one slip cannot spoil the next.
Sizes and token numbers are those of Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision" (2022),
and of the package's own configuration files.
"""

import json

import librosa
import numpy
import onnxruntime
import tokenizers

RATE = 16_000
SECONDS = 30
FFT, HOP, MELS = 400, 160, 80
LONGEST = 224  # tokens; half a context, as in the paper


class Recognizer:
    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        self.encoder = onnxruntime.InferenceSession(str(folder / "onnx/encoder_model_quantized.onnx"), options)
        self.decoder = onnxruntime.InferenceSession(str(folder / "onnx/decoder_model_merged_quantized.onnx"), options)
        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        shape = json.loads((folder / "config.json").read_text())
        self.layers, heads = shape["decoder_layers"], shape["decoder_attention_heads"]
        self.empty = numpy.zeros((1, heads, 0, shape["d_model"] // heads), numpy.float32)
        token = self.tokenizer.token_to_id
        self.prompt = lambda language: [token(t) for t in ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>")]  # fmt: skip
        self.end = token("<|endoftext|>")
        settings = json.loads((folder / "generation_config.json").read_text())
        self.never = numpy.array([t for t in settings["suppress_tokens"] if t != self.end])
        self.never_first = numpy.array(settings["begin_suppress_tokens"])
        self.times = token("<|notimestamps|>")
        self.filters = librosa.filters.mel(sr=RATE, n_fft=FFT, n_mels=MELS)
        self.past = [f"{i}.{part}.{kind}" for i in range(self.layers) for part in ("decoder", "encoder") for kind in ("key", "value")]  # fmt: skip

    def features(self, samples):
        padded = numpy.zeros(RATE * SECONDS, numpy.float32)
        padded[: len(samples)] = samples
        spectrum = librosa.stft(padded, n_fft=FFT, hop_length=HOP, window="hann", center=True, pad_mode="reflect")
        mel = numpy.log10(numpy.maximum(self.filters @ numpy.abs(spectrum[:, :-1]) ** 2, 1e-10))
        return ((numpy.maximum(mel, mel.max() - 8.0) + 4.0) / 4.0)[None].astype(numpy.float32)

    def hear(self, samples, language="en"):
        """What is said in at most 30 s of samples at 16 kHz."""
        if len(samples) > RATE * SECONDS:
            raise ValueError("more than 30 s at once")
        heard = self.encoder.run(["last_hidden_state"], {"input_features": self.features(samples)})[0]
        outputs = ["logits"] + [f"present.{name}" for name in self.past]
        past = dict.fromkeys(self.past, self.empty)
        tokens, ask = [], self.prompt(language)
        while len(tokens) < LONGEST:
            feed = {f"past_key_values.{name}": value for name, value in past.items()}
            feed["input_ids"] = numpy.array([ask], numpy.int64)
            feed["encoder_hidden_states"] = heard
            feed["use_cache_branch"] = numpy.array([bool(tokens)])
            logits, *present = self.decoder.run(outputs, feed)
            for name, value in zip(self.past, present):
                # The encoder's keys and values are computed only in the first step.
                if ".decoder." in name or not tokens:
                    past[name] = value
            scores = logits[0, -1]
            scores[self.never] = -numpy.inf
            scores[self.times :] = -numpy.inf
            if not tokens:
                scores[self.never_first] = -numpy.inf
            best = int(scores.argmax())
            if best == self.end:
                break
            tokens.append(best)
            ask = [best]
        return self.tokenizer.decode(tokens).strip()
