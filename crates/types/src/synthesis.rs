//! Synthesis as clients ask for it and see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, EreaderId, SynthesisId, Timestamp};

/// The most characters (Unicode scalar values) of one synthesis.
pub const MAX_CHARACTERS: usize = 5_000;

/// A form of audio.
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

    /// The word clients use, which is the ending of file names as well.
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

    /// The format that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == word)
    }
}

/// Which timestamps to return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timestamps {
    /// None.
    #[default]
    None,
    /// One for each word.
    Word,
}

/// A text to be spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "text": "Dr. Ada read 1,200 pages by 9:30.",
    "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
    "format": "mp3"
}))]
pub struct SynthesizeRequest {
    /// The text, 1 to 5,000 characters, not only white space. `[pause 1.5s]` or `[pause 300ms]` is a silence of at most
    /// 10 s, `[word](/ˈwɜːd/)` says how a word is pronounced, in IPA; both are not paid for. Text that would last more than
    /// 30 minutes at normal speed, or whose pauses add up to more than 300 s, is refused.
    #[schema(min_length = 1, max_length = 5000)]
    pub text: String,
    /// The e-reader's id, from `GET /ereaders`.
    pub ereader_id: EreaderId,
    /// The form of the audio.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub format: AudioFormat,
    /// The speed, 0.5 to 2.
    #[schema(minimum = 0.5, maximum = 2.0, default = 1.0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub speed: Option<f64>,
    /// One of the e-reader's languages, BCP 47; the first of them when absent.
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

/// A text to be heard while it is spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "text": "Dr. Ada read 1,200 pages by 9:30.",
    "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
    "format": "opus"
}))]
pub struct StreamRequest {
    /// The text, 1 to 5,000 characters, not only white space. `[pause 1.5s]` or `[pause 300ms]` is a silence of at most
    /// 10 s, `[word](/ˈwɜːd/)` says how a word is pronounced, in IPA; both are not paid for. Text that would last more than
    /// 30 minutes at normal speed, or whose pauses add up to more than 300 s, is refused.
    #[schema(min_length = 1, max_length = 5000)]
    pub text: String,
    /// The e-reader's id, from `GET /ereaders`.
    pub ereader_id: EreaderId,
    /// The form of the audio.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub format: AudioFormat,
    /// The speed, 0.5 to 2.
    #[schema(minimum = 0.5, maximum = 2.0, default = 1.0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub speed: Option<f64>,
    /// One of the e-reader's languages, BCP 47; the first of them when absent.
    #[schema(example = "en-US", nullable = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A stream has no place for the times of words.
    #[serde(default)]
    #[schema(default = "none")]
    pub timestamps: NoTimestamps,
}

/// That no timestamps are wanted.
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
    /// Its id.
    pub id: SynthesisId,
    /// Where the audio can be had, without a key, until `expires_at`.
    #[schema(format = "uri")]
    pub audio_url: String,
    /// When `audio_url` ends.
    pub expires_at: Timestamp,
    /// The form of the audio.
    pub format: AudioFormat,
    /// The e-reader that spoke.
    pub ereader_id: EreaderId,
    /// Unicode scalar values of the text as sent.
    #[schema(minimum = 1, maximum = 5000)]
    pub characters: u32,
    /// What was charged; 0 for a test key.
    pub credits_charged: Credits,
    /// The length of the audio.
    pub duration_ms: u64,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// The time of each word, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub timestamps: Option<Vec<WordTimestamp>>,
}

/// When a word is spoken, and where it stands in the text as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WordTimestamp {
    /// The word as written, without markup.
    pub text: String,
    /// Its first character, counted in Unicode scalar values.
    pub start_char: u32,
    /// One past its last character. Markup may stand between the two: `[word](/ˈwɜːd/)'s`.
    pub end_char: u32,
    /// When it begins.
    pub start_ms: u64,
    /// When it ends.
    pub end_ms: u64,
}
