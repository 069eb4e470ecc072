//! From cleaned text to spoken words: the loop that offers every place of the text to the rules, in
//! the order in which they must be asked, and what the rules share. The rules themselves are one
//! file a subject below.

use super::{figures::Figures, tagger::Tagger};
use crate::front_end::{clean::Clean, english::Accent, spoken::Spoken};

mod amounts;
mod clock;
mod codes;
mod dates;
pub(super) mod emoji;
mod lexemes;
mod links;
mod money;
mod numbers;
mod scan;
pub(super) mod scripture;
mod symbols;
mod units;

/// Reads a cleaned text.
pub(super) fn read(clean: &Clean, accent: Accent, tagger: &Tagger) -> Spoken {
    let text = clean.text.as_str();
    let mut reader = Reader {
        clean,
        t: text,
        at: 0,
        out: Spoken::default(),
        figures: Figures { with_and: accent == Accent::British },
        sum: text.contains([' ', '=']) && text.contains(['=', '+', '×', '÷', '≈']),
        shouted: is_shouted(text),
        quoted: false,
        tagger,
    };
    numbers::item(&mut reader);
    reader.run(text.len());
    reader.out
}

/// The state of one reading.
pub(super) struct Reader<'a> {
    clean: &'a Clean,
    /// The cleaned text.
    t: &'a str,
    /// What comes next.
    at: usize,
    out: Spoken,
    figures: Figures,
    /// There are signs of sums: a lonely `-` is a minus, `*` is a times.
    sum: bool,
    /// The whole text is in capitals.
    shouted: bool,
    /// A single quotation mark is open.
    quoted: bool,
    tagger: &'a Tagger,
}

impl<'a> Reader<'a> {
    /// Reads on until `end`.
    fn run(&mut self, end: usize) {
        while self.at < end {
            let from = self.at;
            let fresh =
                !self.before().is_some_and(char::is_alphanumeric) || matches!(self.char(), Some('[' | '<'));
            let read = emoji::read_keycap(self)
                || (fresh && (links::read(self) || numbers::read(self) || lexemes::read(self)))
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
        self.t.get(self.at..).unwrap_or("")
    }

    /// The character that comes next.
    fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before.
    fn before(&self) -> Option<char> {
        self.t.get(..self.at)?.chars().next_back()
    }

    /// The word before, across one space at most; letters, digits, apostrophes and stops.
    fn word_before(&self) -> &'a str {
        scan::word_ending(self.t, self.at)
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
