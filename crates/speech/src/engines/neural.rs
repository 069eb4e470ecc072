//! The parts that engines of this process share: functions on SIMD lanes, seeded noise, the rows
//! that a sentence is cut into, symbols that a network does not know, and the times of words.

pub(super) mod breaks;
mod contours;
pub(super) mod delivery;
pub(super) mod features;
pub(super) mod instructions;
pub(super) mod intonation;
pub(super) mod lanes;
pub(super) mod melody;
pub(super) mod noise;
pub(super) mod passage;
pub(super) mod speed;
pub(super) mod symbols;
pub(super) mod timing;

/// Samples a second of every voice that was trained on Kokoro's alphabet.
pub(super) const SAMPLE_RATE_HZ: u32 = 24_000;
