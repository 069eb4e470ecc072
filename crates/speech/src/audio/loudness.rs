//! Loudness after EBU R 128: measuring a clip, and bringing it to the target.
//!
//! A clip of 3 s and more is leveled to [`TARGET_LUFS`]. Shorter clips are too short to measure,
//! and a stream's end is not known when its start is sent: both get the voice's fixed gain.
//! Whatever the gain, no true peak exceeds [`CEILING_DBTP`]: single peaks are limited, without a
//! change to the rest of the clip. Loudness is that of the single channel, as a meter shows it for
//! a mono file.

use ebur128::{EbuR128, Mode};

use super::{
    AudioError,
    limiter::{Limiter, true_peak},
};

/// The target loudness, in LUFS.
pub const TARGET_LUFS: f64 = -16.0;
/// The highest true peak in the output, in dBTP.
pub const CEILING_DBTP: f64 = -1.0;
/// The most that loudness is raised, in dB: fainter clips stay below the target. The gain itself
/// may be 12 dB higher, to compensate for the limiter.
pub const MAX_GAIN_DB: f64 = 20.0;
/// Clips shorter than this get the fixed gain, in seconds.
pub const SHORTEST_LEVELED_S: u32 = 3;

/// A margin below the ceiling, for meters that interpolate in another way.
const MARGIN_DB: f64 = 0.3;
/// Limiting reduces loudness. The gain is corrected until the clip is this close to the target, in
/// LU.
const CLOSE_LU: f64 = 0.2;
const MAX_CORRECTIONS: usize = 8;
const MAX_MAKE_UP_DB: f64 = 12.0;

/// The measured loudness of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loudness {
    /// Integrated loudness in LUFS; −∞ when the clip is silent or shorter than 0.4 s.
    pub lufs: f64,
    /// The highest true peak in dBTP; −∞ for pure silence.
    pub true_peak_dbtp: f64,
}

/// The effect of leveling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelReport {
    /// Integrated loudness before, in LUFS; −∞ when the clip is silent or shorter than 0.4 s.
    pub lufs_before: f64,
    /// The gain applied before limiting, in dB.
    pub gain_db: f64,
    /// The largest reduction by the limiter, in dB, zero or negative.
    pub limited_db: f64,
    /// The highest true peak after, in dBTP; −∞ for pure silence.
    pub true_peak_dbtp: f64,
}

/// Measures a clip.
///
/// # Errors
/// [`AudioError::Codec`] for a rate for which no meter is defined (below 16 Hz, above 2.8 MHz).
pub fn measure(samples: &[f32], sample_rate_hz: u32) -> Result<Loudness, AudioError> {
    let clean: Vec<f32> = samples.iter().map(|&sample| finite(sample)).collect();
    Ok(Loudness {
        lufs: integrated(&clean, sample_rate_hz)?,
        true_peak_dbtp: decibels(f64::from(true_peak(&clean))),
    })
}

/// Levels a clip in place. Samples that are not finite become silence.
///
/// # Errors
/// [`AudioError::Codec`], as in [`measure`].
pub fn level(
    samples: &mut [f32],
    sample_rate_hz: u32,
    voice_gain_db: f64,
) -> Result<LevelReport, AudioError> {
    for sample in samples.iter_mut() {
        *sample = finite(*sample);
    }
    let lufs_before = integrated(samples, sample_rate_hz)?;
    let long = samples.len() as u64 >= u64::from(SHORTEST_LEVELED_S) * u64::from(sample_rate_hz);
    let to_target = long && lufs_before.is_finite();
    let target = TARGET_LUFS.min(lufs_before + MAX_GAIN_DB);
    let mut gain_db = if to_target { target - lufs_before } else { finite_gain(voice_gain_db) };
    let (mut leveled, mut least) = limited(samples, sample_rate_hz, gain_db);
    if to_target {
        for _ in 0..MAX_CORRECTIONS {
            if least >= 1.0 {
                break;
            }
            let missing = target - integrated(&leveled, sample_rate_hz)?;
            let corrected = (gain_db + missing).min(target - lufs_before + MAX_MAKE_UP_DB);
            if missing.abs() <= CLOSE_LU || corrected <= gain_db {
                break;
            }
            gain_db = corrected;
            (leveled, least) = limited(samples, sample_rate_hz, gain_db);
        }
    }
    // The limiter keeps its margin. This enforces the ceiling for a signal that defeats the
    // limiter.
    let mut peak = f64::from(true_peak(&leveled));
    let highest = linear(CEILING_DBTP);
    if peak > highest {
        let down = (highest / peak) as f32;
        for sample in &mut leveled {
            *sample *= down;
        }
        peak *= f64::from(down);
    }
    samples.copy_from_slice(&leveled);
    Ok(LevelReport {
        lufs_before,
        gain_db,
        limited_db: decibels(f64::from(least)),
        true_peak_dbtp: decibels(peak),
    })
}

/// Levels samples as they come, by a fixed gain and the limiter. The output has as many samples as
/// the input, about 6 ms later.
pub struct StreamLeveler {
    gain: f32,
    limiter: Limiter,
}

impl StreamLeveler {
    /// A leveler with the voice's own gain.
    pub fn new(sample_rate_hz: u32, voice_gain_db: f64) -> Self {
        Self {
            gain: linear(finite_gain(voice_gain_db)) as f32,
            limiter: Limiter::new(sample_rate_hz, ceiling()),
        }
    }

    /// Takes samples and returns those that are ready.
    pub fn push(&mut self, samples: &[f32]) -> Vec<f32> {
        let mut out = Vec::with_capacity(samples.len());
        let gain = self.gain;
        self.limiter.push(samples.iter().map(|&sample| finite(sample) * gain), &mut out);
        out
    }

    /// The largest reduction by the limiter so far, in dB, zero or negative.
    pub fn limited_db(&self) -> f64 {
        decibels(f64::from(self.limiter.least_gain()))
    }

    /// The samples that are still inside the leveler.
    pub fn finish(self) -> Vec<f32> {
        let mut out = Vec::with_capacity(self.limiter.latency());
        self.limiter.finish(&mut out);
        out
    }
}

fn limited(samples: &[f32], sample_rate_hz: u32, gain_db: f64) -> (Vec<f32>, f32) {
    let gain = linear(gain_db) as f32;
    let mut limiter = Limiter::new(sample_rate_hz, ceiling());
    let mut out = Vec::with_capacity(samples.len());
    limiter.push(samples.iter().map(|sample| sample * gain), &mut out);
    let least = limiter.finish(&mut out);
    (out, least)
}

fn integrated(samples: &[f32], sample_rate_hz: u32) -> Result<f64, AudioError> {
    let failed = |error| AudioError::codec("loudness", error);
    let mut meter = EbuR128::new(1, sample_rate_hz, Mode::I).map_err(failed)?;
    meter.add_frames_f32(samples).map_err(failed)?;
    meter.loudness_global().map_err(failed)
}

fn ceiling() -> f32 {
    linear(CEILING_DBTP - MARGIN_DB) as f32
}

fn linear(db: f64) -> f64 {
    10.0_f64.powf(db / 20.0)
}

fn decibels(linear: f64) -> f64 {
    20.0 * linear.log10()
}

/// Samples far beyond full scale are as meaningless as those that are not finite, and would
/// overflow later.
fn finite(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1e6, 1e6) } else { 0.0 }
}

fn finite_gain(db: f64) -> f64 {
    if db.is_finite() { db.clamp(-60.0, MAX_GAIN_DB) } else { 0.0 }
}
