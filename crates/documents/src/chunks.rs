//! Cuts a document into chunks, each of which is converted, stored and charged on its own, and sets
//! the pauses inside and between them. Cutting is greedy: a chunk takes as many whole paragraphs of
//! its chapter as fit.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    Document, Heading, MarkedLanguage, Pronounced, Voiced, characters, marked,
    pauses::{self, PauseAt},
    pronounced, voiced,
};

mod blocks;
mod cut;
mod headings;
mod sentences;
mod stops;

use blocks::Blocks;
use cut::Cut;
pub use sentences::first_sentence;
pub(crate) use sentences::sentence_ends;
pub(crate) use stops::{is_any_stop, is_closing};

/// The largest number of characters in a chunk.
pub const CHUNK_CHARACTERS: usize = 5_000;

/// People start to hear a text with chapters and more characters than this before all of it is spoken.
const BOOK_CHARACTERS: usize = CHUNK_CHARACTERS;

/// The same of a text without chapters.
const LONG_CHARACTERS: usize = 20_000;

/// A first chapter with at most this many characters is spoken within seconds, and is not cut.
const SHORT_CHAPTER_CHARACTERS: usize = 2_000;

/// The largest number of characters in the first chunk that is heard of a book, so that it is spoken within a second.
const FIRST_CHARACTERS: usize = 700;

/// A part of a document that is converted on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its bytes in the document's text. Chunks are contiguous and cover the whole text.
    pub range: Range<usize>,
    /// Billable characters (Unicode scalar values), without markup.
    pub characters: u32,
    /// The title of its chapter.
    pub title: Option<String>,
    /// The index of its chapter: in the document's chapters, or in those that come with the chunk.
    #[serde(default)]
    pub chapter: u32,
    /// Whether it is the first of its chapter.
    pub starts_chapter: bool,
    /// Pauses inside it, in order.
    pub pauses: Vec<PauseAt>,
    /// The pause before the next chunk, in milliseconds; 0 for the last chunk.
    pub pause_after_ms: u32,
    /// The stretches of its text that are marked as another language's, in order and apart.
    #[serde(default)]
    pub languages: Vec<MarkedLanguage>,
    /// The stretches of its text whose pronunciation the document gives, in order and apart.
    #[serde(default)]
    pub pronounced: Vec<Pronounced>,
    /// The stretches of its text that somebody says by name, in order and apart.
    #[serde(default)]
    pub voices: Vec<Voiced>,
    /// The headings in its text that divide its chapter, in order.
    #[serde(default)]
    pub headings: Vec<Heading>,
}

/// The rules of speech that decide where chunks end and what they cost.
pub trait SpeechRules {
    /// The number of billable characters.
    fn characters(&self, text: &str) -> usize;

    /// Whether a text has a letter or a digit outside its markup.
    fn is_speakable(&self, text: &str) -> bool;

    /// The estimated duration of a text in milliseconds; its language is a BCP 47 tag, if known.
    fn duration_ms(&self, text: &str, language: Option<&str>) -> u64;

    /// The last position at or before `at` where the text may be cut, outside of markup.
    fn cut_at(&self, text: &str, at: usize) -> usize;
}

/// Rules for text without markup and without a limit on its duration.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainRules;

impl SpeechRules for PlainRules {
    fn characters(&self, text: &str) -> usize {
        text.chars().count()
    }

    fn is_speakable(&self, text: &str) -> bool {
        characters::is_speakable(text)
    }

    fn duration_ms(&self, _: &str, _: Option<&str>) -> u64 {
        0
    }

    fn cut_at(&self, _: &str, at: usize) -> usize {
        at
    }
}

/// The largest estimated duration of a chunk, about three times that of 5,000 characters of prose.
/// Text that takes longer to speak (rows of digits, addresses, emoji) makes smaller chunks.
pub const CHUNK_MS: u64 = 15 * 60 * 1000;

/// The duration limit never makes a chunk smaller than this.
const MIN_CHARACTERS: usize = 100;

/// Cuts a document into chunks with [`PlainRules`]; see [`chunks_with`].
pub fn chunks(document: &Document, cap: usize) -> Vec<Chunk> {
    chunks_with(document, cap, None, &PlainRules)
}

/// Cuts a document into chunks of at most `cap` characters and [`CHUNK_MS`] of audio. A chunk
/// always ends with its chapter. Otherwise it ends at the last paragraph that fits, or else at a
/// sentence, a clause or a word; it ends inside a word only where there is no other place. White
/// space belongs to the chunk before it, and the chunks joined are the text. `language` is the tag of
/// the language in which durations are estimated, if it is known. The first chunk that is heard of a book is short.
pub fn chunks_with(
    document: &Document,
    cap: usize,
    language: Option<&str>,
    spoken: &dyn SpeechRules,
) -> Vec<Chunk> {
    let cap = cap.max(1);
    let text = &document.text;
    let blocks = Blocks::of(text, &document.headings);
    let duration_ms = |text: &str| spoken.duration_ms(text, language);
    let tag = document.language.as_deref().or(language);
    let primary = tag.and_then(|tag| tag.split('-').next()).unwrap_or("en");
    let first_heard = first_heard(document);
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, chapter) in document.chapters.iter().enumerate() {
        let end = document.chapters.get(index + 1).map_or(text.len(), |next| next.start);
        let last = text[..end].trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
        let mut start = chapter.start;
        while start < end {
            let is_first = first_heard == Some(start);
            let cap = if is_first { cap.min(FIRST_CHARACTERS) } else { cap };
            let next = |cap| {
                let next = |blocks| cut::next(text, start..end, last, cap, blocks, primary);
                let (stop, cut) = next(Some(&blocks));
                // One line would be over before the next chunk is spoken.
                let is_too_short = is_first && text[start..stop].chars().count() < FIRST_CHARACTERS / 2;
                if is_too_short && cut == Cut::Paragraph { next(None) } else { (stop, cut) }
            };
            let (stop, cut) = within_duration(&text[..end], start, cap, duration_ms, next);
            let (stop, cut) = match spoken.cut_at(&text[..end], stop) {
                outside if outside > start && outside < stop => (outside, Cut::Word),
                _ => (stop, cut),
            };
            let cut = if stop == end { Cut::Chapter } else { cut };
            let is_speakable = spoken.is_speakable(&text[start..stop]);
            pieces.push(Piece::new(text, start..stop, index, start == chapter.start, cut, is_speakable));
            start = stop;
        }
    }
    join_silent(text, &mut pieces, cap, duration_ms);
    let last = pieces.len().saturating_sub(1);
    let mut cursor = blocks.cursor();
    let finished = pieces.into_iter().enumerate().map(|(index, piece)| {
        let mut pauses = cursor.pauses(text, &piece.range);
        let asked_after = pauses.add_asked(text, &piece.range, &document.pauses);
        let pause_after_ms = match piece.cut {
            _ if index == last => 0,
            Cut::Chapter => pauses::CHAPTER_MS,
            Cut::Paragraph => pauses.after,
            Cut::Sentence => pauses::SENTENCE_MS,
            Cut::Word => pauses::NONE_MS,
        };
        let pause_after_ms = if index == last { 0 } else { pause_after_ms.max(asked_after) };
        Chunk {
            characters: u32::try_from(spoken.characters(&text[piece.range.clone()])).unwrap_or(u32::MAX),
            title: document.chapters[piece.chapter].title.clone(),
            chapter: u32::try_from(piece.chapter).unwrap_or(u32::MAX),
            starts_chapter: piece.starts_chapter,
            pauses: pauses.inside,
            pause_after_ms,
            languages: marked::within(&document.languages, text, &piece.range),
            pronounced: pronounced::within(&document.pronounced, &piece.range),
            voices: voiced::within(&document.voices, text, &piece.range),
            headings: headings::within(
                &document.headings,
                text,
                &document.chapters[piece.chapter],
                &piece.range,
            ),
            range: piece.range,
        }
    });
    finished.collect()
}

/// Where the first chapter begins that is read unless its owner wants otherwise, if it is to begin with a short chunk.
fn first_heard(document: &Document) -> Option<usize> {
    let chapters = &document.chapters;
    let heard = chapters.iter().position(|chapter| chapter.role.is_included_by_default()).unwrap_or(0);
    let start = chapters.get(heard)?.start;
    let end = chapters.get(heard + 1).map_or(document.text.len(), |next| next.start);
    let is_longer = |text: &str, characters: usize| text.chars().nth(characters).is_some();
    let enough = if chapters.len() > 1 { BOOK_CHARACTERS } else { LONG_CHARACTERS };
    let begins_short =
        is_longer(&document.text, enough) && is_longer(&document.text[start..end], SHORT_CHAPTER_CHARACTERS);
    begins_short.then_some(start)
}

/// The end of the chunk that starts at `start`. `next` finds the best end for a number of
/// characters; the limit is lowered until the duration fits.
fn within_duration(
    text: &str,
    start: usize,
    cap: usize,
    duration_ms: impl Fn(&str) -> u64,
    next: impl Fn(usize) -> (usize, Cut),
) -> (usize, Cut) {
    let (mut stop, mut cut) = next(cap);
    let mut allowed = cap;
    while allowed > MIN_CHARACTERS {
        let duration_ms = duration_ms(&text[start..stop]);
        if duration_ms <= CHUNK_MS {
            break;
        }
        let characters = text[start..stop].chars().count() as u64;
        let fitting = characters.saturating_mul(CHUNK_MS) / duration_ms;
        // Assume a uniform speaking rate, take 5 % less, and always shrink.
        allowed = (fitting as usize * 19 / 20).min(allowed * 9 / 10).max(MIN_CHARACTERS);
        (stop, cut) = next(allowed);
    }
    (stop, cut)
}

struct Piece {
    range: Range<usize>,
    characters: usize,
    chapter: usize,
    starts_chapter: bool,
    cut: Cut,
    is_speakable: bool,
}

impl Piece {
    fn new(
        text: &str,
        range: Range<usize>,
        chapter: usize,
        starts_chapter: bool,
        cut: Cut,
        is_speakable: bool,
    ) -> Self {
        let characters = text[range.clone()].chars().count();
        Self { range, characters, chapter, starts_chapter, cut, is_speakable }
    }
}

/// Merges a silent piece (an ornament, a row of dots, a pause) into a neighbor of the same chapter
/// that has room.
fn join_silent(text: &str, pieces: &mut Vec<Piece>, cap: usize, duration_ms: impl Fn(&str) -> u64) {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces.drain(..) {
        if let Some(before) = joined.last_mut()
            && (!piece.is_speakable || !before.is_speakable)
            && piece.chapter == before.chapter
            && !piece.starts_chapter
            && before.characters + piece.characters <= cap
            // Emoji are not letters but take time to speak.
            && duration_ms(&text[before.range.start..piece.range.end]) <= CHUNK_MS
        {
            let range = before.range.start..piece.range.end;
            let is_speakable = before.is_speakable || piece.is_speakable;
            *before = Piece::new(text, range, before.chapter, before.starts_chapter, piece.cut, is_speakable);
        } else {
            joined.push(piece);
        }
    }
    *pieces = joined;
}
