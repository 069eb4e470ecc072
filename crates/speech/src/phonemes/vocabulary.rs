//! Phonemes to the ids that the networks eat, as `vocab.json` has them.

use std::{collections::HashMap, ops::Range};

use crate::pack::{Pack, PackError};

use super::{PhonemeWord, symbols};

const FILE: &str = "vocab.json";

/// Stands at both ends of every sequence.
const BOUNDARY: i32 = 0;

/// The ids of the symbols.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    ids: HashMap<char, i32>,
}

/// The ids of a sentence and where its words lie in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PhonemeIds {
    /// The ids, with 0 at both ends.
    pub ids: Vec<i32>,
    /// For each word the indices into `ids` of its symbols, spaces not counted; empty where it says
    /// nothing.
    pub words: Vec<Range<usize>>,
}

impl Vocabulary {
    /// Reads the pack's vocabulary.
    ///
    /// # Errors
    /// [`PackError`], when the file is missing or is not an object from single symbols to ids.
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
        // A word without symbols lies, empty, where the one before it ended.
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

    /// The symbols of a sentence that it has no id for, in order.
    pub fn unknown<'a>(&'a self, words: &'a [PhonemeWord]) -> impl Iterator<Item = char> + 'a {
        symbols(words).map(|(_, symbol)| symbol).filter(|symbol| !self.ids.contains_key(symbol))
    }

    /// The symbols it has an id for.
    pub fn symbols(&self) -> impl Iterator<Item = char> + '_ {
        self.ids.keys().copied()
    }
}
