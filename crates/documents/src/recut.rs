//! Cuts a document into chunks, when it is read and again later: from a stored document, without its
//! file, with notes in another place or for another language.

use serde::{Deserialize, Serialize};

use crate::{
    CHUNK_CHARACTERS, ChapterRole, Chunk, Document, Limits, NotesMode, Reason, SpeechRules, Unreadable,
    chunks_with,
};

/// A text in chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutDocument {
    /// The text, with notes if they are read.
    pub text: String,
    /// In order; their ranges joined are the whole text.
    pub chunks: Vec<Chunk>,
    /// The chapters, each with one chunk or more; [`Chunk::chapter`] is an index of this list.
    pub chapters: Vec<ExtractedChapter>,
}

/// A chapter that has chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedChapter {
    /// At most 200 characters.
    pub title: Option<String>,
    /// 1 is the highest; see [`Chapter::level`](crate::Chapter::level).
    pub level: u8,
    pub role: ChapterRole,
}

/// Cuts a document into chunks of at most [`CHUNK_CHARACTERS`], with its notes where `notes` says.
/// `language` is the tag of the language in which durations are estimated and the notes are
/// announced, if it is known.
///
/// # Errors
/// `too_large` when there are more chunks or characters than the limits allow, `damaged` when the
/// document is not [consistent](Document::is_consistent).
pub fn cut(
    document: &Document,
    notes: NotesMode,
    language: Option<&str>,
    spoken: &dyn SpeechRules,
    limits: &Limits,
) -> Result<CutDocument, Unreadable> {
    if !document.is_consistent() {
        let message = "The document is damaged: its chapters or notes lie outside of its text.";
        return Err(Unreadable::new(Reason::Damaged, message));
    }
    let placed = document.with_notes_in(notes, language);
    if notes != NotesMode::Skip && placed.text.chars().count() > limits.text_characters {
        return Err(Unreadable::text_too_large(limits.text_characters));
    }
    let (chunks, chapters) = in_chunks(&placed, language, spoken, limits)?;
    Ok(CutDocument { text: placed.text, chunks, chapters })
}

/// The chunks of a document as it is, and the chapters that have some.
pub(crate) fn in_chunks(
    document: &Document,
    language: Option<&str>,
    spoken: &dyn SpeechRules,
    limits: &Limits,
) -> Result<(Vec<Chunk>, Vec<ExtractedChapter>), Unreadable> {
    let mut chunks = chunks_with(document, CHUNK_CHARACTERS, language, spoken);
    if chunks.len() > limits.chunks {
        return Err(Unreadable::too_many_chunks(limits.chunks));
    }
    let mut chapters: Vec<ExtractedChapter> = Vec::new();
    let mut last = None;
    for chunk in &mut chunks {
        if last != Some(chunk.chapter) {
            last = Some(chunk.chapter);
            let Some(chapter) = document.chapters.get(chunk.chapter as usize) else { continue };
            let (title, level, role) = (chapter.title.clone(), chapter.level, chapter.role);
            chapters.push(ExtractedChapter { title, level, role });
        }
        chunk.chapter = u32::try_from(chapters.len().saturating_sub(1)).unwrap_or(u32::MAX);
    }
    Ok((chunks, chapters))
}
