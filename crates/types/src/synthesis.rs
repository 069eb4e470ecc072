//! Requests for synthesis and their results.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::{
    Credits, EreaderId, Field, Named, SynthesisId, Timestamp, Wrong, component_fields,
    kinds::Ereader,
    language, request,
    request::{text_schema, word},
    text_fields,
};

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

text_fields! {
    /// A text to be spoken. Its length counts without its markup, so it is not judged here.
    SpokenText: text_schema().min_length(Some(1)).max_length(Some(MAX_CHARACTERS)), |_: &str| None;
    /// A language to speak: one that no e-reader has is refused as such, whatever its form.
    SpokenLanguage: language::schema(), |_: &str| None;
}

/// The speed of speech, 1 for normal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Speed(pub f64);

impl Speed {
    const LEAST: f64 = 0.5;
    const MOST: f64 = 2.0;
}

impl Field for Speed {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        let number = number.format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)));
        number.minimum(Some(Self::LEAST)).maximum(Some(Self::MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let speed = value.as_f64().filter(|speed| (Self::LEAST..=Self::MOST).contains(speed));
        let wrong = || format!("must be a number from {} to {}", Self::LEAST, Self::MOST).into();
        speed.map(Self).ok_or_else(wrong)
    }
}

component_fields! {
    AudioFormat: word;
    Timestamps: word;
    NoTimestamps: |value: &Value| match value.as_str() {
        Some("none") => Ok(Self::None),
        _ => Err("must be one of: none (a stream has no place for them)".into()),
    };
}

request! {
    /// What to speak and how: what a synthesis and a stream share.
    pub struct SpeechParams {
        /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
        /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
        /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
        /// or if its pauses add up to more than 300 s.
        pub text: SpokenText,
        /// The e-reader's id, from `GET /ereaders`.
        pub ereader_id: Named<Ereader>,
        /// The format of the audio.
        pub format: AudioFormat = AudioFormat::Mp3,
        /// The speed, 0.5 to 2.
        pub speed: Speed = Speed(1.0),
    }
}

request! {
    /// A text to synthesize.
    #[example({
        "text": "Dr. Ada read 1,200 pages by 9:30.",
        "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
        "format": "mp3"
    })]
    pub struct SynthesizeRequest {
        ..pub speech: SpeechParams,
        /// One of the e-reader's languages, BCP 47; by default the first one.
        #[example("en-US")]
        pub language: Option<SpokenLanguage>,
        /// Whether to return the time of each word.
        pub timestamps: Timestamps = Timestamps::None,
    }
}

request! {
    /// A text to stream as it is spoken.
    #[example({
        "text": "Dr. Ada read 1,200 pages by 9:30.",
        "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
        "format": "opus"
    })]
    pub struct StreamRequest {
        ..pub speech: SpeechParams,
        /// One of the e-reader's languages, BCP 47; by default the first one.
        #[example("en-US")]
        pub language: Option<String>,
        /// A stream has no timestamps.
        pub timestamps: NoTimestamps = NoTimestamps::None,
    }
}

impl From<StreamRequest> for SynthesizeRequest {
    fn from(StreamRequest { speech, language, timestamps: _ }: StreamRequest) -> Self {
        Self { speech, language: language.map(SpokenLanguage), timestamps: Timestamps::None }
    }
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
