//! Which words or sentences each document of a source has, and the clip of each.
//!
//! This holds a few numbers for each word of the book, some twenty bytes a word; texts are read and
//! dropped one by one.

use std::{
    collections::{HashMap, HashSet},
    io::{Read, Seek},
    ops::Range,
};

use super::{
    alignment::{self, NONE},
    container::Container,
    document::Document,
    notes::{self, Texts},
    tokens::Tokens,
};
use crate::{
    Book, Contents, PublishError,
    clips::{self, Clip},
    contents,
    epub::Granularity,
    markup::language,
    sentences::Layout,
};

/// What is between two words of a unit in a document, such as the number of a note, may have this
/// many words.
const MAX_GAP: usize = 8;

/// The token is one of a chapter that is not in the book.
const OMITTED: u32 = NONE - 1;

/// The words of the book as numbers.
pub(super) struct SpokenWords {
    /// The hash of each token of the chapters' texts, until the alignment has used them.
    hashes: Vec<u32>,
    /// The word of each token, [`OMITTED`] or [`NONE`].
    word_of_token: Vec<u32>,
    unit_of_word: Vec<u32>,
    start_of_word_ms: Vec<u32>,
    chapter_of_unit: Vec<u32>,
    /// The first word of each chapter.
    first_words: Vec<u32>,
    durations_ms: Vec<u64>,
}

impl SpokenWords {
    pub(super) fn of(
        book: &Book,
        contents: &mut dyn Contents,
        granularity: Granularity,
    ) -> Result<Self, PublishError> {
        let mut spoken = Self {
            hashes: Vec::new(),
            word_of_token: Vec::new(),
            unit_of_word: Vec::new(),
            start_of_word_ms: Vec::new(),
            chapter_of_unit: Vec::new(),
            first_words: Vec::new(),
            durations_ms: book.chapters.iter().map(|chapter| chapter.duration_ms).collect(),
        };
        for chapter in 0..book.chapters.len() {
            spoken.omit(contents, chapter)?;
            spoken.add(chapter, book, contents, granularity)?;
        }
        spoken.omit(contents, book.chapters.len())?;
        Ok(spoken)
    }

    fn omit(&mut self, contents: &mut dyn Contents, chapter: usize) -> Result<(), PublishError> {
        let text = contents.omitted(chapter).map_err(|source| PublishError::Contents { chapter, source })?;
        self.hashes.extend(Tokens::of(&text).iter().map(|token| token.hash));
        self.word_of_token.resize(self.hashes.len(), OMITTED);
        Ok(())
    }

    fn add(
        &mut self,
        chapter: usize,
        book: &Book,
        contents: &mut dyn Contents,
        granularity: Granularity,
    ) -> Result<(), PublishError> {
        let spoken = contents::text(contents, chapter)?;
        let first = self.unit_of_word.len();
        self.first_words.push(number(first));
        let mut word = 0;
        for token in Tokens::of(&spoken.text) {
            while spoken.words.get(word).is_some_and(|word| word.range.end <= token.range.start) {
                word += 1;
            }
            let is_in_word = spoken.words.get(word).is_some_and(|word| word.range.start < token.range.end);
            self.hashes.push(token.hash);
            self.word_of_token.push(if is_in_word { number(first + word) } else { NONE });
        }
        let mut add_unit = |words: &[crate::SpokenWord]| {
            self.unit_of_word.extend(words.iter().map(|_| number(self.chapter_of_unit.len())));
            self.start_of_word_ms
                .extend(words.iter().map(|word| u32::try_from(word.start_ms).unwrap_or(u32::MAX)));
            self.chapter_of_unit.push(number(chapter));
        };
        match granularity {
            Granularity::Word => spoken.words.chunks(1).for_each(add_unit),
            Granularity::Sentence => {
                let layout = Layout::of(&spoken.text, &spoken.words, &language(book.language.as_deref()));
                let ranges = layout.sentences.iter().map(|sentence| sentence.words.clone());
                ranges.filter(|range| !range.is_empty()).for_each(|range| add_unit(&spoken.words[range]));
            }
        }
        Ok(())
    }

    pub(super) fn words(&self) -> usize {
        self.unit_of_word.len()
    }

    pub(super) fn start_ms(&self, word: u32) -> u64 {
        u64::from(self.start_of_word_ms.get(word as usize).copied().unwrap_or_default())
    }

    /// The chapter of a word, and how many of its words are before.
    fn place(&self, word: u32) -> Option<(usize, u32)> {
        let chapter = self.chapter(*self.unit_of_word.get(word as usize)?);
        Some((chapter, word - self.first_words[chapter]))
    }

    pub(super) fn chapter(&self, unit: u32) -> usize {
        self.chapter_of_unit[unit as usize] as usize
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

/// What to add to the source's documents.
pub(super) struct Plan {
    /// The spoken words that were found.
    pub(super) found_words: usize,
    /// The word of each token of all documents, or [`NONE`].
    words: Vec<u32>,
    /// For each document of the spine, its part of `words`.
    documents: Vec<Range<usize>>,
    /// The clip of each unit that was found.
    clips: Vec<Option<Clip>>,
    /// The documents of the spine with nothing but text that is not in the book.
    omitted: Vec<bool>,
    /// Where in `words` documents and their elements begin.
    places: HashMap<(String, Option<String>), usize>,
}

/// A stretch of a document's tokens that belong to one unit.
pub(super) struct Group {
    /// Positions in [`Document::tokens`].
    pub(super) tokens: Range<usize>,
    pub(super) unit: u32,
    pub(super) clip: Clip,
}

impl Plan {
    /// `wanted` are the elements of documents whose places are asked for later.
    pub(super) fn of<R: Read + Seek>(
        container: &mut Container<R>,
        spoken: &mut SpokenWords,
        wanted: &HashMap<String, HashSet<String>>,
    ) -> Self {
        let mut hashes: Vec<u32> = Vec::new();
        let mut documents = Vec::new();
        let mut places = HashMap::new();
        for at in 0..container.package.spine.len() {
            let path = container.package.spine[at].path.clone();
            let start = hashes.len();
            if let Some(document) = container.text(&path).as_deref().and_then(Document::parse) {
                if let Some(wanted) = wanted.get(&path) {
                    let found = document.places.into_iter().filter(|(id, _)| wanted.contains(id));
                    places.extend(found.map(|(id, token)| ((path.clone(), Some(id)), start + token)));
                }
                places.insert((path, None), start);
                hashes.extend(document.tokens.iter().map(|token| token.hash));
            }
            documents.push(start..hashes.len());
        }
        let spoken_hashes = std::mem::take(&mut spoken.hashes);
        let mut words = alignment::align(&hashes, &spoken_hashes);
        let unit = |token: usize| {
            let word = spoken.word_of_token.get(token)?;
            spoken.unit_of_word.get(*word as usize).copied()
        };
        let texts = Texts { words: &hashes, documents: &documents, spoken: &spoken_hashes, unit: &unit };
        notes::place(&texts, &mut words);
        for partner in &mut words {
            *partner = spoken.word_of_token.get(*partner as usize).copied().unwrap_or(NONE);
        }
        let is_omitted = |range: &Range<usize>| {
            let words = &words[range.clone()];
            let omitted = words.iter().filter(|word| **word == OMITTED).count();
            // A number, or the caption of a picture, may not have been text to read.
            omitted * 2 > words.len() && words.iter().all(|word| matches!(*word, OMITTED | NONE))
        };
        let omitted = documents.iter().map(is_omitted).collect();
        words.iter_mut().filter(|word| **word == OMITTED).for_each(|word| *word = NONE);
        spoken.word_of_token = Vec::new();
        let (mut found_words, mut last) = (0, NONE);
        for word in words.iter().copied().filter(|word| *word != NONE) {
            found_words += usize::from(word != last);
            last = word;
        }
        let clips = clips_of(&words, spoken);
        Self { found_words, words, documents, clips, omitted, places }
    }

    /// Whether a document of the spine has nothing but text that is not in the book.
    pub(super) fn is_omitted(&self, document: usize) -> bool {
        self.omitted.get(document).copied().unwrap_or_default()
    }

    /// The chapter of the first word after a place in its document, and how many of the chapter's words are before it.
    pub(super) fn next_word(
        &self,
        path: &str,
        fragment: Option<&str>,
        spoken: &SpokenWords,
    ) -> Option<(usize, u32)> {
        let place = |fragment: Option<&str>| {
            self.places.get(&(path.to_owned(), fragment.map(str::to_owned))).copied()
        };
        let start = place(fragment).or_else(|| place(None))?;
        let document = self.documents.iter().find(|range| range.contains(&start))?;
        spoken.place(self.words[start..document.end].iter().copied().find(|word| *word != NONE)?)
    }

    /// The word of a token of a document of the spine.
    pub(super) fn word(&self, document: usize, token: usize) -> Option<u32> {
        let words = self.words.get(self.documents.get(document)?.clone())?;
        words.get(token).copied().filter(|word| *word != NONE)
    }

    /// The units of a document in order. A unit whose words are far from each other is where its
    /// first words are.
    pub(super) fn groups(&self, document: usize, spoken: &SpokenWords) -> Vec<Group> {
        let Some(words) = self.documents.get(document).and_then(|range| self.words.get(range.clone())) else {
            return Vec::new();
        };
        let mut groups: Vec<Group> = Vec::new();
        // A unit that began in an earlier document has its clip there.
        let mut last = self.words[..self.documents[document].start].iter().rev().find(|word| **word != NONE);
        let mut last = last.take().map_or(NONE, |word| spoken.unit_of_word[*word as usize]);
        for (token, word) in words.iter().enumerate().filter(|(_, word)| **word != NONE) {
            let Some(unit) = spoken.unit_of_word.get(*word as usize).copied() else { continue };
            if unit == last {
                if let Some(group) = groups
                    .last_mut()
                    .filter(|group| group.unit == unit && token - group.tokens.end <= MAX_GAP)
                {
                    group.tokens.end = token + 1;
                }
                continue;
            }
            last = unit;
            if let Some(clip) = self.clips[unit as usize] {
                groups.push(Group { tokens: token..token + 1, unit, clip });
            }
        }
        groups
    }
}

/// The clips of the units that have words in the documents.
fn clips_of(words: &[u32], spoken: &SpokenWords) -> Vec<Option<Clip>> {
    let mut clips = vec![None; spoken.chapter_of_unit.len()];
    // Unit and start of those of one chapter.
    let mut chapter: Vec<(u32, u64)> = Vec::new();
    let mut close = |chapter: &mut Vec<(u32, u64)>| {
        if let Some((unit, _)) = chapter.first() {
            let duration_ms = spoken.durations_ms[spoken.chapter(*unit)];
            let found = clips::of_starts(chapter.iter().map(|(_, start_ms)| *start_ms), duration_ms);
            for ((unit, _), clip) in chapter.drain(..).zip(found) {
                clips[unit as usize] = clip;
            }
        }
    };
    let mut words: Vec<u32> = words.iter().copied().filter(|word| *word != NONE).collect();
    // Notes may stand elsewhere than they are read.
    words.sort_unstable();
    for word in words {
        let Some(unit) = spoken.unit_of_word.get(word as usize).copied() else { continue };
        match chapter.last() {
            Some((last, _)) if *last == unit => continue,
            Some((last, _)) if spoken.chapter(*last) != spoken.chapter(unit) => close(&mut chapter),
            _ => {}
        }
        chapter.push((unit, spoken.start_ms(word)));
    }
    close(&mut chapter);
    clips
}
