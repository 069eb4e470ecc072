//! From cleaned text to spoken words: the loop that offers every place of the text to the rules, in
//! the order in which they must be asked, and what the rules share. The rules themselves are one
//! file a subject below.

use crate::{
    front_end::{clean::Clean, scan, spanish::Accent, spoken::Spoken},
    phonemes::Lexicon,
};

mod acronyms;
mod amounts;
mod clock;
mod counting;
mod dates;
pub(super) mod emoji;
mod lexemes;
mod links;
mod numbers;
mod ordinals;
mod phones;
mod quantity;
mod roman;
mod symbols;
mod units;

/// Reads a cleaned text; `original` is the text it was made of.
pub(super) fn read(clean: &Clean, original: &str, accent: Accent, lexicon: &Lexicon) -> Spoken {
    let text = clean.text.as_str();
    let mut reader = Reader {
        clean,
        original,
        t: text,
        at: 0,
        out: Spoken::default(),
        accent,
        lexicon,
        sum: text.contains([' ', '=']) && text.contains(['=', '+', '×', '÷', '≈']),
        shouted: is_shouted(text),
    };
    numbers::item(&mut reader);
    reader.run(text.len());
    reader.out
}

/// The state of one reading.
struct Reader<'a> {
    clean: &'a Clean,
    original: &'a str,
    /// The cleaned text.
    t: &'a str,
    /// What comes next.
    at: usize,
    out: Spoken,
    accent: Accent,
    lexicon: &'a Lexicon,
    /// There are signs of sums: a lonely `-` is a minus, `*` is a times.
    sum: bool,
    /// The whole text is in capitals.
    shouted: bool,
}

impl<'a> Reader<'a> {
    /// Reads on until `end`.
    fn run(&mut self, end: usize) {
        while self.at < end {
            let from = self.at;
            let before = self.before();
            let fresh = !before.is_some_and(char::is_alphanumeric) || matches!(self.char(), Some('[' | '<'));
            let read = emoji::read_keycap(self)
                || (fresh && (links::read(self) || numbers::read(self) || lexemes::read(self)))
                || (before.is_some_and(|c| c.is_ascii_digit()) && lexemes::after_digit(self))
                || symbols::read(self);
            if !read {
                self.copy_one();
            }
            // Every rule that says yes moves on; this keeps a mistake in one from hanging the
            // program.
            if self.at <= from {
                self.at = from + self.char().map_or(1, char::len_utf8);
            }
        }
    }

    /// The text still to read.
    fn rest(&self) -> &'a str {
        scan::tail(self.t, self.at)
    }

    /// The character that comes next.
    fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before.
    fn before(&self) -> Option<char> {
        self.t.get(..self.at)?.chars().next_back()
    }

    /// The word before, across one space at most.
    fn word_before(&self) -> &'a str {
        scan::word_ending(self.t, self.at)
    }

    /// The character of the original text that a byte of the cleaned one was made of.
    fn original_at(&self, at: usize) -> Option<char> {
        let origin = self.clean.origin(&(at..at + 1));
        self.original.get(origin)?.chars().next()
    }

    /// Says words for everything up to `end`.
    fn say(&mut self, words: &str, end: usize) {
        self.out.say(words, self.at..end);
        self.at = end;
    }

    /// Passes over everything up to `end`.
    fn skip(&mut self, end: usize) {
        self.at = end;
    }

    /// A space in place of everything up to `end`.
    fn space(&mut self, end: usize) {
        self.out.space(self.at..end);
        self.at = end;
    }

    /// Copies everything up to `end`.
    fn copy(&mut self, end: usize) {
        self.out.copy(scan::slice(self.t, self.at..end), self.at..end);
        self.at = end;
    }

    /// Copies the character that comes next, or the whole run of letters.
    fn copy_one(&mut self) {
        let Some(c) = self.char() else { return };
        let end = if c.is_alphabetic() { scan::letters(self.t, self.at) } else { self.at + c.len_utf8() };
        self.copy(end);
    }
}

/// Whether a text is in capitals throughout: at least three words, at most a tenth of the letters
/// small.
fn is_shouted(text: &str) -> bool {
    let words =
        text.split(' ').filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2).count();
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    words >= 3 && capitals >= 9 * small
}

/// Whether a sentence ends at `at`: nothing follows but marks that close it.
fn ends_here(t: &str, at: usize) -> bool {
    scan::tail(t, at).chars().all(|c| matches!(c, '"' | '\'' | ')' | ']' | ' ' | '—'))
}
