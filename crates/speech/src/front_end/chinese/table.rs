//! Words with something about each, in little memory: one string with all words in order, and where
//! each ends. Looking up all words that a text begins with narrows the range character by
//! character.

use std::ops::Range;

/// Strings one after the other in one.
#[derive(Debug, Default)]
struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.end(before));
        self.text.get(start..self.end(at)).unwrap_or_default()
    }

    fn end(&self, at: usize) -> usize {
        self.ends.get(at).map_or(self.text.len(), |&end| end as usize)
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Words in order of their bytes, each with a value.
#[derive(Debug)]
pub(super) struct Table<V> {
    words: Strings,
    values: Vec<V>,
}

impl<V> Table<V> {
    /// Of a word that comes twice, one is kept.
    pub(super) fn new<W: AsRef<str>>(mut entries: Vec<(W, V)>) -> Self {
        entries.sort_by(|(one, _), (other, _)| one.as_ref().cmp(other.as_ref()));
        entries.dedup_by(|(one, _), (other, _)| one.as_ref() == other.as_ref());
        let mut words = Strings::default();
        let mut values = Vec::with_capacity(entries.len());
        for (word, value) in entries {
            words.push(word.as_ref());
            values.push(value);
        }
        words.shrink();
        Self { words, values }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, word: &str) -> Option<&V> {
        let found = self.first(0..self.len(), word);
        (found < self.len() && self.words.get(found) == word).then(|| self.values.get(found))?
    }

    /// Calls `found` with the byte length and the value of each word that a text begins with, the
    /// shortest first.
    pub(super) fn each_prefix<'a>(&'a self, text: &str, mut found: impl FnMut(usize, &'a V)) {
        let mut range = 0..self.len();
        for (at, c) in text.char_indices() {
            let prefix = &text[..at + c.len_utf8()];
            let start = self.first(range.clone(), prefix);
            let rest = start..range.end;
            let starting = partition(&rest, |at| self.words.get(at).starts_with(prefix));
            range = start..starting;
            if range.is_empty() {
                return;
            }
            if self.words.get(start) == prefix
                && let Some(value) = self.values.get(start)
            {
                found(prefix.len(), value);
            }
        }
    }

    /// The place of the first word in a range that does not come before `word`.
    fn first(&self, range: Range<usize>, word: &str) -> usize {
        partition(&range, |at| self.words.get(at) < word)
    }
}

/// The first place of a range where `holds` is false; it is true before that and false after.
fn partition(range: &Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_that_a_text_begins_with_are_found() {
        let table = Table::new(vec![("长大", 2), ("长", 1), ("行长", 3), ("长大成人", 4), ("长", 9)]);
        assert_eq!(table.len(), 4);
        assert_eq!(table.get("行长"), Some(&3));
        assert_eq!(table.get("行"), None);
        let mut found = Vec::new();
        table.each_prefix("长大了", |bytes, value| found.push((bytes, *value)));
        assert_eq!(found, [(3, 1), (6, 2)]);
        table.each_prefix("", |_, _| panic!("nothing begins with nothing"));
        Table::new(Vec::<(&str, u8)>::new()).each_prefix("长", |_, _| panic!("there is no word"));
    }
}
