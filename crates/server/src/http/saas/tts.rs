//! Text to speech.

pub mod synthesize;
