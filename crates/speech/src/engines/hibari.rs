//! The Hibari engine.

mod lanes;
mod network;
mod noise;
mod source;
mod spectrum;

/// Samples a second of this voice.
pub const SAMPLE_RATE_HZ: u32 = 24_000;
