//! From cleaned text to spoken words, as far as languages do it alike: the loop that offers every
//! place of the text to a language's rules, what has been read so far, and the rules that differ in
//! words and tables alone. The other rules are each language's own.

pub(super) mod links;
pub(super) mod numbers;
pub(super) mod symbols;

use super::{clean::Clean, scan, spoken::Spoken};

/// What a language brings to a reading: its rules, and what they keep from place to place.
pub(super) trait Language<'a>: Sized {
    /// Reads what comes next, if a rule does; everything else is copied.
    fn read(r: &mut Reader<'a, Self>) -> bool;

    /// A whole number.
    fn cardinal(&self, digits: &str) -> String;

    /// Reads digits inside or after a word.
    fn inside_word(r: &mut Reader<'a, Self>);
}

/// The state of one reading.
pub(super) struct Reader<'a, L> {
    pub(super) clean: &'a Clean,
    /// The cleaned text.
    pub(super) t: &'a str,
    /// What comes next.
    pub(super) at: usize,
    pub(super) out: Spoken,
    /// There are signs of sums: a lonely `-` is a minus, `*` is a times.
    pub(super) sum: bool,
    /// The whole text is in capitals.
    pub(super) shouted: bool,
    pub(super) language: L,
}

/// Reads a cleaned text.
pub(super) fn read<'a, L: Language<'a>>(clean: &'a Clean, language: L) -> Spoken {
    let text = clean.text.as_str();
    let mut reader = Reader {
        clean,
        t: text,
        at: 0,
        out: Spoken::default(),
        sum: text.contains([' ', '='])
            && (text.contains(['=', '+', '×', '÷', '≈'])
                || ["^2", "^3"].iter().any(|power| text.contains(power))),
        shouted: is_shouted(text),
        language,
    };
    numbers::item(&mut reader);
    reader.run(text.len());
    reader.out
}

impl<'a, L: Language<'a>> Reader<'a, L> {
    /// Reads on until `end`.
    fn run(&mut self, end: usize) {
        while self.at < end {
            let from = self.at;
            if !L::read(self) {
                self.copy_one();
            }
            // Every rule that says yes moves on; this keeps a mistake in one from hanging the
            // program.
            if self.at <= from {
                self.at = from + self.char().map_or(1, char::len_utf8);
            }
        }
    }

    /// Whether a word, a number or markup may start here.
    pub(super) fn is_fresh(&self) -> bool {
        !self.before().is_some_and(char::is_alphanumeric) || matches!(self.char(), Some('[' | '<'))
    }

    /// The text still to read.
    pub(super) fn rest(&self) -> &'a str {
        scan::tail(self.t, self.at)
    }

    /// The character that comes next.
    pub(super) fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before.
    pub(super) fn before(&self) -> Option<char> {
        self.t.get(..self.at)?.chars().next_back()
    }

    /// The word before, across one space at most; letters, digits, apostrophes and stops.
    pub(super) fn word_before(&self) -> &'a str {
        scan::word_ending(self.t, self.at)
    }

    /// Says words for everything up to `end`.
    pub(super) fn say(&mut self, words: &str, end: usize) {
        self.out.say(words, self.at..end);
        self.at = end;
    }

    /// Passes over everything up to `end`.
    pub(super) fn skip(&mut self, end: usize) {
        self.at = end;
    }

    /// A space in place of everything up to `end`.
    pub(super) fn space(&mut self, end: usize) {
        self.out.space(self.at..end);
        self.at = end;
    }

    /// Copies everything up to `end`.
    pub(super) fn copy(&mut self, end: usize) {
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
