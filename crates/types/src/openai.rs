//! The requests and answers of OpenAI's speech interface, as far as Lectern serves it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, EreaderId, Tier};

/// A text to be spoken, in OpenAI's words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "model": "lectern", "input": "Dr. Ada read 1,200 pages by 9:30.", "voice": "heart" }))]
pub struct SpeechRequest {
    /// One of `GET /v1/models`; all of them are the same engine.
    pub model: SpeechModel,
    /// The text, 1 to 5,000 characters, not only white space. `[pause 1.5s]` or `[pause 300ms]` is a silence of at most
    /// 10 s, `[word](/ˈwɜːd/)` says how a word is pronounced, in IPA; both are not paid for. Text that would last more than
    /// 30 minutes at normal speed, or whose pauses add up to more than 300 s, is refused.
    #[schema(min_length = 1, max_length = 5000)]
    pub input: String,
    /// A voice.
    pub voice: SpeechVoice,
    /// The form of the audio. `pcm` is 24,000 samples a second, mono, 16 bits, little-endian.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub response_format: SpeechFormat,
    /// The speed, 0.5 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.5, maximum = 2.0, default = 1.0, nullable = false)]
    pub speed: Option<f64>,
    /// How to speak. Taken and not followed: the voices have one manner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    pub instructions: Option<String>,
    /// Only audio is streamed.
    #[serde(default)]
    #[schema(default = "audio")]
    pub stream_format: SpeechStreamFormat,
}

/// A voice: an e-reader's slug or id, one of OpenAI's own names (which stand for the first free e-reader), or an object
/// with one of these as its `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(example = "heart")]
pub enum SpeechVoice {
    /// The voice.
    Name(String),
    /// The voice's `id`.
    Custom(SpeechVoiceId),
}

/// A voice in an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeechVoiceId {
    /// The voice.
    pub id: String,
}

/// The names of the one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum SpeechModel {
    /// Its own.
    #[serde(rename = "lectern")]
    Lectern,
    /// OpenAI's, so that code need not be changed.
    #[serde(rename = "tts-1")]
    Tts1,
    /// OpenAI's.
    #[serde(rename = "tts-1-hd")]
    Tts1Hd,
    /// OpenAI's.
    #[serde(rename = "gpt-4o-mini-tts")]
    Gpt4oMiniTts,
    /// A dated one of OpenAI's.
    #[serde(rename = "gpt-4o-mini-tts-2025-03-20")]
    Gpt4oMiniTtsMarch2025,
    /// A dated one of OpenAI's.
    #[serde(rename = "gpt-4o-mini-tts-2025-12-15")]
    Gpt4oMiniTtsDecember2025,
}

impl SpeechModel {
    /// All names, its own first.
    pub const ALL: &'static [Self] = &[
        Self::Lectern,
        Self::Tts1,
        Self::Tts1Hd,
        Self::Gpt4oMiniTts,
        Self::Gpt4oMiniTtsMarch2025,
        Self::Gpt4oMiniTtsDecember2025,
    ];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lectern => "lectern",
            Self::Tts1 => "tts-1",
            Self::Tts1Hd => "tts-1-hd",
            Self::Gpt4oMiniTts => "gpt-4o-mini-tts",
            Self::Gpt4oMiniTtsMarch2025 => "gpt-4o-mini-tts-2025-03-20",
            Self::Gpt4oMiniTtsDecember2025 => "gpt-4o-mini-tts-2025-12-15",
        }
    }

    /// The model of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|model| model.as_str() == name)
    }
}

/// A form of streamed audio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeechFormat {
    /// MP3, 64 kbit/s mono.
    #[default]
    Mp3,
    /// Opus in Ogg.
    Opus,
    /// FLAC, 16 bit.
    Flac,
    /// WAV, 16 bit.
    Wav,
    /// Raw samples.
    Pcm,
}

/// What is streamed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeechStreamFormat {
    /// The audio itself.
    #[default]
    Audio,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Model {
    /// Its name.
    #[schema(example = "lectern")]
    pub id: String,
    /// `model`.
    #[schema(example = "model")]
    pub object: String,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// `lectern`.
    #[schema(example = "lectern")]
    pub owned_by: String,
}

/// All models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Models {
    /// `list`.
    #[schema(example = "list")]
    pub object: String,
    /// The models.
    pub data: Vec<Model>,
}

/// An e-reader, as a voice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Voice {
    /// What to send as `voice`: the e-reader's slug.
    #[schema(example = "heart")]
    pub id: String,
    /// `voice`.
    #[schema(example = "voice")]
    pub object: String,
    /// Its name, for people.
    #[schema(example = "Heart")]
    pub name: String,
    /// The e-reader's id.
    pub ereader_id: EreaderId,
    /// What it reads, BCP 47.
    #[schema(example = json!(["en-US"]))]
    pub languages: Vec<String>,
    /// The level an account needs for it.
    pub tier: Tier,
    /// What a character costs.
    pub price_per_character: Credits,
}

/// All voices.
#[expect(clippy::struct_field_names, reason = "the name that clients of other servers look for")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Voices {
    /// `list`.
    #[schema(example = "list")]
    pub object: String,
    /// The voices, newest first.
    pub data: Vec<Voice>,
    /// The same under the name that clients of other servers look for.
    pub voices: Vec<Voice>,
}
