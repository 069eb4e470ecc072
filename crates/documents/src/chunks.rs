//! Where a document is cut into chunks, each of which is converted, stored and charged by itself, and how long the
//! voice pauses inside and between them. Greedy: a chunk takes as many whole paragraphs of its chapter as fit.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Document, characters, pauses};

mod blocks;
mod cut;
mod sentences;

use blocks::{Block, Blocks};

/// The most characters a chunk has.
pub const CHUNK_CHARACTERS: usize = 5_000;

/// A part of a document that is converted by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its bytes in the document's text. Chunks lie one behind the other and cover all of it.
    pub range: Range<usize>,
    /// Its characters (Unicode scalar values) that are paid for: without markup.
    pub characters: u32,
    /// The title of the chapter it belongs to.
    pub title: Option<String>,
    /// Whether a chapter starts with it.
    pub starts_chapter: bool,
    /// The pauses inside it, ascending.
    pub breaks: Vec<Break>,
    /// The pause between it and the next chunk, in milliseconds; 0 for the last.
    pub pause_after_ms: u32,
}

/// A pause inside a chunk, longer than the one a voice makes between sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// Where in the chunk's text it comes: the byte after the last character that is said before it.
    pub at: usize,
    /// Its length in milliseconds, at least.
    pub pause_ms: u32,
}

/// What speech makes of a text, as far as it decides where chunks end and what they cost.
pub trait Spoken {
    /// The characters of a text that are paid for.
    fn characters(&self, text: &str) -> usize;

    /// Whether there is anything to say in a text: a letter or a digit that is no markup.
    fn speaks(&self, text: &str) -> bool;

    /// How long a text lasts, in milliseconds, at a guess.
    fn duration_ms(&self, text: &str) -> u64;

    /// The place at or before `at` where a text may be cut.
    fn cut_at(&self, text: &str, at: usize) -> usize;
}

/// A text without markup, as long as it may be.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsWritten;

impl Spoken for AsWritten {
    fn characters(&self, text: &str) -> usize {
        text.chars().count()
    }

    fn speaks(&self, text: &str) -> bool {
        characters::is_speakable(text)
    }

    fn duration_ms(&self, _: &str) -> u64 {
        0
    }

    fn cut_at(&self, _: &str, at: usize) -> usize {
        at
    }
}

/// The longest audio of a chunk, by its estimate: some three times that of 5,000 characters of prose. Text that lasts
/// longer (rows of digits, addresses, emoji) makes smaller chunks.
pub const CHUNK_MS: u64 = 15 * 60 * 1000;

/// No chunk is made smaller than this for what it lasts.
const LEAST_CHARACTERS: usize = 100;

/// Cuts a document into chunks as [`chunks_as_spoken`] does, with the text taken [`AsWritten`].
pub fn chunks(document: &Document, cap: usize) -> Vec<Chunk> {
    chunks_as_spoken(document, cap, &AsWritten)
}

/// Cuts a document into chunks of at most `cap` characters, and of at most [`CHUNK_MS`] of audio: at the start of a
/// chapter always, then where it must at the end of a paragraph, else of a sentence, else of a clause or a word, and
/// inside a word only where nothing else is. White space belongs to the chunk before it; joined, the chunks are the
/// text.
pub fn chunks_as_spoken(document: &Document, cap: usize, spoken: &dyn Spoken) -> Vec<Chunk> {
    let cap = cap.max(1);
    let text = &document.text;
    let blocks = Blocks::of(text, &document.headings);
    let language = document.language.as_deref().and_then(|tag| tag.split('-').next()).unwrap_or("en");
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, chapter) in document.chapters.iter().enumerate() {
        let end = document.chapters.get(index + 1).map_or(text.len(), |next| next.start);
        let last = text[..end].trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
        let mut start = chapter.start;
        while start < end {
            let next = |cap| cut::next(text, start..end, last, cap, &blocks, language);
            let (stop, cut) = within_duration(&text[..end], start, cap, spoken, next);
            let cut = if stop == end { Cut::Chapter } else { cut };
            let speaks = spoken.speaks(&text[start..stop]);
            pieces.push(Piece::new(text, start..stop, index, start == chapter.start, cut, speaks));
            start = stop;
        }
    }
    join_silent(text, &mut pieces, cap, spoken);
    let last = pieces.len().saturating_sub(1);
    let mut walk = blocks.walk();
    let finished = pieces.into_iter().enumerate().map(|(index, piece)| {
        let rests = walk.rests(text, &piece.range);
        let pause_after_ms = match piece.cut {
            _ if index == last => 0,
            Cut::Chapter => pauses::CHAPTER_MS,
            Cut::Paragraph => rests.behind,
            Cut::Sentence => pauses::SENTENCE_MS,
            Cut::Word => pauses::NONE_MS,
        };
        Chunk {
            characters: u32::try_from(spoken.characters(&text[piece.range.clone()])).unwrap_or(u32::MAX),
            title: document.chapters[piece.chapter].title.clone(),
            starts_chapter: piece.starts_chapter,
            breaks: rests.inside,
            pause_after_ms,
            range: piece.range,
        }
    });
    finished.collect()
}

/// The end of the chunk that starts at `start`, from `next`, which knows the best one for a number of characters: with
/// fewer of them until it does not last too long, and outside of markup.
fn within_duration(
    text: &str,
    start: usize,
    cap: usize,
    spoken: &dyn Spoken,
    next: impl Fn(usize) -> (usize, Cut),
) -> (usize, Cut) {
    let (mut stop, mut cut) = next(cap);
    let mut room = cap;
    while room > LEAST_CHARACTERS {
        let duration_ms = spoken.duration_ms(&text[start..stop]);
        if duration_ms <= CHUNK_MS {
            break;
        }
        let characters = text[start..stop].chars().count() as u64;
        let fitting = characters.saturating_mul(CHUNK_MS) / duration_ms;
        // A little less than what would fit if it were all alike, and always less than before.
        room = (fitting as usize * 19 / 20).min(room * 9 / 10).max(LEAST_CHARACTERS);
        (stop, cut) = next(room);
    }
    match spoken.cut_at(text, stop) {
        outside if outside > start && outside < stop => (outside, Cut::Word),
        _ => (stop, cut),
    }
}

/// What a chunk ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Chapter,
    Paragraph,
    Sentence,
    /// Somewhere inside a sentence.
    Word,
}

struct Piece {
    range: Range<usize>,
    characters: usize,
    chapter: usize,
    starts_chapter: bool,
    cut: Cut,
    speaks: bool,
}

impl Piece {
    fn new(
        text: &str,
        range: Range<usize>,
        chapter: usize,
        starts_chapter: bool,
        cut: Cut,
        speaks: bool,
    ) -> Self {
        let characters = text[range.clone()].chars().count();
        Self { range, characters, chapter, starts_chapter, cut, speaks }
    }
}

/// A piece without anything to say (an ornament, a row of dots, a pause) joins a neighbour of its chapter that has room.
fn join_silent(text: &str, pieces: &mut Vec<Piece>, cap: usize, spoken: &dyn Spoken) {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces.drain(..) {
        if let Some(before) = joined.last_mut()
            && (!piece.speaks || !before.speaks)
            && !piece.starts_chapter
            && before.characters + piece.characters <= cap
            // Emoji are no letters, but last all the same.
            && spoken.duration_ms(&text[before.range.start..piece.range.end]) <= CHUNK_MS
        {
            let range = before.range.start..piece.range.end;
            let speaks = before.speaks || piece.speaks;
            *before = Piece::new(text, range, before.chapter, before.starts_chapter, piece.cut, speaks);
        } else {
            joined.push(piece);
        }
    }
    *pieces = joined;
}

/// The pause between two blocks of a chapter; ornaments between them make it a change of scene.
fn pause_between(before: &Block, after: &Block, scene: bool) -> u32 {
    let mut pause = pauses::PARAGRAPH_MS;
    if before.heading {
        pause = pause.max(pauses::AFTER_HEADING_MS);
    }
    if after.heading {
        pause = pause.max(pauses::BEFORE_HEADING_MS);
    }
    if scene {
        pause = pause.max(pauses::SCENE_MS);
    }
    pause
}
