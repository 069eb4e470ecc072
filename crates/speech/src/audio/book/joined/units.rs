//! AAC files of chunks: access units in ADTS (ISO 14496-3, 1.A.2), the form in which any player opens them.

use super::malformed;
use crate::audio::AudioError;

const CONTAINER: &str = "AAC";
const HEADER_BYTES: usize = 7;

/// The sample rates by their index in the header.
const RATES_HZ: [u32; 13] =
    [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/// The index of a sample rate in the header.
pub(super) fn rate_index(sample_rate_hz: u32) -> Option<u8> {
    RATES_HZ.iter().position(|&rate| rate == sample_rate_hz).map(|index| index as u8)
}

/// Adds an access unit after its header.
pub(super) fn add(bytes: &mut Vec<u8>, rate_index: u8, unit: &[u8]) -> Result<(), AudioError> {
    let length = HEADER_BYTES + unit.len();
    if length >= 1 << 13 {
        return Err(AudioError::codec(CONTAINER, "an access unit is longer than any may be"));
    }
    let length = length as u16;
    bytes.extend([
        // Synchronisation, MPEG-4, no CRC.
        0xFF,
        0xF1,
        // Low complexity, the rate, one channel.
        1 << 6 | rate_index << 2,
        1 << 6 | (length >> 11) as u8,
        (length >> 3) as u8,
        // A variable bit rate, and one access unit.
        (length << 5) as u8 | 0x1F,
        0xFC,
    ]);
    bytes.extend_from_slice(unit);
    Ok(())
}

/// The access units of a file of this rate.
pub(super) fn units(file: &[u8], sample_rate_hz: u32) -> impl Iterator<Item = Result<&[u8], AudioError>> {
    let mut rest = file;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let found = split(rest, sample_rate_hz);
        rest = found.map_or(&[][..], |(_, after)| after);
        let wrong = "an access unit is cut off, or has another sample rate";
        Some(found.map(|(unit, _)| unit).ok_or_else(|| malformed(CONTAINER, wrong)))
    })
}

/// The first access unit, and what follows it.
fn split(file: &[u8], sample_rate_hz: u32) -> Option<(&[u8], &[u8])> {
    let header = file.first_chunk::<HEADER_BYTES>()?;
    let is_known = header[..2] == [0xFF, 0xF1]
        && Some(header[2]) == rate_index(sample_rate_hz).map(|rate| 1 << 6 | rate << 2);
    let [_, _, _, high, middle, low, _] = header.map(usize::from);
    let length = (high & 3) << 11 | middle << 3 | low >> 5;
    if !is_known || length <= HEADER_BYTES {
        return None;
    }
    Some((file.get(HEADER_BYTES..length)?, &file[length..]))
}
