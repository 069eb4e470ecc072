//! Lexicons: words, and how an account wants them said.
//!
//! Entries are checked once, when they are stored. [`Words`] holds those of a request and finds their
//! words in a text; [`crate::script::Script::with_words`] has them said. `pls` reads the W3C's format.

mod matching;
mod pls;

pub use matching::{Heard, Match, Words};
pub use pls::{PlsError, from_pls};

use crate::phonemes::{ipa_of, x_sampa_to_ipa};

/// The most entries of a lexicon.
pub const MOST_ENTRIES: usize = lectern_types::MAX_LEXICON_ENTRIES;

/// The most characters of an entry: its word and what is said together.
pub const LONGEST_ENTRY: usize = lectern_types::MAX_LEXICON_ENTRY;

/// The most words of an entry, marks counted.
pub const MOST_WORDS: usize = 20;

/// A word and how it is said, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// One word or several.
    pub word: String,
    /// What is said.
    pub said: Said,
}

/// How a word is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Its sounds in the International Phonetic Alphabet.
    Ipa(String),
    /// Its sounds in X-SAMPA.
    XSampa(String),
    /// Other words.
    Alias(String),
}

/// Why an entry cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The entry has no letter or digit, or nothing is said.
    #[error("{word:?} {problem}")]
    Wrong {
        /// The word.
        word: String,
        /// What is wrong.
        problem: String,
    },
    /// The pronunciation has a symbol that no voice knows.
    #[error("the pronunciation of {word:?} has {symbol:?}, which is not a symbol that the voices can say")]
    UnknownSymbol {
        /// The word.
        word: String,
        /// The first such symbol.
        symbol: char,
    },
}

impl Entry {
    /// Whether the entry can be used.
    ///
    /// # Errors
    /// [`EntryError`], naming the word.
    pub fn check(&self) -> Result<(), EntryError> {
        let wrong = |problem: &str| EntryError::Wrong { word: self.named(), problem: problem.to_owned() };
        let (Said::Ipa(said) | Said::XSampa(said) | Said::Alias(said)) = &self.said;
        if self.word.chars().count() + said.chars().count() > LONGEST_ENTRY {
            return Err(wrong(&format!("is too long: an entry may have {LONGEST_ENTRY} characters")));
        }
        if !self.word.contains(char::is_alphanumeric) {
            return Err(wrong("is not a word: it has no letter and no digit"));
        }
        if matching::count(&self.word) > MOST_WORDS {
            return Err(wrong(&format!("is too long: an entry may have {MOST_WORDS} words")));
        }
        if self.word.contains(['\n', '\r']) {
            return Err(wrong("is not a word: it has a line break"));
        }
        match self.phonemes()? {
            Some(phonemes) if !phonemes.contains(char::is_alphabetic) => {
                Err(wrong("has a pronunciation without a sound"))
            }
            None if said.trim().is_empty() => Err(wrong("has an empty alias")),
            _ => Ok(()),
        }
    }

    /// The word for a message: the beginning of a long one.
    fn named(&self) -> String {
        self.word.chars().take(100).collect()
    }

    /// The sounds in the voices' alphabet; `None` for an alias.
    ///
    /// # Errors
    /// [`EntryError::UnknownSymbol`].
    pub fn phonemes(&self) -> Result<Option<String>, EntryError> {
        let unknown = |symbol| EntryError::UnknownSymbol { word: self.named(), symbol };
        let ipa = match &self.said {
            Said::Alias(_) => return Ok(None),
            Said::Ipa(ipa) => ipa_of(ipa),
            Said::XSampa(written) => x_sampa_to_ipa(written).and_then(|ipa| ipa_of(&ipa)),
        };
        ipa.map(Some).map_err(unknown)
    }
}

/// The index of the first entry whose word stands earlier among entries, by the rule of matching: letters
/// of either case are the same unless a word has capitals inside.
pub fn repeated(entries: &[Entry]) -> Option<usize> {
    let mut seen = std::collections::HashSet::new();
    entries.iter().position(|entry| !seen.insert(matching::key(&entry.word)))
}
