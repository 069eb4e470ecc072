//! From cleaned text to spoken words: which rules are asked at a place, in which order. The rules
//! themselves are one file a subject below; what they share with other languages is in
//! [`crate::front_end::normalize`].

use super::{
    figures::{self, Form},
    grammar::{Amounts, Grammar, Signs, Words},
};
use crate::{
    front_end::{
        clean::Clean,
        normalize::{self, Language},
        scan,
        spoken::Spoken,
    },
    phonemes::Lexicon,
};

mod amounts;
mod clock;
mod counting;
mod currencies;
mod dates;
pub(super) mod emoji;
mod formulas;

mod fractions;
mod laws;
mod lexemes;
mod links;
mod measured;
mod numbers;
mod ordinals;
mod phones;
mod quantity;
mod ranges;
mod reading;
mod roman;
mod scripture;
mod spans;
mod stopwatch;
mod symbols;
mod things;
mod units;

/// Reads a cleaned text; `original` is the text it was made of.
pub(super) fn read(
    clean: &Clean,
    original: &str,
    grammar: &'static dyn Grammar,
    lexicon: &Lexicon,
) -> Spoken {
    normalize::read(clean, State { original, grammar, lexicon })
}

/// The state of one reading.
type Reader<'a> = normalize::Reader<'a, State<'a>>;

/// What a reading keeps beside what it keeps for all languages.
pub(super) struct State<'a> {
    original: &'a str,
    grammar: &'static dyn Grammar,
    lexicon: &'a Lexicon,
}

impl<'a> Language<'a> for State<'a> {
    fn read(r: &mut Reader<'a>) -> bool {
        let fresh = r.is_fresh();
        emoji::read_keycap(r)
            || (fresh && (links::read(r) || numbers::read(r) || lexemes::read(r)))
            || (r.before().is_some_and(|c| c.is_ascii_digit() || ('₀'..='₉').contains(&c))
                && lexemes::after_digit(r))
            || symbols::read(r)
    }

    fn cardinal(&self, digits: &str) -> String {
        figures::cardinal(self.grammar, digits, Form::Alone)
    }

    fn inside_word(r: &mut Reader<'a>) {
        reading::inside(r);
    }
}

impl Reader<'_> {
    fn grammar(&self) -> &'static dyn Grammar {
        self.language.grammar
    }

    fn words(&self) -> &'static Words {
        self.language.grammar.words()
    }

    fn amounts(&self) -> &'static Amounts {
        self.language.grammar.amounts()
    }

    fn signs(&self) -> &'static Signs {
        self.language.grammar.signs()
    }

    /// A whole number in words.
    fn number(&self, value: u64, form: Form) -> String {
        self.language.grammar.number(value, form)
    }

    /// A whole number of any length in words.
    fn cardinal(&self, digits: &str, form: Form) -> String {
        figures::cardinal(self.language.grammar, digits, form)
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
