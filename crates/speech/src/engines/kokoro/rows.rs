//! What the generator does to rows of activations between its matrix products, on SIMD lanes.
//!
//! A row is the channels of one moment. Before a convolution a row is normalized with the style of
//! the voice (`AdaIN`: Huang and Belongie, "Arbitrary Style Transfer in Real-time with Adaptive
//! Instance Normalization", 2017), goes through Snake, x + sin²(αx)/α (Ziyin, Hartwig and Ueda,
//! "Neural Networks Fail to Learn Periodic Functions and How to Fix It", 2020), and is rounded to
//! bytes. After it, [`Finish`] makes floats of the product and gathers the statistics that the next
//! normalization needs, so that no pass through memory is made for them alone.

#![expect(
    clippy::inline_always,
    reason = "lane functions compile to the right instructions only inside their caller"
)]

use rten_simd::{
    Isa, SimdOp,
    ops::{BitOps, NumOps, ToFloat},
};

use super::layout::Layout;
use crate::engines::neural::lanes;

/// The channels of every row that is normalized are a multiple of this, the widest vector there is.
pub(super) const LANES: usize = 16;

/// What a normalization adds to the variance.
const EPSILON: f64 = 1e-5;

/// Mean, variance and range of each channel over a whole utterance.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    rows: f64,
    mean: Vec<f64>,
    /// Squared distances from the mean, added up.
    squares: Vec<f64>,
    lowest: Vec<f32>,
    highest: Vec<f32>,
    block: BlockStatistics,
}

/// The same of a few rows, relative to the first of them, which keeps `f32` exact enough.
#[derive(Debug, Default)]
struct BlockStatistics {
    shift: Vec<f32>,
    sum: Vec<f32>,
    squares: Vec<f32>,
}

impl Statistics {
    /// Forgets everything.
    pub(super) fn clear(&mut self, channels: usize) {
        self.rows = 0.0;
        for values in [&mut self.mean, &mut self.squares] {
            values.clear();
            values.resize(channels, 0.0);
        }
        self.lowest.clear();
        self.lowest.resize(channels, f32::INFINITY);
        self.highest.clear();
        self.highest.resize(channels, f32::NEG_INFINITY);
    }

    /// Adds the block's (Chan, Golub and `LeVeque`, "Updating Formulae and a Pairwise Algorithm for
    /// Computing Sample Variances", 1979).
    fn merge(&mut self, rows: usize) {
        let new = rows as f64;
        let all = self.rows + new;
        let Self { mean, squares, block, .. } = self;
        let totals = mean.iter_mut().zip(squares);
        let blocks = block.shift.iter().zip(&block.sum).zip(&block.squares);
        for ((mean, squares), ((shift, sum), block_squares)) in totals.zip(blocks) {
            let sum = f64::from(*sum);
            let off = f64::from(*shift) + sum / new - *mean;
            *squares +=
                (f64::from(*block_squares) - sum * sum / new).max(0.0) + off * off * self.rows * new / all;
            *mean += off * new / all;
        }
        self.rows = all;
    }
}

/// How the channels of a sequence go into a convolution: normalized, then through Snake.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Normalization and style as one factor and one offset.
    gain: Vec<f32>,
    offset: Vec<f32>,
    /// α/π: Snake's phase in half turns.
    turns: Vec<f32>,
    /// 1/α, which may be some ten thousand.
    ratio: Vec<f32>,
    /// The range of what comes out, with zero in it.
    ends: (f32, f32),
}

impl Shape {
    /// Puts together what was measured, the style's factors and offsets (`[factor − 1 | offset]`),
    /// and Snake's α. Whether all of that are numbers.
    #[must_use]
    pub(super) fn set(&mut self, statistics: &Statistics, style: &[f32], alpha: &[f32]) -> bool {
        let channels = alpha.len();
        for values in [&mut self.gain, &mut self.offset, &mut self.turns, &mut self.ratio] {
            values.resize(channels, 0.0);
        }
        self.ends = (0.0, 0.0);
        let rows = statistics.rows.max(1.0);
        let mut numbers = true;
        for (at, alpha) in alpha.iter().enumerate() {
            let gain = (1.0 + f64::from(style[at])) / (statistics.squares[at] / rows + EPSILON).sqrt();
            let offset = f64::from(style[channels + at]) - statistics.mean[at] * gain;
            self.gain[at] = gain as f32;
            self.offset[at] = offset as f32;
            self.turns[at] = alpha * std::f32::consts::FRAC_1_PI;
            self.ratio[at] = 1.0 / alpha;
            // Snake never falls: its derivative is 1 + sin 2αx. So its range is that of its ends.
            for end in [statistics.lowest[at], statistics.highest[at]] {
                let x = f64::from(end) * gain + offset;
                let y = (x + (f64::from(*alpha) * x).sin().powi(2) / f64::from(*alpha)) as f32;
                self.ends = (self.ends.0.min(y), self.ends.1.max(y));
                numbers &= y.is_finite();
            }
        }
        numbers
    }

    /// How bytes from 0 to `top` stand for what comes out; zero is always exact.
    pub(super) fn scale(&self, top: f32) -> ByteScale {
        let scale = ((self.ends.1 - self.ends.0) / top).max(f32::MIN_POSITIVE);
        ByteScale { scale, zero: (-self.ends.0 / scale).round().clamp(0.0, top) as u8, top }
    }

    #[inline(always)]
    fn apply<I: Isa>(&self, isa: I, x: I::F32, at: usize) -> I::F32 {
        let ops = isa.f32();
        let x = ops.mul_add(x, ops.load(&self.gain[at..]), ops.load(&self.offset[at..]));
        let square = lanes::sin_square_half_turns(isa, ops.mul(x, ops.load(&self.turns[at..])));
        ops.mul_add(square, ops.load(&self.ratio[at..]), x)
    }
}

/// How bytes stand for floats: `scale · (byte − zero)`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByteScale {
    pub(super) scale: f32,
    pub(super) zero: u8,
    /// The highest byte in use.
    top: f32,
}

/// Shapes a sequence and lays it out for a convolution, as floats.
pub(super) struct ShapeFloats<'a> {
    pub(super) sequence: &'a [f32],
    pub(super) channels: usize,
    pub(super) shape: &'a Shape,
    pub(super) layout: Layout,
    pub(super) out: &'a mut [f32],
}

impl SimdOp for ShapeFloats<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        for (time, row) in self.sequence.chunks_exact(self.channels).enumerate() {
            let out = &mut self.out[self.layout.place(time) * self.channels..][..self.channels];
            for at in (0..self.channels).step_by(ops.len()) {
                ops.store(self.shape.apply(isa, ops.load(&row[at..]), at), &mut out[at..]);
            }
        }
    }
}

/// 1.5 · 2²³: added to a small number, the sum's lowest bits are that number, rounded.
const ROUNDER: f32 = 12_582_912.0;

/// Shapes a sequence and lays it out for a convolution, as bytes.
pub(super) struct ShapeBytes<'a> {
    pub(super) sequence: &'a [f32],
    pub(super) channels: usize,
    pub(super) shape: &'a Shape,
    pub(super) scale: ByteScale,
    pub(super) layout: Layout,
    pub(super) out: &'a mut [u8],
}

impl SimdOp for ShapeBytes<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let per_step = ops.splat(self.scale.scale.recip());
        let zero = ops.splat(f32::from(self.scale.zero));
        let (none, all, rounder) = (ops.zero(), ops.splat(self.scale.top), ops.splat(ROUNDER));
        for (time, row) in self.sequence.chunks_exact(self.channels).enumerate() {
            let out = &mut self.out[self.layout.place(time) * self.channels..][..self.channels];
            for (first, bytes) in (0..).step_by(LANES).zip(out.chunks_exact_mut(LANES)) {
                let mut whole = [0.0_f32; LANES];
                for at in (0..LANES).step_by(ops.len()) {
                    let value = self.shape.apply(isa, ops.load(&row[first + at..]), first + at);
                    let steps = ops.clamp(ops.mul_add(value, per_step, zero), none, all);
                    ops.store(ops.add(steps, rounder), &mut whole[at..]);
                }
                for (byte, value) in bytes.iter_mut().zip(whole) {
                    *byte = value.to_bits() as u8;
                }
            }
        }
    }
}

/// A product as it comes.
#[derive(Clone, Copy)]
pub(super) enum Product<'a> {
    Floats(&'a [f32]),
    Bytes {
        sums: &'a [i32],
        /// What the inputs' zero added to each column's sum.
        zeros: &'a [i32],
        /// What one step is worth in each column.
        scales: &'a [f32],
    },
}

impl Product<'_> {
    #[inline(always)]
    fn value<I: Isa>(&self, isa: I, row: usize, column: usize) -> I::F32 {
        let (ops, ints) = (isa.f32(), isa.i32());
        match self {
            Product::Floats(values) => ops.load(&values[row + column..]),
            Product::Bytes { sums, zeros, scales } => {
                let sum = ints.sub(ints.load(&sums[row + column..]), ints.load(&zeros[column..]));
                ops.mul(ints.to_float(sum), ops.load(&scales[column..]))
            }
        }
    }
}

/// Makes floats of some rows of a product, adds what is to be added, and gathers statistics.
pub(super) struct Finish<'a> {
    pub(super) product: Product<'a>,
    pub(super) bias: &'a [f32],
    /// Where the first row belongs, and how far apart they lie.
    pub(super) first: usize,
    pub(super) step: usize,
    pub(super) rows: usize,
    /// A sequence to add.
    pub(super) residual: Option<&'a [f32]>,
    /// Whether to add what `out` holds already.
    pub(super) accumulate: bool,
    pub(super) out: &'a mut [f32],
    pub(super) statistics: &'a mut Statistics,
}

impl SimdOp for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let channels = self.bias.len();
        let Statistics { lowest, highest, block, .. } = &mut *self.statistics;
        let BlockStatistics { shift, sum, squares } = block;
        for values in [&mut *sum, &mut *squares, &mut *shift] {
            values.clear();
            values.resize(channels, 0.0);
        }
        for row in 0..self.rows {
            let start = (self.first + row * self.step) * channels;
            let residual = self.residual.map(|residual| &residual[start..][..channels]);
            let out = &mut self.out[start..][..channels];
            for at in (0..channels).step_by(ops.len()) {
                let mut x = ops.add(self.product.value(isa, row * channels, at), ops.load(&self.bias[at..]));
                if let Some(residual) = residual {
                    x = ops.add(x, ops.load(&residual[at..]));
                }
                if self.accumulate {
                    x = ops.add(x, ops.load(&out[at..]));
                }
                ops.store(x, &mut out[at..]);
                if row == 0 {
                    ops.store(x, &mut shift[at..]);
                }
                let off = ops.sub(x, ops.load(&shift[at..]));
                ops.store(ops.add(ops.load(&sum[at..]), off), &mut sum[at..]);
                ops.store(ops.mul_add(off, off, ops.load(&squares[at..])), &mut squares[at..]);
                ops.store(ops.min(ops.load(&lowest[at..]), x), &mut lowest[at..]);
                ops.store(ops.max(ops.load(&highest[at..]), x), &mut highest[at..]);
            }
        }
        self.statistics.merge(self.rows);
    }
}
