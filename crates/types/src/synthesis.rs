//! Requests for synthesis and their results.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::{
    AudioFormat, AudioParams, Credits, EreaderId, Field, LexiconIds, Loudness, Named, Pitch, Seed,
    StreamLoudness, SynthesisId, Timestamp, Wrong, component_fields,
    kinds::Ereader,
    language, request,
    request::{text_schema, word},
    text_fields,
};

/// The most characters (Unicode scalar values) of one synthesis.
pub const MAX_CHARACTERS: usize = 5_000;

/// The most characters of a text in SSML with its markup.
pub const MAX_SSML_CHARACTERS: usize = 40_000;

/// The most speakers of a text.
pub const MAX_SPEAKERS: usize = 50;

/// What a text is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextType {
    /// Plain text, in which `[pause 1s]`, `[word](/ipa/)` and lines `[speaker NAME]` are markup.
    #[default]
    Text,
    /// SSML 1.1: one `<speak>` element.
    Ssml,
}

impl TextType {
    /// All types.
    pub const ALL: &'static [Self] = &[Self::Text, Self::Ssml];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Ssml => "ssml",
        }
    }

    /// The type of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

/// The e-readers of the speakers that a text names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speakers {
    named: Vec<(String, Option<EreaderId>)>,
    /// Who speaks at the beginning of the text, when it goes on from another one.
    first: Option<String>,
}

impl Speakers {
    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// Who speaks before the text names anybody; `None`: the narrator.
    pub fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// The same for a text in which this one speaks first.
    #[must_use]
    pub fn beginning_with(self, first: Option<String>) -> Self {
        Self { first, ..self }
    }

    /// The e-reader of each name; `None` for what is no id of one.
    pub fn ereaders(&self) -> impl Iterator<Item = Option<EreaderId>> + '_ {
        self.named.iter().map(|(_, id)| *id)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }
}

impl Field for Speakers {
    fn property() -> RefOr<Schema> {
        let ids = request::reference::<EreaderId>();
        ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(ids)).into()
    }

    // The schema of ids is that of `ereader_id`, which stands beside it.

    fn read(value: Value) -> Result<Self, Wrong> {
        let Value::Object(object) = value else {
            return Err("must be an object of names, each with an e-reader's id".into());
        };
        if object.len() > MAX_SPEAKERS {
            return Err(format!("must have at most {MAX_SPEAKERS} names").into());
        }
        let mut speakers = Vec::with_capacity(object.len());
        for (name, id) in object {
            let Value::String(id) = id else {
                return Err(format!("must have an e-reader's id for {name:?}").into());
            };
            speakers.push((name, id.parse().ok()));
        }
        Ok(Self { named: speakers, first: None })
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
    SpokenText: text_schema().min_length(Some(1)).max_length(Some(MAX_SSML_CHARACTERS)), |_: &str| None;
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
    TextType: word;
    Timestamps: word;
    NoTimestamps: |value: &Value| match value.as_str() {
        Some("none") => Ok(Self::None),
        _ => Err("must be one of: none (a stream has no place for them)".into()),
    };
}

request! {
    /// What to speak and how: what a synthesis and a stream share.
    #[derive(Clone)]
    pub struct SpeechParams {
        ..pub audio: AudioParams,
        /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
        /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
        /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
        /// or if its pauses add up to more than 300 s. With `text_type` `ssml`, up to 40,000 characters of
        /// which at most 5,000 are charged.
        pub text: SpokenText,
        /// What `text` is written in: `text`, or `ssml` (SSML 1.1).
        pub text_type: TextType = TextType::Text,
        /// The e-readers of the names in lines `[speaker NAME]` of a plain text. Each line switches to
        /// that voice; a name that is missing here is said by the e-reader of the request. Each
        /// character has the price of its voice.
        pub speakers: Option<Speakers>,
        /// The e-reader's id, from `GET /ereaders`.
        pub ereader_id: Named<Ereader>,
        /// The speed, 0.5 to 2.
        pub speed: Speed = Speed(1.0),
        /// How much higher the voice is, in semitones, -12 to 12. Voices of the engines `piper` and
        /// `upstream` have their own pitch only.
        pub pitch: Pitch = Pitch(0.0),
        /// The lexicons whose words are said as they want, at most 5; the first one wins. By default those
        /// with `default` in the language that is spoken, the oldest first; an empty list means none.
        pub lexicon_ids: Option<LexiconIds>,
        /// The seed of everything random in the voice: the same request gives the same audio. By
        /// default it follows from the text.
        #[example(7)]
        pub seed: Option<Seed>,
    }
}

request! {
    /// A text to synthesize.
    #[derive(Clone)]
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
        /// How loud the audio is made.
        pub loudness: Loudness = Loudness::Standard,
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
        /// How loud the audio is made.
        pub loudness: StreamLoudness = StreamLoudness::Standard,
    }
}

impl From<StreamRequest> for SynthesizeRequest {
    fn from(StreamRequest { speech, language, timestamps: _, loudness }: StreamRequest) -> Self {
        Self {
            speech,
            language: language.map(SpokenLanguage),
            timestamps: Timestamps::None,
            loudness: loudness.into(),
        }
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

/// A line of a stream that answers in lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamLine {
    /// The next bytes of the audio, in Base64.
    pub audio_base64: String,
    /// The words that begin in them, and the marks of SSML; none in the lines of a replay.
    pub timestamps: Vec<SpokenTimestamp>,
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
    /// The paid characters of the text, in Unicode scalar values: those without markup.
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
    pub timestamps: Option<Vec<SpokenTimestamp>>,
}

/// When a word is spoken, or when a place of the text is reached that SSML gives a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum SpokenTimestamp {
    /// A word.
    Word(WordTimestamp),
    /// A `<mark>`.
    Mark(MarkTimestamp),
}

/// When a `<mark>` is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MarkTimestamp {
    /// Its name.
    pub mark: String,
    /// When, in milliseconds.
    pub at_ms: u64,
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
