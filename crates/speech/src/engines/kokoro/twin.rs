//! A small network of the published one's shape, for tests. A formula gives its weights, which
//! `tests/golden/kokoro/reference.py` repeats; what comes out of its generator was computed there.

use std::{cell::RefCell, path::Path};

use rten_onnx::onnx::{
    AttributeProto, AttributeType, DataType, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, ValueInfoProto,
};

use super::network::OUTPUTS;
use crate::seed::mix;

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
    let mut twin = Builder::default();
    twin.front();
    twin.generator();
    let named = |name: &&str| ValueInfoProto { name: Some((*name).to_owned()), r#type: None };
    let graph = GraphProto {
        node: twin.nodes,
        initializer: twin.tensors,
        input: ["input_ids", "style", "speed"].iter().map(named).collect(),
        output: ["waveform"].iter().map(named).collect(),
        value_info: Vec::new(),
    };
    let opset = OperatorSetIdProto { domain: None, version: Some(20) };
    let model = ModelProto {
        ir_version: Some(9),
        graph: Some(graph),
        opset_import: vec![opset],
        ..ModelProto::default()
    };
    std::fs::write(path, model.write_buf().unwrap()).unwrap();
}

#[derive(Default)]
struct Builder {
    nodes: Vec<NodeProto>,
    tensors: Vec<TensorProto>,
}

impl Builder {
    fn tensor(&mut self, name: &str, shape: &[usize], kind: DataType, raw: Vec<u8>) {
        self.tensors.push(TensorProto {
            name: Some(name.to_owned()),
            dims: shape.iter().map(|size| size.cast_signed() as i64).collect(),
            data_type: Some(kind),
            raw_data: Some(RefCell::new(raw)),
            ..TensorProto::default()
        });
    }

    fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        assert_eq!(values.len(), shape.iter().product::<usize>());
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, shape, DataType::FLOAT, raw);
    }

    fn integers(&mut self, name: &str, values: &[i64]) {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, &[values.len()], DataType::INT64, raw);
    }

    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attribute: Vec<AttributeProto>) {
        self.nodes.push(NodeProto {
            name: Some(format!("node of {output}")),
            op_type: Some(operator.to_owned()),
            input: inputs.iter().map(|input| (*input).to_owned()).collect(),
            output: vec![output.to_owned()],
            attribute,
            ..NodeProto::default()
        });
    }

    /// Ids to lengths by a table; pitch and features that are as long as the lengths say.
    fn front(&mut self) {
        let [features, pitch, lengths, durations] = OUTPUTS;
        let integer = |name: &str, value: i64| AttributeProto {
            name: Some(name.to_owned()),
            i: Some(value),
            r#type: Some(AttributeType::INT),
            ..AttributeProto::default()
        };
        // Boundaries last long, as the real network's do.
        let mut table = weight("durations", 200, 2.0, 3.0);
        table[0] = 12.0;
        self.floats("table", &[200], &table);
        self.node("Gather", &["table", "input_ids"], durations, vec![]);
        self.node("Div", &[durations, "speed"], "scaled", vec![]);
        self.node("Round", &["scaled"], "rounded", vec![]);
        self.floats("one", &[], &[1.0]);
        self.node("Clip", &["rounded", "one"], lengths, vec![]);
        self.node("ReduceSum", &[lengths], "frames", vec![integer("keepdims", 0)]);
        self.floats("two", &[], &[2.0]);
        self.node("Mul", &["frames", "two"], "halves", vec![]);
        self.node("Cast", &["halves"], "count", vec![integer("to", i64::from(DataType::INT64.0))]);
        self.integers("axis", &[0]);
        self.node("Unsqueeze", &["count", "axis"], "size", vec![]);
        self.integers("ones", &[1]);
        self.node("Concat", &["ones", "size"], "pitch_shape", vec![integer("axis", 0)]);
        self.floats("hertz", &[1, 1], &[150.0]);
        self.node("Expand", &["hertz", "pitch_shape"], pitch, vec![]);
        self.integers("feature_shape", &[1, FEATURES.cast_signed() as i64]);
        self.node("Concat", &["feature_shape", "size"], "features_shape", vec![integer("axis", 0)]);
        // Large enough to lie in the file of weights.
        let wide = weight("wide", FEATURES * 32, 0.5, 0.0);
        self.floats("wide", &[1, FEATURES, 32], &wide);
        self.node("ReduceSum", &["wide", "last_axis"], "column", vec![integer("keepdims", 1)]);
        self.integers("last_axis", &[2]);
        self.node("Expand", &["column", "features_shape"], features, vec![]);
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
        self.floats("mixed", &[9, 1], &weight("source.weight", 9, 0.5, 0.0));
        self.node(
            "MatMul",
            &["sines", "mixed"],
            "/decoder/decoder/generator/m_source/l_linear/MatMul_output_0",
            vec![],
        );
        let bias = weight("source.bias", 1, 0.05, 0.0);
        self.floats("decoder.decoder.generator.m_source.l_linear.bias", &[1], &bias);
    }

    fn block(&mut self, name: &str, channels: usize, taps: usize) {
        for half in 1..=2 {
            for index in 0..3 {
                self.convolution(&format!("{name}.convs{half}.{index}"), channels, channels, taps);
                let alpha = format!("{name}.alpha{half}.{index}");
                let values = weight(&alpha, channels, 0.5, 1.0);
                self.floats(&format!("decoder.decoder.generator.{alpha}"), &[1, channels, 1], &values);
                let style = format!("{name}.adain{half}.{index}");
                let values = weight(&format!("{style}.weight"), 2 * channels * STYLE, 0.5, 0.0);
                let at = format!("decoder.decoder.generator.{style}.fc");
                self.floats(&format!("{at}.weight"), &[2 * channels, STYLE], &values);
                let values = weight(&format!("{style}.bias"), 2 * channels, 0.2, 0.0);
                self.floats(&format!("{at}.bias"), &[2 * channels], &values);
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
        self.floats(&format!("weights of {name}"), shape, &values);
        let bias = weight(&format!("{name}.bias"), outputs, 0.1, 0.0);
        let bias_name = format!("decoder.decoder.generator.{name}.bias");
        self.floats(&bias_name, &[outputs], &bias);
        let path = name.replacen(".convs", "/convs", 1);
        self.node(
            operator,
            &["activations", &format!("weights of {name}"), &bias_name],
            &format!("/decoder/decoder/generator/{path}/{operator}_output_0"),
            vec![],
        );
    }
}
