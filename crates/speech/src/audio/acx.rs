//! What ACX asks of an audiobook's files: RMS, peaks, room tone instead of digital silence, rate and bit rate. The
//! figures are in `docs/BOOKS.md`. `loudness` has the levels.

use super::{AudioError, Loudness, loudness::level_to, nearest_i16, resample::resample, room_tone::RoomTone};

/// Samples a second.
pub const RATE_HZ: u32 = 44_100;
/// The bit rate of an MP3, in kbit/s.
pub const KBPS: u32 = 192;
/// The room tone before the first chapter's speech, in milliseconds. ACX takes 500 to 1,000.
pub const HEAD_MS: u64 = 700;
/// The room tone after the last speech, in milliseconds. ACX takes 1,000 to 5,000.
pub const TAIL_MS: u64 = 1_500;

/// Brings a chunk to ACX's level and rate. Pauses stay digital silence; [`over_tone`] adds the tone.
///
/// # Errors
/// [`AudioError`] for a rate that cannot be converted.
pub fn leveled(samples: &[i16], from_hz: u32) -> Result<Vec<i16>, AudioError> {
    let mut samples: Vec<f32> = samples.iter().map(|&sample| f32::from(sample) / 32_768.0).collect();
    level_to(Loudness::Acx, &mut samples, from_hz, 0.0)?;
    Ok(steps(&resample(&samples, from_hz, RATE_HZ)?))
}

/// The samples with room tone under them.
pub fn over_tone(samples: &[i16], tone: &mut RoomTone) -> Vec<i16> {
    let samples: Vec<f32> = samples.iter().map(|&sample| f32::from(sample) / 32_768.0).collect();
    steps(&tone.under(&samples))
}

/// Room tone alone.
pub fn tone(duration_ms: u64, tone: &mut RoomTone) -> Vec<i16> {
    over_tone(&vec![0; (duration_ms * u64::from(RATE_HZ) / 1000) as usize], tone)
}

fn steps(samples: &[f32]) -> Vec<i16> {
    samples.iter().map(|sample| nearest_i16(sample * 32_767.0)).collect()
}
