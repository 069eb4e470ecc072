//! Requests and responses of the supported part of OpenAI's speech API.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    Bitrate, Credits, EreaderId, Pitch, SampleRate, Seed, Speed, SpokenText, StreamLoudness, TextType, Tier,
    Wrong, component_fields, request,
    request::{text_schema, word},
    text_fields,
};

/// The most characters of `instructions`, as OpenAI has it.
const MAX_INSTRUCTIONS: usize = 4_096;

text_fields! {
    /// How to speak, as long as OpenAI takes it.
    Instructions: text_schema().max_length(Some(MAX_INSTRUCTIONS)), |text: &str| {
        let is_long = text.chars().count() > MAX_INSTRUCTIONS;
        is_long.then(|| format!("must be at most {MAX_INSTRUCTIONS} characters"))
    };
}

component_fields! {
    SpeechModel: |value: &Value| if value.is_string() { word(value) } else { Err("must be a text".into()) };
    SpeechVoice: SpeechVoice::read;
    SpeechFormat: word;
    SpeechStreamFormat: word;
}

request! {
    /// A speech request in OpenAI's form.
    #[example({ "model": "lectern", "input": "Dr. Ada read 1,200 pages by 9:30.", "voice": "heart" })]
    pub struct SpeechRequest {
        /// A model from `GET /v1/models`; all of them are the same engine.
        pub model: SpeechModel,
        /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
        /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
        /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
        /// or if its pauses add up to more than 300 s.
        pub input: SpokenText,
        /// What `input` is written in: `text`, or `ssml` (SSML 1.1).
        pub input_type: TextType = TextType::Text,
        /// A voice.
        pub voice: SpeechVoice,
        /// The format of the audio. `pcm` is 24,000 samples per second unless asked otherwise, mono,
        /// 16 bits, little-endian. `ulaw` and `alaw` are those of `tts:stream`.
        pub response_format: SpeechFormat = SpeechFormat::Mp3,
        /// The speed, 0.5 to 2.
        pub speed: Speed = Speed(1.0),
        /// How to speak. Accepted but ignored: the voices have one style.
        pub instructions: Option<Instructions>,
        /// Only audio can be streamed.
        pub stream_format: SpeechStreamFormat = SpeechStreamFormat::Audio,
        /// As of `tts:stream`.
        pub sample_rate_hz: Option<SampleRate>,
        /// As of `tts:stream`.
        pub bitrate_kbps: Option<Bitrate>,
        /// As of `tts:stream`.
        pub loudness: StreamLoudness = StreamLoudness::Standard,
        /// As of `tts:stream`.
        pub pitch: Pitch = Pitch(0.0),
        /// As of `tts:stream`.
        pub seed: Option<Seed>,
    }
}

/// A voice: an e-reader's slug or id, one of OpenAI's voice names (the operator says which
/// e-readers they stand for), an engine's own name of a voice, or an object with one of these as its
/// `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(example = "heart")]
pub enum SpeechVoice {
    /// The voice.
    Name(String),
    /// The voice's `id`.
    Custom(SpeechVoiceId),
}

impl SpeechVoice {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let custom = |id: &Value| Some(Self::Custom(SpeechVoiceId { id: id.as_str()?.to_owned() }));
        let voice = match value {
            Value::String(name) => Some(Self::Name(name.clone())),
            Value::Object(object) if object.len() == 1 => object.get("id").and_then(custom),
            _ => None,
        };
        voice.ok_or_else(|| "must be the name of a voice, or an object with it as its id".into())
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Custom(SpeechVoiceId { id: name }) => name,
        }
    }
}

/// A voice as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeechVoiceId {
    /// The voice.
    pub id: String,
}

/// The names of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum SpeechModel {
    /// Lectern's own name.
    #[serde(rename = "lectern")]
    Lectern,
    /// OpenAI's name, so that clients need no change.
    #[serde(rename = "tts-1")]
    Tts1,
    /// OpenAI's name.
    #[serde(rename = "tts-1-hd")]
    Tts1Hd,
    /// OpenAI's name.
    #[serde(rename = "gpt-4o-mini-tts")]
    Gpt4oMiniTts,
    /// OpenAI's name with a date.
    #[serde(rename = "gpt-4o-mini-tts-2025-03-20")]
    Gpt4oMiniTtsMarch2025,
    /// OpenAI's name with a date.
    #[serde(rename = "gpt-4o-mini-tts-2025-12-15")]
    Gpt4oMiniTtsDecember2025,
}

impl SpeechModel {
    /// All names, Lectern's own first.
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

    /// The model with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|model| model.as_str() == name)
    }
}

/// The format of streamed audio.
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
    /// G.711 μ-law, without a header.
    Ulaw,
    /// G.711 A-law, without a header.
    Alaw,
}

/// The content of the stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeechStreamFormat {
    /// The audio.
    #[default]
    Audio,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Model {
    #[schema(example = "lectern")]
    pub id: String,
    /// `model`.
    #[schema(example = "model")]
    pub object: String,
    /// When it was created, in seconds since 1970.
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

/// An e-reader as a voice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Voice {
    /// The value for `voice`: the e-reader's slug, or another name for it.
    #[schema(example = "heart")]
    pub id: String,
    /// `voice`.
    #[schema(example = "voice")]
    pub object: String,
    /// A display name.
    #[schema(example = "Heart")]
    pub name: String,
    /// The e-reader's id.
    pub ereader_id: EreaderId,
    /// The languages it reads, BCP 47.
    #[schema(example = json!(["en-US"]))]
    pub languages: Vec<String>,
    /// The account level it needs.
    pub tier: Tier,
    /// The price per character in credits.
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
    /// The same, and the other names that `voice` takes; under the name that clients of other servers expect.
    pub voices: Vec<Voice>,
}
