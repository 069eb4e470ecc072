//! From tagged tokens to phonemes: lexicons, stems, heteronyms, stress, and a neural fall-back for
//! words that no lexicon has.
//!
//! [`Phonemizer`] is the whole front door; the modules below are its parts, in the order a word
//! meets them: `pieces` cuts tokens and groups what is written without a space, `heteronyms`
//! settles spellings with several readings, `words` looks a word up (over `dictionary`,
//! `function_words`, `letters`, `endings`, `stress`), `unknown` asks the network, and `settle`
//! leaves the symbols that an accent has. Spelling out numbers, dates and abbreviations is not done
//! here but in [`super::text`].
//!
//! The rules are those of misaki's English front end as published (Apache-2.0, see `NOTICE`), in
//! our own words and structure, because the voices were trained on its output.

mod accents;
mod dictionary;
mod endings;
mod function_words;
mod heteronyms;
mod letters;
mod phonemizer;
mod pieces;
mod settle;
mod stress;
mod unknown;
mod words;

pub use phonemizer::{Phonemizer, Phonemizers};

use super::Accent;
use crate::phonemes::{Lexicon, PhonemeWord, alphabet, ipa};
