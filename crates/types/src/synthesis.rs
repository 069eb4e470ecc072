//! Requests for synthesis and their results.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, EreaderId, SynthesisId, Timestamp};

/// The most characters (Unicode scalar values) of one synthesis.
pub const MAX_CHARACTERS: usize = 5_000;

/// The format of audio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AudioFormat {
    /// MP3, 64 kbit/s mono.
    #[default]
    Mp3,
    /// WAV, 16 bit.
    Wav,
    /// FLAC, 16 bit.
    Flac,
    /// Opus in Ogg.
    Opus,
}

impl AudioFormat {
    /// All formats.
    pub const ALL: &'static [Self] = &[Self::Mp3, Self::Wav, Self::Flac, Self::Opus];

    /// The name in the API, also used as file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::Opus => "opus",
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Flac => "audio/flac",
            Self::Opus => "audio/ogg",
        }
    }

    /// The format with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == name)
    }
}

/// A word that is none of [`AudioFormat::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an audio format; there are mp3, wav, flac and opus")]
pub struct UnknownAudioFormat(pub String);

impl FromStr for AudioFormat {
    type Err = UnknownAudioFormat;

    fn from_str(word: &str) -> Result<Self, UnknownAudioFormat> {
        Self::parse(word).ok_or_else(|| UnknownAudioFormat(word.to_owned()))
    }
}

impl fmt::Display for AudioFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The timestamps to return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timestamps {
    /// None.
    #[default]
    None,
    /// One per word.
    Word,
}

/// A text to synthesize.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "text": "Dr. Ada read 1,200 pages by 9:30.",
    "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
    "format": "mp3"
}))]
pub struct SynthesizeRequest {
    /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
    /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
    /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
    /// or if its pauses add up to more than 300 s.
    #[schema(min_length = 1, max_length = 5000)]
    pub text: String,
    /// The e-reader's id, from `GET /ereaders`.
    pub ereader_id: EreaderId,
    /// The format of the audio.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub format: AudioFormat,
    /// The speed, 0.5 to 2.
    #[schema(minimum = 0.5, maximum = 2.0, default = 1.0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub speed: Option<f64>,
    /// One of the e-reader's languages, BCP 47; by default the first one.
    #[schema(
        example = "en-US",
        nullable = false,
        max_length = 35,
        pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$"
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether to return the time of each word.
    #[serde(default)]
    #[schema(default = "none")]
    pub timestamps: Timestamps,
}

/// A text to stream as it is spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "text": "Dr. Ada read 1,200 pages by 9:30.",
    "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
    "format": "opus"
}))]
pub struct StreamRequest {
    /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
    /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
    /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
    /// or if its pauses add up to more than 300 s.
    #[schema(min_length = 1, max_length = 5000)]
    pub text: String,
    /// The e-reader's id, from `GET /ereaders`.
    pub ereader_id: EreaderId,
    /// The format of the audio.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub format: AudioFormat,
    /// The speed, 0.5 to 2.
    #[schema(minimum = 0.5, maximum = 2.0, default = 1.0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub speed: Option<f64>,
    /// One of the e-reader's languages, BCP 47; by default the first one.
    #[schema(example = "en-US", nullable = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A stream has no timestamps.
    #[serde(default)]
    #[schema(default = "none")]
    pub timestamps: NoTimestamps,
}

/// Only "no timestamps".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoTimestamps {
    /// None.
    #[default]
    None,
}

/// A finished synthesis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Synthesis {
    pub id: SynthesisId,
    /// A URL of the audio that needs no key, valid until `expires_at`.
    #[schema(format = "uri")]
    pub audio_url: String,
    /// When `audio_url` expires.
    pub expires_at: Timestamp,
    /// The format of the audio.
    pub format: AudioFormat,
    /// The e-reader that was used.
    pub ereader_id: EreaderId,
    /// The length of the text as sent, in Unicode scalar values.
    #[schema(minimum = 1, maximum = 5000)]
    pub characters: u32,
    /// The charged credits; 0 for a test key.
    pub credits_charged: Credits,
    /// The length of the audio.
    pub duration_ms: u64,
    /// The sample rate.
    pub sample_rate_hz: u32,
    /// The time of each word, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub timestamps: Option<Vec<WordTimestamp>>,
}

/// When a word is spoken, and its position in the text as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WordTimestamp {
    /// The word as written, without markup.
    pub text: String,
    /// The index of its first character, in Unicode scalar values.
    pub start_char: u32,
    /// The index after its last character. There may be markup between the two:
    /// `[word](/ˈwɜːd/)'s`.
    pub end_char: u32,
    /// When it begins.
    pub start_ms: u64,
    /// When it expires.
    pub end_ms: u64,
}
