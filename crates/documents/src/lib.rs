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
mod pictures;
mod plain;
mod pronounced;
mod recut;
mod roles;
mod rtf;
mod toc;
mod unreadable;
mod voiced;
mod word_processing;
mod xml;

pub use lectern_types::{ChapterRole, NotesMode};

pub use chunks::{
    CHUNK_CHARACTERS, CHUNK_MS, Chunk, PlainRules, SpeechRules, chunks, chunks_with, first_sentence,
};
pub use detection::{detect, detect_pictures};
pub use document::{
    Chapter, Cover, Document, Heading, MarkedLanguage, Note, PhonemeAlphabet, Pronounced, Voiced,
};
pub use kind::{Kind, UnknownKind};
pub use language::DocumentLanguage;
pub use limits::Limits;
pub use pauses::PauseAt;
pub use pdf::Recognized;
pub use pictures::{PictureArchive, tiff_pages};
pub use recut::{CutDocument, ExtractedChapter, cut};
pub use unreadable::{Reason, Unreadable};

/// Reads a document of a kind that [`detect`] found.
///
/// # Errors
/// [`Unreadable`] when nothing can be read aloud: the file is empty, damaged, encrypted, too large
/// or has no text.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    read_with(Source { kind, bytes, recognized: None }, limits, &|_| true)
}

/// Reads a PDF some of whose pages are pictures, with their text as it was recognized.
///
/// # Errors
/// As [`read`].
pub fn read_recognized(
    bytes: &[u8],
    recognized: &Recognized<'_>,
    limits: &Limits,
) -> Result<Document, Unreadable> {
    read_with(Source { kind: Kind::Pdf, bytes, recognized: Some(recognized) }, limits, &|_| true)
}

/// Reads a document. Text that looks like a pronunciation is kept verbatim where `is_markup`
/// accepts it.
fn read_with(
    source: Source<'_>,
    limits: &Limits,
    is_markup: &dyn Fn(&str) -> bool,
) -> Result<Document, Unreadable> {
    let Source { kind, bytes, recognized } = source;
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
        Kind::Pdf => pdf::read(bytes, recognized, limits),
        Kind::Docx => docx::read(bytes, limits),
        Kind::Odt => odt::read(bytes, limits),
        Kind::Rtf => rtf::read(bytes, limits),
        Kind::Kindle => kindle::read(bytes, limits),
        Kind::Png | Kind::Jpeg | Kind::Tiff | Kind::PictureZip => Err(Unreadable::new(
            Reason::ImageOnly,
            "The file is a picture without text. Run text recognition (OCR) on it first.",
        )),
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
    extract_source(Source { kind, bytes, recognized: None }, limits, spoken)
}

/// Like [`extract_with`] for a PDF some of whose pages are pictures, with their text as it was recognized.
///
/// # Errors
/// As [`extract_with`].
pub fn extract_recognized(
    bytes: &[u8],
    recognized: &Recognized<'_>,
    limits: &Limits,
    spoken: &dyn SpeechRules,
) -> Result<Extracted, Unreadable> {
    extract_source(Source { kind: Kind::Pdf, bytes, recognized: Some(recognized) }, limits, spoken)
}

/// What is read.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    kind: Kind,
    bytes: &'a [u8],
    /// The text of a PDF's pages that are pictures.
    recognized: Option<&'a Recognized<'a>>,
}

fn extract_source(
    source: Source<'_>,
    limits: &Limits,
    spoken: &dyn SpeechRules,
) -> Result<Extracted, Unreadable> {
    // A text with fewer billable characters than characters contains markup.
    let is_markup = |text: &str| spoken.characters(text) < text.chars().count();
    let document = read_with(source, limits, &is_markup)?;
    let language = language::of_document(document.language.as_deref(), &document.text);
    let tag = language.as_ref().map(|language| language.tag.as_str());
    let (chunks, chapters) = recut::in_chunks(&document, tag, spoken, limits)?;
    Ok(Extracted {
        title: document.title,
        author: document.author,
        copyright: document.copyright,
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
        voices: document.voices,
        pauses: document.pauses,
        notes: document.notes,
        lexicons: document.lexicons,
        pictured_pages: document.pictured_pages,
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
    /// [`Document::copyright`].
    #[serde(default)]
    pub copyright: Option<String>,
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
    /// [`Document::voices`].
    #[serde(default)]
    pub voices: Vec<Voiced>,
    /// [`Document::pauses`].
    #[serde(default)]
    pub pauses: Vec<PauseAt>,
    /// [`Document::notes`].
    #[serde(default)]
    pub notes: Vec<Note>,
    /// [`Document::lexicons`].
    #[serde(default)]
    pub lexicons: Vec<String>,
    /// [`Document::pictured_pages`].
    #[serde(default)]
    pub pictured_pages: Vec<u32>,
}

impl Extracted {
    /// The document that was read, without its cover.
    pub fn into_document(self) -> Document {
        Document {
            title: self.title,
            author: self.author,
            copyright: self.copyright,
            language: self.declared_language,
            cover: None,
            text: self.text,
            chapters: self.starts,
            headings: self.headings,
            languages: self.languages,
            pronounced: self.pronounced,
            voices: self.voices,
            pauses: self.pauses,
            notes: self.notes,
            lexicons: self.lexicons,
            pictured_pages: self.pictured_pages,
        }
    }
}
