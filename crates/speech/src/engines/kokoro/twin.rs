//! A small network of the published one's shape, for tests. A formula gives its weights, which
//! `tests/golden/kokoro/reference.py` repeats; what comes out of its generator was computed there.

use std::path::Path;

use rten_onnx::onnx::DataType;

use super::network::{ENERGY, OUTPUTS};
use crate::{
    engines::graph::{Graph, integer},
    seed::mix,
};

pub(super) const FEATURES: usize = 16;
pub(super) const STYLE: usize = 8;
const CHANNELS: [usize; 2] = [32, 16];

/// Uniform numbers within ±`scale` around `offset`: `weight` of `reference.py`.
pub(super) fn weight(name: &str, count: usize, scale: f32, offset: f32) -> Vec<f32> {
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    let seed = name.bytes().fold(0xCBF2_9CE4_8422_2325, fnv);
    let unit = |at: u64| {
        let bits = mix(seed.wrapping_add(at.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        (bits >> 40) as f64 / f64::from(1 << 24)
    };
    let value = |at| (f64::from(offset) + f64::from(scale) * (2.0 * unit(at) - 1.0)) as f32;
    (1..=count as u64).map(value).collect()
}

/// Writes the network as it would be published.
pub(super) fn publish(path: &Path) {
    let mut twin = Twin::default();
    twin.front();
    twin.generator();
    twin.0.write(path, &["input_ids", "style", "speed"], &["waveform"]);
}

/// The network while it is being written.
#[derive(Default)]
struct Twin(Graph);

impl Twin {
    /// Ids to lengths by a table; pitch, energy and features that are as long as the lengths say.
    fn front(&mut self) {
        let [features, pitch, lengths, durations] = OUTPUTS;
        // Boundaries last long, as the real network's do.
        let mut table = weight("durations", 200, 2.0, 3.0);
        table[0] = 12.0;
        self.0.floats("table", &[200], &table);
        self.0.node("Gather", &["table", "input_ids"], durations, vec![]);
        self.0.node("Div", &[durations, "speed"], "scaled", vec![]);
        self.0.node("Round", &["scaled"], "rounded", vec![]);
        self.0.floats("one", &[], &[1.0]);
        self.0.node("Clip", &["rounded", "one"], lengths, vec![]);
        self.0.node("ReduceSum", &[lengths], "frames", vec![integer("keepdims", 0)]);
        self.0.floats("two", &[], &[2.0]);
        self.0.node("Mul", &["frames", "two"], "halves", vec![]);
        self.0.node("Cast", &["halves"], "count", vec![integer("to", i64::from(DataType::INT64.0))]);
        self.0.integers("axis", &[0]);
        self.0.node("Unsqueeze", &["count", "axis"], "size", vec![]);
        self.0.integers("ones", &[1]);
        self.0.node("Concat", &["ones", "size"], "pitch_shape", vec![integer("axis", 0)]);
        self.0.floats("hertz", &[1, 1], &[150.0]);
        self.0.node("Expand", &["hertz", "pitch_shape"], pitch, vec![]);
        self.0.integers("feature_shape", &[1, FEATURES.cast_signed() as i64]);
        self.0.node("Concat", &["feature_shape", "size"], "features_shape", vec![integer("axis", 0)]);
        // Large enough to lie in the file of weights.
        let wide = weight("wide", FEATURES * 32, 0.5, 0.0);
        self.0.floats("wide", &[1, FEATURES, 32], &wide);
        self.0.node("ReduceSum", &["wide", "last_axis"], "column", vec![integer("keepdims", 1)]);
        self.0.integers("last_axis", &[2]);
        self.0.node("Expand", &["column", "features_shape"], "even", vec![]);
        self.0.floats("level", &[1, 1], &[0.0]);
        self.0.node("Expand", &["level", "pitch_shape"], ENERGY, vec![]);
        self.0.node("Add", &["even", ENERGY], features, vec![]);
    }

    fn generator(&mut self) {
        for (index, (rate, noise_taps, taps)) in [(10, 12, 7), (6, 1, 11)].into_iter().enumerate() {
            let channels = CHANNELS[index];
            let inputs = if index == 0 { FEATURES } else { CHANNELS[index - 1] };
            self.weighted(
                &format!("ups.{index}"),
                "ConvTranspose",
                &[inputs, channels, 2 * rate],
                2 * inputs,
                channels,
            );
            self.convolution(&format!("noise_convs.{index}"), channels, 22, noise_taps);
            self.block(&format!("noise_res.{index}"), channels, taps);
            for (block, taps) in [3, 7, 11].into_iter().enumerate() {
                self.block(&format!("resblocks.{}", 3 * index + block), channels, taps);
            }
        }
        self.convolution("conv_post", 22, CHANNELS[1], 7);
        self.0.floats("mixed", &[9, 1], &weight("source.weight", 9, 0.5, 0.0));
        self.0.node(
            "MatMul",
            &["sines", "mixed"],
            "/decoder/decoder/generator/m_source/l_linear/MatMul_output_0",
            vec![],
        );
        let bias = weight("source.bias", 1, 0.05, 0.0);
        self.0.floats("decoder.decoder.generator.m_source.l_linear.bias", &[1], &bias);
    }

    fn block(&mut self, name: &str, channels: usize, taps: usize) {
        for half in 1..=2 {
            for index in 0..3 {
                self.convolution(&format!("{name}.convs{half}.{index}"), channels, channels, taps);
                let alpha = format!("{name}.alpha{half}.{index}");
                let values = weight(&alpha, channels, 0.5, 1.0);
                self.0.floats(&format!("decoder.decoder.generator.{alpha}"), &[1, channels, 1], &values);
                let style = format!("{name}.adain{half}.{index}");
                let values = weight(&format!("{style}.weight"), 2 * channels * STYLE, 0.5, 0.0);
                let at = format!("decoder.decoder.generator.{style}.fc");
                self.0.floats(&format!("{at}.weight"), &[2 * channels, STYLE], &values);
                let values = weight(&format!("{style}.bias"), 2 * channels, 0.2, 0.0);
                self.0.floats(&format!("{at}.bias"), &[2 * channels], &values);
            }
        }
    }

    fn convolution(&mut self, name: &str, outputs: usize, inputs: usize, taps: usize) {
        self.weighted(name, "Conv", &[outputs, inputs, taps], inputs * taps, outputs);
    }

    fn weighted(&mut self, name: &str, operator: &str, shape: &[usize], fan: usize, outputs: usize) {
        let scale = (1.7 / (fan as f64).sqrt()) as f32;
        let values = weight(&format!("{name}.weight"), shape.iter().product(), scale, 0.0);
        // Most weights are computed in the published graph and have no name of their own.
        self.0.floats(&format!("weights of {name}"), shape, &values);
        let bias = weight(&format!("{name}.bias"), outputs, 0.1, 0.0);
        let bias_name = format!("decoder.decoder.generator.{name}.bias");
        self.0.floats(&bias_name, &[outputs], &bias);
        let path = name.replacen(".convs", "/convs", 1);
        self.0.node(
            operator,
            &["activations", &format!("weights of {name}"), &bias_name],
            &format!("/decoder/decoder/generator/{path}/{operator}_output_0"),
            vec![],
        );
    }
}
