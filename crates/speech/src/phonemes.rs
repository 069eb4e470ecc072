//! From tagged tokens to phonemes in Kokoro's alphabet: lexicons, stems, heteronyms, stress, and a neural
//! fall-back for words that no lexicon has.

use std::ops::Range;

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
}

/// The accent whose lexicon and rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accent {
    /// General American.
    American,
    /// Southern British.
    British,
}

/// Pronunciations given with one call, which go before every lexicon: word → phonemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexicon {
    /// Lower-case words (looked up as written first, then in lower case) to phonemes of the voice's alphabet.
    pub words: std::collections::BTreeMap<String, String>,
}
