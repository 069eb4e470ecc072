//! The acoustic network: phoneme ids to spectral parts, pitch and the length of every phoneme.
//!
//! It runs on `rten`, on the calling thread alone. Samples are not made here.

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::{NdTensor, prelude::*};

use super::spectrum::{FRAME_VALUES, SLACK};
use crate::{
    engines::EngineError,
    pack::{Pack, PackError},
};

const FILE: &str = "hibari.onnx";

/// The spectral parts before they are cut and turned: [1, frames, 5 × 601], frames one after the other in memory,
/// which is the order synthesis reads them in.
const PARTS: &str = "/head/Add_output_0";

/// The length of each phoneme in steps of two frames, speed applied and rounded: they sum up to half the frames.
const LENGTHS: &str = "/Clip_output_0";

/// The network times phonemes in steps of 25 ms and draws two frames in each.
const FRAMES_A_STEP: usize = 2;

/// What the network says of a row of phonemes.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Frames of 12.5 ms.
    pub(super) count: usize,
    /// `count` × [`FRAME_VALUES`], and [`SLACK`] values more.
    pub(super) values: Vec<f32>,
    /// Pitch a frame; below 40 the voice is silent.
    pub(super) pitch_hz: Vec<f32>,
    /// Frames of each phoneme; they sum up to `count`.
    pub(super) lengths: Vec<usize>,
}

/// The network's weights, shared by all threads that speak with it.
#[derive(Debug)]
pub(super) struct Weights {
    model: Model,
    ids: NodeId,
    speed: NodeId,
    outputs: [NodeId; 3],
}

impl Weights {
    /// Reads the network.
    ///
    /// # Errors
    /// [`PackError`] when the file is missing or is no such network.
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let bytes = pack.read(FILE)?;
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(bytes)
            .map_err(|error| Pack::unusable(FILE, &error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| Pack::unusable(FILE, &error));
        Ok(Self {
            ids: node("ids")?,
            speed: node("speed")?,
            outputs: [node(PARTS)?, node("f0")?, node(LENGTHS)?],
            model,
        })
    }
}

/// The network on one thread.
pub(super) struct Network {
    weights: Arc<Weights>,
    /// One worker: a model never uses a second core, other sentences do.
    worker: Arc<ThreadPool>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl Network {
    pub(super) fn new(weights: Arc<Weights>) -> Self {
        Self { weights, worker: Arc::new(ThreadPool::with_num_threads(1)) }
    }

    /// Runs the network over phoneme ids (0 at both ends) at a speed.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network refuses its input.
    pub(super) fn run(&mut self, ids: &[i32], speed: f32) -> Result<Frames, EngineError> {
        let failed =
            |error: &dyn std::fmt::Display| EngineError::Failed(format!("the voice network failed: {error}"));
        let ids_tensor = NdTensor::from_data([1, ids.len()], ids.to_vec());
        let speed_tensor = NdTensor::from_data([1], vec![speed]);
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.worker)));
        let weights = &*self.weights;
        let outputs = weights
            .model
            .run(
                vec![(weights.ids, ids_tensor.view().into()), (weights.speed, speed_tensor.view().into())],
                &weights.outputs,
                Some(options),
            )
            .map_err(|error| failed(&error))?;
        let [parts, pitch, lengths] =
            <[Value; 3]>::try_from(outputs).map_err(|_| failed(&"it gave another number of outputs"))?;
        let parts = NdTensor::<f32, 3>::try_from(parts).map_err(|error| failed(&error))?;
        let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
        let lengths = NdTensor::<f32, 1>::try_from(lengths).map_err(|error| failed(&error))?;
        let frames = Frames::new(parts.into_data(), pitch.into_data(), &lengths.into_data());
        frames.ok_or_else(|| failed(&"its outputs do not fit together"))
    }
}

impl Frames {
    /// `None` unless every frame has its parts and its pitch and belongs to a phoneme.
    fn new(mut values: Vec<f32>, pitch_hz: Vec<f32>, lengths: &[f32]) -> Option<Self> {
        let count = pitch_hz.len();
        let lengths: Vec<usize> = lengths.iter().map(|steps| *steps as usize * FRAMES_A_STEP).collect();
        let fits = values.len() == count * FRAME_VALUES && lengths.iter().sum::<usize>() == count;
        values.resize(values.len() + SLACK, 0.0);
        fits.then_some(Self { count, values, pitch_hz, lengths })
    }
}
