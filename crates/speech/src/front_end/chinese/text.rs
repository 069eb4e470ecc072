//! From a text as a person wrote it to what is said: how texts are cut into sentences, and the
//! pieces of one, for people and for the phonemes.

use std::ops::Range;

use super::normalize::{self, Kind, Piece, is_han};
use crate::{
    front_end::{Span, clean::Clean, emoji, rules::Rules, split},
    phonemes::Lexicon,
};

/// A sentence whose numbers and signs are words.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) pieces: Vec<Piece>,
    clean: Clean,
}

impl Sentence {
    /// Reads a span. `None` when it says nothing, or when its range is none of the text's.
    pub(super) fn of(text: &str, span: &Span, lexicon: &Lexicon) -> Option<Self> {
        text.get(span.range.clone())?;
        let clean = Clean::new(text, span.range.clone());
        let pieces = normalize::read(&clean, text, lexicon);
        let says = |piece: &Piece| !matches!(piece.kind, Kind::Mark | Kind::Silent);
        pieces.iter().any(says).then_some(Self { pieces, clean })
    }

    /// The bytes of the original text for a part of the cleaned one.
    pub(super) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        self.clean.origin(range)
    }

    /// The words as they are said, with their punctuation.
    pub(super) fn spoken(&self) -> String {
        let mut text = String::new();
        let said = self.pieces.iter().filter(|piece| piece.kind != Kind::Silent);
        for piece in said {
            let latin = |c: char| !is_han(c) && c.is_alphanumeric();
            if text.ends_with(latin) && piece.text.starts_with(latin) {
                text.push(' ');
            }
            text.push_str(&piece.text);
        }
        text
    }
}

/// Cuts `text[stretch]` into sentences, in order.
pub(super) fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
    split::split(text, stretch, &Splitting)
}

/// How a text is split.
struct Splitting;

impl Rules for Splitting {
    fn chapter_words(&self) -> &[&str] {
        &["第", "Chapter "]
    }

    fn ends_after(&self, _head: &str, word: &str, next: &str) -> bool {
        // `1. 标题` goes on, and so does an English abbreviation before a name.
        let is_item = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let title = matches!(word, "Mr" | "Mrs" | "Ms" | "Dr" | "St" | "Prof" | "No" | "vs" | "etc");
        !is_item && !title && !next.is_empty()
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        let first = text.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_ascii())?;
        let _ = first;
        emoji::run(text, normalize::is_picture).filter(|run| run.count > 1).map(|run| run.bytes)
    }

    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        /// Particles that end a phrase.
        const ENDS: &str = "的了着過过吗呢吧地得時时後后前中里裡上下";
        let head = text.get(..most)?;
        let last = head.char_indices().rev().find(|(_, c)| ENDS.contains(*c))?;
        let at = last.0 + last.1.len_utf8();
        (at > most / 2).then_some(at)
    }
}
