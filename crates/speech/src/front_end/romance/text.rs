//! From a text as a person wrote it to sentences of spoken words.
//!
//! Every token remembers the bytes of the original text that it reads, so that word timestamps can
//! point into the text as it was sent.

use std::ops::Range;

use super::{grammar::Grammar, normalize, phrases, stops};
use crate::{
    front_end::{Pause, Span, clean::Clean, rules::Rules, split, spoken::Spoken},
    phonemes::Lexicon,
};

/// One sentence, ready to be pronounced.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front_end) struct Sentence {
    /// The bytes of the original text it was read from.
    pub source: Range<usize>,
    /// Its tokens in order; never empty.
    pub tokens: Vec<Token>,
    /// The pause after it.
    pub pause: Pause,
}

/// A word or a punctuation mark.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front_end) struct Token {
    /// The spoken form: `cinco`, `euros`, `,`.
    pub text: String,
    /// The bytes of the original text that it reads. Tokens made of one written thing (`5 €`) may
    /// share its range.
    pub source: Range<usize>,
    /// Whether white space follows it in the spoken text.
    pub space_after: bool,
    /// A pronunciation given inline, `[word](/ipa/)`, in the alphabet of the voice.
    pub ipa: Option<String>,
}

/// Cuts `text[stretch]` into sentences, in order. Each has at most 400 characters; a stretch
/// without a letter, digit or sign that could be said is in none.
pub(in crate::front_end) fn split(
    text: &str,
    stretch: Range<usize>,
    grammar: &'static dyn Grammar,
) -> Vec<Span> {
    split::split(text, stretch, &Splitting(grammar))
}

/// Reads a span: its words spelled out and cut into tokens. Words that the lexicon has are not
/// spelled out. `None` when it says nothing, or when its range is none of the text's.
pub(in crate::front_end) fn analyze(
    text: &str,
    span: &Span,
    grammar: &'static dyn Grammar,
    lexicon: &Lexicon,
) -> Option<Sentence> {
    text.get(span.range.clone())?;
    let clean = Clean::new(text, span.range.clone());
    let spoken = normalize::read(&clean, text, grammar, lexicon);
    let ranges = tokens(&spoken, grammar.signs().keeps_hyphens);
    if !ranges.iter().any(|range| spoken.text[range.clone()].contains(char::is_alphanumeric)) {
        return None;
    }
    let tokens = ranges.into_iter().map(|range| Token {
        text: spoken.text[range.clone()].to_owned(),
        source: clean.origin(&spoken.source(&range)),
        space_after: spoken.text[range.end..].starts_with([' ', '-']),
        ipa: spoken.ipa(range.start).map(str::to_owned),
    });
    Some(Sentence { source: span.range.clone(), tokens: tokens.collect(), pause: span.pause })
}

/// The words of a sentence as they are said, with their punctuation.
pub(super) fn spoken(sentence: &Sentence) -> String {
    let mut text = String::new();
    for token in &sentence.tokens {
        text.push_str(&token.text);
        if token.space_after {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Words, with apostrophes and, where the language keeps them, hyphens inside, and punctuation
/// marks; what has no sound belongs to none. A word whose pronunciation is given stays whole.
fn tokens(spoken: &Spoken, hyphens: bool) -> Vec<Range<usize>> {
    let text = spoken.text.as_str();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut end = at + c.len_utf8();
        if let Some(whole) = spoken.pronounced_end(at) {
            end = whole.max(end);
            tokens.push(at..end);
        } else if c.is_alphanumeric() {
            end = at + word(rest, hyphens);
            // A pronunciation may be given for what sticks to it.
            if let Some(cut) = (at..end).find(|&cut| text.is_char_boundary(cut) && spoken.ipa(cut).is_some())
            {
                end = cut;
            }
            tokens.push(at..end);
        } else if matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '—' | '…' | '(' | ')') {
            let run = rest.find(|other| other != c).unwrap_or(rest.len());
            end = at + run;
            tokens.push(at..end);
        }
        at = end;
    }
    tokens
}

/// Bytes of the word that a text starts with.
fn word(text: &str, hyphens: bool) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = (c == '\'' || (hyphens && c == '-' && end > 0))
            && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !c.is_alphanumeric() && !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// How a text is split.
struct Splitting(&'static dyn Grammar);

impl Rules for Splitting {
    fn chapter_words(&self) -> &[&str] {
        self.0.words().chapters
    }

    fn opens_paragraph(&self, line: &str) -> bool {
        line.trim_start().starts_with(['—', '–', '―'])
    }

    fn ends_after(&self, head: &str, word: &str, next: &str) -> bool {
        stops::ends_after(self.0.words(), head, word, next)
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        normalize::emoji::run(self.0, text).filter(|run| run.count > 1).map(|run| run.bytes)
    }

    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        phrases::boundary(self.0.words(), text, most)
    }
}
