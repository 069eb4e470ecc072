//! The part of the network that the general runtime runs: from phoneme ids to the features, the
//! pitch and the length of every phoneme. The rest is `generator`'s.

use std::{path::Path, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::{NdTensor, prelude::*};

use crate::{
    engines::EngineError,
    pack::{Pack, PackError},
};

/// The graph, and its weights, which are mapped into memory.
pub(super) const FRONT: &str = "front.onnx";
pub(super) const FRONT_WEIGHTS: &str = "front.data";

/// How long each phoneme is before the speed is applied, in frames of 25 ms.
const DURATIONS: &str = "/encoder/predictor/ReduceSum_output_0";

/// The same with the speed applied, rounded, and at least 1: they sum up to half the pitch's frames.
const LENGTHS: &str = "/encoder/Clip_output_0";

/// The pitch, two values a frame.
const PITCH: &str = "/encoder/Reshape_output_0";

/// What the generator starts from: [1, features, 2 × frames].
const FEATURES: &str = "/decoder/decoder/decode.3/Div_4_output_0";

/// What the graph gives.
pub(super) const OUTPUTS: [&str; 4] = [FEATURES, PITCH, LENGTHS, DURATIONS];

/// What the network says of a row of phonemes.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// `[feature][half frame]`.
    pub(super) features: Vec<f32>,
    /// Pitch of each half frame.
    pub(super) pitch_hz: Vec<f32>,
    /// Frames of 25 ms of each phoneme; they sum up to all frames.
    pub(super) lengths: Vec<usize>,
}

/// The network's graph and weights, shared by all threads that speak with it.
pub(super) struct Front {
    model: Model,
    inputs: [NodeId; 3],
    outputs: [NodeId; 3],
    durations: NodeId,
}

impl Front {
    /// Maps the weights into memory.
    ///
    /// # Errors
    /// [`PackError`] when the files are missing or are no such network.
    pub(super) fn load(folder: &Path) -> Result<Self, PackError> {
        // Weights are used where they lie; packed for products they would take their size again.
        let options = ModelOptions::with_all_ops().prepack_weights(false).clone();
        #[expect(
            unsafe_code,
            reason = "the file is only ever replaced by renaming, so what is mapped does not change"
        )]
        // SAFETY: `pack::install` writes a file under another name and renames it.
        let model = unsafe { options.load_mmap(folder.join(FRONT)) };
        let model = model.map_err(|error| Pack::unusable(FRONT, &error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| Pack::unusable(FRONT, &error));
        Ok(Self {
            inputs: [node("input_ids")?, node("style")?, node("speed")?],
            outputs: [node(FEATURES)?, node(PITCH)?, node(LENGTHS)?],
            durations: node(DURATIONS)?,
            model,
        })
    }
}

/// The network on one thread.
pub(super) struct Network {
    front: Arc<Front>,
    /// One worker: a model never uses a second core, other sentences do.
    worker: Arc<ThreadPool>,
}

impl Network {
    pub(super) fn new(front: Arc<Front>) -> Self {
        Self { front, worker: Arc::new(ThreadPool::with_num_threads(1)) }
    }

    /// The worker, for what else an utterance needs.
    pub(super) fn worker(&self) -> Arc<ThreadPool> {
        Arc::clone(&self.worker)
    }

    /// Runs the network over phoneme ids (0 at both ends) with a voice's style, at a speed.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network refuses its input.
    pub(super) fn run(&self, ids: &[i32], style: &[f32], speed: f32) -> Result<Frames, EngineError> {
        let outputs = self.outputs(ids, style, speed, &self.front.outputs)?;
        let [features, pitch, lengths] =
            <[Value; 3]>::try_from(outputs).map_err(|_| failed(&"it gave another number of outputs"))?;
        let features = NdTensor::<f32, 3>::try_from(features).map_err(|error| failed(&error))?;
        let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
        let lengths = NdTensor::<f32, 2>::try_from(lengths).map_err(|error| failed(&error))?;
        let frames = pitch.len();
        let fits = features.shape()[2] == frames;
        let lengths: Vec<usize> = lengths.into_data().iter().map(|steps| *steps as usize).collect();
        if !fits || lengths.len() != ids.len() || 2 * lengths.iter().sum::<usize>() != frames {
            return Err(failed(&"its outputs do not fit together"));
        }
        Ok(Frames { features: features.into_data(), pitch_hz: pitch.into_data(), lengths })
    }

    /// How long each phoneme would be at speed 1, in frames of 25 ms, not rounded. This is a small
    /// part of the work of [`Network::run`].
    ///
    /// # Errors
    /// As [`Network::run`].
    pub(super) fn durations(&self, ids: &[i32], style: &[f32]) -> Result<Vec<f32>, EngineError> {
        let outputs = self.outputs(ids, style, 1.0, &[self.front.durations])?;
        let [durations] =
            <[Value; 1]>::try_from(outputs).map_err(|_| failed(&"it gave another number of outputs"))?;
        let durations = NdTensor::<f32, 2>::try_from(durations).map_err(|error| failed(&error))?;
        Ok(durations.into_data())
    }

    fn outputs(
        &self,
        ids: &[i32],
        style: &[f32],
        speed: f32,
        outputs: &[NodeId],
    ) -> Result<Vec<Value>, EngineError> {
        let [ids_node, style_node, speed_node] = self.front.inputs;
        let ids = NdTensor::from_data([1, ids.len()], ids.to_vec());
        let style = NdTensor::from_data([1, style.len()], style.to_vec());
        let speed = NdTensor::from_data([1], vec![speed]);
        let inputs = vec![
            (ids_node, ids.view().into()),
            (style_node, style.view().into()),
            (speed_node, speed.view().into()),
        ];
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.worker)));
        self.front.model.run(inputs, outputs, Some(options)).map_err(|error| failed(&error))
    }
}

pub(super) fn failed(error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Failed(format!("the voice network failed: {error}"))
}
