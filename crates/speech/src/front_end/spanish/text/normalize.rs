//! From cleaned text to spoken words in Spanish: which rules are asked at a place, in which order.
//! The rules themselves are one file a subject below; what they share with other languages is in
//! [`crate::front_end::normalize`].

use super::figures::{self, Form};
use crate::{
    front_end::{
        clean::Clean,
        normalize::{self, Language},
        scan,
        spanish::Accent,
        spoken::Spoken,
    },
    phonemes::Lexicon,
};

mod acronyms;
mod amounts;
mod clock;
mod counting;
mod currencies;
mod dates;
pub(super) mod emoji;
mod lexemes;
mod links;
mod numbers;
mod ordinals;
mod phones;
mod quantity;
mod reading;
mod roman;
mod symbols;
mod units;

/// Reads a cleaned text; `original` is the text it was made of.
pub(super) fn read(clean: &Clean, original: &str, accent: Accent, lexicon: &Lexicon) -> Spoken {
    normalize::read(clean, Spanish { original, accent, lexicon })
}

/// The state of one reading.
type Reader<'a> = normalize::Reader<'a, Spanish<'a>>;

/// What a reading keeps for Spanish.
struct Spanish<'a> {
    original: &'a str,
    accent: Accent,
    lexicon: &'a Lexicon,
}

impl<'a> Language<'a> for Spanish<'a> {
    fn read(r: &mut Reader<'a>) -> bool {
        let fresh = r.is_fresh();
        emoji::read_keycap(r)
            || (fresh && (links::read(r) || numbers::read(r) || lexemes::read(r)))
            || (r.before().is_some_and(|c| c.is_ascii_digit()) && lexemes::after_digit(r))
            || symbols::read(r)
    }

    fn cardinal(&self, digits: &str) -> String {
        figures::cardinal(digits, Form::Alone)
    }

    fn inside_word(r: &mut Reader<'a>) {
        reading::inside(r);
    }
}

/// The character of the original text that a byte of the cleaned one was made of.
fn original_at(r: &Reader<'_>, at: usize) -> Option<char> {
    let origin = r.clean.origin(&(at..at + 1));
    r.language.original.get(origin)?.chars().next()
}

/// Whether a sentence ends at `at`: nothing follows but marks that close it.
fn ends_here(t: &str, at: usize) -> bool {
    scan::tail(t, at).chars().all(|c| matches!(c, '"' | '\'' | ')' | ']' | ' ' | '—'))
}
