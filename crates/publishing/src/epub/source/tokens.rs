//! Texts as sequences of hashed words, so that a text that was read aloud can be found in the
//! documents that it was extracted from, whatever markup, hyphens and punctuation are between.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// A word, or a letter of a script that does not separate words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Equal for words that differ in case, accents and soft hyphens only.
    pub(super) hash: u32,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// A token of its own.
    Single,
    /// Neither part of a token nor its end.
    Invisible,
    Other,
}

/// Collects tokens from characters.
#[derive(Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    class: Option<Class>,
}

impl Tokens {
    pub(super) fn of(text: &str) -> Vec<Token> {
        let mut tokens = Self::default();
        for (at, c) in text.char_indices() {
            tokens.push(c, at..at + c.len_utf8());
        }
        tokens.list
    }

    /// Takes the next character and the bytes that it stands in.
    pub(super) fn push(&mut self, c: char, range: Range<usize>) {
        let class = class(c);
        match class {
            Class::Invisible => {}
            Class::Other => self.separate(),
            _ => {
                if self.class != Some(class) || class == Class::Single {
                    self.list.push(Token { hash: 0x811C_9DC5, range: range.clone() });
                }
                self.class = Some(class);
                if let Some(token) = self.list.last_mut() {
                    token.range.end = range.end;
                    for c in std::iter::once(c).nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase)
                    {
                        token.hash = (token.hash ^ u32::from(c)).wrapping_mul(0x0100_0193);
                    }
                }
            }
        }
    }

    /// Ends the current token.
    pub(super) fn separate(&mut self) {
        self.class = None;
    }
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' => Class::Invisible,
        c if is_accent(c) => Class::Invisible,
        // Thai, Lao, Myanmar and Khmer; kana; Han.
        '\u{E00}'..='\u{EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}'
            if c.is_alphanumeric() =>
        {
            Class::Single
        }
        c if c.is_numeric() => Class::Digit,
        c if c.is_alphabetic() => Class::Letter,
        _ => Class::Other,
    }
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}
