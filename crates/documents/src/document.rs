//! What every kind of document is read into: one text, and where in it chapters and headings are. No rule of any
//! format lives here.

use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A document as it will be read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The title that the document gives itself, at most 300 characters.
    pub title: Option<String>,
    /// Who wrote it, at most 300 characters; several authors are joined with commas.
    pub author: Option<String>,
    /// The language it says it is in, a BCP 47 tag such as `en-GB`.
    pub language: Option<String>,
    /// The picture on its cover.
    pub cover: Option<Cover>,
    /// The text: paragraphs parted by blank lines, without control characters but line feeds and tabs.
    pub text: String,
    /// Its chapters, ascending; the first starts at 0. At least one unless the text is empty.
    pub chapters: Vec<Chapter>,
    /// Its headings, ascending.
    pub headings: Vec<Heading>,
}

/// A chapter: from its start to the start of the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chapter {
    /// Its title, at most 200 characters; `None` for what stands before the first heading, say.
    pub title: Option<String>,
    /// The byte of the text that it starts at: the first of a paragraph.
    pub start: usize,
}

/// A heading inside the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its bytes in the text, without white space at either end.
    pub range: Range<usize>,
    /// Its level: 1 is the highest, 6 the lowest.
    pub level: u8,
}

/// The picture on a cover. As JSON its bytes are base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    /// `image/jpeg` or `image/png`, found by content.
    pub media_type: String,
    /// The picture's file.
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
