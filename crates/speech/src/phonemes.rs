//! From tagged tokens to phonemes in Kokoro's alphabet: lexicons, stems, heteronyms, stress, and a neural
//! fall-back for words that no lexicon has.
//!
//! [`Phonemizer`] is the whole front door; the modules below are its parts, in the order a word meets them:
//! `pieces` cuts tokens and groups what is written without a space, `heteronyms` settles spellings with several
//! readings, `words` looks a word up (over `dictionary`, `function_words`, `letters`, `endings`, `stress`) and
//! `unknown` asks the network. [`Lexicon`] holds pronunciations given with one call, [`Vocabulary`] turns phonemes
//! into the ids a network eats. Spelling out numbers, dates and abbreviations is not done here but in [`crate::text`].
//!
//! The rules are those of misaki's English front end as published (Apache-2.0, see `NOTICE`), in our own words and
//! structure, because the voices were trained on its output.

use std::ops::Range;

mod accents;
mod alphabet;
mod dictionary;
mod endings;
mod function_words;
mod heteronyms;
mod ipa;
mod letters;
mod lexicon;
mod numbers;
mod phonemizer;
mod pieces;
mod stress;
mod unknown;
mod vocabulary;
mod words;

pub(crate) use ipa::is_pronunciation;
pub use lexicon::{Lexicon, LexiconError};
pub use phonemizer::{Phonemizer, Phonemizers};
pub use vocabulary::{PhonemeIds, Vocabulary};

/// One word (or punctuation mark) as it will be spoken.
#[derive(Debug, Clone, PartialEq)]
pub struct PhonemeWord {
    /// Phonemes and stress marks, each char one symbol of the voice's alphabet; may be empty.
    pub phonemes: String,
    /// The bytes of the original text that it reads.
    pub source: Range<usize>,
    /// Whether a space follows it in the phoneme string.
    pub space_after: bool,
    /// Whether it is a punctuation mark, which has no timestamp of its own.
    pub punctuation: bool,
    /// Whether a phrase begins with it, so that a sentence that is too long may be cut before it.
    pub starts_phrase: bool,
}

/// The accent whose lexicon and rules apply. Every voice there is speaks American English; nothing but tests asks for British.
/// It is kept for British voices to come, which a network has to be trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accent {
    /// General American.
    American,
    /// Southern British.
    British,
}

/// The phonemes of a sentence in one line: words without phonemes leave no trace, and no two spaces meet.
pub fn phoneme_string(words: &[PhonemeWord]) -> String {
    symbols(words).map(|(_, symbol)| symbol).collect()
}

/// The symbols of a sentence in order, each with the index of its word; the spaces between words have none.
fn symbols(words: &[PhonemeWord]) -> impl Iterator<Item = (Option<usize>, char)> + '_ {
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
