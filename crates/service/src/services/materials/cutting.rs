//! Makes the rows of a text that was divided into chunks: when it is read, and again when its notes go to another
//! place.

use lectern_documents::{
    Chunk, CutDocument, Document, ExtractedChapter, Heading, Limits, MarkedLanguage, Voiced, cut,
    language::Scripts,
};
use lectern_store::{
    chunks::{HeadingAt, MarkedLanguage as StoredLanguage, PauseAt, Pronounced as StoredPronounced},
    materials::{NewChapter, NewChunk, Speaker},
};
use lectern_types::NotesMode;

use super::{
    chunking::{AsSpoken, ipa},
    speakers::Speakers,
    written::{Counting, READ_AS, Readers},
};

/// A text in chunks with its chapters and speakers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) chapters: Vec<NewChapter>,
    pub(super) chunks: Vec<NewChunk>,
    pub(super) speakers: Vec<Speaker>,
    /// What all of it is written in, as [`super::written::Written`] has it.
    pub(super) scripts: String,
}

impl Rows {
    /// The rows of a text in this language; `None` when a chunk lies outside of the text. It takes a while: a book has
    /// up to 16 million characters.
    pub(super) fn of(
        text: &str,
        language: Option<&str>,
        chunks: Vec<Chunk>,
        chapters: &[ExtractedChapter],
        readers: &mut Readers,
    ) -> Option<Self> {
        let speakers = Speakers::of(text, language, &voices(&chunks));
        let chunks = chunks.into_iter().map(|chunk| new_chunk(text, &speakers, chunk));
        let chunks = chunks.collect::<Option<Vec<_>>>()?;
        let mut counting = Counting::new(readers, language.unwrap_or(READ_AS));
        for chunk in &chunks {
            counting.add(&chunk.text, &chunk.scripts.parse().unwrap_or_default(), &chunk.languages);
        }
        let (scripts, speakers) = (counting.finish().to_string(), speakers.cast);
        Some(Self { chapters: new_chapters(chapters), chunks, speakers, scripts })
    }

    /// The rows of a document with its notes where `notes` says.
    ///
    /// # Errors
    /// A sentence for the owner, when the text is too long with its notes.
    pub(super) fn cut(
        document: &Document,
        notes: NotesMode,
        language: Option<&str>,
        readers: &mut Readers,
    ) -> Result<(Self, Vec<ExtractedChapter>), String> {
        let limits = Limits::default();
        let cut = cut(document, notes, language, &AsSpoken, &limits);
        let CutDocument { text, chunks, chapters } = cut.map_err(|unreadable| unreadable.message)?;
        let rows = Self::of(&text, language, chunks, &chapters, readers);
        rows.map(|rows| (rows, chapters)).ok_or_else(|| "The text cannot be divided.".to_owned())
    }
}

/// The stretches of a text that its document gives to somebody, of which each chunk has its part.
fn voices(chunks: &[Chunk]) -> Vec<Voiced> {
    let moved = |chunk: &Chunk, voiced: &Voiced| {
        let range = chunk.range.start + voiced.range.start..chunk.range.start + voiced.range.end;
        Voiced { range, name: voiced.name.clone() }
    };
    chunks.iter().flat_map(|chunk| chunk.voices.iter().map(move |voiced| moved(chunk, voiced))).collect()
}

/// A text of which no chapter would be included is a book with all of them.
fn new_chapters(chapters: &[ExtractedChapter]) -> Vec<NewChapter> {
    let all = !chapters.iter().any(|chapter| chapter.role.is_included_by_default());
    chapters
        .iter()
        .map(|chapter| NewChapter {
            title: chapter.title.clone(),
            level: u32::from(chapter.level.clamp(1, 6)),
            role: chapter.role,
            included: all || chapter.role.is_included_by_default(),
        })
        .collect()
}

/// The marked stretches of a chunk's text, which has at most 5,000 characters.
pub(super) fn marked_languages(marked: &[MarkedLanguage]) -> Vec<StoredLanguage> {
    let stored = |MarkedLanguage { range, tag }: &MarkedLanguage| StoredLanguage {
        start: range.start as u32,
        end: range.end as u32,
        tag: tag.clone(),
    };
    marked.iter().map(stored).collect()
}

fn new_chunk(text: &str, speakers: &Speakers, chunk: Chunk) -> Option<NewChunk> {
    let piece = text.get(chunk.range.clone())?;
    Some(NewChunk {
        text: piece.to_owned(),
        characters: chunk.characters,
        title: chunk.title,
        starts_chapter: chunk.starts_chapter,
        chapter: chunk.chapter,
        // A chunk's text has at most 5,000 characters.
        pauses: chunk
            .pauses
            .iter()
            .map(|pause| PauseAt { at: pause.at as u32, pause_ms: pause.pause_ms })
            .collect(),
        pause_after_ms: chunk.pause_after_ms,
        languages: marked_languages(&chunk.languages),
        scripts: Scripts::of(piece).to_string(),
        speakers: speakers.inside(text, &chunk.range),
        // A chunk's text has at most 5,000 characters.
        pronounced: chunk
            .pronounced
            .into_iter()
            .filter_map(|stretch| {
                let ipa = ipa(piece, &stretch)?;
                let (start, end) = (stretch.range.start as u32, stretch.range.end as u32);
                Some(StoredPronounced { start, end, ipa })
            })
            .collect(),
        headings: chunk
            .headings
            .iter()
            .map(|Heading { range, .. }| HeadingAt { start: range.start as u32, end: range.end as u32 })
            .collect(),
    })
}
