//! The part of the network that the general runtime runs: from phoneme ids to the features, the
//! pitch and the length of every phoneme. The rest is `generator`'s.

use std::{path::Path, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::{NdTensor, prelude::*};

use crate::{
    engines::{
        EngineError,
        neural::{features::Features, intonation::Intonation},
    },
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

/// The energy, as many values. It is no output: the network reads it together with the pitch.
pub(super) const ENERGY: &str = "/encoder/Reshape_1_output_0";

/// How much less energy a frame gets that is raised all the way, in the network's own units. The network predicts the energy for
/// its own course of the pitch. With all of it, a rise is louder than the voice's own end and sounds forced: `DistillMOS` in
/// `bench/results/prosody.md`.
pub(super) const SOFTER: f32 = 1.0;

/// What the generator starts from: [1, features, 2 × frames].
const FEATURES: &str = "/decoder/decoder/decode.3/Div_4_output_0";

/// What the graph gives.
pub(super) const OUTPUTS: [&str; 4] = [FEATURES, PITCH, LENGTHS, DURATIONS];

/// What was computed of a row of phonemes that its speed does not change.
pub(super) struct Prepared {
    values: Vec<(NodeId, Value)>,
    /// How long each phoneme would be at speed 1, in frames of 25 ms, not rounded.
    pub(super) durations: Vec<f32>,
}

/// The network's graph and weights, shared by all threads that speak with it.
pub(super) struct Front {
    model: Model,
    inputs: [NodeId; 3],
    outputs: [NodeId; 3],
    durations: NodeId,
    energy: NodeId,
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
        // SAFETY: `pack::install` writes a file under another name and renames it. Who shortens a file of
        // an installed pack in place, by hand, ends this process (SIGBUS); the run-book warns of it.
        let model = unsafe { options.load_mmap(folder.join(FRONT)) };
        let model = model.map_err(|error| Pack::unusable(FRONT, &error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| Pack::unusable(FRONT, &error));
        Ok(Self {
            inputs: [node("input_ids")?, node("style")?, node("speed")?],
            outputs: [node(FEATURES)?, node(PITCH)?, node(LENGTHS)?],
            durations: node(DURATIONS)?,
            energy: node(ENERGY)?,
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

    /// Computes what the speed does not change, of phoneme ids (0 at both ends) and a voice's style, with room
    /// for what rises.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network refuses its input.
    pub(super) fn prepare(
        &self,
        ids: &[i32],
        style: &[f32],
        intonation: &Intonation,
    ) -> Result<Prepared, EngineError> {
        let Front { model, inputs: [ids_node, style_node, _], outputs, durations, .. } = &*self.front;
        let ids = NdTensor::from_data([1, ids.len()], ids.to_vec());
        let style = NdTensor::from_data([1, style.len()], style.to_vec());
        let inputs = vec![(*ids_node, ids.view().into()), (*style_node, style.view().into())];
        let wanted = [outputs[0], outputs[1], outputs[2], *durations];
        let mut values =
            model.partial_run(inputs, &wanted, Some(self.options())).map_err(|error| failed(&error))?;
        let at = values.iter().position(|(node, _)| node == durations);
        let (_, of) = values.swap_remove(at.ok_or_else(|| failed(&"it gave no durations"))?);
        let of = NdTensor::<f32, 2>::try_from(of).map_err(|error| failed(&error))?;
        let shape = of.shape();
        let mut of = of.into_data();
        intonation.make_room(&mut of);
        values.push((*durations, NdTensor::from_data(shape, of.clone()).into()));
        Ok(Prepared { values, durations: of })
    }

    /// Runs the rest of the network at a speed.
    ///
    /// # Errors
    /// As [`Network::prepare`].
    pub(super) fn run(
        &self,
        prepared: Prepared,
        speed: f32,
        intonation: &Intonation,
    ) -> Result<Features, EngineError> {
        let Front { model, inputs: [_, _, speed_node], outputs, energy: energy_node, .. } = &*self.front;
        let ids = prepared.durations.len();
        let speed = NdTensor::from_data([1], vec![speed]);
        let mut known = prepared.values;
        if !intonation.is_empty() {
            // What draws the sound takes the pitch as an input, so the rise sounds as the network would say
            // it, and not like the creak of an end that was raised.
            let inputs = known.iter().map(|(node, value)| (*node, value.into()));
            let inputs = inputs.chain([(*speed_node, speed.view().into())]).collect();
            let [_, pitch_node, lengths] = *outputs;
            let said = model.run_n(inputs, [pitch_node, lengths, *energy_node], Some(self.options()));
            let [pitch, lengths, energy] = said.map_err(|error| failed(&error))?;
            let energy = NdTensor::<f32, 2>::try_from(energy).map_err(|error| failed(&error))?;
            let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
            let lengths = NdTensor::<f32, 2>::try_from(lengths).map_err(|error| failed(&error))?;
            let shape = pitch.shape();
            let energy_shape = energy.shape();
            let (lengths, own, mut energy) = (of_steps(lengths), pitch.into_data(), energy.into_data());
            if energy.len() != own.len() {
                return Err(failed(&"its energy and its pitch do not fit together"));
            }
            let effort = intonation.effort(&lengths, &own);
            energy.iter_mut().zip(effort).for_each(|(energy, effort)| *energy -= SOFTER * effort);
            let bent = intonation.bent(&lengths, &own);
            known.push((pitch_node, NdTensor::from_data(shape, bent).into()));
            known.push((*energy_node, NdTensor::from_data(energy_shape, energy).into()));
        }
        let known = known.into_iter().map(|(node, value)| (node, value.into()));
        let inputs = known.chain([(*speed_node, speed.view().into())]).collect();
        let outputs = model.run(inputs, outputs, Some(self.options())).map_err(|error| failed(&error))?;
        let [features, pitch, lengths] =
            <[Value; 3]>::try_from(outputs).map_err(|_| failed(&"it gave another number of outputs"))?;
        let features = NdTensor::<f32, 3>::try_from(features).map_err(|error| failed(&error))?;
        let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
        let lengths = NdTensor::<f32, 2>::try_from(lengths).map_err(|error| failed(&error))?;
        let frames = pitch.len();
        let fits = features.shape()[2] == frames;
        let lengths = of_steps(lengths);
        if !fits || lengths.len() != ids || lengths.iter().sum::<usize>() != frames {
            return Err(failed(&"its outputs do not fit together"));
        }
        Ok(Features { values: features.into_data(), pitch_hz: pitch.into_data(), lengths })
    }

    fn options(&self) -> RunOptions {
        RunOptions::default().with_thread_pool(Some(Arc::clone(&self.worker)))
    }
}

/// The frames of phonemes that last this many steps of two.
fn of_steps(steps: NdTensor<f32, 2>) -> Vec<usize> {
    steps.into_data().iter().map(|steps| 2 * *steps as usize).collect()
}

pub(super) fn failed(error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Failed(format!("the voice network failed: {error}"))
}
