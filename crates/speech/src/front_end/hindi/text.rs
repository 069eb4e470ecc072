//! From a text as a person wrote it to sentences of spoken words.
//!
//! Every token remembers the bytes of the original text that it reads, so that word timestamps can
//! point into the text as it was sent.

use std::ops::Range;

use super::{normalize, phrases, script, stops};
use crate::{
    front_end::{Span, clean::Clean, emoji, rules::Rules, split, spoken::Spoken},
    phonemes::Lexicon,
};

/// A word, a stretch of another language, or a punctuation mark.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front_end) struct Token {
    /// The spoken form: `पाँच`, `रुपये`, `,`.
    pub(in crate::front_end) text: String,
    /// The bytes of the original text that it reads. Tokens made of one written thing (`₹5`) may
    /// share its range.
    pub(in crate::front_end) source: Range<usize>,
    /// Whether white space follows it in the spoken text.
    pub(in crate::front_end) space_after: bool,
    /// A pronunciation given inline, `[word](/ipa/)`, in the alphabet of the voice.
    pub(in crate::front_end) ipa: Option<String>,
}

impl Token {
    /// Whether it is said; others are marks.
    pub(super) fn is_word(&self) -> bool {
        self.ipa.is_some() || self.text.contains(char::is_alphanumeric)
    }

    /// Whether it is read by the English front end.
    pub(super) fn is_foreign(&self) -> bool {
        script::foreign(&self.text, 0).is_some()
    }
}

/// Cuts `text[stretch]` into sentences, in order.
pub(in crate::front_end) fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
    split::split(text, stretch, &Splitting)
}

/// Reads a span: its words spelled out and cut into tokens. Words that the lexicon has are not
/// spelled out. Empty when it says nothing, or when its range is none of the text's.
pub(in crate::front_end) fn analyze(text: &str, span: &Span, lexicon: &Lexicon) -> Vec<Token> {
    if text.get(span.range.clone()).is_none() {
        return Vec::new();
    }
    let clean = Clean::new(text, span.range.clone());
    let spoken = normalize::read(&clean, lexicon);
    let tokens: Vec<Token> = tokens(&spoken)
        .into_iter()
        .map(|range| Token {
            text: spoken.text[range.clone()].to_owned(),
            source: clean.origin(&spoken.source(&range)),
            space_after: spoken.text[range.end..].starts_with(' '),
            ipa: spoken.ipa(range.start).map(str::to_owned),
        })
        .collect();
    if tokens.iter().any(Token::is_word) { tokens } else { Vec::new() }
}

/// The words of a sentence as they are said, with their punctuation. Words that a hyphen joins are
/// one word here.
pub(super) fn spoken(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        text.extend(token.text.chars().flat_map(script::decomposed));
        if token.space_after {
            text.push(' ');
        } else if token.is_word() && tokens.get(index + 1).is_some_and(Token::is_word) {
            text.push('-');
        }
    }
    text.truncate(text.trim_end().len());
    (!text.is_empty()).then_some(text)
}

/// Words, stretches of another language, and punctuation marks; what has no sound belongs to none.
/// A word whose pronunciation is given stays whole.
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
        } else if script::is_hindi(c) {
            end = at + rest.find(|c| !script::is_hindi(c)).unwrap_or(rest.len());
            // A pronunciation may be given for what sticks to it.
            end = (at + 1..end)
                .find(|&cut| text.is_char_boundary(cut) && spoken.ipa(cut).is_some())
                .unwrap_or(end);
            if text[at..end].contains(char::is_alphanumeric) {
                tokens.push(at..end);
            }
        } else if let Some(stop) = script::foreign(text, at) {
            end = stop;
            tokens.push(at..end);
        } else if matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '—' | '…' | '(' | ')') {
            end = at + rest.find(|other| other != c).unwrap_or(rest.len());
            tokens.push(at..end);
        }
        at = end;
    }
    tokens
}

/// How a text is split.
struct Splitting;

impl Rules for Splitting {
    fn chapter_words(&self) -> &[&str] {
        &["अध्याय ", "भाग ", "खंड ", "खण्ड ", "प्रकरण "]
    }

    fn opens_paragraph(&self, line: &str) -> bool {
        line.trim_start().starts_with(['—', '–', '―'])
    }

    fn ends_after(&self, head: &str, word: &str, next: &str) -> bool {
        stops::ends_after(head, word, next)
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        emoji::run(text, |_| true).filter(|run| run.count > 1).map(|run| run.bytes)
    }

    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        phrases::boundary(text, most)
    }
}
