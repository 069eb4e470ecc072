//! Text to speech.

pub(crate) mod request;
pub mod socket;
pub mod stream;
pub mod synthesize;
