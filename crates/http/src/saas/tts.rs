//! Text to speech.

mod request;
pub mod stream;
pub mod synthesize;
