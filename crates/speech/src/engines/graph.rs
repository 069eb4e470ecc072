//! Small networks for tests, written as ONNX files.

use std::{cell::RefCell, path::Path};

use rten_onnx::onnx::{
    AttributeProto, AttributeType, DataType, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, ValueInfoProto,
};

/// A network's operators and weights.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<NodeProto>,
    tensors: Vec<TensorProto>,
}

/// A whole number that an operator is given by name.
pub(super) fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        i: Some(value),
        r#type: Some(AttributeType::INT),
        ..AttributeProto::default()
    }
}

impl Graph {
    fn tensor(&mut self, name: &str, shape: &[usize], kind: DataType, raw: Vec<u8>) {
        self.tensors.push(TensorProto {
            name: Some(name.to_owned()),
            dims: shape.iter().map(|size| size.cast_signed() as i64).collect(),
            data_type: Some(kind),
            raw_data: Some(RefCell::new(raw)),
            ..TensorProto::default()
        });
    }

    pub(super) fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        assert_eq!(values.len(), shape.iter().product::<usize>());
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, shape, DataType::FLOAT, raw);
    }

    pub(super) fn integers(&mut self, name: &str, values: &[i64]) {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, &[values.len()], DataType::INT64, raw);
    }

    pub(super) fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: &str,
        attribute: Vec<AttributeProto>,
    ) {
        self.nodes.push(NodeProto {
            name: Some(format!("node of {output}")),
            op_type: Some(operator.to_owned()),
            input: inputs.iter().map(|input| (*input).to_owned()).collect(),
            output: vec![output.to_owned()],
            attribute,
            ..NodeProto::default()
        });
    }

    /// Writes the network to a file.
    pub(super) fn write(self, path: &Path, inputs: &[&str], outputs: &[&str]) {
        let named = |name: &&str| ValueInfoProto { name: Some((*name).to_owned()), r#type: None };
        let graph = GraphProto {
            node: self.nodes,
            initializer: self.tensors,
            input: inputs.iter().map(named).collect(),
            output: outputs.iter().map(named).collect(),
            value_info: Vec::new(),
        };
        let opset = OperatorSetIdProto { domain: None, version: Some(20) };
        let model = ModelProto {
            ir_version: Some(9),
            graph: Some(graph),
            opset_import: vec![opset],
            ..ModelProto::default()
        };
        std::fs::write(path, model.write_buf().expect("it is a network")).expect("it is written");
    }
}
