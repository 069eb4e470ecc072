//! The network's last and costliest part, written out: from frames of 12.5 ms and the spectrum of
//! the excitation to the spectrum of the sound (Kaneko et al., "iSTFTNet", 2022, with Snake and
//! `AdaIN` in its blocks).
//!
//! Each of two stages makes the rows denser, adds the excitation's spectrum after a block of its
//! own, and averages three blocks. Normalizations go over the whole utterance, so it is drawn as a
//! whole. What the excitation is and how spectra become samples is not known here.

use rten_gemm::{GemmError, GemmExecutor, PackedBMatrix};
use rten_tensor::{Matrix, NdTensorView};

use super::{
    block::{Block, BlockRoom},
    convolution::{Convolution, Input, Output, Products},
    layout::Layout,
    rows::Statistics,
    spectrum::SPECTRUM,
    tensors::Tensors,
};
use crate::engines::neural::instructions::Instructions;

/// Rows that each stage makes of one.
const RATES: [usize; 2] = [10, 6];

/// Blocks whose average a stage gives.
const BLOCKS: usize = 3;

/// Slopes of what is below zero before a stage, and before the last convolution.
const STAGE_SLOPE: f32 = 0.1;
const LAST_SLOPE: f32 = 0.01;

/// Rows that are made denser together.
const TOGETHER: usize = 48;

/// A stage's weights.
struct Stage {
    denser: Denser,
    noise: Convolution,
    noise_block: Block,
    blocks: Vec<Block>,
    /// Rows at the start that mirror what follows.
    mirrored: usize,
}

/// A transposed convolution with twice as many taps as it makes rows of one.
struct Denser {
    weights: PackedBMatrix<f32>,
    bias: Vec<f32>,
    inputs: usize,
    rate: usize,
}

/// The generator's weights, shared by all threads.
pub(super) struct Generator {
    stages: Vec<Stage>,
    last: PackedBMatrix<f32>,
    last_bias: Vec<f32>,
    last_taps: usize,
    instructions: Instructions,
}

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
pub(super) enum GeneratorError {
    /// A product does not fit its sizes.
    #[error(transparent)]
    Product(#[from] GemmError),
    /// Something that came in, or came of it, is infinite or no number.
    #[error("its activations are no numbers")]
    NotNumbers,
}

/// One thread's buffers, kept from call to call.
#[derive(Default)]
pub(super) struct Room {
    block: BlockRoom,
    /// What comes into a stage, activated.
    input: Vec<f32>,
    /// What a stage's blocks start from, and their sum.
    start: Vec<f32>,
    sum: Vec<f32>,
    start_statistics: Statistics,
    sum_statistics: Statistics,
    product: Vec<f32>,
    noise: Vec<f32>,
}

impl Generator {
    /// Finds its weights among all.
    ///
    /// # Errors
    /// What is not as expected.
    pub(super) fn read(tensors: &Tensors, instructions: Instructions) -> Result<Self, String> {
        let stage = |index: usize| {
            let rate = RATES[index];
            // The noise reaches the first stage with the second one's rate as its stride.
            let stride = RATES[index + 1..].iter().product();
            Ok::<_, String>(Stage {
                denser: Denser::read(tensors, &format!("ups.{index}"), rate)?,
                noise: Convolution::read(tensors, &format!("noise_convs.{index}"), SPECTRUM, stride)?,
                noise_block: Block::read(tensors, &format!("noise_res.{index}"))?,
                blocks: (0..BLOCKS)
                    .map(|block| Block::read(tensors, &format!("resblocks.{}", index * BLOCKS + block)))
                    .collect::<Result<_, _>>()?,
                mirrored: usize::from(index + 1 == RATES.len()),
            })
        };
        let (last, [width, outputs]) = tensors.floats::<2>("conv_post.weight")?;
        let stages: Vec<Stage> = (0..RATES.len()).map(stage).collect::<Result<_, _>>()?;
        let channels = stages.last().map_or(1, |stage| stage.denser.bias.len());
        if outputs != SPECTRUM || width % channels != 0 {
            return Err("conv_post.weight has another size".to_owned());
        }
        Ok(Self {
            stages,
            last: GemmExecutor::<f32>::default()
                .prepack_b(NdTensorView::from_data([width, outputs], last.as_slice())),
            last_bias: tensors.vector("conv_post.bias", outputs)?,
            last_taps: width / channels,
            instructions,
        })
    }

    /// The spectrum of the sound, [`SPECTRUM`] values a row, from features as `[feature][frame]`,
    /// the voice's style, and the spectrum of the excitation, whose rows are those of the result.
    ///
    /// # Errors
    /// [`GeneratorError`], when what came in are no numbers or sizes do not fit.
    pub(super) fn run(
        &self,
        features: &[f32],
        style: &[f32],
        excitation: &[f32],
        room: &mut Room,
    ) -> Result<Vec<f32>, GeneratorError> {
        let products = Products::new(self.instructions);
        let first = self.stages.first().map_or(1, |stage| stage.denser.inputs);
        let frames = features.len() / first;
        room.input.clear();
        room.input.resize(features.len(), 0.0);
        for (feature, values) in features.chunks_exact(frames.max(1)).enumerate() {
            for (frame, value) in values.iter().enumerate() {
                room.input[frame * first + feature] = leaky(*value, STAGE_SLOPE);
            }
        }
        for (index, stage) in self.stages.iter().enumerate() {
            stage.run(&products, style, excitation, room)?;
            let next = self.stages.get(index + 1);
            let slope = if next.is_some() { STAGE_SLOPE } else { LAST_SLOPE };
            let margin = if next.is_some() { 0 } else { self.last_taps / 2 * stage.denser.bias.len() };
            let average = |value: &f32| leaky(value / BLOCKS as f32, slope);
            room.input.clear();
            room.input.resize(margin, 0.0);
            room.input.extend(room.sum.iter().map(average));
            room.input.resize(room.input.len() + margin, 0.0);
            room.input.shrink_to(2 * room.input.len());
        }
        let channels = self.stages.last().map_or(1, |stage| stage.denser.bias.len());
        let rows = room.sum.len() / channels;
        let mut spectrum = vec![0.0; rows * SPECTRUM];
        let taps =
            Matrix::from_slice_with_strides([rows, self.last_taps * channels], &room.input, [channels, 1])
                .map_err(|_| GemmError::KSizeMismatch)?;
        products.multiply(taps, &self.last, Some(&self.last_bias), &mut spectrum)?;
        Ok(spectrum)
    }
}

fn leaky(value: f32, slope: f32) -> f32 {
    if value < 0.0 { value * slope } else { value }
}

impl Stage {
    /// Takes `room.input` to `room.sum`, three times the average of the stage's blocks.
    fn run(
        &self,
        products: &Products,
        style: &[f32],
        excitation: &[f32],
        room: &mut Room,
    ) -> Result<(), GeneratorError> {
        let channels = self.denser.bias.len();
        let rows = room.input.len() / self.denser.inputs * self.denser.rate + self.mirrored;
        let Room { block, input, start, sum, start_statistics, sum_statistics, product, noise } = room;
        for buffer in [&mut *start, &mut *sum] {
            buffer.resize(rows * channels, 0.0);
            buffer.shrink_to(2 * rows * channels);
        }
        block.fit(rows * channels);

        // The excitation, through its block, on top of what came in.
        let margin = (self.noise.taps - self.noise.stride) / 2;
        noise.clear();
        noise.shrink_to(2 * (excitation.len() + 2 * margin * SPECTRUM));
        noise.resize(margin * SPECTRUM, 0.0);
        noise.extend_from_slice(excitation);
        noise.resize(noise.len() + margin * SPECTRUM, 0.0);
        let layout = Layout { rows: excitation.len() / SPECTRUM, taps: self.noise.taps, dilation: 1 };
        let target =
            Output { residual: None, accumulate: false, rows: &mut *sum, statistics: &mut *sum_statistics };
        self.noise.run(products, Input::Floats(noise), layout, target, &mut block.scratch)?;
        self.denser.run(products, input, self.mirrored, start, product)?;
        let target = Output {
            residual: None,
            accumulate: true,
            rows: &mut *start,
            statistics: &mut *start_statistics,
        };
        self.noise_block.run(products, style, (sum, sum_statistics), target, block)?;

        for (index, resblock) in self.blocks.iter().enumerate() {
            let target = Output {
                residual: None,
                accumulate: index > 0,
                rows: &mut *sum,
                statistics: &mut *sum_statistics,
            };
            resblock.run(products, style, (start, start_statistics), target, block)?;
        }
        Ok(())
    }
}

impl Denser {
    fn read(tensors: &Tensors, name: &str, rate: usize) -> Result<Self, String> {
        let (weights, shape @ [inputs, width]) = tensors.floats::<2>(&format!("{name}.weight"))?;
        let (bias, [outputs]) = tensors.floats(&format!("{name}.bias"))?;
        if width != 2 * rate * outputs {
            return Err(format!("{name}.weight has another size"));
        }
        let weights = NdTensorView::from_data(shape, weights.as_slice());
        Ok(Self { weights: GemmExecutor::<f32>::default().prepack_b(weights), bias, inputs, rate })
    }

    /// Makes `rate` rows of each row; each of them has two rows under it. `mirrored` rows at the
    /// start of `out` repeat the rows after the first, backwards.
    fn run(
        &self,
        products: &Products,
        input: &[f32],
        mirrored: usize,
        out: &mut [f32],
        product: &mut Vec<f32>,
    ) -> Result<(), GemmError> {
        let channels = self.bias.len();
        let width = 2 * self.rate * channels;
        let (before, rows) = out.split_at_mut(mirrored * channels);
        for row in rows.chunks_exact_mut(channels) {
            row.copy_from_slice(&self.bias);
        }
        product.resize(TOGETHER * width, 0.0);
        for (block, inputs) in input.chunks(TOGETHER * self.inputs).enumerate() {
            let count = inputs.len() / self.inputs;
            let product = &mut product[..count * width];
            products.multiply(
                Matrix::from_data([count, self.inputs], inputs),
                &self.weights,
                None,
                product,
            )?;
            for (index, taps) in product.chunks_exact(width).enumerate() {
                // The first of its taps lies half a rate before the rows that it makes.
                let first = (block * TOGETHER + index) * self.rate * channels;
                let half = self.rate / 2 * channels;
                let (from, skipped) = (first.saturating_sub(half), half.saturating_sub(first));
                for (sum, tap) in rows[from..].iter_mut().zip(&taps[skipped..]) {
                    *sum += tap;
                }
            }
        }
        for (row, to) in before.chunks_exact_mut(channels).rev().enumerate() {
            to.copy_from_slice(&rows[(row + 1) * channels..][..channels]);
        }
        Ok(())
    }
}
