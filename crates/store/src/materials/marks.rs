//! What is stored beside a chunk's text, each as a JSON list: pauses, languages, speakers, pronunciations,
//! headings.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

use crate::{Error, Result};

/// Sure, in thousandths.
pub(super) const SURE: u32 = 1000;

/// A pause within a chunk's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseAt {
    /// Its offset in bytes in the chunk's text.
    pub at: u32,
    pub pause_ms: u32,
}

/// A stretch of a chunk's text that its document marks as another language's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedLanguage {
    /// Its first byte in the chunk's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// A BCP 47 tag.
    pub tag: String,
}

/// A stretch of a chunk's text that a speaker says, or a quote of which nothing tells who says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpokenBy {
    /// Its first byte in the chunk's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The speaker's name.
    #[serde(with = "name_or_nothing")]
    pub name: Option<String>,
    /// Its paid characters.
    pub characters: u32,
    /// How probably the speaker whom the text tells is right, in thousandths. It stays when the owner says otherwise.
    /// `None` where the text tells nobody, and in what a program of before stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u32>,
    /// Whether the material's owner said whose it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_given: bool,
    /// Whether it goes on with the last stretch of the chunk before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
}

/// A missing name is stored as an empty one: a program of before, which may work on the same store, requires a name,
/// and gives what an unknown speaker says to the narrator.
mod name_or_nothing {
    use super::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(name: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(name.as_deref().unwrap_or_default())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        String::deserialize(from).map(|name| Some(name).filter(|name| !name.is_empty()))
    }
}

/// A stretch of a chunk's text and its pronunciation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pronounced {
    /// Its first byte in the chunk's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// Its sounds in the International Phonetic Alphabet.
    pub ipa: String,
}

/// A heading in a chunk's text, inside its chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadingAt {
    /// Its first byte in the chunk's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

/// What is stored beside a chunk's text, as JSON.
pub(crate) fn write_marks<T: Serialize>(marks: &[T]) -> Result<String> {
    serde_json::to_string(marks)
        .map_err(|error| Error::Unreadable { what: format!("a chunk's marks: {error}") })
}

/// What is stored beside a chunk's text, from its JSON.
pub(crate) fn read_marks<T: DeserializeOwned>(json: &str) -> Result<Vec<T>> {
    serde_json::from_str(json)
        .map_err(|error| Error::Unreadable { what: format!("a chunk's marks: {error}") })
}
