//! Tables of words and their phonemes, in files of their own beside the source.

use std::{collections::HashMap, sync::OnceLock};

/// A table of words, one a line: the word, a tab and its phonemes. Lines that begin with `#` are
/// comments. It is made when it is first asked.
#[derive(Debug)]
pub(in crate::front_end) struct WordMap {
    lines: &'static str,
    map: OnceLock<HashMap<&'static str, &'static str>>,
}

impl WordMap {
    pub(in crate::front_end) const fn new(lines: &'static str) -> Self {
        Self { lines, map: OnceLock::new() }
    }

    pub(in crate::front_end) fn get(&self, word: &str) -> Option<&'static str> {
        let entries = || self.lines.lines().filter(|line| !line.starts_with('#'));
        let map = self.map.get_or_init(|| entries().filter_map(|line| line.split_once('\t')).collect());
        map.get(word).copied()
    }
}
