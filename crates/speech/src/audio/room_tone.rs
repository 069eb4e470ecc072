//! The faint noise of a quiet room, under audio that must not be digital silence anywhere.

use crate::seed::mix;

/// Its RMS, in dB: 10 dB under the noise floor that ACX allows.
const RMS_DB: f64 = -70.0;

/// Noise that is the same in every recording.
#[derive(Debug, Clone)]
pub struct RoomTone {
    amplitude: f32,
    at: u64,
}

impl Default for RoomTone {
    fn default() -> Self {
        Self::new()
    }
}

impl RoomTone {
    /// The noise from its beginning.
    pub fn new() -> Self {
        // Uniform noise within ±a has an RMS of a/√3.
        Self { amplitude: (3.0_f64.sqrt() * 10.0_f64.powf(RMS_DB / 20.0)) as f32, at: 0 }
    }

    /// The samples with the noise added.
    pub fn under(&mut self, samples: &[f32]) -> Vec<f32> {
        let noisy = samples.iter().map(|sample| {
            self.at += 1;
            let unit = (mix(self.at) >> 40) as f32 / (1 << 23) as f32 - 1.0;
            sample + self.amplitude * unit
        });
        noisy.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_its_level_and_no_offset() {
        let noise = RoomTone::new().under(&vec![0.0; 48_000]);
        let mean = noise.iter().sum::<f32>() / 48_000.0;
        let rms = (noise.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / 48_000.0).sqrt();
        assert!(mean.abs() < 1e-5, "{mean}");
        assert!((20.0 * rms.log10() - RMS_DB).abs() < 0.2, "{rms}");
    }
}
