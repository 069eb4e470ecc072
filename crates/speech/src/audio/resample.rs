//! Converts between sample rates, for engines whose rate differs from the one we write.

use rubato::{Fft, FixedSync, Resampler as _, audioadapter_buffers::direct::SequentialSlice};

use super::AudioError;

/// The highest rate that is converted from or to.
const MAX_RATE_HZ: u32 = 384_000;
/// The approximate number of samples that are converted at a time.
const BLOCK: usize = 1_024;

/// Converts a clip. The result has `round(n · to / from)` samples, and every sound keeps its time.
///
/// # Errors
/// [`AudioError::Resample`] when a rate is zero or above 384 kHz.
pub fn resample(samples: &[f32], from_hz: u32, to_hz: u32) -> Result<Vec<f32>, AudioError> {
    let refused = AudioError::Resample { from_hz, to_hz };
    if !(1..=MAX_RATE_HZ).contains(&from_hz) || !(1..=MAX_RATE_HZ).contains(&to_hz) {
        return Err(refused);
    }
    if from_hz == to_hz || samples.is_empty() {
        return Ok(samples.to_vec());
    }
    let length = (samples.len() as u128 * u128::from(to_hz) + u128::from(from_hz) / 2) / u128::from(from_hz);
    let length = usize::try_from(length).map_err(|_| AudioError::Resample { from_hz, to_hz })?;
    let failed = |error: &dyn std::fmt::Display| AudioError::codec("resampling", error);
    let input = SequentialSlice::new(samples, 1, samples.len()).map_err(|error| failed(&error))?;
    // The converter's delay is half a block, which is removed. With an odd block length, half a
    // sample of the delay would remain.
    let unit = (from_hz / gcd(from_hz, to_hz)) as usize;
    let block = unit * BLOCK.div_ceil(unit).next_multiple_of(2);
    let mut converter = Fft::<f32>::new(from_hz as usize, to_hz as usize, block, 1, FixedSync::Both)
        .map_err(|error| failed(&error))?;
    let mut out =
        converter.process_all(&input, samples.len(), None).map_err(|error| failed(&error))?.take_data();
    // The crate rounds the length up; `resize` makes it exact.
    out.resize(length, 0.0);
    Ok(out)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
