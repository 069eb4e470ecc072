//! What is stored beside a chunk's text, each as a JSON list: pauses, languages, speakers, pronunciations,
//! headings.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Error, Result};

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

/// A stretch of a chunk's text that a speaker says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpokenBy {
    /// Its first byte in the chunk's text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The speaker's name.
    pub name: String,
    /// Its paid characters.
    pub characters: u32,
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

/// What is stored beside a chunk's text, from its JSON.
pub(crate) fn read_marks<T: DeserializeOwned>(json: &str) -> Result<Vec<T>> {
    serde_json::from_str(json)
        .map_err(|error| Error::Unreadable { what: format!("a chunk's marks: {error}") })
}
