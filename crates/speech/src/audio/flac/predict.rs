//! Predictors: the five fixed ones, and linear prediction fitted to the block by autocorrelation
//! and the Levinson-Durbin recursion. Coefficients are rounded, and each rounding error is carried
//! over to the next. The predictor that takes the fewest bits wins.

use super::{bits::BitWriter, rice::Residual};

/// The highest order that FLAC's subset allows at 48 kHz and below.
const MAX_ORDER: usize = 12;
const COEFFICIENT_BITS: u32 = 13;
/// The highest order of a fixed predictor.
const MAX_FIXED: usize = 4;

/// A predictor of a sample from the samples before it.
pub(super) enum Predictor {
    /// Differences of this order.
    Fixed(usize),
    /// The weighted sum of earlier samples, the nearest first, shifted right.
    Linear {
        /// Weights, within [`COEFFICIENT_BITS`].
        coefficients: Vec<i32>,
        /// From 0 to 15.
        shift: u32,
    },
}

impl Predictor {
    fn order(&self) -> usize {
        match self {
            Self::Fixed(order) => *order,
            Self::Linear { coefficients, .. } => coefficients.len(),
        }
    }

    /// The bits of warm-up samples and coefficients.
    pub(super) fn bits(&self, sample_bits: u32) -> u64 {
        let own = match self {
            Self::Fixed(_) => 0,
            Self::Linear { coefficients, .. } => 9 + coefficients.len() as u64 * u64::from(COEFFICIENT_BITS),
        };
        self.order() as u64 * u64::from(sample_bits) + own
    }

    /// Writes the subframe up to its residual (RFC 9639, sections 9.2.5 and 9.2.6).
    pub(super) fn write(&self, samples: &[i32], sample_bits: u32, bits: &mut BitWriter) {
        let order = self.order();
        let kind = match self {
            Self::Fixed(_) => 0b00_1000 + order as u32,
            Self::Linear { .. } => 0b10_0000 + order as u32 - 1,
        };
        bits.put(kind << 1, 8);
        for &sample in &samples[..order] {
            bits.put_signed(sample, sample_bits);
        }
        if let Self::Linear { coefficients, shift } = self {
            bits.put(COEFFICIENT_BITS - 1, 4);
            bits.put(*shift, 5);
            for &coefficient in coefficients {
                bits.put_signed(coefficient, COEFFICIENT_BITS);
            }
        }
    }

    /// The residual of the predictor, from its order on. Residuals of 16-bit samples do not
    /// overflow: those of a fixed predictor have at most 20 bits; a linear predictor sums at most
    /// 12 products of 2¹⁵ and 2¹², less than 2³¹, and is dropped when its residual is too large.
    fn residual(&self, samples: &[i32]) -> Option<Vec<i32>> {
        match self {
            Self::Fixed(order) => {
                let mut rest = samples.to_vec();
                for done in 0..*order {
                    for index in (done + 1..rest.len()).rev() {
                        rest[index] -= rest[index - 1];
                    }
                }
                Some(rest.split_off((*order).min(rest.len())))
            }
            Self::Linear { coefficients, shift } => {
                // A fixed length, so that the compiler can unroll the loop, and the order of the samples.
                let mut weights = [0; MAX_ORDER];
                for (weight, coefficient) in weights.iter_mut().rev().zip(coefficients) {
                    *weight = *coefficient;
                }
                let mut padded = vec![0; MAX_ORDER - coefficients.len()];
                padded.extend_from_slice(samples);
                let rest = padded.windows(MAX_ORDER + 1).map(|window| {
                    let products = window.iter().zip(&weights).map(|(sample, weight)| sample * weight);
                    window[MAX_ORDER] - (products.sum::<i32>() >> shift)
                });
                let rest: Vec<i32> = rest.collect();
                rest.iter().all(|rest| rest.unsigned_abs() < 1 << 27).then_some(rest)
            }
        }
    }
}

/// Finds the best predictor of a block.
pub(super) struct Searcher {
    /// The analysis window for the last block's length.
    window: Vec<f64>,
}

impl Searcher {
    pub(super) fn new() -> Self {
        Self { window: Vec::new() }
    }

    /// The predictor that takes the fewest bits, with its residual.
    pub(super) fn best(&mut self, samples: &[i32]) -> (Predictor, Residual) {
        let fixed = best_fixed(samples);
        let mut best_bits = fixed.0.bits(16) + fixed.1.bits();
        let mut best = fixed;
        for predictor in self.linear(samples) {
            let Some(rest) = predictor.residual(samples) else { continue };
            let residual = Residual::new(&rest, predictor.order());
            let bits = predictor.bits(16) + residual.bits();
            if bits < best_bits {
                best_bits = bits;
                best = (predictor, residual);
            }
        }
        best
    }

    /// The linear predictor of the order with the lowest estimate of bits; none for a short block.
    fn linear(&mut self, samples: &[i32]) -> Vec<Predictor> {
        let length = samples.len();
        if length <= 2 * MAX_ORDER {
            return Vec::new();
        }
        if self.window.len() != length {
            self.window = tukey(length);
        }
        let windowed: Vec<f64> = samples.iter().zip(&self.window).map(|(&s, w)| f64::from(s) * w).collect();
        let mut correlation = [0.0; MAX_ORDER + 1];
        for (lag, sum) in correlation.iter_mut().enumerate() {
            *sum = product(&windowed[lag..], &windowed[..length - lag]);
        }
        let fits = levinson_durbin(&correlation);
        let promised = |order: usize, error: f64| {
            // Half the logarithm of the error's variance for each sample, plus the cost of the
            // coefficients.
            let a_sample = 0.5 * (error / length as f64).max(1e-9).log2();
            a_sample.max(0.0) * (length - order) as f64 + (order as u32 * (16 + COEFFICIENT_BITS)) as f64
        };
        fits.into_iter()
            .enumerate()
            .map(|(index, (weights, error))| (promised(index + 1, error), weights))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .and_then(|(_, weights)| quantise(&weights))
            .into_iter()
            .collect()
    }
}

/// The sum of the products of two rows of numbers. Eight sums side by side do not wait for each other.
fn product(one: &[f64], other: &[f64]) -> f64 {
    let ((one, last_of_one), (other, last_of_other)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (one, other) in one.iter().zip(other) {
        for ((sum, a), b) in sums.iter_mut().zip(one).zip(other) {
            *sum += a * b;
        }
    }
    let rest: f64 = last_of_one.iter().zip(last_of_other).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// The fixed predictor with the smallest sum of absolute residuals.
fn best_fixed(samples: &[i32]) -> (Predictor, Residual) {
    // For each order the sum, and the last difference.
    let (mut sums, mut last) = ([0_u64; MAX_FIXED + 1], [0_i32; MAX_FIXED]);
    for (at, &sample) in samples.iter().enumerate() {
        let mut rest = sample;
        sums[0] += u64::from(rest.unsigned_abs());
        for (order, (sum, last)) in sums[1..].iter_mut().zip(&mut last).enumerate() {
            let before = std::mem::replace(last, rest);
            rest = rest.wrapping_sub(before);
            // The first samples have no difference yet.
            *sum += if at > order { u64::from(rest.unsigned_abs()) } else { 0 };
        }
    }
    let highest = samples.len().saturating_sub(1).min(MAX_FIXED);
    let order = (0..=highest).min_by_key(|&order| sums[order]).unwrap_or_default();
    let predictor = Predictor::Fixed(order);
    let residual = Residual::new(&predictor.residual(samples).unwrap_or_default(), order);
    (predictor, residual)
}

/// A window with flat middle and cosine flanks of a quarter each.
fn tukey(length: usize) -> Vec<f64> {
    let flank = length / 4;
    (0..length)
        .map(|index| {
            let from_edge = index.min(length - 1 - index);
            if from_edge >= flank {
                1.0
            } else {
                0.5 - 0.5 * (std::f64::consts::PI * (from_edge as f64 + 0.5) / flank as f64).cos()
            }
        })
        .collect()
}

/// Weights and remaining error for each order from 1; ends early when nothing is left to predict.
fn levinson_durbin(correlation: &[f64; MAX_ORDER + 1]) -> Vec<(Vec<f64>, f64)> {
    let mut fits = Vec::with_capacity(MAX_ORDER);
    let mut weights: Vec<f64> = Vec::with_capacity(MAX_ORDER);
    let mut error = correlation[0];
    for order in 1..=MAX_ORDER {
        if error <= f64::EPSILON * correlation[0] {
            break;
        }
        let known: f64 = weights.iter().enumerate().map(|(i, w)| w * correlation[order - 1 - i]).sum();
        let reflection = (correlation[order] - known) / error;
        let turned: Vec<f64> = weights.iter().rev().copied().collect();
        for (weight, mirror) in weights.iter_mut().zip(turned) {
            *weight -= reflection * mirror;
        }
        weights.push(reflection);
        error *= 1.0 - reflection * reflection;
        fits.push((weights.clone(), error));
    }
    fits
}

/// Weights as integers; each rounding error is carried over to the next.
fn quantise(weights: &[f64]) -> Option<Predictor> {
    let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    if !largest.is_finite() || largest <= 0.0 {
        return None;
    }
    let limit = (1 << (COEFFICIENT_BITS - 1)) as f64;
    let shift = (limit / largest).log2().floor().clamp(0.0, 15.0) as u32;
    let mut carried = 0.0;
    let coefficients = weights
        .iter()
        .map(|weight| {
            let exact = weight * f64::from(1_u32 << shift) + carried;
            let rounded = exact.round().clamp(-limit, limit - 1.0);
            carried = exact - rounded;
            rounded as i32
        })
        .collect();
    Some(Predictor::Linear { coefficients, shift })
}
