//! From a text as a person wrote it to sentences of spoken words.
//!
//! Every token remembers the bytes of the original text that it reads, so that word timestamps can
//! point into the text as it was sent.

use std::ops::Range;

use super::Accent;
use crate::{
    front_end::{Pause, Span, clean::Clean, rules::Rules, split, spoken::Spoken},
    phonemes::Lexicon,
};

mod figures;
mod genders;
mod normalize;
pub(super) mod phrases;
mod stops;
mod words;

/// One sentence, ready for [`super::phonemes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The bytes of the original text it was read from.
    pub source: Range<usize>,
    /// Its tokens in order; never empty.
    pub tokens: Vec<Token>,
    /// The pause after it.
    pub pause: Pause,
}

/// A word or a punctuation mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
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
pub fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
    split::split(text, stretch, &SpanishRules)
}

/// Reads a span: its words spelled out and cut into tokens. Words that the lexicon has are not
/// spelled out. `None` when it says nothing, or when its range is none of the text's.
pub fn analyze(text: &str, span: &Span, accent: Accent, lexicon: &Lexicon) -> Option<Sentence> {
    text.get(span.range.clone())?;
    let clean = Clean::new(text, span.range.clone());
    let spoken = normalize::read(&clean, text, accent, lexicon);
    let ranges = tokens(&spoken);
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
pub fn spoken(sentence: &Sentence) -> String {
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

/// Words, with apostrophes inside, and punctuation marks; what has no sound belongs to none. A word
/// whose pronunciation is given stays whole.
fn tokens(spoken: &Spoken) -> Vec<Range<usize>> {
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
            end = at + word(rest);
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
fn word(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = c == '\'' && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !c.is_alphanumeric() && !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// How Spanish is split.
struct SpanishRules;

impl Rules for SpanishRules {
    fn chapter_words(&self) -> &[&str] {
        &["Capítulo ", "CAPÍTULO ", "Capitulo ", "CAPITULO ", "Parte ", "PARTE ", "Libro ", "LIBRO "]
    }

    fn opens_paragraph(&self, line: &str) -> bool {
        line.trim_start().starts_with(['—', '–', '―'])
    }

    fn ends_after(&self, head: &str, word: &str, next: &str) -> bool {
        stops::ends_after(head, word, next)
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        normalize::emoji::run(text).filter(|run| run.count > 1).map(|run| run.bytes)
    }

    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        phrases::boundary(text, most)
    }
}
