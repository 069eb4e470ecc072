//! The result of reading a document: one text with its chapters and headings. It contains no rules
//! of any format.

use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A document as it is read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The document's own title, at most 300 characters.
    pub title: Option<String>,
    /// The author, at most 300 characters; several are joined with commas.
    pub author: Option<String>,
    /// The declared language, a BCP 47 tag such as `en-GB`.
    pub language: Option<String>,
    pub cover: Option<Cover>,
    /// Paragraphs separated by blank lines, without control characters other than line feeds and
    /// tabs.
    pub text: String,
    /// In order; the first starts at 0. Empty only if the text is.
    pub chapters: Vec<Chapter>,
    pub headings: Vec<Heading>,
}

/// A chapter, which extends to the start of the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chapter {
    /// At most 200 characters; `None` for text before the first heading, for example.
    pub title: Option<String>,
    /// The byte offset of its first paragraph.
    pub start: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its bytes in the text, without surrounding white space.
    pub range: Range<usize>,
    /// From 1, the highest, to 6.
    pub level: u8,
}

/// A cover picture. In JSON its bytes are base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    /// `image/jpeg` or `image/png`, detected by content.
    pub media_type: String,
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub bytes: Vec<u8>,
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map_err(D::Error::custom)
}
