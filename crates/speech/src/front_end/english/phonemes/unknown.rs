//! Pronounces words that are in no lexicon from their letters, with a small network.
//!
//! The network is a character transformer: every letter has a few slots for phonemes, and the slots
//! are decoded as in connectionist temporal classification (Graves et al. 2006): repetitions merge,
//! blanks are dropped. It runs on its own single thread, and its results are cached for a while,
//! because the names of a book recur on every page.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::{NdTensor, prelude::*};
use serde::Deserialize;

use crate::pack::{Pack, PackError};

use super::{Accent, alphabet::SYMBOLS};

/// The most pronunciations in each of the cache's two generations.
const KEPT: usize = 512;

/// Longer words come from floods of text and do not recur.
const LONGEST_KEPT_BYTES: usize = 64;

/// The output for "no phoneme"; a phoneme's id is its position in the list plus one, and so is a
/// letter's.
const BLANK: i32 = 0;

/// The letters and phonemes of a network, as in `oov.json`.
#[derive(Debug, Deserialize)]
struct Alphabets {
    r#in: Vec<char>,
    out: Vec<char>,
    /// The longest word that the network was trained on.
    maxlen: usize,
}

/// The network of one accent.
pub(super) struct Unknown {
    model: Model,
    input: NodeId,
    output: NodeId,
    threads: Arc<ThreadPool>,
    letters: HashMap<char, i32>,
    phonemes: Vec<char>,
    longest: usize,
    said: Mutex<Generations>,
}

impl Unknown {
    pub(super) fn load(pack: &Pack, accent: Accent) -> Result<Self, PackError> {
        let (network, alphabets) = match accent {
            Accent::American => ("oov.onnx", "oov.json"),
            Accent::British => ("oov_gb.onnx", "oov_gb.json"),
        };
        let Alphabets { r#in: letters, out: phonemes, maxlen } =
            serde_json::from_slice(&pack.read(alphabets)?)
                .map_err(|error| Pack::unusable(alphabets, &error))?;
        let model = ModelOptions::with_all_ops()
            .load(pack.read(network)?)
            .map_err(|error| Pack::unusable(network, &error))?;
        let missing = |error| Pack::unusable(network, &format!("{error}"));
        Ok(Self {
            input: model.node_id("chars").map_err(missing)?,
            output: model.node_id("ids").map_err(missing)?,
            model,
            // The process's pool would have one thread for each core and wake them all for one
            // word.
            threads: Arc::new(ThreadPool::with_num_threads(1)),
            letters: letters.into_iter().zip(1..).collect(),
            phonemes,
            longest: maxlen.max(1),
            said: Mutex::default(),
        })
    }

    /// The phonemes of a word; empty when the network knows none of its letters, or fails.
    pub(super) fn pronounce(&self, word: &str) -> String {
        let known: Vec<char> = word.chars().filter(|letter| self.letters.contains_key(letter)).collect();
        if !known.iter().any(|letter| letter.is_alphabetic()) {
            return String::new();
        }
        let key: String = known.iter().collect();
        if let Some(said) = self.said.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return said;
        }
        let parts: Vec<String> = parts(&known, self.longest).into_iter().map(|part| self.run(part)).collect();
        let said = parts.join(" ").trim().to_owned();
        if key.len() <= LONGEST_KEPT_BYTES {
            self.said.lock().unwrap_or_else(PoisonError::into_inner).put(key, said.clone());
        }
        said
    }

    fn run(&self, letters: &[char]) -> String {
        let ids: Vec<i32> = letters.iter().filter_map(|letter| self.letters.get(letter).copied()).collect();
        let input = NdTensor::from_data([1, ids.len()], ids);
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.threads));
        let output = self
            .model
            .run_n([(self.input, input.into())].into(), [self.output], Some(options))
            .map_err(|error| error.to_string())
            .and_then(|[output]| NdTensor::<i32, 2>::try_from(output).map_err(|error| error.to_string()));
        match output {
            Ok(slots) => self.decode(slots.iter().copied()),
            Err(error) => {
                tracing::warn!(error, "the network for unknown words failed; a word is left out");
                String::new()
            }
        }
    }

    fn decode(&self, slots: impl Iterator<Item = i32>) -> String {
        let mut said = String::new();
        let mut last = BLANK;
        for id in slots {
            if id != last && id != BLANK {
                let symbol = usize::try_from(id - 1).ok().and_then(|place| self.phonemes.get(place));
                said.extend(symbol.filter(|symbol| SYMBOLS.contains(**symbol)));
            }
            last = id;
        }
        said
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Unknown").field("longest", &self.longest).finish_non_exhaustive()
    }
}

/// Cuts a word that is longer than those the network was trained on into even parts. Each cut is
/// where a consonant follows a vowel, if there is such a place nearby.
fn parts(word: &[char], longest: usize) -> Vec<&[char]> {
    const NEARBY: usize = 4;
    let vowel = |c: char| "aeiouyAEIOUY".contains(c);
    let mut parts = Vec::new();
    let mut rest = word;
    while rest.len() > longest {
        let even = rest.len().div_ceil(rest.len().div_ceil(longest));
        let seam = (even.saturating_sub(NEARBY).max(1)..=even)
            .rev()
            .find(|&at| vowel(rest[at - 1]) && !vowel(rest[at]))
            .unwrap_or(even);
        let (part, others) = rest.split_at(seam);
        parts.push(part);
        rest = others;
    }
    parts.push(rest);
    parts
}

/// A cache of two generations: when the young one is full, it becomes the old one, and the previous
/// old one is dropped. An entry that is requested again moves to the young one, so entries in use
/// stay.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Generations {
    fn get(&mut self, word: &str) -> Option<String> {
        if let Some(said) = self.young.get(word) {
            return Some(said.clone());
        }
        let (word, said) = self.old.remove_entry(word)?;
        self.put(word, said.clone());
        Some(said)
    }

    fn put(&mut self, word: String, said: String) {
        if self.young.len() >= KEPT {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(word, said);
    }
}

#[cfg(test)]
mod tests {
    use super::{Generations, KEPT, parts};

    #[test]
    fn long_words_are_cut_into_even_parts_at_syllables() {
        let cut = |word: &str, longest| {
            let letters: Vec<char> = word.chars().collect();
            parts(&letters, longest).into_iter().map(String::from_iter).collect::<Vec<_>>()
        };
        assert_eq!(cut("banana", 24), ["banana"]);
        assert_eq!(cut("banana", 4), ["ba", "nana"]);
        assert_eq!(cut("xxxxxx", 4), ["xxx", "xxx"]);
        let long = "a".repeat(5_000);
        assert!(cut(&long, 24).iter().all(|part| (1..=24).contains(&part.len())));
        assert_eq!(cut(&long, 24).concat(), long);
    }

    #[test]
    fn the_cache_stays_bounded_and_keeps_what_is_in_use() {
        let mut cache = Generations::default();
        cache.put("hero".to_owned(), "hˈɪɹO".to_owned());
        for number in 0..10 * KEPT {
            cache.put(number.to_string(), String::new());
            assert!(cache.get("hero").is_some(), "forgotten after {number}");
            assert!(cache.young.len() + cache.old.len() <= 2 * KEPT + 1);
        }
        assert_eq!(cache.get("0"), None);
    }
}
