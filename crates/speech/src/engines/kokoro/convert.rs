//! Makes the files that the engine loads of the published network, once, when its pack is fetched.
//!
//! The part that the general runtime runs becomes a graph and a file of its weights, aligned so that
//! they can be used where they lie. The generator's weights become signed bytes with a scale for each
//! output channel. The same network gives the same files on every machine.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
};

use rten_onnx::onnx::{
    DataLocation, DataType, GraphProto, ModelProto, NodeProto, StringStringEntryProto, TensorProto,
    ValueInfoProto,
};

use super::{
    network::{FRONT, FRONT_WEIGHTS, OUTPUTS},
    spectrum::SPECTRUM,
    tensors::TensorsBuilder,
};

/// The generator's weights.
pub(super) const GENERATOR: &str = "generator.weights";

/// Where the generator's nodes are in the network.
const AT: &str = "/decoder/decoder/generator/";
const WEIGHTS_AT: &str = "decoder.decoder.generator.";

/// Arrays of at least this many bytes lie in the file of weights.
const LARGE: usize = 1024;

/// Weights begin at multiples of this.
const ALIGNMENT: usize = 64;

/// Makes the pack's files of the network, for `pack::install`.
pub(super) fn for_pack(network: &Path, folder: &Path) -> Result<(), String> {
    convert(network, folder, Precision::Bytes)
}

/// Reads the network at `network` and writes what the engine loads into `folder`.
///
/// # Errors
/// What is not as expected, or what the system says.
pub(super) fn convert(network: &Path, folder: &Path, precision: Precision) -> Result<(), String> {
    let file = File::open(network).map_err(|error| error.to_string())?;
    let model = ModelProto::parse_file(file).map_err(|error| error.to_string())?;
    let graph = model.graph.as_ref().ok_or("it has no graph")?;
    let generator = Published::new(graph).generator(precision)?;
    write(&folder.join(GENERATOR), |file| file.write_all(&generator))?;
    drop(generator);
    front(model, folder)
}

/// How the generator's weights are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// As signed bytes.
    Bytes,
    /// As they are, for comparisons.
    Floats,
}

/// Writes a file and waits until the disk has it.
fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), String> {
    let written = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        content(&mut file)?;
        file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    });
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The graph up to the generator, and its weights.
fn front(mut model: ModelProto, folder: &Path) -> Result<(), String> {
    let graph = model.graph.as_mut().ok_or("it has no graph")?;
    let made_by: HashMap<&str, usize> = graph
        .node
        .iter()
        .enumerate()
        .flat_map(|(index, node)| node.output.iter().map(move |output| (output.as_str(), index)))
        .collect();
    let mut wanted: HashSet<String> = HashSet::new();
    let mut nodes: HashSet<usize> = HashSet::new();
    let mut open: Vec<&str> = OUTPUTS.to_vec();
    while let Some(value) = open.pop() {
        if !wanted.insert(value.to_owned()) {
            continue;
        }
        if let Some(&index) = made_by.get(value)
            && nodes.insert(index)
        {
            open.extend(graph.node[index].input.iter().map(String::as_str));
        }
    }
    if let Some(missing) = OUTPUTS.iter().find(|name| !made_by.contains_key(*name)) {
        return Err(format!("it has no {missing}"));
    }
    let mut index = 0;
    graph.node.retain(|_| {
        index += 1;
        nodes.contains(&(index - 1))
    });
    graph.initializer.retain(|tensor| tensor.name.as_ref().is_some_and(|name| wanted.contains(name)));
    graph.value_info.clear();
    let output = |name: &&str| ValueInfoProto { name: Some((*name).to_owned()), r#type: None };
    graph.output = OUTPUTS.iter().map(output).collect();
    write(&folder.join(FRONT_WEIGHTS), |file| {
        let mut at = 0_usize;
        for tensor in &mut graph.initializer {
            let is_large = |raw: &Vec<u8>| raw.len() >= LARGE;
            let Some(raw) = tensor.raw_data.take_if(|raw| is_large(&raw.borrow())) else { continue };
            let raw = raw.into_inner();
            let start = at.next_multiple_of(ALIGNMENT);
            file.write_all(&vec![0; start - at])?;
            file.write_all(&raw)?;
            at = start + raw.len();
            let entry = |key: &str, value: String| StringStringEntryProto {
                key: Some(key.to_owned()),
                value: Some(value),
            };
            tensor.external_data = vec![
                entry("location", FRONT_WEIGHTS.to_owned()),
                entry("offset", start.to_string()),
                entry("length", raw.len().to_string()),
            ];
            tensor.data_location = Some(DataLocation::EXTERNAL);
        }
        Ok(())
    })?;
    let graph = model.write_buf().map_err(|error| error.to_string())?;
    write(&folder.join(FRONT), |file| file.write_all(&graph))
}

/// The published network, by name.
struct Published<'a> {
    nodes: HashMap<&'a str, &'a NodeProto>,
    tensors: HashMap<&'a str, &'a TensorProto>,
}

impl<'a> Published<'a> {
    fn new(graph: &'a GraphProto) -> Self {
        let named = |tensor: &'a TensorProto| Some((tensor.name.as_deref()?, tensor));
        Self {
            nodes: graph
                .node
                .iter()
                .flat_map(|node| node.output.iter().map(move |output| (output.as_str(), node)))
                .collect(),
            tensors: graph.initializer.iter().filter_map(named).collect(),
        }
    }

    /// A tensor of floats, and its shape.
    fn floats(&self, name: &str) -> Result<(Vec<f32>, Vec<usize>), String> {
        let tensor = self.tensors.get(name).ok_or_else(|| format!("it has no {name}"))?;
        let shape: Vec<usize> = tensor.dims.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
        let raw = tensor.raw_data.as_ref().filter(|_| tensor.data_type == Some(DataType::FLOAT));
        let raw = raw.ok_or_else(|| format!("{name} is of another type"))?.borrow();
        let values: Vec<f32> = raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if values.len() == shape.iter().product::<usize>() {
            Ok((values, shape))
        } else {
            Err(format!("{name} has another size"))
        }
    }

    /// The weights that a node of the generator multiplies with, under whatever name.
    fn weights_of(&self, output: &str) -> Result<(Vec<f32>, Vec<usize>), String> {
        let node = self.nodes.get(output).ok_or_else(|| format!("it has no {output}"))?;
        let named = node.input.iter().find(|input| self.tensors.contains_key(input.as_str()));
        self.floats(named.ok_or_else(|| format!("{output} has no weights"))?)
    }

    /// The generator's weights as the engine takes them.
    fn generator(&self, precision: Precision) -> Result<Vec<u8>, String> {
        let mut file = TensorsBuilder::default();
        for index in 0..2 {
            self.convolution(&mut file, &format!("noise_convs.{index}"), Precision::Floats)?;
            self.denser(&mut file, &format!("ups.{index}"))?;
            self.block(&mut file, &format!("noise_res.{index}"), precision)?;
        }
        for index in 0..6 {
            self.block(&mut file, &format!("resblocks.{index}"), precision)?;
        }
        self.convolution(&mut file, "conv_post", Precision::Floats)?;
        let (weights, _) = self.weights_of(&format!("{AT}m_source/l_linear/MatMul_output_0"))?;
        file.floats("source.weight", &[weights.len()], &weights);
        self.vector(&mut file, "m_source.l_linear.bias", "source.bias")?;
        file.finish()
    }

    fn block(&self, file: &mut TensorsBuilder, name: &str, precision: Precision) -> Result<(), String> {
        for half in 1..=2 {
            for index in 0..3 {
                self.convolution(file, &format!("{name}.convs{half}.{index}"), precision)?;
                let alpha = format!("{name}.alpha{half}.{index}");
                self.vector(file, &alpha, &alpha)?;
                let style = format!("{name}.adain{half}.{index}");
                let (weights, shape) = self.floats(&format!("{WEIGHTS_AT}{style}.fc.weight"))?;
                let [outputs, inputs] = shape[..] else { return Err(format!("{style} has another shape")) };
                file.floats(&format!("{style}.weight"), &[inputs, outputs], &transposed(&weights, outputs));
                self.vector(file, &format!("{style}.fc.bias"), &format!("{style}.bias"))?;
            }
        }
        Ok(())
    }

    fn vector(&self, file: &mut TensorsBuilder, name: &str, into: &str) -> Result<(), String> {
        let (values, _) = self.floats(&format!("{WEIGHTS_AT}{name}"))?;
        file.floats(into, &[values.len()], &values);
        Ok(())
    }

    /// `[output][input][tap]` becomes `[tap × input][output]`.
    fn convolution(&self, file: &mut TensorsBuilder, name: &str, precision: Precision) -> Result<(), String> {
        let path = name.replacen(".convs", "/convs", 1);
        let (weights, shape) = self.weights_of(&format!("{AT}{path}/Conv_output_0"))?;
        let [outputs, inputs, taps] = shape[..] else { return Err(format!("{name} has another shape")) };
        let mut rows = vec![0.0; weights.len()];
        for (at, weight) in weights.iter().enumerate() {
            let (output, input, tap) = (at / (inputs * taps), at / taps % inputs, at % taps);
            rows[(tap * inputs + input) * outputs + output] = *weight;
        }
        let shape = [taps * inputs, outputs];
        match precision {
            Precision::Floats => file.floats(&format!("{name}.weight"), &shape, &rows),
            Precision::Bytes => {
                let (bytes, scales) = quantized(&rows, outputs);
                file.bytes(&format!("{name}.weight"), &shape, &bytes);
                file.floats(&format!("{name}.scale"), &[outputs], &scales);
            }
        }
        self.vector(file, &format!("{name}.bias"), &format!("{name}.bias"))
    }

    /// `[input][output][tap]` becomes `[input][tap × output]`.
    fn denser(&self, file: &mut TensorsBuilder, name: &str) -> Result<(), String> {
        let (weights, shape) = self.weights_of(&format!("{AT}{name}/ConvTranspose_output_0"))?;
        let [inputs, outputs, taps] = shape[..] else { return Err(format!("{name} has another shape")) };
        let rows: Vec<f32> =
            weights.chunks_exact(outputs * taps).flat_map(|row| transposed(row, outputs)).collect();
        file.floats(&format!("{name}.weight"), &[inputs, taps * outputs], &rows);
        self.vector(file, &format!("{name}.bias"), &format!("{name}.bias"))
    }
}

const _: () = assert!(SPECTRUM == 22, "what the published network takes and gives");

/// Signed bytes, and what one step is worth in each column.
fn quantized(rows: &[f32], columns: usize) -> (Vec<i8>, Vec<f32>) {
    let mut scales = vec![0.0_f32; columns];
    for row in rows.chunks_exact(columns) {
        scales.iter_mut().zip(row).for_each(|(most, weight)| *most = most.max(weight.abs()));
    }
    for scale in &mut scales {
        *scale = (*scale / 127.0).max(f32::MIN_POSITIVE);
    }
    let round = |row: &[f32]| -> Vec<i8> {
        row.iter().zip(&scales).map(|(weight, scale)| (weight / scale).round_ties_even() as i8).collect()
    };
    (rows.chunks_exact(columns).flat_map(round).collect(), scales)
}

/// A matrix, its columns as rows.
fn transposed(matrix: &[f32], rows: usize) -> Vec<f32> {
    let columns = matrix.len() / rows;
    (0..matrix.len()).map(|at| matrix[at % rows * columns + at / rows]).collect()
}
