//! What is looked up in a language's words.

use super::{
    grammar::Words,
    words::{Abbreviation, Kind},
};

impl Words {
    /// The meaning of an abbreviation of one word, given without its stop: elsewhere than before a
    /// number, if it has another one there.
    pub(super) fn abbreviation(&self, word: &str) -> Option<(&'static str, Kind)> {
        let mut found = self.abbreviations.iter().filter(|(written, ..)| *written == word);
        let first = found.clone().find(|(.., kind)| *kind != Kind::BeforeNumber);
        let found = first.or_else(|| found.next()).map(|&(_, said, kind)| (said, kind));
        found.or_else(|| Some((self.abbreviation_before_number(word)?, Kind::BeforeNumber)))
    }

    /// An abbreviation before a number or a Roman numeral, which may mean something else before a
    /// name: `Cap. 4` against `Cap. Silva`. `Arts.` at the start of a sentence is `arts.`
    pub(super) fn abbreviation_before_number(&self, word: &str) -> Option<&'static str> {
        let find = |word: &str| {
            let numbered =
                |(written, _, kind): &&Abbreviation| *written == word && *kind == Kind::BeforeNumber;
            self.abbreviations.iter().find(numbered).map(|&(_, said, _)| said)
        };
        let small = || {
            let mut chars = word.chars();
            let first = chars.next().filter(|c| c.is_uppercase())?;
            let rest = chars.as_str();
            let shortened = rest.len() > 1 && rest.chars().all(char::is_lowercase);
            shortened.then(|| first.to_lowercase().chain(rest.chars()).collect::<String>())
        };
        find(word).or_else(|| find(&small()?))
    }

    /// The meaning of an abbreviation of several parts, given without its spaces.
    pub(super) fn joined(&self, written: &str) -> Option<(&'static str, Kind)> {
        self.joined.iter().find(|(own, ..)| *own == written).map(|&(_, said, kind)| (said, kind))
    }

    /// The longest abbreviation of several parts at the start of a text: its byte length and its
    /// meaning. A space may follow each stop.
    pub(super) fn joined_at(&self, text: &str) -> Option<(usize, &'static str)> {
        let written = |own: &str| {
            let mut at = 0;
            for c in own.chars() {
                if text[at..].starts_with(' ') && text[..at].ends_with('.') {
                    at += 1;
                }
                at += text[at..].starts_with(c).then_some(c.len_utf8())?;
            }
            Some(at)
        };
        let found = self.joined.iter().filter_map(|(own, said, _)| Some((written(own)?, *said)));
        found.max_by_key(|(bytes, _)| *bytes)
    }

    /// The name of a month by its number, from 1.
    pub(super) fn month_name(&self, number: u64) -> Option<&'static str> {
        self.months.get((number as usize).checked_sub(1)?).copied()
    }

    /// The month of a name or its abbreviation: `enero`, `ene`, `sept`.
    pub(super) fn month(&self, word: &str) -> Option<&'static str> {
        let word = word.to_lowercase();
        if let Some((_, number)) = self.other_months.iter().find(|(written, _)| *written == word) {
            return self.month_name(u64::from(*number));
        }
        let short = (3..=5).contains(&word.len());
        self.months.into_iter().find(|name| *name == word || (short && name.starts_with(&word)))
    }

    /// Whether a capitalized word is likely the first of a sentence.
    pub(super) fn starts_sentence(&self, word: &str) -> bool {
        self.starters.contains(&word)
    }

    /// Whether a number after this word is a name and not a count.
    pub(super) fn numbers(&self, word: &str) -> bool {
        self.numbered.contains(&word.to_lowercase().as_str())
    }
}
