//! The result of reading a document: one text with its chapters and headings. It contains no rules
//! of any format.

use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{ChapterRole, PauseAt};

/// A document as it is read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The document's own title, at most 300 characters.
    pub title: Option<String>,
    /// The author, at most 300 characters; several are joined with commas.
    pub author: Option<String>,
    /// The statement of copyright, at most 500 characters.
    #[serde(default)]
    pub copyright: Option<String>,
    /// The declared language, a BCP 47 tag such as `en-GB`.
    pub language: Option<String>,
    pub cover: Option<Cover>,
    /// Paragraphs separated by blank lines, without control characters other than line feeds and
    /// tabs.
    pub text: String,
    /// In order; the first starts at 0. Empty only if the text is.
    pub chapters: Vec<Chapter>,
    pub headings: Vec<Heading>,
    /// The stretches that the document marks as another language's, in order and apart.
    pub languages: Vec<MarkedLanguage>,
    /// The stretches whose pronunciation the document gives, in order and apart.
    pub pronounced: Vec<Pronounced>,
    /// The stretches that the document gives to somebody by name, in order and apart.
    #[serde(default)]
    pub voices: Vec<Voiced>,
    /// The pauses that the document asks for, in order; where the text has a longer one, that counts.
    #[serde(default)]
    pub pauses: Vec<PauseAt>,
    /// The notes, in the order of their references. They are not part of the text; see
    /// [`Document::with_notes`].
    #[serde(default)]
    pub notes: Vec<Note>,
    /// Files of the W3C's Pronunciation Lexicon Specification that come with the document.
    pub lexicons: Vec<String>,
    /// The pages of a PDF, from 1, that are pictures with hardly any text. They are left out.
    #[serde(default)]
    pub pictured_pages: Vec<u32>,
}

impl Document {
    /// A document of one chapter without a title, with this text.
    pub fn of_text(text: &str) -> Self {
        let chapters = vec![Chapter { title: None, level: 1, role: ChapterRole::Body, start: 0 }];
        Self { text: text.to_owned(), chapters, ..Self::default() }
    }
}

/// A foot- or endnote, which is not part of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The byte offset in the text after the word that refers to it.
    pub at: usize,
    /// One paragraph, without the note's number.
    pub text: String,
}

/// A stretch of text and its pronunciation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pronounced {
    /// Its bytes in the text, without white space at either end.
    pub range: Range<usize>,
    /// The sounds, as the document has them.
    pub phonemes: String,
    pub alphabet: PhonemeAlphabet,
}

/// A stretch of text and who says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voiced {
    /// Its bytes in the text, without white space at either end.
    pub range: Range<usize>,
    pub name: String,
}

/// An alphabet for sounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhonemeAlphabet {
    /// The International Phonetic Alphabet.
    #[default]
    Ipa,
    XSampa,
}

/// A stretch of text that says itself which language it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedLanguage {
    /// Its bytes in the text, without white space at either end.
    pub range: Range<usize>,
    /// A BCP 47 tag.
    pub tag: String,
}

/// A chapter, which extends to the start of the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chapter {
    /// At most 200 characters; `None` for text before the first heading, for example.
    pub title: Option<String>,
    /// From 1, the highest. In a book of parts, parts are at 1 and chapters at 2.
    pub level: u8,
    pub role: ChapterRole,
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
