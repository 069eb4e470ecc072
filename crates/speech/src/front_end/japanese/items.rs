//! What stands in a Japanese text besides Japanese words: numbers, amounts and dates in digits, words
//! of other scripts, signs and marks. Each becomes an [`Item`], which the analysis of the words around
//! it takes as one word.

mod addresses;
mod dashes;
mod eras;
mod figures;
mod latin;
mod signs;
mod slashes;
mod units;
mod verses;
mod weekdays;

use std::ops::Range;

use super::{mecab::Dictionary, numbers::Number, written::Written};
use crate::{
    front_end::scan,
    phonemes::{Lexicon, ipa},
};

pub(super) use figures::suffix;

/// How a part of a text is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Katakana.
    Kana(Vec<String>),
    /// The vowel before it is lengthened.
    Longer,
    /// By the English front end.
    English,
    /// With phonemes that were given.
    Given(String),
    /// A mark for the voices; empty when nothing is heard of it.
    Mark(&'static str),
}

/// The kind of word that an item is to its neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Like {
    Noun,
    Number,
    /// A number with what is counted.
    Amount,
    Particle,
    Mark(char),
}

/// A part of a text that is no Japanese word.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its bytes in the written text.
    pub(super) range: Range<usize>,
    pub(super) said: Said,
    pub(super) like: Like,
}

/// The state of looking for items.
pub(super) struct Scanner<'a> {
    pub(super) t: &'a str,
    pub(super) at: usize,
    pub(super) dictionary: &'a Dictionary,
    pub(super) lexicon: &'a Lexicon,
    pub(super) items: Vec<Item>,
}

/// The items of a text, in order.
pub(super) fn of(written: &Written, dictionary: &Dictionary, lexicon: &Lexicon) -> Vec<Item> {
    let given = given(written, lexicon);
    let mut given = given.iter().peekable();
    let mut scanner = Scanner { t: &written.text, at: 0, dictionary, lexicon, items: Vec::new() };
    while let Some(c) = scanner.char() {
        let from = scanner.at;
        while given.next_if(|(range, _)| range.start < from).is_some() {}
        if let Some((range, ipa)) = given.next_if(|(range, _)| range.start == from) {
            scanner.push(range.end, Said::Given(ipa.clone()), Like::Noun);
        } else {
            let read = if c.is_ascii_digit() {
                verses::read(&mut scanner)
                    || latin::hexadecimal(&mut scanner)
                    || figures::dated(&mut scanner)
                    || dashes::read(&mut scanner)
                    || slashes::read(&mut scanner)
                    || figures::read(&mut scanner)
            } else if is_letter(c) {
                addresses::read(&mut scanner) || eras::read(&mut scanner) || latin::read(&mut scanner)
            } else {
                signs::read(&mut scanner, c)
            };
            if !read {
                scanner.at += c.len_utf8();
            }
        }
        // Nothing may stop the scan.
        if scanner.at <= from {
            scanner.at = from + c.len_utf8();
        }
    }
    scanner.items
}

/// Words whose pronunciation is given, in the text or with the call. Japanese words of the lexicon
/// are found wherever they stand, the longest first.
fn given(written: &Written, lexicon: &Lexicon) -> Vec<(Range<usize>, String)> {
    let said = |(range, ipa): &(Range<usize>, String)| (range.clone(), ipa::said(ipa));
    let mut given: Vec<(Range<usize>, String)> = written.given.iter().map(said).collect();
    let words = lexicon.words.iter().filter(|(word, _)| !word.is_ascii() && !word.is_empty());
    for (word, phonemes) in words {
        given.extend(
            written.text.match_indices(word.as_str()).map(|(at, _)| (at..at + word.len(), phonemes.clone())),
        );
    }
    given.retain(|(range, _)| !range.is_empty());
    given.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
    let mut end = 0;
    given.retain(|(range, _)| {
        let free = range.start >= end;
        end = if free { range.end } else { end };
        free
    });
    given
}

impl<'a> Scanner<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.t.get(self.at..).unwrap_or("")
    }

    pub(super) fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before.
    pub(super) fn before(&self) -> Option<char> {
        self.t.get(..self.at)?.chars().next_back()
    }

    /// The text before.
    pub(super) fn head(&self) -> &'a str {
        self.t.get(..self.at).unwrap_or("")
    }

    /// Whether this place belongs to a sum: terms and signs without other words between them.
    pub(super) fn in_sum(&self) -> bool {
        let belongs = |c: char| {
            c.is_ascii() && !matches!(c, ',' | ';' | ':' | '!' | '?' | '"') || "×÷≒≠≦≧²³√π±−".contains(c)
        };
        let start = self.head().trim_end_matches(belongs).len();
        let end = scan::run(self.t, self.at, belongs);
        self.t.get(start..end).unwrap_or("").contains(['=', '≒', '×', '÷', '<', '>', '≦', '≧', '+'])
    }

    /// The item that ends right here.
    pub(super) fn last(&self) -> Option<&Item> {
        self.items.last().filter(|item| item.range.end == self.at)
    }

    /// Reads everything up to `end` as one item.
    pub(super) fn push(&mut self, end: usize, said: Said, like: Like) {
        self.items.push(Item { range: self.at..end, said, like });
        self.at = end;
    }

    pub(super) fn say(&mut self, end: usize, words: Vec<String>, like: Like) {
        self.push(end, Said::Kana(words), like);
    }

    pub(super) fn word(&mut self, end: usize, word: &str, like: Like) {
        self.say(end, vec![word.to_owned()], like);
    }

    pub(super) fn number(&mut self, end: usize, number: Number) {
        self.say(end, number.words, Like::Number);
    }
}

/// Whether a character is a Latin letter.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, 'À'..='ɏ') && c.is_alphabetic()
}
