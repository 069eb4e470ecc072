//! The voice's excitation: nine harmonics of the pitch and the noise of breath, as vocal folds would
//! make it.
//!
//! The pitch comes in frames of 12.5 ms. The phase of each harmonic adds up from frame to frame and
//! is interpolated between their middles. The exported network left the noise out that it was
//! trained with; here it is drawn again, from the utterance's seed.

use super::tensors::Tensors;
use crate::engines::neural::{
    SAMPLE_RATE_HZ,
    delivery::factor_at,
    noise::{Noise, Quantiles},
};

/// Samples a frame.
pub(super) const HOP: usize = 300;

/// Harmonics, the pitch itself counted.
const HARMONICS: usize = 9;

/// At this pitch and below it the voice is silent.
const LOWEST_HZ: f32 = 10.0;

/// How loud a harmonic is before the harmonics are mixed.
const LOUDNESS: f32 = 0.1;

/// Noise on each harmonic, as a standard deviation: where the voice sounds, and where it does not.
const VOICED_NOISE: f32 = 0.003;
const UNVOICED_NOISE: f32 = LOUDNESS / 3.0;

/// How the harmonics are mixed.
pub(super) struct Source {
    weights: [f32; HARMONICS],
    bias: f32,
}

impl Source {
    /// Finds its weights among all.
    ///
    /// # Errors
    /// What is not as expected.
    pub(super) fn read(tensors: &Tensors) -> Result<Self, String> {
        let weights = tensors.vector("source.weight", HARMONICS)?;
        let bias = tensors.vector("source.bias", 1)?[0];
        Ok(Self { weights: std::array::from_fn(|harmonic| weights[harmonic]), bias })
    }

    /// [`HOP`] samples a frame of pitch, which is multiplied by the frame's of `factors` (one stands for
    /// all) where the voice sounds; without noise only a comparison wants them.
    pub(super) fn samples(
        &self,
        pitch_hz: &[f32],
        factors: &[f32],
        noise: Option<(Noise, &Quantiles)>,
    ) -> Vec<f32> {
        let mut samples = vec![0.0; pitch_hz.len() * HOP];
        if let Some((mut noise, quantiles)) = noise {
            let middle = samples.len() / 2;
            let (first, second) = samples.split_at_mut(middle);
            noise.fill(quantiles, first, second);
        }
        // Independent noises add up by their squares.
        let mixed = self.weights.iter().map(|weight| weight * weight).sum::<f32>().sqrt();
        let turns = turns(pitch_hz, factors);
        for (frame, samples) in samples.chunks_exact_mut(HOP).enumerate() {
            let voiced = pitch_hz[frame] > LOWEST_HZ;
            let level = mixed * if voiced { VOICED_NOISE } else { UNVOICED_NOISE };
            for (at, sample) in samples.iter_mut().enumerate() {
                let mut value = self.bias + level * *sample;
                if voiced {
                    value += LOUDNESS * self.harmonics(&turns, frame, at);
                }
                *sample = value.tanh();
            }
        }
        samples
    }

    /// The mixed harmonics at one sample of a frame.
    fn harmonics(&self, turns: &[[f64; HARMONICS]], frame: usize, at: usize) -> f32 {
        let along = (at as f64 + 0.5) / HOP as f64 - 0.5;
        let (from, to, along) = if along < 0.0 {
            (frame.saturating_sub(1), frame, along + 1.0)
        } else {
            (frame, (frame + 1).min(turns.len() - 1), along)
        };
        let mut sum = 0.0;
        for (harmonic, weight) in self.weights.iter().enumerate() {
            let (start, end) = (turns[from][harmonic], turns[to][harmonic]);
            let turns = (start + (end - start) * along) * HOP as f64;
            sum += weight * ((turns - turns.floor()) as f32 * std::f32::consts::TAU).sin();
        }
        sum
    }
}

/// The phase of every harmonic at the middle of every frame, in turns a sample of a frame.
fn turns(pitch_hz: &[f32], factors: &[f32]) -> Vec<[f64; HARMONICS]> {
    let mut sums = [0.0_f64; HARMONICS];
    let step = |(frame, pitch): (usize, &f32)| {
        let factor = factor_at(factors, frame);
        for (harmonic, sum) in sums.iter_mut().enumerate() {
            let turns = f64::from(pitch * factor * (harmonic + 1) as f32) / f64::from(SAMPLE_RATE_HZ);
            *sum += turns - turns.floor();
        }
        sums
    };
    pitch_hz.iter().enumerate().map(step).collect()
}
