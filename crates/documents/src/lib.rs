//! Bytes to text to chunks: what kind of document this is (by content, never by name), its text with title and
//! chapters, and the chunks that are converted one by one. Pure and deterministic: the same bytes give the same
//! chunks on every machine, so that a conversion can be taken up anywhere.
//!
//! Every kind of document ends in the same [`Document`]: text in paragraphs that a blank line parts, with what
//! nobody wants to hear (navigation, running heads, notes) left out. Hostile documents are expected: every reader
//! walks without recursion and gives up with an [`Unreadable`] that says why, in words for whoever sent the file.
//! Limits on time and memory as a whole belong to the process that runs this.

use serde::{Deserialize, Serialize};

mod archive;
mod builder;
mod chapters;
mod characters;
mod chunks;
mod contents;
mod cover;
mod decoding;
mod detection;
mod document;
mod docx;
mod epub;
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
mod unreadable;
mod xml;

pub use chunks::{AsWritten, Break, CHUNK_CHARACTERS, CHUNK_MS, Chunk, Spoken, chunks, chunks_as_spoken};
pub use detection::detect;
pub use document::{Chapter, Cover, Document, Heading};
pub use kind::{Kind, UnknownKind};
pub use language::{DocumentLanguage, LanguageSource};
pub use limits::Limits;
pub use unreadable::{Reason, Unreadable};

/// Reads the text of a document whose kind [`detect`] found.
///
/// # Errors
/// [`Unreadable`] when nothing can be read aloud: the file is empty, damaged, encrypted, too large or has no text.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    read_with(kind, bytes, limits, &|_| true)
}

/// Reads a document in which text that looks like a pronunciation is kept as it is written where it `is_markup`.
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
        Kind::Pdf => pdf::read(bytes, limits),
        Kind::Docx => docx::read(bytes, limits),
    }?;
    // Each chapter starts a chunk.
    if document.chapters.len() > limits.chunks {
        return Err(Unreadable::too_many_chunks(limits.chunks));
    }
    Ok(document)
}

/// [`extract_as_spoken`], with the text taken [`AsWritten`].
///
/// # Errors
/// As [`extract_as_spoken`].
pub fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Unreadable> {
    extract_as_spoken(kind, bytes, limits, &AsWritten)
}

/// Reads a document as [`read`] does, and cuts it into chunks of at most [`CHUNK_CHARACTERS`] as `spoken` has it.
///
/// # Errors
/// [`Unreadable`] as for [`read`], and when there are more chunks than [`Limits::chunks`].
pub fn extract_as_spoken(
    kind: Kind,
    bytes: &[u8],
    limits: &Limits,
    spoken: &dyn Spoken,
) -> Result<Extracted, Unreadable> {
    // What is not paid for is markup.
    let is_markup = |text: &str| spoken.characters(text) < text.chars().count();
    let document = read_with(kind, bytes, limits, &is_markup)?;
    let chunks = chunks_as_spoken(&document, CHUNK_CHARACTERS, spoken);
    if chunks.len() > limits.chunks {
        return Err(Unreadable::too_many_chunks(limits.chunks));
    }
    let Document { title, author, language, cover, text, .. } = document;
    let language = language::of_document(language.as_deref(), &text);
    Ok(Extracted { title, author, language, cover, text, chunks })
}

/// What crosses the pipe between the process that reads hostile files and the one that keeps the result: no more than
/// that needs. Chapters are in the chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// [`Document::title`].
    pub title: Option<String>,
    /// [`Document::author`].
    pub author: Option<String>,
    /// What it is in, and whether it says so itself or its text was judged.
    pub language: Option<DocumentLanguage>,
    /// [`Document::cover`].
    pub cover: Option<Cover>,
    /// [`Document::text`].
    pub text: String,
    /// Its chunks, in order; joined, their ranges are the whole text.
    pub chunks: Vec<Chunk>,
}
