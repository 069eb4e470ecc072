//! Characters and numbers as Chinese texts write them.

use crate::front_end::scan::{digits, groups, slice, tail};

use super::Reader;

/// Whether a character is a Chinese one.
pub(in crate::front_end::chinese) fn is_han(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a character is a letter that is read in English, or a digit.
pub(in crate::front_end::chinese) fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || ('\u{C0}'..='\u{24F}').contains(&c) && c.is_alphabetic()
}

/// Whether a character is a letter that is read in English.
pub(in crate::front_end::chinese) fn is_letter(c: char) -> bool {
    is_latin(c) && !c.is_ascii_digit()
}

/// A number as it is written.
#[derive(Debug, Clone)]
pub(super) struct Number<'a> {
    /// Its digits before the point, without separators.
    pub(super) whole: String,
    /// The digits after the point.
    pub(super) fraction: &'a str,
    /// The byte after it.
    pub(super) end: usize,
    /// Whether thousands are separated.
    pub(super) grouped: bool,
}

impl Number<'_> {
    /// Whether it has only digits.
    pub(super) fn is_plain(&self) -> bool {
        !self.grouped && self.fraction.is_empty()
    }
}

impl<'a> Reader<'a> {
    /// The number at a place: `1,234`, `3.14`, `.5`.
    pub(super) fn number_at(&self, at: usize) -> Option<Number<'a>> {
        let t = self.t;
        let mut end = digits(t, at);
        if end == at {
            let starts_with_point = tail(t, at).starts_with('.') && digits(t, at + 1) > at + 1;
            if !starts_with_point {
                return None;
            }
        }
        let mut whole = slice(t, at..end).to_owned();
        let mut grouped = false;
        // A comma between groups is written without a space, and is not a Chinese one.
        if (1..=3).contains(&(end - at)) && !whole.starts_with('0') && self.is_ascii_comma(end) {
            let (joined, after) = groups(t, end, ',');
            let all_ascii = (end..after).step_by(4).all(|comma| self.is_ascii_comma(comma));
            if after > end && all_ascii && digits(t, after) == after {
                whole.push_str(&joined);
                (end, grouped) = (after, true);
            }
        }
        let mut fraction = "";
        let point = end;
        if tail(t, point).starts_with('.') && self.original_at(point).is_some_and(|c| matches!(c, '.' | '．'))
        {
            let after = digits(t, point + 1);
            // Two points are a version or an address.
            let again = tail(t, after).starts_with('.') && digits(t, after + 1) > after + 1;
            if after > point + 1 && !again {
                fraction = slice(t, point + 1..after);
                end = after;
            }
        }
        Some(Number { whole, fraction, end, grouped })
    }

    fn is_ascii_comma(&self, at: usize) -> bool {
        tail(self.t, at).starts_with(',') && self.original_at(at) == Some(',')
    }

    /// Whether the text before, up to a space, a colon or a copula, ends with one of these words.
    pub(super) fn follows(&self, words: &[&str]) -> bool {
        let head = self.head().trim_end_matches([' ', ':', '为', '為', '是', '"', '(']);
        let kind = head.trim_end_matches(['號', '号', '码', '碼']);
        words.iter().any(|word| head.ends_with(word) || kind.ends_with(word))
    }

    /// Whether one of these words stands shortly before or after.
    pub(super) fn is_near(&self, words: &[&str]) -> bool {
        /// How far to look, in bytes.
        const NEAR: usize = 36;
        let mut from = self.at.saturating_sub(NEAR);
        while !self.t.is_char_boundary(from) {
            from += 1;
        }
        let mut to = (self.at + NEAR).min(self.t.len());
        while !self.t.is_char_boundary(to) {
            to -= 1;
        }
        words.iter().any(|word| slice(self.t, from..to).contains(word))
    }
}
