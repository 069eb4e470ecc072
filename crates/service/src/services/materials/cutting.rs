//! Makes the rows of a text that was divided into chunks: when it is read, and again when its notes go to another
//! place.

use lectern_documents::{
    Chunk, CutDocument, Document, ExtractedChapter, Limits, MarkedLanguage, PhonemeAlphabet, Pronounced, cut,
    language::Scripts,
};
use lectern_speech::lexicons::{Entry, Said};
use lectern_store::{
    chunks::{MarkedLanguage as StoredLanguage, PauseAt, Pronounced as StoredPronounced},
    materials::{NewChapter, NewChunk, Speaker},
};
use lectern_types::NotesMode;

use super::{chunking::AsSpoken, speakers::Speakers};

/// A text in chunks with its chapters and speakers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) chapters: Vec<NewChapter>,
    pub(super) chunks: Vec<NewChunk>,
    pub(super) speakers: Vec<Speaker>,
    /// How many letters of each script all of it has.
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
    ) -> Option<Self> {
        let speakers = Speakers::of(text, language);
        let chunks = chunks.into_iter().map(|chunk| new_chunk(text, &speakers, chunk));
        let chunks = chunks.collect::<Option<Vec<_>>>()?;
        let mut scripts = Scripts::default();
        chunks.iter().filter_map(|chunk| chunk.scripts.parse().ok()).for_each(|part| scripts.add(&part));
        let speakers = speakers.cast;
        Some(Self { chapters: new_chapters(chapters), chunks, speakers, scripts: scripts.to_string() })
    }

    /// The rows of a document with its notes where `notes` says.
    ///
    /// # Errors
    /// A sentence for the owner, when the text is too long with its notes.
    pub(super) fn cut(
        document: &Document,
        notes: NotesMode,
        language: Option<&str>,
    ) -> Result<(Self, Vec<ExtractedChapter>), String> {
        let limits = Limits::default();
        let cut = cut(document, notes, language, &AsSpoken, &limits);
        let CutDocument { text, chunks, chapters } = cut.map_err(|unreadable| unreadable.message)?;
        let rows = Self::of(&text, language, chunks, &chapters);
        rows.map(|rows| (rows, chapters)).ok_or_else(|| "The text cannot be divided.".to_owned())
    }
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
        languages: chunk
            .languages
            .into_iter()
            .map(|MarkedLanguage { range, tag }| StoredLanguage {
                start: range.start as u32,
                end: range.end as u32,
                tag,
            })
            .collect(),
        scripts: Scripts::of(piece).to_string(),
        speakers: speakers.inside(text, &chunk.range),
        pronounced: chunk.pronounced.into_iter().filter_map(|stretch| pronounced(piece, stretch)).collect(),
    })
}

/// A pronunciation in the voices' alphabet; `None` for one with a symbol that no voice knows.
fn pronounced(text: &str, stretch: Pronounced) -> Option<StoredPronounced> {
    let Pronounced { range, phonemes, alphabet } = stretch;
    let said = match alphabet {
        PhonemeAlphabet::Ipa => Said::Ipa(phonemes),
        PhonemeAlphabet::XSampa => Said::XSampa(phonemes),
    };
    let entry = Entry { word: text.get(range.clone())?.to_owned(), said };
    let ipa = entry.phonemes().ok()??;
    // A chunk's text has at most 5,000 characters.
    Some(StoredPronounced { start: range.start as u32, end: range.end as u32, ipa })
}
