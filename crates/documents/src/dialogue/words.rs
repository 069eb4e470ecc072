//! Cuts narration into words, with what stands between them.

use std::{borrow::Cow, ops::Range};

use super::lexicon::Lexicon;

/// A word of the narration.
#[derive(Debug, Clone)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    /// In lower case, with straight apostrophes.
    pub lower: Cow<'a, str>,
    /// The text between the word before and this one.
    pub gap: &'a str,
}

impl<'a> Word<'a> {
    fn new(text: &'a str, gap: &'a str) -> Self {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_lowercase());
        let lower =
            if is_plain { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase().replace('’', "'")) };
        Self { text, lower, gap }
    }

    pub(super) fn is_capitalized(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// `HERE`, in a heading or for emphasis.
    pub(super) fn is_shouted(&self) -> bool {
        self.text.chars().nth(1).is_some() && !self.text.chars().any(char::is_lowercase)
    }

    /// Whether only spaces stand before it.
    pub(super) fn follows_closely(&self) -> bool {
        self.gap.chars().all(char::is_whitespace)
    }

    /// The word without `'s`, if it has that.
    pub(super) fn possessor(&self) -> Option<&'a str> {
        let stem = self.text.strip_suffix("'s").or_else(|| self.text.strip_suffix("’s"))?;
        (!stem.is_empty()).then_some(stem)
    }
}

/// A stretch of narration: its words, and what follows the last one.
#[derive(Debug, Clone, Default)]
pub(super) struct Words<'a> {
    pub words: Vec<Word<'a>>,
    pub tail: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut words = Vec::new();
        let mut gap_start = 0;
        let mut start = None;
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|&(_, next)| next);
            let joins = matches!(c, '\'' | '’' | '-' | '\u{2010}' | '\u{2011}')
                && start.is_some()
                && next.is_some_and(char::is_alphanumeric);
            if is_word(c) || joins {
                start.get_or_insert(at);
            } else if let Some(from) = start.take() {
                words.push(Word::new(&text[from..at], &text[gap_start..from]));
                gap_start = at;
            }
        }
        if let Some(from) = start {
            words.push(Word::new(&text[from..], &text[gap_start..from]));
            gap_start = text.len();
        }
        Self { words, tail: &text[gap_start..] }
    }

    /// What follows a word.
    pub(super) fn after(&self, index: usize) -> &'a str {
        self.words.get(index + 1).map_or(self.tail, |word| word.gap)
    }

    /// Whether a sentence starts at a word.
    pub(super) fn starts_sentence(&self, index: usize, lexicon: &Lexicon) -> bool {
        let Some(word) = self.words.get(index) else { return false };
        let Some(before) = index.checked_sub(1).map(|before| &self.words[before]) else { return true };
        if !word.gap.contains(['.', '!', '?', '…']) {
            return false;
        }
        let abbreviated = lexicon.titles.contains_key(&*before.lower) || before.text.chars().count() == 1;
        !(abbreviated && word.gap.starts_with('.') && word.is_capitalized() && before.text != "I")
    }

    /// The sentences, as ranges of words.
    pub(super) fn sentences(&self, lexicon: &Lexicon) -> Vec<Range<usize>> {
        let mut sentences = Vec::new();
        let mut from = 0;
        for index in 1..self.words.len() {
            if self.starts_sentence(index, lexicon) {
                sentences.push(from..index);
                from = index;
            }
        }
        if from < self.words.len() {
            sentences.push(from..self.words.len());
        }
        sentences
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || ('\u{300}'..='\u{36F}').contains(&c)
}
