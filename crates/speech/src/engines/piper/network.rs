//! A voice's network: VITS, from symbols to samples. Its random values are inputs here, so the same
//! seed gives the same samples.

use std::{ops::Range, path::Path, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::{NdTensor, Tensor};

use super::{
    description::Description,
    tempo::{self, Sound},
};
use crate::engines::{
    EngineError,
    neural::{
        noise::{Noise, Quantiles},
        speed::{CLOSE, Plan},
    },
};

/// No row lasts longer, so a network that is not what it says cannot fill the memory.
const LONGEST_S: usize = 120;

/// The most random numbers of one value: several times what the longest row needs.
const MOST_DRAWN: usize = 1 << 24;

/// How often lengths are computed to come close.
const MOST_TRIES: usize = 6;

/// The network is asked for at most this many times the pace that is wanted, and at least for this part of it: where most
/// symbols last a single frame, words are hardly heard.
const FARTHEST: f32 = 1.5;

/// How a row is said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) speaker: Option<i32>,
    pub(super) pace: f32,
    pub(super) seed: u64,
}

/// What is said.
#[derive(Debug, Clone)]
pub(super) struct Symbols<'a> {
    pub(super) ids: &'a [i32],
    /// Those from the first word to the last; around them is silence, most of which is cut off.
    pub(super) sounding: Range<usize>,
}

/// The network and the places of its values.
pub(super) struct Network {
    model: Model,
    ids: NodeId,
    lengths: NodeId,
    scales: NodeId,
    speaker: Option<NodeId>,
    noises: Vec<(NodeId, NodeId)>,
    durations: Option<NodeId>,
    output: NodeId,
}

impl Network {
    /// Loads a network that `import` made.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(super) fn load(path: &Path, voice: &Description) -> Result<Self, String> {
        let options = ModelOptions::with_all_ops().prepack_weights(false).clone();
        let model = options.load_file(path).map_err(|error| error.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|error| error.to_string());
        let noises = voice.noises.iter().map(|(noise, like)| Ok((node(noise)?, node(like)?)));
        let noises = noises.collect::<Result<Vec<_>, String>>()?;
        Ok(Self {
            ids: node("input")?,
            lengths: node("input_lengths")?,
            scales: node("scales")?,
            speaker: model.find_node("sid"),
            noises,
            durations: voice.durations.as_deref().map(node).transpose()?,
            output: model.output_ids().first().copied().ok_or("it has no output")?,
            model,
        })
    }

    /// Says a row of symbols.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network fails or gives what is no sound.
    pub(super) fn say(
        &self,
        symbols: &Symbols<'_>,
        manner: Manner,
        voice: &Description,
        (worker, quantiles): (&Arc<ThreadPool>, &Quantiles),
    ) -> Result<Sound, EngineError> {
        let options = || RunOptions::default().with_thread_pool(Some(Arc::clone(worker)));
        let mut noise = Noise::new(manner.seed);
        let plan = self.plan(symbols, manner, voice, (worker, quantiles))?;
        let mut known = self.inputs(symbols.ids, manner.speaker);
        known.push(self.scales(voice, plan.speed));
        for &(random, shape) in &self.noises {
            let wanted: Vec<NodeId> = [shape, self.output].into_iter().chain(self.durations).collect();
            known = self.evaluated(known, &wanted, worker)?;
            known.push(drawn_like(&mut noise, quantiles, &known, (random, shape))?);
        }
        let wanted: Vec<NodeId> = [self.output].into_iter().chain(self.durations).collect();
        // A value that is wanted and known already is not asked for again.
        let durations = self.durations.and_then(|node| known.iter().position(|(known, _)| *known == node));
        let durations = durations.map(|at| known[at].1.clone());
        let wanted = if durations.is_some() { vec![self.output] } else { wanted };
        let inputs = known.into_iter().map(|(node, value)| (node, value.into())).collect();
        let mut outputs = self.model.run(inputs, &wanted, Some(options())).map_err(|error| failed(&error))?;
        let durations = durations.or_else(|| (outputs.len() > 1).then(|| outputs.swap_remove(1)));
        let samples = floats(outputs.swap_remove(0))?;
        let too_long = samples.len() > LONGEST_S * voice.sample_rate_hz as usize;
        if too_long || !samples.iter().all(|sample| sample.is_finite()) {
            return Err(failed(&"it gave what is no sound"));
        }
        let lengths = durations.map(floats).transpose()?.and_then(|frames| lengths(&frames, samples.len()));
        let lengths = lengths.filter(|lengths| lengths.len() == symbols.ids.len());
        Ok(tempo::in_share(Sound { samples, lengths }, plan.share, voice.sample_rate_hz))
    }

    /// How a row comes to last as long as its pace says. The network rounds the length of each symbol up to whole frames: asked
    /// for half of them, it gives a quarter more.
    fn plan(
        &self,
        symbols: &Symbols<'_>,
        manner: Manner,
        voice: &Description,
        (worker, quantiles): (&Arc<ThreadPool>, &Quantiles),
    ) -> Result<Plan, EngineError> {
        let pace = manner.pace;
        let as_asked = Plan { speed: pace, share: 1.0 };
        let Some(durations) = self.durations.filter(|_| (pace - 1.0).abs() > 1e-3) else {
            return Ok(as_asked);
        };
        // What the speed does not change is computed once, and of the sound nothing.
        let base = self.evaluated(self.inputs(symbols.ids, manner.speaker), &[durations], worker)?;
        let frames = |speed: f32| -> Result<Option<f32>, EngineError> {
            let mut noise = Noise::new(manner.seed);
            let mut known = base.clone();
            known.push(self.scales(voice, speed));
            for &(random, shape) in &self.noises {
                known = self.evaluated(known, &[shape, durations], worker)?;
                if known.iter().any(|(node, _)| *node == durations) {
                    break;
                }
                known.push(drawn_like(&mut noise, quantiles, &known, (random, shape))?);
            }
            known = self.evaluated(known, &[durations], worker)?;
            let found = known.into_iter().find(|(node, _)| *node == durations);
            let found = found.map(|(_, value)| floats(value)).transpose()?;
            let sum = found
                .as_ref()
                .and_then(|frames| frames.get(symbols.sounding.clone()))
                .map(|frames| frames.iter().sum());
            Ok(sum.filter(|sum: &f32| sum.is_finite() && *sum > 0.0))
        };
        let Some(natural) = frames(1.0)? else { return Ok(as_asked) };
        let wanted = natural / pace;
        let mut best: Option<Plan> = None;
        let mut speed = pace;
        for _ in 0..MOST_TRIES {
            let Some(found) = frames(speed)? else { return Ok(as_asked) };
            let share = wanted / found;
            if best.is_none_or(|best| (share - 1.0).abs() < (best.share - 1.0).abs()) {
                best = Some(Plan { speed, share });
            }
            let next = (speed / share).clamp(pace / FARTHEST, pace * FARTHEST);
            if (share - 1.0).abs() < CLOSE || (next - speed).abs() < f32::EPSILON {
                break;
            }
            speed = next;
        }
        Ok(best.unwrap_or(as_asked))
    }

    /// Computes what the known values allow on the way to the wanted ones. What came out is not computed again.
    fn evaluated(
        &self,
        mut known: Vec<(NodeId, Value)>,
        wanted: &[NodeId],
        worker: &Arc<ThreadPool>,
    ) -> Result<Vec<(NodeId, Value)>, EngineError> {
        let is_unknown = |node: &NodeId| known.iter().all(|(known, _)| known != node);
        let wanted: Vec<NodeId> = wanted.iter().copied().filter(is_unknown).collect();
        if wanted.is_empty() {
            return Ok(known);
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(worker)));
        let inputs = known.iter().map(|(node, value)| (*node, ValueOrView::from(value))).collect();
        let found = self.model.partial_run(inputs, &wanted, Some(options)).map_err(|error| failed(&error))?;
        known.retain(|(node, _)| found.iter().all(|(other, _)| other != node));
        known.extend(found);
        Ok(known)
    }

    fn inputs(&self, ids: &[i32], speaker: Option<i32>) -> Vec<(NodeId, Value)> {
        let count = i32::try_from(ids.len()).unwrap_or(i32::MAX);
        let mut inputs: Vec<(NodeId, Value)> = vec![
            (self.ids, NdTensor::from_data([1, ids.len()], ids.to_vec()).into()),
            (self.lengths, NdTensor::from_data([1], vec![count]).into()),
        ];
        if let Some(node) = self.speaker {
            inputs.push((node, NdTensor::from_data([1], vec![speaker.unwrap_or(0)]).into()));
        }
        inputs
    }

    /// The scales of noise and of lengths, at a speed.
    fn scales(&self, voice: &Description, speed: f32) -> (NodeId, Value) {
        let scales = vec![voice.noise_scale, voice.length_scale / speed, voice.noise_w];
        (self.scales, NdTensor::from_data([3], scales).into())
    }
}

/// Normal samples for the value `random`, in the shape that `shape` of the known values says.
fn drawn_like(
    noise: &mut Noise,
    quantiles: &Quantiles,
    known: &[(NodeId, Value)],
    (random, shape): (NodeId, NodeId),
) -> Result<(NodeId, Value), EngineError> {
    let found = known.iter().find(|(node, _)| *node == shape).map(|(_, value)| value.clone());
    let sizes = sizes(found.ok_or_else(|| failed(&"a random value has no shape"))?)?;
    Ok((random, Tensor::from_data(&sizes, drawn(noise, quantiles, &sizes)).into()))
}

/// Normal samples for a tensor of a shape.
fn drawn(noise: &mut Noise, quantiles: &Quantiles, shape: &[usize]) -> Vec<f32> {
    let count: usize = shape.iter().product();
    let half = count.div_ceil(2);
    let mut drawn = vec![0.0; 2 * half];
    let (first, second) = drawn.split_at_mut(half);
    noise.fill(quantiles, first, second);
    drawn.truncate(count);
    drawn
}

/// The sizes that a value of the network holds.
fn sizes(value: Value) -> Result<Vec<usize>, EngineError> {
    let sizes = Tensor::<i32>::try_from(value).map_err(|error| failed(&error))?.into_data();
    let sizes = sizes.into_iter().map(|size| usize::try_from(size).ok()).collect::<Option<Vec<usize>>>();
    let is_bounded = |sizes: &Vec<usize>| {
        let all = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
        all.is_some_and(|all| all <= MOST_DRAWN)
    };
    sizes.filter(is_bounded).ok_or_else(|| failed(&"a random value has no size"))
}

fn floats(value: Value) -> Result<Vec<f32>, EngineError> {
    Ok(Tensor::<f32>::try_from(value).map_err(|error| failed(&error))?.into_data())
}

/// Samples of each symbol, of its frames; `None` when they do not add up to all.
fn lengths(frames: &[f32], samples: usize) -> Option<Vec<usize>> {
    let all: usize = frames.iter().map(|frames| *frames as usize).sum();
    let hop = samples.checked_div(all)?;
    (hop > 0 && hop * all == samples).then(|| frames.iter().map(|frames| *frames as usize * hop).collect())
}

pub(super) fn failed(error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Failed(format!("the voice's network failed: {error}"))
}
