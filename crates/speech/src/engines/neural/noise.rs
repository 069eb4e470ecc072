//! Gaussian noise for the breath and hiss of a voice: fast, seeded, and identical on every machine.
//!
//! A sample is one of 4,096 equally likely quantiles of the normal distribution, picked by twelve
//! random bits. The bits come from `SplitMix64` (Steele, Lea and Flood, "Fast Splittable
//! Pseudorandom Number Generators", OOPSLA 2014). It must not be used for secrets. Nothing here
//! knows about spectra.

use crate::seed::mix;

/// The number of quantiles in the table: 16 KiB of `f32` stay in a core's L1 cache together with a
/// frame's spectra.
const LEVELS: usize = 4096;

/// The increment of `SplitMix64`: 2⁶⁴ divided by the golden ratio, made odd.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The table of quantiles, made once and shared by the generators that borrow it.
#[derive(Debug)]
pub(in crate::engines) struct Quantiles(Box<[f32; LEVELS]>);

impl Quantiles {
    /// Makes the table and scales it to a variance of exactly one, because cutting off the tails
    /// lowers the variance.
    pub(in crate::engines) fn new() -> Self {
        let raw: Vec<f64> =
            (0..LEVELS).map(|level| normal_quantile((level as f64 + 0.5) / LEVELS as f64)).collect();
        let variance = raw.iter().map(|value| value * value).sum::<f64>() / LEVELS as f64;
        let scale = variance.sqrt().recip();
        let mut table = Box::new([0.0; LEVELS]);
        for (slot, value) in table.iter_mut().zip(raw) {
            *slot = (value * scale) as f32;
        }
        Self(table)
    }
}

/// A stream of noise that depends only on its seed.
#[derive(Debug, Clone)]
pub(in crate::engines) struct Noise {
    state: u64,
}

impl Noise {
    /// A stream for `seed`.
    pub(in crate::engines) fn new(seed: u64) -> Self {
        Self { state: mix(seed) }
    }

    /// Fills two slices of equal length with independent normal samples of variance one.
    pub(in crate::engines) fn fill(&mut self, quantiles: &Quantiles, first: &mut [f32], second: &mut [f32]) {
        let table = &*quantiles.0;
        let pick = |bits: u64| table[bits as usize % LEVELS];
        let mut pairs = first.chunks_exact_mut(2).zip(second.chunks_exact_mut(2));
        for (a, b) in &mut pairs {
            let bits = self.next();
            a[0] = pick(bits);
            a[1] = pick(bits >> 16);
            b[0] = pick(bits >> 32);
            b[1] = pick(bits >> 48);
        }
        if let (Some(a), Some(b)) = (first.last_mut(), second.last_mut()) {
            let bits = self.next();
            *a = pick(bits);
            *b = pick(bits >> 32);
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }
}

/// The inverse of the normal distribution function, by bisection on its series: slow, exact to
/// 1e-12, computed once.
fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if normal_distribution(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Φ(x) = ½ + φ(x) · (x + x³/3 + x⁵/(3·5) + …), which converges for every x.
fn normal_distribution(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut divisor = 1.0;
    while term.abs() > 1e-17 * sum.abs() {
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seed: u64, length: usize) -> (Vec<f32>, Vec<f32>) {
        let (mut first, mut second) = (vec![0.0; length], vec![0.0; length]);
        Noise::new(seed).fill(&Quantiles::new(), &mut first, &mut second);
        (first, second)
    }

    fn moment(samples: &[f32], power: i32) -> f64 {
        samples.iter().map(|value| f64::from(*value).powi(power)).sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn noise_has_the_moments_of_a_normal_distribution() {
        let (first, second) = sample(7, 400_001);
        for samples in [&first, &second] {
            assert!(moment(samples, 1).abs() < 0.01);
            assert!((moment(samples, 2) - 1.0).abs() < 0.01);
            assert!((moment(samples, 4) - 3.0).abs() < 0.1);
        }
        let product: f64 = first.iter().zip(&second).map(|(a, b)| f64::from(a * b)).sum();
        assert!((product / first.len() as f64).abs() < 0.01, "the two components are independent");
        let lagged: f64 = first.windows(2).map(|pair| f64::from(pair[0] * pair[1])).sum();
        assert!((lagged / first.len() as f64).abs() < 0.01, "neighbors are independent");
    }

    #[test]
    fn noise_depends_on_the_seed_alone() {
        assert_eq!(sample(1, 601), sample(1, 601));
        assert_ne!(sample(1, 601), sample(2, 601));
    }

    #[test]
    fn every_sample_is_filled_whether_the_length_is_odd_or_even() {
        for length in [0, 1, 2, 601] {
            let (first, second) = sample(3, length);
            assert!(first.iter().chain(&second).all(|value| *value != 0.0), "a quantile is zero: {length}");
        }
    }
}
