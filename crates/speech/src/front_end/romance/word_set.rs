//! Sets of words in the source.

use std::{collections::HashSet, sync::OnceLock};

/// A set of words, written as one text with white space between them. It is made when it is first
/// asked.
#[derive(Debug)]
pub(in crate::front_end) struct WordSet {
    words: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl WordSet {
    pub(in crate::front_end) const fn new(words: &'static str) -> Self {
        Self { words, set: OnceLock::new() }
    }

    pub(in crate::front_end) fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.words.split_whitespace().collect()).contains(word)
    }

    /// Whether a word begins with one of these.
    pub(in crate::front_end) fn begins(&self, word: &str) -> bool {
        self.iter().any(|stem| word.starts_with(stem))
    }

    /// Whether a word has one of these inside.
    pub(in crate::front_end) fn is_inside(&self, word: &str) -> bool {
        self.iter().any(|stem| word.contains(stem))
    }

    /// The words as they are written here.
    pub(in crate::front_end) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.words.split_whitespace()
    }

    /// Whether a word ends in one of these.
    pub(in crate::front_end) fn ends(&self, word: &str) -> bool {
        self.iter().any(|ending| word.ends_with(ending))
    }
}
