//! Lexicons in requests and responses: words, and how an account wants them said.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayBuilder},
};

use crate::{
    Field, LexiconId, Name, Timestamp, Wrong,
    language::LanguageTag,
    request,
    request::{Components, component, entries, reference},
};

/// The most entries of a lexicon.
pub const MAX_LEXICON_ENTRIES: usize = 10_000;

/// The most characters of an entry: its word and what is said together.
pub const MAX_LEXICON_ENTRY: usize = 1_000;

/// The most lexicons of a request.
pub const MAX_LEXICONS: usize = 5;

/// A word and how it is said: exactly one of `ipa`, `x_sampa` and `alias` is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LexiconEntry {
    /// One word or several. It matches whole words in any case, or exactly as written if it has
    /// capitals after its first letter.
    #[schema(example = "Ines", min_length = 1, max_length = 999)]
    pub word: String,
    /// Its sounds in the International Phonetic Alphabet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "iˈnɛs", nullable = false, max_length = 999)]
    pub ipa: Option<String>,
    /// Its sounds in X-SAMPA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 999)]
    pub x_sampa: Option<String>,
    /// Other words to say instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 999)]
    pub alias: Option<String>,
}

impl LexiconEntry {
    fn read(value: Value) -> Result<Self, Wrong> {
        let Value::Object(object) = value else {
            return Err("must be an object with word and one of: ipa, x_sampa, alias".into());
        };
        let mut entry = Self::default();
        let mut said = 0;
        for (name, value) in object {
            let Value::String(text) = value else { return Err(format!("{name:?} must be a text").into()) };
            if name == "word" {
                entry.word = text;
                continue;
            }
            said += 1;
            match name.as_str() {
                "ipa" => entry.ipa = Some(text),
                "x_sampa" => entry.x_sampa = Some(text),
                "alias" => entry.alias = Some(text),
                _ => {
                    let name: String = name.chars().take(100).collect();
                    return Err(format!("has {name:?}, which is not a field of an entry").into());
                }
            }
        }
        match said {
            1 => Ok(entry),
            _ => Err("must have exactly one of: ipa, x_sampa, alias".into()),
        }
    }
}

/// The entries of a lexicon. The service checks their words and sounds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexiconEntries(pub Vec<LexiconEntry>);

impl Field for LexiconEntries {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new().items(reference::<LexiconEntry>()).max_items(Some(MAX_LEXICON_ENTRIES)).into()
    }

    fn components(all: &mut Components) {
        component::<LexiconEntry>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|entries| entries.len() > MAX_LEXICON_ENTRIES) {
            return Err(format!("must have at most {MAX_LEXICON_ENTRIES} entries").into());
        }
        entries(value, "must be a list of entries", LexiconEntry::read).map(Self)
    }
}

request! {
    /// A lexicon: words of a language, and how they are said.
    #[example({
        "name": "Names of the novel",
        "language": "en-US",
        "entries": [
            { "word": "Ines", "ipa": "iˈnɛs" },
            { "word": "St. Mary's", "alias": "Saint Mary's" }
        ]
    })]
    pub struct LexiconRequest {
        /// A name for people, 1 to 100 characters.
        pub name: Name<100>,
        /// The language of the words, BCP 47.
        #[example("en-US")]
        pub language: LanguageTag,
        /// At most 10,000 entries, no word twice.
        pub entries: LexiconEntries,
        /// Whether every request in this language that names no lexicons uses it.
        pub default: bool = false,
    }
}

/// A lexicon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lexicon {
    pub id: LexiconId,
    /// A name for people.
    #[schema(example = "Names of the novel")]
    pub name: String,
    /// The language of the words, BCP 47.
    #[schema(example = "en-US")]
    pub language: String,
    /// The number of entries.
    #[schema(maximum = 10000)]
    pub entries_count: u32,
    /// Whether every request in this language that names no lexicons uses it.
    pub default: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last replaced.
    pub updated_at: Timestamp,
    /// The entries, with `include=entries`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub entries: Option<Vec<LexiconEntry>>,
}

/// The lexicons of a request, the first of which wins. An id that is none names nothing and is
/// answered like an unknown one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexiconIds(pub Vec<Option<LexiconId>>);

impl Field for LexiconIds {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(reference::<LexiconId>())
            .max_items(Some(MAX_LEXICONS))
            .unique_items(true)
            .into()
    }

    fn components(all: &mut Components) {
        component::<LexiconId>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|ids| ids.len() > MAX_LEXICONS) {
            return Err(format!("must name at most {MAX_LEXICONS} lexicons").into());
        }
        let mut seen = HashSet::new();
        let id = |value| {
            let text = String::read(value)?;
            let id = text.parse().ok();
            if seen.insert(text) { Ok(id) } else { Err("is in the list twice".into()) }
        };
        entries(value, "must be a list of lexicons' ids", id).map(Self)
    }
}
