//! The acoustic network: phoneme ids to spectral parts, pitch and the length of every phoneme.
//!
//! The part that reads phonemes runs on `rten`, the part that draws frames is `decoder`'s, both on
//! one thread alone. Samples are not made here.

use std::{ops::Range, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::{NdTensor, prelude::*};

use super::{
    decoder::{Decoder, ENERGY, INPUTS, Room},
    frames::{self, Frames},
    parameters::Parameters,
};
use crate::{
    engines::{
        EngineError,
        neural::{features::Features, intonation::Intonation, melody::Melody, speed::Plan},
    },
    pack::{Pack, PackError},
};

const FILE: &str = "hibari.onnx";

/// The input of the decoder: [1, features, frames].
const FEATURES: &str = "/Concat_43_output_0";

/// The length of each phoneme in steps of two frames, speed applied and rounded: they sum up to
/// half the frames.
const LENGTHS: &str = "/Clip_output_0";

/// How long each phoneme is before the speed is applied, in the same steps, not rounded.
const DURATIONS: &str = "/Sub_output_0";

/// How much less energy a frame gets that is raised all the way, in the network's own units. The network predicts the energy for
/// its own course of the pitch. With all of it, a rise is louder than the voice's own end and sounds forced: `DistillMOS` in
/// `bench/results/prosody.md`.
const SOFTER: f32 = 0.4;

/// What was computed of a row of phonemes that its speed does not change.
pub(super) struct Prepared {
    values: Vec<(NodeId, Value)>,
    /// How long each phoneme would be at speed 1, in steps of 25 ms, not rounded.
    pub(super) durations: Vec<f32>,
}

/// The network's weights, shared by all threads that speak with it.
pub(super) struct Weights {
    model: Model,
    decoder: Decoder,
    ids: NodeId,
    speed: NodeId,
    outputs: [NodeId; 3],
    durations: NodeId,
}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    /// Reads the network.
    ///
    /// # Errors
    /// [`PackError`] when the file is missing or is not such a network.
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let bytes = pack.read(FILE)?;
        let decoder = Parameters::read(&bytes)
            .and_then(|parameters| Decoder::read(&parameters))
            .map_err(|reason| Pack::unusable(FILE, &reason))?;
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(bytes)
            .map_err(|error| Pack::unusable(FILE, &error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| Pack::unusable(FILE, &error));
        Ok(Self {
            ids: node("ids")?,
            speed: node("speed")?,
            outputs: [node(FEATURES)?, node("f0")?, node(LENGTHS)?],
            durations: node(DURATIONS)?,
            model,
            decoder,
        })
    }
}

/// The network on one thread.
pub(super) struct Network {
    weights: Arc<Weights>,
    /// One worker: a model never uses a second core, other sentences do.
    worker: Arc<ThreadPool>,
    room: Room,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl Network {
    pub(super) fn new(weights: Arc<Weights>) -> Self {
        Self { weights, worker: Arc::new(ThreadPool::with_num_threads(1)), room: Room::default() }
    }

    /// Computes what the speed does not change, of phoneme ids (0 at both ends), with room for what rises.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network refuses its input.
    pub(super) fn prepare(&self, ids: &[i32], intonation: &Intonation) -> Result<Prepared, EngineError> {
        let Weights { model, ids: ids_node, outputs, durations, .. } = &*self.weights;
        let ids = NdTensor::from_data([1, ids.len()], ids.to_vec());
        let wanted = [outputs[0], outputs[1], outputs[2], *durations];
        let mut values = model
            .partial_run(vec![(*ids_node, ids.view().into())], &wanted, Some(self.options()))
            .map_err(|error| failed(&error))?;
        let at = values.iter().position(|(node, _)| node == durations);
        let (_, of) = values.swap_remove(at.ok_or_else(|| failed(&"it gave no durations"))?);
        let of = NdTensor::<f32, 1>::try_from(of).map_err(|error| failed(&error))?;
        let shape = of.shape();
        let mut of = of.into_data();
        intonation.make_room(&mut of);
        values.push((*durations, NdTensor::from_data(shape, of.clone()).into()));
        Ok(Prepared { values, durations: of })
    }

    /// Runs the network up to its decoder at a speed, and stretches what it gives to a share of the
    /// time, each phoneme to its own pace.
    ///
    /// # Errors
    /// As [`Network::prepare`].
    pub(super) fn plan(
        &self,
        prepared: Prepared,
        plan: Plan,
        melody: Melody<'_>,
    ) -> Result<Features, EngineError> {
        let Weights { model, speed: speed_node, outputs, .. } = &*self.weights;
        let speed = NdTensor::from_data([1], vec![plan.speed]);
        let mut known = prepared.values;
        let mut effort = Vec::new();
        if !melody.is_plain() {
            // The part of the network that draws the frames takes the pitch as an input. Told of another one, it
            // draws the voice that speaks so: a rise, and not the creak that ends a sentence.
            let inputs = known.iter().map(|(node, value)| (*node, value.into()));
            let inputs = inputs.chain([(*speed_node, speed.view().into())]).collect();
            let [_, pitch_node, lengths] = *outputs;
            let said = model.run_n(inputs, [pitch_node, lengths], Some(self.options()));
            let [pitch, lengths] = said.map_err(|error| failed(&error))?;
            let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
            let lengths = NdTensor::<f32, 1>::try_from(lengths).map_err(|error| failed(&error))?;
            let shape = pitch.shape();
            let lengths = frames::of_steps(&lengths.into_data());
            let own = pitch.into_data();
            let bent = melody.of(&lengths, &own);
            effort = melody.intonation.effort(&lengths, &own);
            known.push((pitch_node, NdTensor::from_data(shape, bent).into()));
        }
        let known = known.into_iter().map(|(node, value)| (node, value.into()));
        let inputs = known.chain([(*speed_node, speed.view().into())]).collect();
        let outputs = model.run(inputs, outputs, Some(self.options())).map_err(|error| failed(&error))?;
        let [features, pitch, lengths] =
            <[Value; 3]>::try_from(outputs).map_err(|_| failed(&"it gave another number of outputs"))?;
        let features = NdTensor::<f32, 3>::try_from(features).map_err(|error| failed(&error))?;
        let pitch = NdTensor::<f32, 2>::try_from(pitch).map_err(|error| failed(&error))?;
        let lengths = NdTensor::<f32, 1>::try_from(lengths).map_err(|error| failed(&error))?;
        if features.shape() != [1, INPUTS, pitch.len()] {
            return Err(failed(&"its features have another shape"));
        }
        let lengths = frames::of_steps(&lengths.into_data());
        if lengths.iter().sum::<usize>() != pitch.len() {
            return Err(failed(&"its outputs do not fit together"));
        }
        let mut values = features.into_data();
        let energy = &mut values[ENERGY * pitch.len()..];
        energy.iter_mut().zip(effort).for_each(|(energy, effort)| *energy -= SOFTER * effort);
        let features = Features { values, pitch_hz: pitch.into_data(), lengths };
        Ok(melody.deliveries.paced(features.in_share(plan.share)))
    }

    /// Draws some of the frames: their spectral parts.
    ///
    /// # Errors
    /// As [`Network::prepare`].
    pub(super) fn draw(&mut self, features: &Features, part: Range<usize>) -> Result<Vec<f32>, EngineError> {
        let decoder = &self.weights.decoder;
        // Products of matrices ask the pool they run in how many threads to use.
        let values = self.worker.run(|| decoder.run(&features.values, part, &mut self.room));
        values.map_err(|error| failed(&error))
    }

    /// Draws all of them.
    ///
    /// # Errors
    /// As [`Network::prepare`].
    pub(super) fn run(&mut self, features: Features) -> Result<Frames, EngineError> {
        let values = self.draw(&features, 0..features.pitch_hz.len())?;
        let frames = Frames::new(values, features.pitch_hz, features.lengths);
        frames.ok_or_else(|| failed(&"its outputs do not fit together"))
    }

    fn options(&self) -> RunOptions {
        RunOptions::default().with_thread_pool(Some(Arc::clone(&self.worker)))
    }
}

fn failed(error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Failed(format!("the voice network failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{GRID, frames::FRAME_VALUES},
        *,
    };
    use crate::{engines::neural::delivery::Deliveries, phonemes::PhonemeIds};

    /// The pack as the service would find it.
    #[expect(clippy::disallowed_methods, reason = "tests find the pack as the service would")]
    fn pack() -> Pack {
        let voices = std::env::var_os("LECTERN_SPEECH__VOICES_DIR").map(std::path::PathBuf::from);
        let voices = voices.or_else(Pack::user_voices_dir).expect("a home directory");
        Pack::open(&voices, crate::engines::hibari::PACK).expect("./test installs the voice pack")
    }

    /// "Children pressed their faces" in ids.
    const IDS: [i32; 27] = [
        0, 133, 156, 102, 54, 46, 123, 83, 56, 16, 58, 123, 156, 86, 61, 62, 16, 81, 86, 123, 16, 48, 156,
        24, 61, 102, 0,
    ];

    fn run(network: &mut Network, speed: f32) -> Frames {
        let features = features(network, speed);
        network.run(features).unwrap()
    }

    fn features(network: &Network, speed: f32) -> Features {
        let prepared = network.prepare(&IDS, &Intonation::default()).unwrap();
        let plan = Plan { speed, share: 1.0 };
        let (deliveries, intonation) = (Deliveries::default(), Intonation::default());
        let melody = Melody { intonation: &intonation, deliveries: &deliveries, own: 1.0, pitch: 1.0 };
        network.plan(prepared, plan, melody).unwrap()
    }

    #[test]
    fn a_part_is_drawn_as_it_is_in_the_whole() {
        let mut network = Network::new(Arc::new(Weights::load(&pack()).unwrap()));
        let features = features(&network, 0.5);
        let count = features.pitch_hz.len();
        let whole = network.draw(&features, 0..count).unwrap();
        for part in [0..60, 60..count, 30..90, count - 1..count] {
            let drawn = network.draw(&features, part.clone()).unwrap();
            assert_eq!(drawn.len(), part.len() * FRAME_VALUES + frames::SLACK);
            let same = &whole[part.start * FRAME_VALUES..part.end * FRAME_VALUES];
            let off = drawn.iter().zip(same).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            assert!(off < 1e-3, "frames {part:?} are off by {off}");
        }
    }

    // Negative control, seen: with 0 for `SOFTER` both have the same energy.
    #[test]
    fn a_rise_gets_less_energy_where_it_raises_the_voice_most() {
        let network = Network::new(Arc::new(Weights::load(&pack()).unwrap()));
        let phonemes = PhonemeIds { ids: IDS.to_vec(), words: vec![1..10, 11..16, 17..26] };
        let rising = Intonation::of_question(&["tʃˈɪldɹən", "pɹˈɛst", "ðɛɹ fˈeɪs"], &phonemes, GRID);
        let plain = Intonation::default();
        let [raised, left] = [&rising, &plain].map(|intonation| {
            let prepared = network.prepare(&IDS, &plain).unwrap();
            let melody = Melody { intonation, deliveries: &Deliveries::default(), own: 1.0, pitch: 1.0 };
            network.plan(prepared, Plan { speed: 1.0, share: 1.0 }, melody).unwrap()
        });
        let frames = left.pitch_hz.len();
        let less = |at: usize| left.values[ENERGY * frames + at] - raised.values[ENERGY * frames + at];
        let most = (0..frames).max_by(|one, other| less(*one).total_cmp(&less(*other))).unwrap();
        assert!((0.1..SOFTER + 0.001).contains(&less(most)), "{} in frame {most} of {frames}", less(most));
        assert!(most > frames / 2 && less(0) == 0.0);
    }

    #[test]
    fn the_decoder_draws_what_the_general_runtime_draws() {
        let weights = Arc::new(Weights::load(&pack()).unwrap());
        let frames = run(&mut Network::new(Arc::clone(&weights)), 1.0);
        let ids = NdTensor::from_data([1, IDS.len()], IDS.to_vec());
        let speed = NdTensor::from_data([1], vec![1.0_f32]);
        let head = weights.model.node_id("/head/Add_output_0").unwrap();
        let inputs = vec![(weights.ids, ids.view().into()), (weights.speed, speed.view().into())];
        let outputs = weights.model.run(inputs, &[head], None).unwrap();
        let wanted = NdTensor::<f32, 3>::try_from(outputs.into_iter().next().unwrap()).unwrap().into_data();
        assert_eq!(wanted.len(), frames.pitch_hz.len() * FRAME_VALUES);
        // Both round activations to bytes, each in its own way; a decoder without one of its blocks
        // is off by 0.5.
        let off: f32 = frames.values.iter().zip(&wanted).map(|(ours, theirs)| (ours - theirs).abs()).sum();
        let mean = off / wanted.len() as f32;
        assert!(mean < 0.1, "the mean difference is {mean}");
    }

    #[test]
    fn phonemes_have_lengths_that_make_up_all_frames_and_shrink_with_speed() {
        let mut network = Network::new(Arc::new(Weights::load(&pack()).unwrap()));
        let plain = run(&mut network, 1.0);
        let fast = run(&mut network, 2.0);
        for frames in [&plain, &fast] {
            assert_eq!(frames.lengths.len(), IDS.len());
            assert_eq!(frames.lengths.iter().sum::<usize>(), frames.pitch_hz.len());
        }
        assert!(fast.pitch_hz.len() < plain.pitch_hz.len() * 6 / 10);
    }
}
