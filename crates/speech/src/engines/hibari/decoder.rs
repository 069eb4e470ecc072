//! The network's last and costliest part, written out: eight blocks over frames and the head.
//!
//! A block is a convolution over seven frames a channel, a layer norm, a product up to three times
//! the channels, GELU, a product down, a gain a channel, and what was there before (Liu et al., "A
//! `ConvNet` for the 2020s", 2022). The general runtime goes through memory a dozen times for each;
//! here a few rows at a time go through a whole block (`rows`) while they are in cache. The
//! products are `rten-gemm`'s, of bytes by bytes. `network` runs what comes before and feeds this.

use std::ops::Range;

use rten_gemm::{GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp as _;
use rten_tensor::{Matrix, NdTensorView};

use super::{
    frames::{FRAME_VALUES, SLACK},
    parameters::Parameters,
    rows::{Activate, Add, Depthwise, Finish, LANES, Norm, Prepare, RowScale, Sums, TAPS},
};

/// Channels of a frame between blocks, and inside of them.
pub(super) const CHANNELS: usize = 256;
const INSIDE: usize = 768;

/// Blocks one after the other.
const BLOCKS: usize = 8;

/// How many frames to each side the blocks look at, one after the other.
const REACH: usize = BLOCKS * (TAPS / 2);

/// The features of a frame: 128 features of its phoneme, its pitch and its energy.
pub(super) const INPUTS: usize = 130;
/// The place of the energy among them.
pub(super) const ENERGY: usize = INPUTS - 1;

/// Rows that go through a block together: their activations fit into a core's second cache together
/// with the weights, and it is a multiple of the rows a product takes at a time.
const TOGETHER: usize = 48;

const _: () = assert!(CHANNELS.is_multiple_of(LANES) && INSIDE.is_multiple_of(LANES));

type Product = GemmExecutor<u8, i8, i32>;

/// Weights as signed bytes, packed for products.
struct Weights {
    packed: PackedBMatrix<i8>,
    scale: f32,
    /// The sum of each column.
    columns: Vec<f32>,
}

impl Weights {
    fn read(parameters: &Parameters, name: &str, shape: [usize; 2]) -> Result<Self, String> {
        let bytes = parameters.bytes(&format!("{name}_quantized"), shape[0] * shape[1])?;
        if parameters.bytes(&format!("{name}_zero_point"), 1)? != [0] {
            return Err(format!("{name} has a zero that is not zero"));
        }
        let matrix = NdTensorView::from_data(shape, bytes.as_slice());
        let mut columns = vec![0.0; shape[1]];
        for row in bytes.chunks_exact(shape[1]) {
            columns.iter_mut().zip(row).for_each(|(sum, byte)| *sum += f32::from(*byte));
        }
        Ok(Self {
            columns,
            packed: Product::default().prepack_b(matrix),
            scale: parameters.float(&format!("{name}_scale"))?,
        })
    }
}

impl Weights {
    /// Rows of bytes times the weights.
    fn multiply<'a>(
        &'a self,
        product: &Product,
        bytes: &[u8],
        scales: &'a [RowScale],
        sums: &'a mut [i32],
    ) -> Result<Sums<'a>, GemmError> {
        let rows = Matrix::from_data([scales.len(), bytes.len() / scales.len()], bytes);
        let sums = &mut sums[..scales.len() * self.columns.len()];
        // The product could take the rows' zeros off itself, but does so rightly only where all
        // rows have one zero.
        product.gemm(
            sums,
            GemmInputA::Unpacked(rows),
            GemmInputB::Packed(&self.packed),
            GemmOptions::default(),
        )?;
        Ok(Sums { raw: sums, scales, weight_scale: self.scale, columns: &self.columns })
    }
}

struct Block {
    depthwise: Depthwise,
    norm: Norm,
    up: Weights,
    up_bias: Vec<f32>,
    down: Weights,
    gain: Vec<f32>,
    /// The bias of the product down with the gain applied.
    down_bias: Vec<f32>,
}

/// The weights of the decoder, shared by all threads.
pub(super) struct Decoder {
    first: PackedBMatrix<f32>,
    first_bias: Vec<f32>,
    blocks: Vec<Block>,
    norm: Norm,
    head: Weights,
    head_bias: Vec<f32>,
}

/// One thread's buffers, kept from call to call.
#[derive(Default)]
pub(super) struct Room {
    taps: Vec<f32>,
    now: Vec<f32>,
    next: Vec<f32>,
    row: Vec<f32>,
    bytes: Vec<u8>,
    inner_bytes: Vec<u8>,
    scales: Vec<RowScale>,
    inner_scales: Vec<RowScale>,
    sums: Vec<i32>,
}

impl Decoder {
    /// Finds its weights among all of the network.
    ///
    /// # Errors
    /// A description of what is not as expected.
    pub(super) fn read(parameters: &Parameters) -> Result<Self, String> {
        let norm = |name: &str| {
            Ok::<_, String>(Norm {
                gain: parameters.floats(&format!("{name}.weight"), CHANNELS)?,
                offset: parameters.floats(&format!("{name}.bias"), CHANNELS)?,
            })
        };
        let block = |index: usize| {
            let name = format!("m.dec.{index}");
            let floats = |part: &str, length: usize| parameters.floats(&format!("{name}.{part}"), length);
            let weights = |part: &str, shape: [usize; 2]| {
                Weights::read(parameters, &format!("/dec.{index}/{part}/Transpose_output_0"), shape)
            };
            let gain = floats("gamma", CHANNELS)?;
            let mut down_bias = floats("pw2.bias", CHANNELS)?;
            down_bias.iter_mut().zip(&gain).for_each(|(bias, gain)| *bias *= gain);
            Ok::<_, String>(Block {
                depthwise: Depthwise {
                    taps: transposed(&floats("dw.weight", CHANNELS * TAPS)?, CHANNELS),
                    bias: floats("dw.bias", CHANNELS)?,
                },
                norm: norm(&format!("{name}.norm"))?,
                up: weights("pw1", [CHANNELS, INSIDE])?,
                up_bias: floats("pw1.bias", INSIDE)?,
                down: weights("pw2", [INSIDE, CHANNELS])?,
                down_bias,
                gain,
            })
        };
        // [out][in × tap] becomes [in × tap][out]: a row of inputs under all taps times this is a row of outputs.
        let first = transposed(&parameters.floats("m.dec_in.weight", CHANNELS * INPUTS * TAPS)?, CHANNELS);
        let first = NdTensorView::from_data([INPUTS * TAPS, CHANNELS], first.as_slice());
        Ok(Self {
            first: GemmExecutor::<f32>::default().prepack_b(first),
            first_bias: parameters.floats("m.dec_in.bias", CHANNELS)?,
            blocks: (0..BLOCKS).map(block).collect::<Result<_, _>>()?,
            norm: norm("m.dec_norm")?,
            head: Weights::read(parameters, "/head/Transpose_output_0", [CHANNELS, FRAME_VALUES])?,
            head_bias: parameters.floats("m.head.bias", FRAME_VALUES)?,
        })
    }

    /// The spectral parts of some frames, with [`SLACK`] values after the last, from the features of
    /// all frames as `[feature][frame]`. A part has the values that it has in the whole; what it costs
    /// besides its own frames are [`REACH`] to each side. Runs on the calling thread and on those of
    /// the `rayon` pool it belongs to.
    ///
    /// # Errors
    /// What the products say of sizes that do not fit, which they do.
    pub(super) fn run(
        &self,
        features: &[f32],
        part: Range<usize>,
        room: &mut Room,
    ) -> Result<Vec<f32>, GemmError> {
        let all = features.len() / INPUTS;
        let around = part.start.saturating_sub(REACH)..(part.end + REACH).min(all);
        let frames = around.len();
        let product = Product::default();
        // Without instructions with wider sums, a product of bytes may overflow at full range.
        let top = if product.may_saturate() { 127.0 } else { 255.0 };
        room.fit(frames);
        self.enter(features, around.clone(), room)?;
        for block in &self.blocks {
            for first in (0..frames).step_by(TOGETHER) {
                block.run(&product, first, TOGETHER.min(frames - first), top, room)?;
            }
            std::mem::swap(&mut room.now, &mut room.next);
        }
        let mut values = vec![0.0; part.len() * FRAME_VALUES + SLACK];
        let before = part.start - around.start;
        for first in (0..part.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(part.len() - first);
            room.prepare(&self.norm, None, before + first, count, top);
            let Room { bytes, scales, sums, .. } = &mut *room;
            Finish {
                product: self.head.multiply(&product, &bytes[..count * CHANNELS], &scales[..count], sums)?,
                bias: &self.head_bias,
                out: &mut values[first * FRAME_VALUES..][..count * FRAME_VALUES],
            }
            .dispatch();
        }
        Ok(values)
    }

    /// The first convolution, over all features: rows under all taps, times one matrix.
    fn enter(&self, features: &[f32], part: Range<usize>, room: &mut Room) -> Result<(), GemmError> {
        let width = INPUTS * TAPS;
        let (all, frames) = (features.len() / INPUTS, part.len());
        let product = GemmExecutor::<f32>::default();
        for first in (0..frames).step_by(TOGETHER) {
            let count = TOGETHER.min(frames - first);
            let taps = &mut room.taps[..count * width];
            for (row, frame) in taps.chunks_exact_mut(width).zip(part.start + first..) {
                for (feature, taps) in features.chunks_exact(all).zip(row.chunks_exact_mut(TAPS)) {
                    for (tap, value) in taps.iter_mut().enumerate() {
                        *value = (frame + tap)
                            .checked_sub(TAPS / 2)
                            .and_then(|at| feature.get(at))
                            .map_or(0.0, |x| *x);
                    }
                }
            }
            let out = &mut room.now[first * CHANNELS..][..count * CHANNELS];
            let options = GemmOptions {
                bias: Some(rten_gemm::BiasVector::Row(&self.first_bias)),
                ..GemmOptions::default()
            };
            let rows = Matrix::from_data([count, width], &*taps);
            product.gemm(out, GemmInputA::Unpacked(rows), GemmInputB::Packed(&self.first), options)?;
        }
        Ok(())
    }
}

impl Block {
    /// Takes rows of `now` through the block into `next`.
    fn run(
        &self,
        product: &Product,
        first: usize,
        count: usize,
        top: f32,
        room: &mut Room,
    ) -> Result<(), GemmError> {
        room.prepare(&self.norm, Some(&self.depthwise), first, count, top);
        let Room { now, next, row, bytes, inner_bytes, scales, inner_scales, sums, .. } = room;
        Activate {
            product: self.up.multiply(product, &bytes[..count * CHANNELS], &scales[..count], sums)?,
            bias: &self.up_bias,
            top,
            row,
            bytes: &mut inner_bytes[..count * INSIDE],
            out_scales: &mut inner_scales[..count],
        }
        .dispatch();
        let here = first * CHANNELS..(first + count) * CHANNELS;
        Add {
            product: self.down.multiply(
                product,
                &inner_bytes[..count * INSIDE],
                &inner_scales[..count],
                sums,
            )?,
            gain: &self.gain,
            bias: &self.down_bias,
            before: &now[here.clone()],
            out: &mut next[here],
        }
        .dispatch();
        Ok(())
    }
}

impl Room {
    fn fit(&mut self, frames: usize) {
        self.taps.resize(TOGETHER * INPUTS * TAPS, 0.0);
        self.now.resize(frames * CHANNELS, 0.0);
        self.next.resize(frames * CHANNELS, 0.0);
        self.row.resize(INSIDE, 0.0);
        self.bytes.resize(TOGETHER * CHANNELS, 0);
        self.inner_bytes.resize(TOGETHER * INSIDE, 0);
        self.scales.resize(TOGETHER, RowScale::default());
        self.inner_scales.resize(TOGETHER, RowScale::default());
        self.sums.resize(TOGETHER * FRAME_VALUES, 0);
    }

    fn prepare(&mut self, norm: &Norm, depthwise: Option<&Depthwise>, first: usize, count: usize, top: f32) {
        Prepare {
            sequence: &self.now,
            channels: CHANNELS,
            first,
            depthwise,
            norm,
            top,
            row: &mut self.row,
            bytes: &mut self.bytes[..count * CHANNELS],
            scales: &mut self.scales[..count],
        }
        .dispatch();
    }
}

/// A matrix, its columns as rows.
fn transposed(matrix: &[f32], rows: usize) -> Vec<f32> {
    let columns = matrix.len() / rows;
    (0..matrix.len()).map(|at| matrix[at % rows * columns + at / rows]).collect()
}
