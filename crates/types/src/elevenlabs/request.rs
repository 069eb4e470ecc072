//! The body of a text-to-speech request. ElevenLabs' SDKs may send null for every optional field.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type, schema::ArrayBuilder},
};

use crate::{
    Field, LexiconId, LexiconIds, MAX_LEXICONS, OrNull, Request, Seed, Speed, SpokenText, Wrong,
    component_fields, request,
    request::{Components, Nullable, component, entries, reference, text_schema, word},
    text_fields,
};

/// The most characters of a model's name or a language's code.
const MAX_NAME: usize = 100;

/// The most characters of the text before or after.
const MAX_CONTEXT: usize = 50_000;

/// The most requests before or after, as ElevenLabs has it.
const MAX_STITCHED: usize = 3;

fn check_length(text: &str, most: usize) -> Option<String> {
    text.chars().nth(most).is_some().then(|| format!("must be at most {most} characters"))
}

text_fields! {
    /// The name of a model.
    ModelId: text_schema().max_length(Some(MAX_NAME)), |text: &str| check_length(text, MAX_NAME);
    /// A language's code. Whether the voice speaks it is looked up later.
    LanguageCode: text_schema().max_length(Some(MAX_NAME)), |text: &str| check_length(text, MAX_NAME);
    /// The text before or after.
    ContextText: text_schema().max_length(Some(MAX_CONTEXT)), |text: &str| check_length(text, MAX_CONTEXT);
}

impl Nullable for ModelId {}
impl Nullable for LanguageCode {}
impl Nullable for ContextText {}
impl Nullable for TextNormalization {}

impl Nullable for Seed {
    const OR_NULL: &'static str = "must be a whole number or null";

    fn is_kind(value: &Value) -> bool {
        value.is_number()
    }
}

impl Nullable for Speed {
    const OR_NULL: &'static str = "must be a number or null";

    fn is_kind(value: &Value) -> bool {
        value.is_number()
    }
}

impl Nullable for bool {
    const OR_NULL: &'static str = "must be true, false or null";

    fn is_kind(value: &Value) -> bool {
        value.is_boolean()
    }
}

/// Whether numbers and the like are written out before they are spoken; they always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextNormalization {
    /// As needed.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

component_fields! {
    TextNormalization: word;
}

/// A number that says how a voice speaks; ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoiceLevel(pub f64);

impl Field for VoiceLevel {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        value.as_f64().map(Self).ok_or_else(|| "must be a number".into())
    }
}

impl Nullable for VoiceLevel {
    const OR_NULL: &'static str = "must be a number or null";

    fn is_kind(value: &Value) -> bool {
        value.is_number()
    }
}

request! {
    /// How the voice speaks. Only the speed changes anything: the voices have one style.
    #[example({ "speed": 1.1 })]
    pub struct VoiceSettings {
        /// The speed, 0.5 to 2.
        pub speed: Option<OrNull<Speed>>,
        /// Accepted but ignored.
        pub stability: Option<OrNull<VoiceLevel>>,
        /// Accepted but ignored.
        pub similarity_boost: Option<OrNull<VoiceLevel>>,
        /// Accepted but ignored.
        pub style: Option<OrNull<VoiceLevel>>,
        /// Accepted but ignored.
        pub use_speaker_boost: Option<OrNull<bool>>,
        /// Accepted but ignored.
        pub clone_strength: Option<OrNull<VoiceLevel>>,
    }
}

impl Field for VoiceSettings {
    fn property() -> RefOr<Schema> {
        reference::<Self>()
    }

    fn components(all: &mut Components) {
        component::<Self>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let Value::Object(object) = value else { return Err("must be an object".into()) };
        Self::parse(object).map_err(Wrong::within)
    }
}

impl Nullable for VoiceSettings {
    const OR_NULL: &'static str = "must be an object or null";

    fn is_kind(value: &Value) -> bool {
        value.is_object()
    }
}

/// A lexicon, as ElevenLabs names a pronunciation dictionary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LexiconLocator {
    /// The lexicon's id.
    #[schema(example = "lex_019aa4f6c0de7000800000000000a001")]
    pub pronunciation_dictionary_id: String,
    /// Accepted but ignored: a lexicon has one version.
    #[serde(default)]
    pub version_id: Option<String>,
}

/// The lexicons of a request, the first of which wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexiconLocators(pub LexiconIds);

impl LexiconLocators {
    fn entry(value: Value) -> Result<Option<LexiconId>, Wrong> {
        let locator: Result<LexiconLocator, _> = serde_json::from_value(value);
        let form = "must be an object with pronunciation_dictionary_id, and version_id if you like";
        locator.map(|locator| locator.pronunciation_dictionary_id.parse().ok()).map_err(|_| form.into())
    }
}

impl Field for LexiconLocators {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new().items(reference::<LexiconLocator>()).max_items(Some(MAX_LEXICONS)).into()
    }

    fn components(all: &mut Components) {
        component::<LexiconLocator>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|locators| locators.len() > MAX_LEXICONS) {
            return Err(format!("must name at most {MAX_LEXICONS} lexicons").into());
        }
        let mut seen = HashSet::new();
        let ids = entries(value, "must be a list of objects with pronunciation_dictionary_id", |value| {
            let id = Self::entry(value)?;
            if id.is_none_or(|id| seen.insert(id)) { Ok(id) } else { Err("is in the list twice".into()) }
        })?;
        Ok(Self(LexiconIds(ids)))
    }
}

impl Nullable for LexiconLocators {
    const OR_NULL: &'static str = "must be a list or null";

    fn is_kind(value: &Value) -> bool {
        value.is_array()
    }
}

/// The ids of requests before or after this one; ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StitchedRequests(pub Vec<String>);

impl Field for StitchedRequests {
    fn property() -> RefOr<Schema> {
        let id: RefOr<Schema> = text_schema().max_length(Some(MAX_NAME)).into();
        ArrayBuilder::new().items(id).max_items(Some(MAX_STITCHED)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|ids| ids.len() > MAX_STITCHED) {
            return Err(format!("must name at most {MAX_STITCHED} requests").into());
        }
        entries(value, "must be a list of texts", |id| Ok(ModelId::read(id)?.0)).map(Self)
    }
}

impl Nullable for StitchedRequests {
    const OR_NULL: &'static str = "must be a list or null";

    fn is_kind(value: &Value) -> bool {
        value.is_array()
    }
}

request! {
    /// A text-to-speech request in ElevenLabs' form.
    #[example({ "text": "Dr. Ada read 1,200 pages by 9:30.", "model_id": "lectern" })]
    pub struct TextToSpeechRequest {
        /// The text, 1 to 5,000 characters: not only white space. `[pause 1.5s]` or `[pause 300ms]` is
        /// a silence of at most 10 s; `[word](/ˈwɜːd/)` gives the pronunciation of a word in IPA.
        /// Neither is charged. A text is refused if it would last more than 30 minutes at normal speed
        /// or if its pauses add up to more than 300 s.
        pub text: SpokenText,
        /// Any name: all models are the same engine.
        pub model_id: Option<OrNull<ModelId>>,
        /// One of the voice's languages, such as `en`; by default the first one.
        #[example("en")]
        pub language_code: Option<OrNull<LanguageCode>>,
        /// How the voice speaks.
        pub voice_settings: Option<OrNull<VoiceSettings>>,
        /// Lexicons whose words are said as they want, at most 5; the first one wins. By default those
        /// with `default` in the language that is spoken; an empty list means none.
        pub pronunciation_dictionary_locators: Option<OrNull<LexiconLocators>>,
        /// The seed of everything random in the voice: the same request gives the same audio. By
        /// default it follows from the text.
        #[example(7)]
        pub seed: Option<OrNull<Seed>>,
        /// Accepted but ignored: a text is spoken as if it stood alone.
        pub previous_text: Option<OrNull<ContextText>>,
        /// Accepted but ignored.
        pub next_text: Option<OrNull<ContextText>>,
        /// Accepted but ignored.
        pub previous_request_ids: Option<OrNull<StitchedRequests>>,
        /// Accepted but ignored.
        pub next_request_ids: Option<OrNull<StitchedRequests>>,
        /// Accepted but ignored.
        pub use_pvc_as_ivc: Option<OrNull<bool>>,
        /// Accepted but ignored: numbers are always read as words.
        pub apply_text_normalization: Option<OrNull<TextNormalization>>,
        /// Accepted but ignored.
        pub apply_language_text_normalization: Option<OrNull<bool>>,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(field: &str, value: Value) -> String {
        let mut body = json!({ "text": "Hello." });
        body[field] = value;
        let Value::Object(object) = body else { panic!("not an object") };
        match TextToSpeechRequest::parse(object) {
            Ok(_) => "taken".to_owned(),
            Err(errors) => errors.0.into_keys().collect::<Vec<_>>().join(","),
        }
    }

    #[test]
    fn what_the_sdks_send_is_taken_null_included() {
        for (field, value) in [
            ("model_id", json!("eleven_multilingual_v2")),
            ("language_code", json!("en")),
            (
                "voice_settings",
                json!({ "speed": 0.7, "stability": 0.5, "use_speaker_boost": true, "style": null }),
            ),
            ("pronunciation_dictionary_locators", json!([])),
            (
                "pronunciation_dictionary_locators",
                json!([{ "pronunciation_dictionary_id": "x", "version_id": null }]),
            ),
            ("seed", json!(7)),
            ("previous_text", json!("Before.")),
            ("next_request_ids", json!(["a", "b", "c"])),
            ("apply_text_normalization", json!("off")),
            ("use_pvc_as_ivc", json!(false)),
        ] {
            assert_eq!(wrong(field, value), "taken", "{field}");
            assert_eq!(wrong(field, Value::Null), "taken", "{field}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_where_it_stands() {
        let locator = json!({ "pronunciation_dictionary_id": "lex_019aa4f6c0de7000800000000000a001" });
        for (field, value, named) in [
            ("text", json!(7), "text"),
            ("model_id", json!("x".repeat(101)), "model_id"),
            ("voice_settings", json!({ "speed": 3 }), "voice_settings.speed"),
            ("voice_settings", json!({ "speed": "1" }), "voice_settings.speed"),
            ("voice_settings", json!({ "volume": 1 }), "voice_settings.volume"),
            ("voice_settings", json!([]), "voice_settings"),
            ("pronunciation_dictionary_locators", json!(["lex"]), "pronunciation_dictionary_locators[0]"),
            (
                "pronunciation_dictionary_locators",
                json!([locator, locator]),
                "pronunciation_dictionary_locators[1]",
            ),
            (
                "pronunciation_dictionary_locators",
                json!([{}, {}, {}, {}, {}, {}]),
                "pronunciation_dictionary_locators",
            ),
            ("seed", json!(-1), "seed"),
            ("previous_text", json!("x".repeat(50_001)), "previous_text"),
            ("next_request_ids", json!(["a", "b", "c", "d"]), "next_request_ids"),
            ("next_request_ids", json!([1]), "next_request_ids[0]"),
            ("apply_text_normalization", json!("sometimes"), "apply_text_normalization"),
            ("audio_effects", json!({}), "audio_effects"),
        ] {
            assert_eq!(wrong(field, value), named);
        }
    }
}
