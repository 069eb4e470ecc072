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
mod chapters;
mod characters;
mod chunks;
mod cover;
mod decoding;
mod detection;
mod document;
mod docx;
mod epub;
mod fb2;
mod html;
mod kind;
pub mod language;
mod limits;
mod lists;
mod markdown;
mod mathml;
mod paragraphs;
pub mod pauses;
mod pdf;
mod plain;
mod toc;
mod unreadable;
mod xml;

pub use chunks::{CHUNK_CHARACTERS, CHUNK_MS, Chunk, PlainRules, SpeechRules, chunks, chunks_with};
pub use detection::detect;
pub use document::{Chapter, Cover, Document, Heading};
pub use kind::{Kind, UnknownKind};
pub use language::DocumentLanguage;
pub use limits::Limits;
pub use pauses::PauseAt;
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
        Kind::Epub => epub::read(bytes, limits),
        Kind::Fb2 => fb2::read(bytes, limits),
        Kind::Pdf => pdf::read(bytes, limits),
        Kind::Docx => docx::read(bytes, limits),
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
    let chunks = chunks_with(&document, CHUNK_CHARACTERS, tag, spoken);
    if chunks.len() > limits.chunks {
        return Err(Unreadable::too_many_chunks(limits.chunks));
    }
    let Document { title, author, cover, text, .. } = document;
    Ok(Extracted { title, author, language, cover, text, chunks })
}

/// The result that the confined reader process sends through a pipe. Chapters are part of the
/// chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// [`Document::title`].
    pub title: Option<String>,
    /// [`Document::author`].
    pub author: Option<String>,
    /// The declared or detected language.
    pub language: Option<DocumentLanguage>,
    /// [`Document::cover`].
    pub cover: Option<Cover>,
    /// [`Document::text`].
    pub text: String,
    /// In order; their ranges joined are the whole text.
    pub chunks: Vec<Chunk>,
}
