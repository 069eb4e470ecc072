//! The quotes of a material in requests and responses: what is said in its text, and whose it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayBuilder},
};

use crate::{
    Field, Wrong, cast, request,
    request::{Components, component, entries, reference, whole},
};

/// The most quotes in a request.
pub const MAX_QUOTES: usize = 500;

/// A stretch of a chunk's text that somebody says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Quote {
    /// The index of the chunk.
    pub chunk_index: u32,
    /// Where it begins in the chunk's text, in Unicode characters.
    pub start: u32,
    /// Its words in this chunk, with their quotation marks.
    #[schema(example = "“You are late,”")]
    pub text: String,
    /// Its characters as they are paid.
    #[schema(example = 15)]
    pub characters: u32,
    /// Who says it; null when nothing tells, or a request gave it to the narrator.
    #[schema(example = "Ines", min_length = 1, max_length = 100)]
    pub speaker: Option<String>,
    /// How probably that is right, from 0 to 1: 1 for lines `[speaker NAME]` and for what a request said.
    /// Null without a speaker, and in materials that an earlier version read.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: Option<f64>,
    /// Whether a request said whose it is.
    pub given: bool,
    /// Whether it goes on with the last quote of the chunk before, of whose speech it is a part.
    pub continues: bool,
}

/// Quotes that were changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Quotes {
    /// As they are now, in the order of the request.
    pub quotes: Vec<Quote>,
}

/// Whose a quote is. A quote is named by its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteSpeaker {
    /// The index of the chunk.
    pub chunk_index: u32,
    /// Where the quote begins in the chunk's text, as the list of quotes says.
    pub start: u32,
    /// The quote's text, as the list of quotes has it. When other words are there now, the answer is 422 and nothing is
    /// changed. Without it the place alone decides.
    #[serde(default)]
    #[schema(required = false, example = "“You are late,”")]
    pub text: Option<String>,
    /// Who says it, in 1 to 100 characters; null for the narrator.
    #[schema(required = true, example = "Ines", min_length = 1, max_length = 100)]
    pub speaker: Option<String>,
}

/// Whose quotes are, in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteSpeakers(pub Vec<QuoteSpeaker>);

impl Field for QuoteSpeakers {
    fn property() -> RefOr<Schema> {
        let list = ArrayBuilder::new().items(reference::<QuoteSpeaker>());
        list.min_items(Some(1)).max_items(Some(MAX_QUOTES)).into()
    }

    fn components(all: &mut Components) {
        component::<QuoteSpeaker>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let count = value.as_array().map(Vec::len);
        if count.is_some_and(|count| !(1..=MAX_QUOTES).contains(&count)) {
            return Err(format!("must have 1 to {MAX_QUOTES} quotes").into());
        }
        let mut places = std::collections::HashSet::new();
        let quote = |value| {
            let quote = quote(value)?;
            if places.insert((quote.chunk_index, quote.start)) {
                Ok(quote)
            } else {
                Err("names the same quote as another".into())
            }
        };
        entries(value, "must be a list of quotes", quote).map(Self)
    }
}

fn quote(value: Value) -> Result<QuoteSpeaker, Wrong> {
    let Value::Object(object) = value else {
        return Err("must be an object with chunk_index, start and speaker".into());
    };
    let (mut chunk_index, mut start, mut text, mut speaker) = (None, None, None, None);
    for (field, value) in object {
        match (field.as_str(), value) {
            ("chunk_index", value) => chunk_index = Some(place("chunk_index", &value)?),
            ("start", value) => start = Some(place("start", &value)?),
            ("text", Value::String(words)) => text = Some(words),
            ("text", Value::Null) => {}
            ("text", _) => return Err("has a text of a wrong type".into()),
            ("speaker", Value::Null) => speaker = Some(None),
            ("speaker", Value::String(name)) => speaker = Some(Some(checked_speaker(name)?)),
            ("speaker", _) => return Err("has a speaker that is neither a text nor null".into()),
            (field, _) => {
                let field: String = field.chars().take(100).collect();
                return Err(format!("has {field:?}, which is not a field of a quote").into());
            }
        }
    }
    let missing = |field| format!("must have a {field}");
    Ok(QuoteSpeaker {
        chunk_index: chunk_index.ok_or_else(|| missing("chunk_index"))?,
        start: start.ok_or_else(|| missing("start"))?,
        text,
        speaker: speaker.ok_or_else(|| missing("speaker, or null for the narrator"))?,
    })
}

fn checked_speaker(name: String) -> Result<String, Wrong> {
    if name.trim() == name && cast::is_name(&name) {
        return Ok(name);
    }
    let most = cast::MAX_NAME;
    Err(format!(
        "has a speaker that is not 1 to {most} characters, without spaces around them or control characters"
    )
    .into())
}

fn place(field: &str, value: &Value) -> Result<u32, Wrong> {
    whole(value, 0..=u32::MAX).map_err(|_| format!("has a {field} that is not a whole number from 0").into())
}

request! {
    /// Whose quotes are. All others stay as they are.
    #[example({ "quotes": [{ "chunk_index": 0, "start": 118, "speaker": "Ines" }] })]
    pub struct QuotesRequest {
        /// Quotes by their places, none twice.
        pub quotes: QuoteSpeakers,
    }
}
