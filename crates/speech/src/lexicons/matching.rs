//! Finding the words of lexicons in a text.

use std::{collections::HashMap, ops::Range};

use unicode_segmentation::UnicodeSegmentation as _;

use super::{Entry, EntryError, Said};

/// The words of several lexicons, the first of which wins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words {
    /// The entries by their first word in small letters.
    by_first: HashMap<String, Entries>,
}

/// The entries that begin with a word.
#[derive(Debug, Clone, Default, PartialEq)]
struct Entries {
    /// How many words they have, the most first.
    lengths: Vec<usize>,
    /// By all their words in small letters. Entries that differ in capitals only stand together.
    by_words: HashMap<String, Vec<Known>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Known {
    /// The whole entry as it was written, cut into words.
    words: Vec<String>,
    /// Whether capitals count.
    is_exact: bool,
    said: Heard,
}

/// What is said in place of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// These sounds, in the voices' alphabet.
    Phonemes(String),
    /// These words.
    Alias(String),
}

/// A word found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match<'a> {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What is said.
    pub said: &'a Heard,
}

/// What two words have in common that match the same text.
pub(super) fn key(word: &str) -> String {
    let words = pieces(word).into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ");
    if has_capitals_inside(&words) { words } else { words.to_lowercase() }
}

/// What stands between the words of a key: no word has it.
const BETWEEN: &str = "\n";

/// Whether a word has capitals that are not the first letter of it, such as `iOS`, but small letters, too.
fn has_capitals_inside(word: &str) -> bool {
    word.split(' ').any(|word| word.chars().skip(1).any(char::is_uppercase))
}

/// The words of a text and their places. Marks are words, so that `C++` is not `C`; white space is not.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    text.split_word_bound_indices().filter(|(_, word)| !word.trim().is_empty()).collect()
}

/// How many words a text has, marks counted.
pub(super) fn count(text: &str) -> usize {
    pieces(text).len()
}

impl Words {
    /// The words of lexicons, the first of which wins.
    ///
    /// # Errors
    /// [`EntryError::UnknownSymbol`] for entries that were not checked.
    pub fn of<'a>(lexicons: impl IntoIterator<Item = &'a [Entry]>) -> Result<Self, EntryError> {
        let mut words = Self::default();
        for entries in lexicons {
            for entry in entries {
                words.add(entry)?;
            }
        }
        for entries in words.by_first.values_mut() {
            entries.lengths.sort_unstable_by_key(|length| std::cmp::Reverse(*length));
        }
        Ok(words)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_first.is_empty()
    }

    fn add(&mut self, entry: &Entry) -> Result<(), EntryError> {
        let said = match (entry.phonemes()?, &entry.said) {
            (Some(phonemes), _) => Heard::Phonemes(phonemes),
            (None, Said::Alias(alias) | Said::Ipa(alias) | Said::XSampa(alias)) => {
                Heard::Alias(alias.clone())
            }
        };
        let words: Vec<String> = pieces(&entry.word).into_iter().map(|(_, word)| word.to_owned()).collect();
        let Some(first) = words.first() else { return Ok(()) };
        let entries = self.by_first.entry(first.to_lowercase()).or_default();
        if !entries.lengths.contains(&words.len()) {
            entries.lengths.push(words.len());
        }
        let small: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let is_exact = has_capitals_inside(&words.join(" "));
        entries.by_words.entry(small.join(BETWEEN)).or_default().push(Known { words, is_exact, said });
        Ok(())
    }

    /// The words of a text that are in the lexicons, in order and apart; of several that begin at one place
    /// the longest.
    pub fn find(&self, text: &str) -> Vec<Match<'_>> {
        if self.is_empty() {
            return Vec::new();
        }
        let pieces = pieces(text);
        let small: Vec<String> = pieces.iter().map(|(_, word)| word.to_lowercase()).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((start, _)) = pieces.get(at) {
            match self.longest(text, &pieces[at..], &small[at..]) {
                Some(known) => {
                    let (last, word) = pieces[at + known.words.len() - 1];
                    found.push(Match { range: *start..last + word.len(), said: &known.said });
                    at += known.words.len();
                }
                None => at += 1,
            }
        }
        found
    }

    /// The longest entry that the pieces begin with; `small` are they in small letters.
    fn longest(&self, text: &str, pieces: &[(usize, &str)], small: &[String]) -> Option<&Known> {
        let entries = self.by_first.get(small.first()?)?;
        let lengths = entries.lengths.iter().filter(|length| **length <= pieces.len());
        lengths
            .filter_map(|length| entries.by_words.get(&small[..*length].join(BETWEEN)))
            .find_map(|known| known.iter().find(|known| known.matches(text, pieces)))
    }
}

impl Known {
    /// Whether the pieces are the entry, of which they are known to have the words in some case.
    fn matches(&self, text: &str, pieces: &[(usize, &str)]) -> bool {
        let mut end = pieces[0].0;
        for (own, (start, theirs)) in self.words.iter().zip(pieces) {
            // Words stand in one sentence of one paragraph: no line is empty between them.
            if self.is_exact && own != theirs || text[end..*start].matches('\n').count() > 1 {
                return false;
            }
            end = start + theirs.len();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicons::repeated;

    fn entry(word: &str, alias: &str) -> Entry {
        Entry { word: word.to_owned(), said: Said::Alias(alias.to_owned()) }
    }

    fn found(entries: &[Entry], text: &str) -> Vec<String> {
        let words = Words::of([entries]).unwrap();
        words.find(text).into_iter().map(|found| text[found.range].to_owned()).collect()
    }

    #[test]
    fn words_match_whole_and_in_any_case_unless_they_have_capitals_inside() {
        let entries = [entry("data", "x"), entry("Polish", "x"), entry("iOS", "x"), entry("C++", "x")];
        let text = "Data, DATA and database; polish Polish; iOS ios; C++ and C.";
        assert_eq!(found(&entries, text), ["Data", "DATA", "polish", "Polish", "iOS", "C++"]);
    }

    #[test]
    fn entries_of_several_words_win_over_shorter_ones_and_cross_one_line_end() {
        let entries = [entry("New", "x"), entry("New York", "x"), entry("don't", "x")];
        assert_eq!(
            found(&entries, "New York, new\nyork, New\n\nYork, don't"),
            ["New York", "new\nyork", "New", "don't"]
        );
    }

    // Not seen to fail yet: with a search through all entries of a first word, this should take minutes.
    #[test]
    fn ten_thousand_phrases_with_one_first_word_are_found_at_once() {
        let phrase = |at: usize| format!("{}x{at}", "a ".repeat(15));
        let entries: Vec<Entry> = (0..10_000).map(|at| entry(&phrase(at), "x")).collect();
        let text = "a ".repeat(2_400) + "x9999";
        assert_eq!(found(&entries, &text), [phrase(9_999)]);
    }

    #[test]
    fn scripts_without_spaces_match_inside_a_line() {
        assert_eq!(
            found(&[entry("東京", "x"), entry("角川", "x")], "角川は東京都にある。"),
            ["角川", "東京"]
        );
    }

    #[test]
    fn the_first_lexicon_wins_and_a_word_stands_once() {
        let words = Words::of([&[entry("data", "first")][..], &[entry("Data", "second")][..]]).unwrap();
        assert_eq!(words.find("data")[0].said, &Heard::Alias("first".to_owned()));
        assert_eq!(repeated(&[entry("Data", "a"), entry("other", "b"), entry("data", "c")]), Some(2));
        assert_eq!(repeated(&[entry("iOS", "a"), entry("ios", "b")]), None);
    }
}
