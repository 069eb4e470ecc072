//! Text to speech.

mod request;
pub mod socket;
pub mod stream;
pub mod synthesize;
