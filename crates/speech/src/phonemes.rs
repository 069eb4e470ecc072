//! The alphabet that front ends write and voices read: Kokoro's, with one `char` for each symbol.
//!
//! `alphabet` defines the symbols, `ipa` converts textbook IPA to them, [`Lexicon`] holds the
//! pronunciations given with a call, and [`Vocabulary`] converts symbols to a network's ids. The
//! front end of a language decides how its words are pronounced.

use std::ops::Range;

pub(crate) mod alphabet;
pub(crate) mod ipa;
mod lexicon;
mod vocabulary;
mod x_sampa;

pub(crate) use alphabet::is_vowel;
pub(crate) use ipa::is_pronunciation;
pub(crate) use ipa::read as ipa_of;
pub use lexicon::{Lexicon, LexiconError};
pub use vocabulary::{PhonemeIds, Vocabulary};
pub(crate) use x_sampa::to_ipa as x_sampa_to_ipa;

/// One word (or punctuation mark) as it is spoken.
#[derive(Debug, Clone, PartialEq)]
pub struct PhonemeWord {
    /// Phonemes and stress marks, each `char` one symbol of the voice's alphabet; may be empty.
    pub phonemes: String,
    /// The bytes of the original text that it reads.
    pub source: Range<usize>,
    /// Whether a space follows in the phoneme string.
    pub space_after: bool,
    /// Whether this is a punctuation mark, which has no timestamp.
    pub punctuation: bool,
    /// Whether a phrase begins here, so that a sentence that is too long may be cut before it.
    pub starts_phrase: bool,
}

/// The phonemes of a sentence in one line, without words that have no phonemes and without double
/// spaces.
pub fn phoneme_string(words: &[PhonemeWord]) -> String {
    symbols(words).map(|(_, symbol)| symbol).collect()
}

/// The symbols of a sentence in order, each with the index of its word; the spaces between words
/// have no index.
pub(crate) fn symbols(words: &[PhonemeWord]) -> impl Iterator<Item = (Option<usize>, char)> + '_ {
    let mut started = false;
    let mut space = false;
    words.iter().enumerate().flat_map(move |(index, word)| {
        let spaced = space && started && !word.phonemes.is_empty();
        if !word.phonemes.is_empty() {
            started = true;
            space = false;
        }
        space |= word.space_after;
        spaced
            .then_some((None, ' '))
            .into_iter()
            .chain(word.phonemes.chars().map(move |symbol| (Some(index), symbol)))
    })
}
