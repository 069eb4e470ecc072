//! The decoder's operations on rows of activations between its matrix products, on SIMD lanes.
//!
//! A row is one frame's channels. Products take activations as unsigned bytes, with a scale and a
//! zero point for each row. That loses less than one scale for the whole sentence, and a block of
//! rows can go through all steps while it is in the nearest cache.

#![expect(
    clippy::inline_always,
    reason = "lane functions compile to the right instructions only inside their caller"
)]

use rten_simd::{
    Isa, Simd, SimdOp, SimdUnaryOp as _,
    ops::{BitOps, FloatOps, NumOps, ToFloat},
};
use rten_vecmath::Gelu;

/// How a row of bytes encodes floats: `scale · (byte − zero)`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowScale {
    pub(super) scale: f32,
    pub(super) zero: u8,
}

/// The number of channels is a multiple of this, the widest vector.
pub(super) const LANES: usize = 16;

/// Taps of every convolution over frames.
pub(super) const TAPS: usize = 7;

/// A layer norm's gain and offset.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) gain: Vec<f32>,
    pub(super) offset: Vec<f32>,
}

/// A depthwise convolution over frames: `[tap][channel]`.
#[derive(Debug)]
pub(super) struct Depthwise {
    pub(super) taps: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// An optional convolution, a layer norm and rounding to bytes, for some rows of a sequence.
pub(super) struct Prepare<'a> {
    /// The whole sequence, `[frame][channel]`.
    pub(super) sequence: &'a [f32],
    pub(super) channels: usize,
    /// The first frame to prepare; the length of `bytes` determines how many.
    pub(super) first: usize,
    pub(super) depthwise: Option<&'a Depthwise>,
    pub(super) norm: &'a Norm,
    /// The highest byte value to use.
    pub(super) top: f32,
    /// One row of scratch.
    pub(super) row: &'a mut [f32],
    pub(super) bytes: &'a mut [u8],
    pub(super) scales: &'a mut [RowScale],
}

impl SimdOp for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let width = ops.len();
        let channels = self.channels;
        let row = &mut self.row[..channels];
        for (index, (bytes, scale)) in self.bytes.chunks_exact_mut(channels).zip(self.scales).enumerate() {
            let frame = self.first + index;
            match self.depthwise {
                Some(depthwise) => convolve(isa, self.sequence, frame, depthwise, row),
                None => row.copy_from_slice(&self.sequence[frame * channels..][..channels]),
            }
            let mut sum = ops.zero();
            for at in (0..channels).step_by(width) {
                sum = ops.add(sum, ops.load(&row[at..]));
            }
            let mean = ops.splat(ops.sum(sum) / channels as f32);
            let mut squares = ops.zero();
            for at in (0..channels).step_by(width) {
                let off = ops.sub(ops.load(&row[at..]), mean);
                squares = ops.mul_add(off, off, squares);
            }
            let factor = ops.splat((ops.sum(squares) / channels as f32 + 1e-5).sqrt().recip());
            let (mut lowest, mut highest) = (ops.zero(), ops.zero());
            for at in (0..channels).step_by(width) {
                let off = ops.mul(ops.sub(ops.load(&row[at..]), mean), factor);
                let value =
                    ops.mul_add(off, ops.load(&self.norm.gain[at..]), ops.load(&self.norm.offset[at..]));
                lowest = ops.min(lowest, value);
                highest = ops.max(highest, value);
                ops.store(value, &mut row[at..]);
            }
            *scale = quantize(isa, row, ends(lowest, highest), self.top, bytes);
        }
    }
}

#[inline(always)]
fn convolve<I: Isa>(isa: I, sequence: &[f32], frame: usize, depthwise: &Depthwise, row: &mut [f32]) {
    let ops = isa.f32();
    let channels = row.len();
    let frames = sequence.len() / channels;
    // Frames beyond the ends are zeros and add nothing.
    let from = (TAPS / 2).saturating_sub(frame);
    let to = TAPS.min(frames + TAPS / 2 - frame);
    for at in (0..channels).step_by(ops.len()) {
        let mut sum = ops.load(&depthwise.bias[at..]);
        for tap in from..to {
            let source = &sequence[(frame + tap - TAPS / 2) * channels + at..];
            sum = ops.mul_add(ops.load(source), ops.load(&depthwise.taps[tap * channels + at..]), sum);
        }
        ops.store(sum, &mut row[at..]);
    }
}

/// The raw sums of a product of bytes, before zero points and scales are applied.
pub(super) struct Sums<'a> {
    /// Rows of sums.
    pub(super) raw: &'a [i32],
    /// The scale of each row.
    pub(super) scales: &'a [RowScale],
    /// The scale of the weights.
    pub(super) weight_scale: f32,
    /// The sum of each column of weights. A row's zero point contributes this sum times the zero
    /// point.
    pub(super) columns: &'a [f32],
}

impl Sums<'_> {
    fn rows(&self) -> impl Iterator<Item = (&[i32], &RowScale)> {
        self.raw.chunks_exact(self.columns.len()).zip(self.scales)
    }

    /// The actual values of a vector of columns from `at`. Sums are below 2²⁵, so floats lose at
    /// most one bit.
    #[inline(always)]
    fn values<I: Isa>(&self, isa: I, sums: &[i32], scale: RowScale, at: usize) -> I::F32 {
        let (ops, ints) = (isa.f32(), isa.i32());
        let zero = ops.splat(f32::from(scale.zero));
        let sum = ints.to_float(ints.load(&sums[at..]));
        let sum = ops.mul_sub_from(ops.load(&self.columns[at..]), zero, sum);
        ops.mul(sum, ops.splat(scale.scale * self.weight_scale))
    }
}

/// A product's values through GELU and back to bytes.
pub(super) struct Activate<'a> {
    pub(super) product: Sums<'a>,
    pub(super) bias: &'a [f32],
    pub(super) top: f32,
    pub(super) row: &'a mut [f32],
    pub(super) bytes: &'a mut [u8],
    pub(super) out_scales: &'a mut [RowScale],
}

impl SimdOp for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let channels = self.bias.len();
        let row = &mut self.row[..channels];
        let outs = self.bytes.chunks_exact_mut(channels).zip(self.out_scales);
        for ((sums, scale), (bytes, out_scale)) in self.product.rows().zip(outs) {
            let (mut lowest, mut highest) = (ops.zero(), ops.zero());
            for at in (0..channels).step_by(ops.len()) {
                let value = self.product.values(isa, sums, *scale, at);
                let value = Gelu {}.eval(isa, ops.add(value, ops.load(&self.bias[at..])));
                lowest = ops.min(lowest, value);
                highest = ops.max(highest, value);
                ops.store(value, &mut row[at..]);
            }
            *out_scale = quantize(isa, row, ends(lowest, highest), self.top, bytes);
        }
    }
}

/// A product's values times a gain for each channel, added to the values before the block.
pub(super) struct Add<'a> {
    pub(super) product: Sums<'a>,
    pub(super) gain: &'a [f32],
    /// The bias with the gain applied.
    pub(super) bias: &'a [f32],
    pub(super) before: &'a [f32],
    pub(super) out: &'a mut [f32],
}

impl SimdOp for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let channels = self.gain.len();
        let outs = self.before.chunks_exact(channels).zip(self.out.chunks_exact_mut(channels));
        for ((sums, scale), (before, out)) in self.product.rows().zip(outs) {
            for at in (0..channels).step_by(ops.len()) {
                let value = self.product.values(isa, sums, *scale, at);
                let value = ops.mul_add(value, ops.load(&self.gain[at..]), ops.load(&self.bias[at..]));
                ops.store(ops.add(value, ops.load(&before[at..])), &mut out[at..]);
            }
        }
    }
}

/// A product's values with a bias. The rows may have any length.
pub(super) struct Finish<'a> {
    pub(super) product: Sums<'a>,
    pub(super) bias: &'a [f32],
    pub(super) out: &'a mut [f32],
}

impl SimdOp for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let length = self.bias.len();
        let whole = length - length % ops.len();
        for ((sums, scale), out) in self.product.rows().zip(self.out.chunks_exact_mut(length)) {
            for at in (0..whole).step_by(ops.len()) {
                let value = self.product.values(isa, sums, *scale, at);
                ops.store(ops.add(value, ops.load(&self.bias[at..])), &mut out[at..]);
            }
            for at in whole..length {
                let sum = sums[at] as f32 - f32::from(scale.zero) * self.product.columns[at];
                out[at] = sum * scale.scale * self.product.weight_scale + self.bias[at];
            }
        }
    }
}

/// The lowest and the highest of all lanes.
#[inline(always)]
fn ends<S: Simd<Elem = f32>>(lowest: S, highest: S) -> (f32, f32) {
    (
        lowest.to_array().as_ref().iter().copied().fold(0.0, f32::min),
        highest.to_array().as_ref().iter().copied().fold(0.0, f32::max),
    )
}

/// 1.5 · 2²³: added to a small number, the sum's lowest bits are that number, rounded.
const ROUNDER: f32 = 12_582_912.0;

/// Rounds a row to bytes from 0 to `top`, which encode its `ends`; zero is always exact.
#[inline(always)]
fn quantize<I: Isa>(isa: I, row: &[f32], ends: (f32, f32), top: f32, bytes: &mut [u8]) -> RowScale {
    let ops = isa.f32();
    let scale = ((ends.1 - ends.0) / top).max(f32::MIN_POSITIVE);
    let per_step = scale.recip();
    let zero = (-ends.0 * per_step).round();
    let (factor, offset) = (ops.splat(per_step), ops.splat(zero));
    let rounder = ops.splat(ROUNDER);
    let (none, all) = (ops.zero(), ops.splat(top));
    for (values, bytes) in row.chunks_exact(LANES).zip(bytes.chunks_exact_mut(LANES)) {
        let mut whole = [0.0_f32; LANES];
        for at in (0..LANES).step_by(ops.len()) {
            let steps = ops.clamp(ops.mul_add(ops.load(&values[at..]), factor, offset), none, all);
            ops.store(ops.add(steps, rounder), &mut whole[at..]);
        }
        for (byte, value) in bytes.iter_mut().zip(whole) {
            *byte = value.to_bits() as u8;
        }
    }
    RowScale { scale, zero: zero as u8 }
}
