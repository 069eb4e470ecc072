//! Converts phonemes to the ids that the networks take, by `vocab.json`.

use std::{collections::HashMap, ops::Range};

use crate::pack::{Pack, PackError};

use super::{PhonemeWord, symbols};

const FILE: &str = "vocab.json";

/// The id at both ends of every sequence.
const BOUNDARY: i32 = 0;

/// The ids of the symbols.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    ids: HashMap<char, i32>,
}

/// The ids of a sentence and the positions of its words in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PhonemeIds {
    /// The ids, with 0 at both ends.
    pub ids: Vec<i32>,
    /// For each word, the range of its symbols in `ids`, without spaces; empty when the word is
    /// silent.
    pub words: Vec<Range<usize>>,
}

impl Vocabulary {
    /// Reads the pack's vocabulary.
    ///
    /// # Errors
    /// [`PackError`], when the file is missing or is not an object of single symbols and ids.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        let ids: HashMap<char, i32> =
            serde_json::from_slice(&pack.read(FILE)?).map_err(|error| Pack::unusable(FILE, &error))?;
        Ok(Self { ids })
    }

    /// The ids of a sentence. Symbols that the vocabulary does not have are left out.
    pub fn ids(&self, words: &[PhonemeWord]) -> PhonemeIds {
        let mut ids = vec![BOUNDARY];
        let mut ranges: Vec<Option<Range<usize>>> = vec![None; words.len()];
        for (word, symbol) in symbols(words) {
            let Some(&id) = self.ids.get(&symbol) else { continue };
            if let Some(range) = word.and_then(|word| ranges.get_mut(word)) {
                let start = range.as_ref().map_or(ids.len(), |range| range.start);
                *range = Some(start..ids.len() + 1);
            }
            ids.push(id);
        }
        ids.push(BOUNDARY);
        // A word without symbols gets an empty range at the end of the previous one.
        let mut end = 1;
        let words = ranges
            .into_iter()
            .map(|range| {
                let range = range.unwrap_or(end..end);
                end = range.end;
                range
            })
            .collect();
        PhonemeIds { ids, words }
    }

    /// The symbols of a sentence that have no id, in order.
    pub fn unknown<'a>(&'a self, words: &'a [PhonemeWord]) -> impl Iterator<Item = char> + 'a {
        symbols(words).map(|(_, symbol)| symbol).filter(|symbol| !self.ids.contains_key(symbol))
    }

    /// The symbols that have an id.
    pub fn symbols(&self) -> impl Iterator<Item = char> + '_ {
        self.ids.keys().copied()
    }
}
