//! Loudness after EBU R 128: measuring a clip, and bringing it to the target.
//!
//! A clip of 3 s and more is leveled to the target of a [`Loudness`]. Shorter clips are too short to
//! measure, and a stream's end is not known when its start is sent: both get the voice's fixed gain.
//! Whatever the gain, no true peak exceeds the ceiling: single peaks are limited, without a change to
//! the rest of the clip. Loudness is that of the single channel, as a meter shows it for a mono file.
//! `docs/adr/0033-audio-formats.md` has the figures.

use ebur128::{EbuR128, Mode};

use super::{
    AudioError, Loudness,
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

/// What a [`Loudness`] aims at.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Target {
    /// Integrated loudness in LUFS, or the RMS of the whole clip in dB.
    level: f64,
    is_rms: bool,
    /// The highest true peak, in dBTP.
    ceiling_dbtp: f64,
    /// The correction of a voice's gain, which is for [`TARGET_LUFS`], in dB.
    gain_db: f64,
}

/// The RMS in the middle of what ACX takes, a little towards the quiet end: the peaks need room.
const ACX_RMS_DB: f64 = -20.5;
/// ACX's −3 dB, less what a lossy format adds to peaks.
const ACX_CEILING_DBTP: f64 = -4.0;
/// The target of EBU R 128.
const BROADCAST_LUFS: f64 = -23.0;

impl Target {
    /// `None`: the audio is left as it is.
    const fn of(loudness: Loudness) -> Option<Self> {
        let (level, is_rms, ceiling_dbtp) = match loudness {
            Loudness::Standard => (TARGET_LUFS, false, CEILING_DBTP),
            Loudness::Broadcast => (BROADCAST_LUFS, false, CEILING_DBTP),
            Loudness::Acx => (ACX_RMS_DB, true, ACX_CEILING_DBTP),
            Loudness::None => return None,
        };
        Some(Self { level, is_rms, ceiling_dbtp, gain_db: level - TARGET_LUFS })
    }

    /// How loud a clip is, in the target's measure; −∞ when it is silent or too short.
    fn measure(&self, samples: &[f32], sample_rate_hz: u32) -> Result<f64, AudioError> {
        if !self.is_rms {
            return integrated(samples, sample_rate_hz);
        }
        let power: f64 = samples.iter().map(|&sample| f64::from(sample).powi(2)).sum();
        Ok(decibels((power / samples.len().max(1) as f64).sqrt()))
    }

    fn ceiling(&self) -> f32 {
        linear(self.ceiling_dbtp - MARGIN_DB) as f32
    }
}

/// The measured loudness of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
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
pub fn measure(samples: &[f32], sample_rate_hz: u32) -> Result<Measured, AudioError> {
    let clean: Vec<f32> = samples.iter().map(|&sample| finite(sample)).collect();
    Ok(Measured {
        lufs: integrated(&clean, sample_rate_hz)?,
        true_peak_dbtp: decibels(f64::from(true_peak(&clean))),
    })
}

/// Levels a clip in place, to [`Loudness::Standard`]. Samples that are not finite become silence.
///
/// # Errors
/// [`AudioError::Codec`], as in [`measure`].
pub fn level(
    samples: &mut [f32],
    sample_rate_hz: u32,
    voice_gain_db: f64,
) -> Result<LevelReport, AudioError> {
    level_to(Loudness::Standard, samples, sample_rate_hz, voice_gain_db)
}

/// The same to another loudness. `voice_gain_db` is what brings the voice to [`TARGET_LUFS`].
///
/// # Errors
/// As [`level`].
pub fn level_to(
    loudness: Loudness,
    samples: &mut [f32],
    sample_rate_hz: u32,
    voice_gain_db: f64,
) -> Result<LevelReport, AudioError> {
    for sample in samples.iter_mut() {
        *sample = finite(*sample);
    }
    let lufs_before = integrated(samples, sample_rate_hz)?;
    let Some(target) = Target::of(loudness) else {
        let true_peak_dbtp = decibels(f64::from(true_peak(samples)));
        return Ok(LevelReport { lufs_before, gain_db: 0.0, limited_db: 0.0, true_peak_dbtp });
    };
    let before = target.measure(samples, sample_rate_hz)?;
    let long = samples.len() as u64 >= u64::from(SHORTEST_LEVELED_S) * u64::from(sample_rate_hz);
    let to_target = long && before.is_finite();
    let wanted = target.level.min(before + MAX_GAIN_DB);
    let fixed = || finite_gain(voice_gain_db) + target.gain_db;
    let mut gain_db = if to_target { wanted - before } else { fixed() };
    let (mut leveled, mut least) = limited(samples, sample_rate_hz, gain_db, target.ceiling());
    if to_target {
        for _ in 0..MAX_CORRECTIONS {
            if least >= 1.0 {
                break;
            }
            let missing = wanted - target.measure(&leveled, sample_rate_hz)?;
            let corrected = (gain_db + missing).min(wanted - before + MAX_MAKE_UP_DB);
            if missing.abs() <= CLOSE_LU || corrected <= gain_db {
                break;
            }
            gain_db = corrected;
            (leveled, least) = limited(samples, sample_rate_hz, gain_db, target.ceiling());
        }
    }
    let true_peak = capped(&mut leveled, linear(target.ceiling_dbtp));
    samples.copy_from_slice(&leveled);
    Ok(LevelReport {
        lufs_before,
        gain_db,
        limited_db: decibels(f64::from(least)),
        true_peak_dbtp: decibels(true_peak),
    })
}

/// The limiter keeps its margin. This enforces the ceiling for a signal that defeats the limiter.
/// Returns the true peak.
fn capped(leveled: &mut [f32], highest: f64) -> f64 {
    let peak = f64::from(true_peak(leveled));
    if peak <= highest {
        return peak;
    }
    let down = (highest / peak) as f32;
    for sample in leveled {
        *sample *= down;
    }
    peak * f64::from(down)
}

/// Levels samples as they come, by a fixed gain and the limiter. The output has as many samples as
/// the input, about 6 ms later.
pub struct StreamLeveler {
    gain: f32,
    /// `None`: the audio is left as it is.
    limiter: Option<Limiter>,
}

impl StreamLeveler {
    /// A leveler with the voice's own gain.
    pub fn new(sample_rate_hz: u32, voice_gain_db: f64) -> Self {
        Self::with_gain(Loudness::Standard, sample_rate_hz, finite_gain(voice_gain_db))
    }

    /// A leveler for a loudness, with the voice's own gain.
    pub fn of_voice(loudness: Loudness, sample_rate_hz: u32, voice_gain_db: f64) -> Self {
        let offset_db = Target::of(loudness).map_or(0.0, |target| target.gain_db);
        Self::with_gain(loudness, sample_rate_hz, finite_gain(voice_gain_db) + offset_db)
    }

    /// A leveler for a loudness, with a gain that was found by [`level_to`].
    pub fn with_gain(loudness: Loudness, sample_rate_hz: u32, gain_db: f64) -> Self {
        let target = Target::of(loudness);
        Self {
            gain: if target.is_some() { linear(gain_db) as f32 } else { 1.0 },
            limiter: target.map(|target| Limiter::new(sample_rate_hz, target.ceiling())),
        }
    }

    /// Takes samples and returns those that are ready.
    pub fn push(&mut self, samples: &[f32]) -> Vec<f32> {
        let mut out = Vec::with_capacity(samples.len());
        let gain = self.gain;
        let samples = samples.iter().map(|&sample| finite(sample) * gain);
        match &mut self.limiter {
            Some(limiter) => limiter.push(samples, &mut out),
            None => out.extend(samples),
        }
        out
    }

    /// The largest reduction by the limiter so far, in dB, zero or negative.
    pub fn limited_db(&self) -> f64 {
        self.limiter.as_ref().map_or(0.0, |limiter| decibels(f64::from(limiter.least_gain())))
    }

    /// The samples that are still inside the leveler.
    pub fn finish(self) -> Vec<f32> {
        let mut out = Vec::new();
        if let Some(limiter) = self.limiter {
            limiter.finish(&mut out);
        }
        out
    }
}

fn limited(samples: &[f32], sample_rate_hz: u32, gain_db: f64, ceiling: f32) -> (Vec<f32>, f32) {
    let gain = linear(gain_db) as f32;
    let mut limiter = Limiter::new(sample_rate_hz, ceiling);
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
