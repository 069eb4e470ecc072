"""Kokoro's generator in numpy, written apart from the Rust one: where the files of this folder come from.

    python reference.py twin                    writes *.f32: a small generator whose weights a formula gives
    python reference.py check MODEL.onnx DIR    compares this file with ONNX Runtime's tensors in DIR

Needs numpy; `check` needs onnx as well. The twin has the shape of the real network with fewer channels. Its weights
come from `weight`, which `crates/speech/src/engines/kokoro/twin.rs` repeats.
"""

import pathlib
import sys

import numpy as np

HARMONICS, WINDOW, HOP, BINS = 9, 20, 5, 11
MASK = (1 << 64) - 1


def mix(x):
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def weight(name, shape, scale, offset=0.0):
    """Uniform numbers within ±scale around offset, by FNV-1a of the name and SplitMix64's finisher."""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = ((seed ^ byte) * 0x100000001B3) & MASK
    with np.errstate(over="ignore"):
        bits = mix(np.uint64(seed) + np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    unit = (bits >> np.uint64(40)).astype(np.float64) / 2**24
    return (offset + scale * (2 * unit - 1)).astype(np.float32).reshape(shape)


class Twin:
    """Weights of the small generator, in the published network's shapes."""

    features, style, channels = 16, 8, (32, 16)

    def convolution(self, name, outputs, inputs, taps):
        return (
            weight(name + ".weight", (outputs, inputs, taps), 1.7 / np.sqrt(inputs * taps)),
            weight(name + ".bias", (outputs,), 0.1),
        )

    def denser(self, name, inputs, outputs, taps):
        return weight(name + ".weight", (inputs, outputs, taps), 1.7 / np.sqrt(2 * inputs)), weight(name + ".bias", (outputs,), 0.1)

    def block_step(self, name, half, index, channels, taps):
        return (
            weight(f"{name}.adain{half}.{index}.weight", (2 * channels, self.style), 0.5),
            weight(f"{name}.adain{half}.{index}.bias", (2 * channels,), 0.2),
            weight(f"{name}.alpha{half}.{index}", (channels,), 0.5, 1.0),
            *self.convolution(f"{name}.convs{half}.{index}", channels, channels, taps),
        )

    def source(self):
        return weight("source.weight", (HARMONICS,), 0.5), weight("source.bias", (1,), 0.05)


class Real(Twin):
    """Weights of the published network."""

    features, style, channels = 512, 128, (256, 128)
    at, names = "/decoder/decoder/generator/", "decoder.decoder.generator."

    def __init__(self, path):
        import onnx
        from onnx import numpy_helper

        graph = onnx.load(path).graph
        self.tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        self.nodes = {o: n for n in graph.node for o in n.output}

    def of(self, output):
        return next(self.tensors[i] for i in self.nodes[self.at + output].input if i in self.tensors)

    def convolution(self, name, *_):
        path = name.replace(".convs", "/convs", 1)
        return self.of(path + "/Conv_output_0"), self.tensors[self.names + name + ".bias"]

    def denser(self, name, *_):
        return self.of(name + "/ConvTranspose_output_0"), self.tensors[self.names + name + ".bias"]

    def block_step(self, name, half, index, *_):
        fc = f"{self.names}{name}.adain{half}.{index}.fc."
        alpha = self.tensors[f"{self.names}{name}.alpha{half}.{index}"].ravel()
        return self.tensors[fc + "weight"], self.tensors[fc + "bias"], alpha, *self.convolution(f"{name}.convs{half}.{index}")

    def source(self):
        return self.of("m_source/l_linear/MatMul_output_0").ravel(), self.tensors[self.names + "m_source.l_linear.bias"]


def convolve(x, weights, bias, stride=1, dilation=1, padding=0):
    """`x` is [channel][time]."""
    x = np.pad(x, ((0, 0), (padding, padding)))
    taps = weights.shape[2]
    length = (x.shape[1] - dilation * (taps - 1) - 1) // stride + 1
    out = np.zeros((weights.shape[0], length))
    for tap in range(taps):
        start = tap * dilation
        out += weights[:, :, tap].astype(np.float64) @ x[:, start : start + (length - 1) * stride + 1 : stride]
    return out + bias[:, None]


def convolve_bytes(x, weights, bias, dilation, padding, top):
    """The same with weights rounded to signed bytes a channel and inputs to bytes from 0 to `top`."""
    steps = np.maximum(np.abs(weights).max(axis=(1, 2)) / np.float32(127), np.finfo(np.float32).tiny)
    rounded = np.rint(weights / steps[:, None, None])
    low, high = min(x.min(), 0.0), max(x.max(), 0.0)
    step = (high - low) / top
    zero = np.rint(-low / step)
    bytes_ = np.clip(np.rint(x / step + zero), 0, top) - zero
    return convolve(bytes_, rounded, np.zeros(len(bias)), 1, dilation, padding) * (step * steps)[:, None] + bias[:, None]


def transposed(x, weights, bias, rate):
    taps, padding = 2 * rate, rate // 2
    out = np.zeros((weights.shape[1], (x.shape[1] - 1) * rate + taps))
    for tap in range(taps):
        out[:, tap : tap + (x.shape[1] - 1) * rate + 1 : rate] += weights[:, :, tap].astype(np.float64).T @ x
    return out[:, padding : out.shape[1] - padding] + bias[:, None]


def leaky(x, slope):
    return np.where(x < 0, x * slope, x)


class Generator:
    def __init__(self, weights, top=None):
        self.weights, self.top, self.stages = weights, top, {}

    def block(self, x, style, name, channels, taps):
        for index, dilation in enumerate((1, 3, 5)):
            now = x
            for half in (1, 2):
                matrix, offset, alpha, kernel, bias = self.weights.block_step(name, half, index, channels, taps)
                steer = matrix.astype(np.float64) @ style + offset
                mean, variance = now.mean(1, keepdims=True), now.var(1, keepdims=True)
                now = (1 + steer[:channels, None]) * (now - mean) / np.sqrt(variance + 1e-5) + steer[channels:, None]
                now = now + np.sin(alpha[:, None] * now) ** 2 / alpha[:, None]
                apart = dilation if half == 1 else 1
                padding = apart * (taps - 1) // 2
                if self.top:
                    now = convolve_bytes(now, kernel, bias, apart, padding, self.top)
                else:
                    now = convolve(now, kernel, bias, 1, apart, padding)
            x = x + now
        return x

    def run(self, features, style, excitation):
        x = features.astype(np.float64)
        inputs = self.weights.features
        for index, (rate, noise_taps, stride, taps) in enumerate(((10, 12, 6, 7), (6, 1, 1, 11))):
            channels = self.weights.channels[index]
            x = transposed(leaky(x, 0.1), *self.weights.denser(f"ups.{index}", inputs, channels, 2 * rate), rate)
            if index == 1:
                x = np.concatenate([x[:, 1:2], x], axis=1)
            noise = self.weights.convolution(f"noise_convs.{index}", channels, 22, noise_taps)
            noise = convolve(excitation.astype(np.float64), *noise, stride, 1, (noise_taps - stride) // 2)
            x = x + self.block(noise, style, f"noise_res.{index}", channels, taps)
            self.stages[f"start.{index}"] = x
            blocks = [self.block(x, style, f"resblocks.{3 * index + b}", channels, t) for b, t in enumerate((3, 7, 11))]
            x = sum(blocks) / 3
            self.stages[f"average.{index}"] = x
            inputs = channels
        return convolve(leaky(x, 0.01), *self.weights.convolution("conv_post", 22, inputs, 7), 1, 1, 3)


def source(pitch, weights, bias, noise=None):
    frames = np.repeat(pitch.astype(np.float64), 300)
    turns = np.float32(pitch)[:, None] * np.arange(1, HARMONICS + 1, dtype=np.float32)
    turns = turns.astype(np.float64) / 24000
    sums = np.cumsum(turns - np.floor(turns), axis=0)
    at = (np.arange(len(frames)) + 0.5) / 300 - 0.5
    phases = np.stack([np.interp(at, np.arange(len(pitch)), sums[:, h]) for h in range(HARMONICS)], axis=1)
    voiced = frames > 10
    sines = 0.1 * np.sin(2 * np.pi * 300 * phases) * voiced[:, None]
    return np.tanh(sines @ weights.astype(np.float64) + bias)


def spectrum(samples):
    padded = np.pad(samples, WINDOW // 2, mode="reflect")
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    rows = len(samples) // HOP + 1
    parts = np.stack([np.fft.rfft(padded[r * HOP : r * HOP + WINDOW] * window) for r in range(rows)])
    return np.concatenate([np.abs(parts), np.angle(parts)], axis=1).T


def sound(spectrum):
    rows = spectrum.shape[1]
    parts = np.exp(spectrum[:BINS]) * np.exp(1j * np.sin(spectrum[BINS:]))
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    out, weights = np.zeros((rows - 1) * HOP + WINDOW), np.zeros((rows - 1) * HOP + WINDOW)
    for row in range(rows):
        ends = parts[:, row].copy()
        ends[[0, -1]] = ends[[0, -1]].real
        out[row * HOP : row * HOP + WINDOW] += np.fft.irfft(ends, WINDOW) * window
        weights[row * HOP : row * HOP + WINDOW] += window**2
    inside = slice(WINDOW // 2, len(out) - WINDOW // 2)
    return out[inside] / weights[inside]


def twin(folder):
    weights = Twin()
    frames = 6
    pitch = np.array([0.0, 120.0, 180.0, 240.0, 5.0, 100.0])
    features = weight("features", (weights.features, frames), 1.0)
    style = weight("style", (weights.style,), 0.5)
    samples = source(pitch, *weights.source())
    excitation = spectrum(samples)
    files = {"source": samples, "excitation": excitation.T}
    # What goes into the generator is a formula's too, so that each stage is compared by itself.
    levels = weight("excitation.levels", (BINS, 60 * frames + 1), 0.05, 0.05)
    phases = weight("excitation.phases", (BINS, 60 * frames + 1), 3.0)
    given = np.concatenate([levels, phases])
    for name, top in (("floats", None), ("bytes255", 255), ("bytes127", 127)):
        result = Generator(weights, top).run(features, style, given)
        files[f"spectrum.{name}"] = result.T
        print(name, "rms", np.sqrt((result**2).mean()), "off", np.sqrt(((result - files["spectrum.floats"].T) ** 2).mean()))
    quiet = weight("spectrum.levels", (BINS, 61), 1.0, -2.0)
    files["sound"] = sound(np.concatenate([quiet, weight("spectrum.phases", (BINS, 61), 2.0)]))
    for name, values in files.items():
        np.ascontiguousarray(values, "<f4").tofile(folder / f"{name}.f32")


def check(model, folder):
    weights = Real(model)
    at = "decoder_decoder_generator_"
    read = lambda name, *shape: np.fromfile(folder / f"{name}.f32", "<f4").reshape(shape)
    pitch = read("encoder_Reshape_output_0", -1)
    made = source(pitch, *weights.source())
    compare("source", made, read(at + "m_source_l_tanh_Tanh_output_0", -1))
    excitation = read(at + "Concat_3_output_0", 22, -1)
    own = spectrum(read(at + "m_source_l_tanh_Tanh_output_0", -1).astype(np.float64))
    loud = excitation[:11] > 1e-3
    compare("levels", own[:11], excitation[:11])
    turn = np.exp(1j * own[11:]) - np.exp(1j * excitation[11:])
    print("phases, where loud:", np.abs(turn[loud]).max())
    features = read("decoder_decoder_decode.3_Div_4_output_0", 512, -1)
    generator = Generator(weights)
    result = generator.run(features, read("decoder_Slice_output_0", -1), excitation)
    compare("first stage's start", generator.stages["start.0"], read(at + "Add_2_output_0", 256, -1))
    compare("first stage", generator.stages["average.0"], read(at + "Div_2_output_0", 256, -1))
    compare("second stage", generator.stages["average.1"], read(at + "Div_4_output_0", 128, -1))
    compare("spectrum", result, read(at + "conv_post_Conv_output_0", 22, -1))
    # The export divides by the windows' sum at its first 20 samples only, and is 1.5 times too loud after them.
    compare("waveform", 1.5 * sound(result)[20:], read("waveform", -1)[20:])


def compare(name, ours, theirs):
    off = np.sqrt(((ours - theirs) ** 2).mean())
    print(f"{name}: off by {off:.3g} of {np.sqrt((theirs**2).mean()):.3g}")


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    twin(here) if sys.argv[1] == "twin" else check(sys.argv[2], pathlib.Path(sys.argv[3]))
