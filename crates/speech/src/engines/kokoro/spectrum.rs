//! Short spectra: of the excitation, as the generator takes them, and of the sound, as it gives them.
//!
//! A window has 20 samples and a hop 5, so its transform is written out as a sum.

use std::f32::consts::{PI, TAU};

/// Samples of a window, and from one to the next.
const WINDOW: usize = 20;
pub(super) const HOP: usize = 5;

/// Bins of a window's spectrum.
const BINS: usize = WINDOW / 2 + 1;

/// Values of a spectrum's row: the levels of all bins, then their phases.
pub(super) const SPECTRUM: usize = 2 * BINS;

/// The transforms of a window, with the window in them.
pub(super) struct Spectra {
    /// `[sample][real | imaginary]`.
    forward: [[f32; SPECTRUM]; WINDOW],
    /// `[real | imaginary][sample]`.
    inverse: [[f32; WINDOW]; SPECTRUM],
    /// Hann, squared.
    squares: [f32; WINDOW],
}

impl Spectra {
    pub(super) fn new() -> Self {
        let angle = |bin: usize, at: usize| f64::from(TAU) * ((bin * at) % WINDOW) as f64 / WINDOW as f64;
        let hann = |at: usize| 0.5 - 0.5 * angle(1, at).cos();
        let mut spectra = Self {
            forward: [[0.0; SPECTRUM]; WINDOW],
            inverse: [[0.0; WINDOW]; SPECTRUM],
            squares: std::array::from_fn(|at| hann(at).powi(2) as f32),
        };
        for at in 0..WINDOW {
            for bin in 0..BINS {
                let is_end = bin == 0 || bin == BINS - 1;
                // Bins that have a mirror image count twice.
                let share = hann(at) * if is_end { 1.0 } else { 2.0 } / WINDOW as f64;
                let (sine, cosine) = if is_end {
                    (0.0, if bin == 0 || at % 2 == 0 { 1.0 } else { -1.0 })
                } else {
                    angle(bin, at).sin_cos()
                };
                spectra.forward[at][bin] = (hann(at) * cosine) as f32;
                spectra.forward[at][BINS + bin] = (-hann(at) * sine) as f32;
                spectra.inverse[bin][at] = (share * cosine) as f32;
                spectra.inverse[BINS + bin][at] = (-share * sine) as f32;
            }
        }
        spectra
    }

    /// Levels and phases around every fifth sample, the first and the one after the last included.
    /// Beyond its ends the signal is mirrored.
    pub(super) fn of(&self, samples: &[f32]) -> Vec<f32> {
        let last = samples.len().saturating_sub(1);
        let mirrored = |at: usize| -> f32 {
            let at = at.abs_diff(WINDOW / 2);
            let at = if at > last { (2 * last).saturating_sub(at) } else { at };
            samples.get(at).copied().unwrap_or(0.0)
        };
        let padded: Vec<f32> = (0..samples.len() + WINDOW).map(mirrored).collect();
        let rows = samples.len() / HOP + 1;
        let mut spectrum = vec![0.0; rows * SPECTRUM];
        for (row, out) in spectrum.chunks_exact_mut(SPECTRUM).enumerate() {
            let mut sums = [0.0_f32; SPECTRUM];
            for (sample, weights) in padded[row * HOP..].iter().zip(&self.forward) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += sample * weight;
                }
            }
            for bin in 0..BINS {
                // Of the ends, the imaginary part is zero: their phase is 0 or π, never −π.
                let (re, im) = (sums[bin], sums[BINS + bin] + 0.0);
                out[bin] = (re * re + im * im).sqrt();
                out[BINS + bin] = if im == 0.0 && re < 0.0 { PI } else { im.atan2(re) };
            }
        }
        spectrum
    }

    /// The samples of spectra whose levels come as logarithms and whose phases as what a sine is
    /// taken of.
    pub(super) fn samples(&self, spectrum: &[f32]) -> Vec<f32> {
        let rows = spectrum.len() / SPECTRUM;
        let length = rows.saturating_sub(1) * HOP;
        let mut samples = vec![0.0_f32; length + WINDOW];
        let mut weights = vec![0.0_f32; length + WINDOW];
        for (row, values) in spectrum.chunks_exact(SPECTRUM).enumerate() {
            let mut window = [0.0_f32; WINDOW];
            for bin in 0..BINS {
                let level = values[bin].exp();
                let (sine, cosine) = values[BINS + bin].sin().sin_cos();
                let parts = self.inverse[bin].iter().zip(&self.inverse[BINS + bin]);
                for (sum, (re, im)) in window.iter_mut().zip(parts) {
                    *sum += level * (cosine * re + sine * im);
                }
            }
            let at = row * HOP;
            for (sum, value) in samples[at..].iter_mut().zip(window) {
                *sum += value;
            }
            for (sum, square) in weights[at..].iter_mut().zip(self.squares) {
                *sum += square;
            }
        }
        let inside = WINDOW / 2..WINDOW / 2 + length;
        samples[inside.clone()].iter().zip(&weights[inside]).map(|(sum, weight)| sum / weight).collect()
    }
}
