//! The trained numbers inside the network's file, by name. The caller knows their meaning.

use std::collections::HashMap;

use rten_onnx::onnx::{DataType, ModelProto, TensorProto};

/// All stored tensors of a file, without the computed ones.
pub(super) struct Parameters {
    tensors: HashMap<String, TensorProto>,
}

impl Parameters {
    /// Reads a file.
    ///
    /// # Errors
    /// The parser's error.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let model = ModelProto::parse_buf(file).map_err(|error| error.to_string())?;
        let stored = model.graph.map(|graph| graph.initializer).unwrap_or_default();
        let named = |tensor: TensorProto| Some((tensor.name.clone()?, tensor));
        Ok(Self { tensors: stored.into_iter().filter_map(named).collect() })
    }

    /// A tensor of `length` floats.
    ///
    /// # Errors
    /// The tensor's name, when it is missing or has another type or length.
    pub(super) fn floats(&self, name: &str, length: usize) -> Result<Vec<f32>, String> {
        let tensor = self.tensor(name, DataType::FLOAT)?;
        let floats = match &tensor.raw_data {
            Some(raw) => raw.borrow().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            None => tensor.float_data.clone(),
        };
        if floats.len() == length { Ok(floats) } else { Err(format!("{name} has another size")) }
    }

    /// A single float.
    ///
    /// # Errors
    /// As [`Parameters::floats`].
    pub(super) fn float(&self, name: &str) -> Result<f32, String> {
        self.floats(name, 1).map(|floats| floats[0])
    }

    /// A tensor of `length` signed bytes.
    ///
    /// # Errors
    /// As [`Parameters::floats`].
    pub(super) fn bytes(&self, name: &str, length: usize) -> Result<Vec<i8>, String> {
        let tensor = self.tensor(name, DataType::INT8)?;
        let bytes: Vec<i8> = match &tensor.raw_data {
            Some(raw) => raw.borrow().iter().map(|byte| byte.cast_signed()).collect(),
            None => tensor.int32_data.iter().map(|value| *value as i8).collect(),
        };
        if bytes.len() == length { Ok(bytes) } else { Err(format!("{name} has another size")) }
    }

    fn tensor(&self, name: &str, kind: DataType) -> Result<&TensorProto, String> {
        let tensor = self.tensors.get(name).ok_or_else(|| format!("it has no {name}"))?;
        if tensor.data_type == Some(kind) { Ok(tensor) } else { Err(format!("{name} is of another type")) }
    }
}
