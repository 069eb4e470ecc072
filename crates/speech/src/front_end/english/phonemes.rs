//! From tagged tokens to phonemes: lexicons, stems, heteronyms, stress, and a neural fallback for
//! words that are in no lexicon.
//!
//! [`Phonemizer`] is the whole interface; the modules below are its parts, in the order of
//! processing: `pieces` cuts tokens and groups the pieces that are written without a space,
//! `heteronyms` settles spellings with several readings, `words` looks a word up (over
//! `dictionary`, `function_words`, `letters`, `endings`, `stress`), `unknown` asks the network, and
//! `settle` removes symbols that the accent does not have. Spelling out numbers, dates and
//! abbreviations is not done here but in [`super::text`].
//!
//! The rules are those of misaki's English front end as published (Apache-2.0, see `NOTICE`), in
//! our own words and structure, because the voices were trained on its output.

mod accents;
mod dictionary;
mod endings;
mod function_words;
mod heteronyms;
mod letters;
mod names;
mod phonemizer;
mod pieces;
mod settle;
mod stress;
mod unknown;
mod words;

pub use phonemizer::{Phonemizer, Phonemizers};

use super::Accent;
use crate::phonemes::{Lexicon, PhonemeWord, alphabet, ipa};
