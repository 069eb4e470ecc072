//! Reads documents: detects their kind (by content, never by name), extracts the text with title
//! and chapters, and cuts it into the chunks that are converted one by one. The crate is pure and
//! deterministic: the same bytes give the same chunks on every machine, so that any machine can
//! resume a conversion.
//!
//! Every kind of document becomes a [`Document`]: paragraphs separated by blank lines, without
//! boilerplate such as navigation, running heads and notes. Hostile files are expected. Every
//! reader works without recursion and refuses a file with an [`Unreadable`], whose message is
//! written for the sender. The process that calls this crate limits total time and memory.

use serde::{Deserialize, Serialize};

mod archive;
mod builder;
mod chapter_names;
mod chapters;
mod characters;
mod chunks;
mod cover;
mod decoding;
mod detection;
pub mod dialogue;
mod document;
mod docx;
mod epub;
mod fb2;
mod html;
mod kind;
mod kindle;
pub mod language;
mod limits;
mod lists;
mod markdown;
mod marked;
mod mathml;
mod notes;
mod odt;
mod paragraphs;
pub mod pauses;
mod pdf;
mod plain;
mod pronounced;
mod recut;
mod roles;
mod rtf;
mod toc;
mod unreadable;
mod word_processing;
mod xml;

pub use lectern_types::{ChapterRole, NotesMode};

pub use chunks::{
    CHUNK_CHARACTERS, CHUNK_MS, Chunk, PlainRules, SpeechRules, chunks, chunks_with, first_sentence,
};
pub use detection::detect;
pub use document::{Chapter, Cover, Document, Heading, MarkedLanguage, Note, PhonemeAlphabet, Pronounced};
pub use kind::{Kind, UnknownKind};
pub use language::DocumentLanguage;
pub use limits::Limits;
pub use pauses::PauseAt;
pub use recut::{CutDocument, ExtractedChapter, cut};
pub use unreadable::{Reason, Unreadable};

/// Reads a document of a kind that [`detect`] found.
///
/// # Errors
/// [`Unreadable`] when nothing can be read aloud: the file is empty, damaged, encrypted, too large
/// or has no text.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    read_with(kind, bytes, limits, &|_| true)
}

/// Reads a document. Text that looks like a pronunciation is kept verbatim where `is_markup`
/// accepts it.
fn read_with(
    kind: Kind,
    bytes: &[u8],
    limits: &Limits,
    is_markup: &dyn Fn(&str) -> bool,
) -> Result<Document, Unreadable> {
    if bytes.is_empty() {
        return Err(Unreadable::empty());
    }
    let document = match kind {
        Kind::PlainText => plain::read(bytes, limits),
        Kind::Markdown => markdown::read(bytes, limits, is_markup),
        Kind::Html => html::read(bytes, limits),
        Kind::WebPage => html::read_article(bytes, limits),
        Kind::Epub => epub::read(bytes, limits),
        Kind::Fb2 => fb2::read(bytes, limits),
        Kind::Pdf => pdf::read(bytes, limits),
        Kind::Docx => docx::read(bytes, limits),
        Kind::Odt => odt::read(bytes, limits),
        Kind::Rtf => rtf::read(bytes, limits),
        Kind::Kindle => kindle::read(bytes, limits),
    }?;
    if document.chapters.len() > limits.chunks {
        return Err(Unreadable::too_many_chunks(limits.chunks));
    }
    Ok(document)
}

/// [`extract_with`] with [`PlainRules`].
///
/// # Errors
/// As [`extract_with`].
pub fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Unreadable> {
    extract_with(kind, bytes, limits, &PlainRules)
}

/// Reads a document as [`read`] does and cuts it into chunks of at most [`CHUNK_CHARACTERS`].
///
/// # Errors
/// As for [`read`], and when there are more chunks than [`Limits::chunks`].
pub fn extract_with(
    kind: Kind,
    bytes: &[u8],
    limits: &Limits,
    spoken: &dyn SpeechRules,
) -> Result<Extracted, Unreadable> {
    // A text with fewer billable characters than characters contains markup.
    let is_markup = |text: &str| spoken.characters(text) < text.chars().count();
    let document = read_with(kind, bytes, limits, &is_markup)?;
    let language = language::of_document(document.language.as_deref(), &document.text);
    let tag = language.as_ref().map(|language| language.tag.as_str());
    let (chunks, chapters) = recut::in_chunks(&document, tag, spoken, limits)?;
    Ok(Extracted {
        title: document.title,
        author: document.author,
        language,
        declared_language: document.language,
        cover: document.cover,
        text: document.text,
        chunks,
        chapters,
        starts: document.chapters,
        headings: document.headings,
        languages: document.languages,
        pronounced: document.pronounced,
        notes: document.notes,
        lexicons: document.lexicons,
    })
}

/// The result that the confined reader process sends through a pipe: the document, and its chunks
/// without notes. [`Extracted::into_document`] is what to store for [`cut`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// [`Document::title`].
    pub title: Option<String>,
    /// [`Document::author`].
    pub author: Option<String>,
    /// The declared or detected language.
    pub language: Option<DocumentLanguage>,
    /// [`Document::language`].
    #[serde(default)]
    pub declared_language: Option<String>,
    /// [`Document::cover`].
    pub cover: Option<Cover>,
    /// [`Document::text`], without notes.
    pub text: String,
    /// In order; their ranges joined are the whole text.
    pub chunks: Vec<Chunk>,
    /// The chapters, each with one chunk or more; [`Chunk::chapter`] is an index of this list.
    #[serde(default)]
    pub chapters: Vec<ExtractedChapter>,
    /// [`Document::chapters`], with their places in the text.
    #[serde(default)]
    pub starts: Vec<Chapter>,
    /// [`Document::headings`].
    #[serde(default)]
    pub headings: Vec<Heading>,
    /// [`Document::languages`].
    #[serde(default)]
    pub languages: Vec<MarkedLanguage>,
    /// [`Document::pronounced`].
    #[serde(default)]
    pub pronounced: Vec<Pronounced>,
    /// [`Document::notes`].
    #[serde(default)]
    pub notes: Vec<Note>,
    /// [`Document::lexicons`].
    #[serde(default)]
    pub lexicons: Vec<String>,
}

impl Extracted {
    /// The document that was read, without its cover.
    pub fn into_document(self) -> Document {
        Document {
            title: self.title,
            author: self.author,
            language: self.declared_language,
            cover: None,
            text: self.text,
            chapters: self.starts,
            headings: self.headings,
            languages: self.languages,
            pronounced: self.pronounced,
            notes: self.notes,
            lexicons: self.lexicons,
        }
    }
}
