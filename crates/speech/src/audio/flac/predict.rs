//! Predictors: the five fixed ones, and linear prediction fitted to the block by autocorrelation
//! and the Levinson-Durbin recursion. Coefficients are rounded, and each rounding error is carried
//! over to the next. The predictor that takes the fewest bits wins.

use super::{bits::BitWriter, rice::Residual};

/// The highest order that FLAC's subset allows at 48 kHz and below.
const MAX_ORDER: usize = 12;
const COEFFICIENT_BITS: u32 = 13;

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
    /// 12 products of 16 and 13 bits, and is dropped when its residual is too large.
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
            Self::Linear { coefficients, shift } => samples
                .windows(coefficients.len() + 1)
                .map(|window| {
                    let (now, before) = window.split_last()?;
                    let sum: i64 = before
                        .iter()
                        .rev()
                        .zip(coefficients)
                        .map(|(&sample, &weight)| i64::from(sample) * i64::from(weight))
                        .sum();
                    let rest = i64::from(*now) - (sum >> shift);
                    i32::try_from(rest).ok().filter(|rest| rest.unsigned_abs() < 1 << 27)
                })
                .collect(),
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
            *sum = windowed[lag..].iter().zip(&windowed).map(|(a, b)| a * b).sum();
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

/// The fixed predictor with the smallest sum of absolute residuals.
fn best_fixed(samples: &[i32]) -> (Predictor, Residual) {
    let highest = samples.len().saturating_sub(1).min(4);
    let size = |rest: &[i32]| rest.iter().map(|value| u64::from(value.unsigned_abs())).sum::<u64>();
    let mut rest = samples.to_vec();
    let (mut least, mut order) = (size(&rest), 0);
    for candidate in 1..=highest {
        for index in (candidate..rest.len()).rev() {
            rest[index] -= rest[index - 1];
        }
        let sum = size(&rest[candidate..]);
        if sum < least {
            (least, order) = (sum, candidate);
        }
    }
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
