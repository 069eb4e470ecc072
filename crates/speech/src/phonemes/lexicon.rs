//! Pronunciations given with one call, which take precedence over every lexicon.

use std::collections::BTreeMap;

use super::ipa;

/// Pronunciations given with one call: word → phonemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexicon {
    /// Words (looked up as written first, then in lower case) and their phonemes in the voice's
    /// alphabet. Entries added directly are not checked; [`Lexicon::insert`] checks.
    pub words: BTreeMap<String, String>,
}

/// A reason why a pronunciation cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LexiconError {
    /// The pronunciation has a symbol that is not in the phonetic alphabet.
    #[error("the pronunciation of {word:?} has {symbol:?}, which is not a symbol of the phonetic alphabet")]
    UnknownSymbol {
        /// The word.
        word: String,
        /// The first such symbol.
        symbol: char,
    },
    /// The pronunciation has no sound.
    #[error("the pronunciation of {word:?} is empty")]
    Empty {
        /// The word.
        word: String,
    },
    /// The entry is not a single word.
    #[error("{word:?} is not a word: pronunciations are given for single words, without spaces")]
    NotAWord {
        /// The text that was given instead of a word.
        word: String,
    },
}

impl Lexicon {
    /// Adds a pronunciation, or replaces the word's existing one. It may be written in textbook IPA
    /// (`ˈdeɪtə`) or in the voices' own alphabet (`dˈATə`). A word in lower case applies to every
    /// capitalization of it, a word with capitals only to itself; the possessive (`'s`) is derived.
    ///
    /// # Errors
    /// [`LexiconError`], naming the word; nothing is changed in that case.
    pub fn insert(&mut self, word: &str, pronunciation: &str) -> Result<(), LexiconError> {
        let word = word.trim().replace(['‘', '’'], "'");
        if !word.chars().any(char::is_alphanumeric) || word.chars().any(char::is_whitespace) {
            return Err(LexiconError::NotAWord { word });
        }
        match ipa::read(pronunciation) {
            Err(symbol) => Err(LexiconError::UnknownSymbol { word, symbol }),
            Ok(phonemes) if !phonemes.chars().any(char::is_alphabetic) => Err(LexiconError::Empty { word }),
            Ok(phonemes) => {
                self.words.insert(word, phonemes);
                Ok(())
            }
        }
    }

    /// The pronunciation of a word as written, or of its lower-case form.
    pub fn get(&self, word: &str) -> Option<&str> {
        if self.words.is_empty() {
            return None;
        }
        let found = self.words.get(word).or_else(|| self.words.get(&word.to_lowercase()))?;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexicon, LexiconError};

    #[test]
    fn a_symbol_outside_the_alphabet_is_refused_by_word_and_symbol() {
        let mut lexicon = Lexicon::default();
        let refused = lexicon.insert("data", "dˈ8tə").unwrap_err();
        assert_eq!(refused, LexiconError::UnknownSymbol { word: "data".to_owned(), symbol: '8' });
        assert!(refused.to_string().contains("\"data\"") && refused.to_string().contains("'8'"));
        for (word, ipa) in [("", "a"), ("new york", "a"), ("-", "a"), ("word", ""), ("word", "/ˈ/")] {
            assert!(lexicon.insert(word, ipa).is_err(), "{word:?} {ipa:?}");
        }
        assert!(lexicon.words.is_empty(), "a refused pronunciation leaves no trace");
    }

    #[test]
    fn a_word_in_lower_case_stands_for_every_way_of_writing_it() {
        let mut lexicon = Lexicon::default();
        lexicon.insert("data", "ˈdætə").unwrap();
        lexicon.insert("Polish", "pˈOlɪʃ").unwrap();
        assert_eq!(lexicon.get("DATA"), Some("dˈætə"));
        assert_eq!(lexicon.get("Polish"), Some("pˈOlɪʃ"));
        assert_eq!(lexicon.get("polish"), None);
    }
}
