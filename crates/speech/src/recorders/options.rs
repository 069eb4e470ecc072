//! What recorders of whole texts and of streams are asked for.

use crate::audio::{AudioParams, EncodeOptions, Loudness};

/// How a text is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordOptions {
    /// Format, sample rate and bit rate.
    pub audio: AudioParams,
    /// How loud it is made.
    pub loudness: Loudness,
    /// The title in the file.
    pub title: Option<String>,
    /// The gain of the voice that brings typical speech to the standard loudness, in dB: for clips
    /// too short to be measured, and for streams. Of a voice without one, a stream's first piece is
    /// measured.
    pub voice_gain_db: Option<f64>,
}

impl RecordOptions {
    /// Options with everything but the audio at its default.
    pub const fn new(audio: AudioParams) -> Self {
        Self { audio, loudness: Loudness::Standard, title: None, voice_gain_db: None }
    }

    /// The options of the encoder, at this rate.
    pub(super) fn encoding(&self, sample_rate_hz: u32) -> EncodeOptions {
        EncodeOptions {
            title: self.title.clone(),
            bitrate_kbps: self.audio.bitrate_kbps.map(|rate| rate.0),
            ..EncodeOptions::new(self.audio.format, sample_rate_hz)
        }
    }
}
