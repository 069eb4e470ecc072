//! Looking ahead and back in a text: runs of digits and letters, edges, groups of digits. How a
//! language writes a number is its own business.

use std::slice::SliceIndex;

/// How far to look back for a word, in bytes.
const LOOK_BACK: usize = 48;

/// Where the run of ASCII digits at `at` ends.
pub(in crate::front_end) fn digits(t: &str, at: usize) -> usize {
    run(t, at, |c| c.is_ascii_digit())
}

/// Where the run of letters at `at` ends.
pub(in crate::front_end) fn letters(t: &str, at: usize) -> usize {
    run(t, at, char::is_alphabetic)
}

/// Where the run of letters and digits at `at` ends.
pub(in crate::front_end) fn alphanumerics(t: &str, at: usize) -> usize {
    run(t, at, char::is_alphanumeric)
}

/// Where the run of characters that `belongs` accepts ends.
pub(in crate::front_end) fn run(t: &str, at: usize, belongs: impl Fn(char) -> bool) -> usize {
    let rest = tail(t, at);
    at + rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

/// A part of the text; empty where there is none such, so that no look-ahead can go wrong.
pub(in crate::front_end) fn slice(t: &str, range: impl SliceIndex<str, Output = str>) -> &str {
    t.get(range).unwrap_or("")
}

/// The text from `at` on; empty past the end.
pub(in crate::front_end) fn tail(t: &str, at: usize) -> &str {
    slice(t, at..)
}

/// The character at `at`.
pub(in crate::front_end) fn char_at(t: &str, at: usize) -> Option<char> {
    tail(t, at).chars().next()
}

/// Whether neither a letter nor a digit stands at `at`.
pub(in crate::front_end) fn edge(t: &str, at: usize) -> bool {
    !char_at(t, at).is_some_and(char::is_alphanumeric)
}

/// Whether a digit stands at `at`.
pub(in crate::front_end) fn digit_at(t: &str, at: usize) -> bool {
    tail(t, at).starts_with(|c: char| c.is_ascii_digit())
}

/// After one space, if there is one.
pub(in crate::front_end) fn past_space(t: &str, at: usize) -> usize {
    if tail(t, at).starts_with(' ') { at + 1 } else { at }
}

/// The word at `at`: letters, with apostrophes inside.
pub(in crate::front_end) fn word(t: &str, at: usize) -> &str {
    let end = run(t, at, |c| c.is_alphabetic() || c == '\'');
    slice(t, at..end).trim_end_matches('\'')
}

/// The word that ends at `at`, or before the one space that ends there.
pub(in crate::front_end) fn word_ending(t: &str, at: usize) -> &str {
    let head = t.get(..at).unwrap_or("");
    let head = head.strip_suffix(' ').unwrap_or(head);
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '.' | '\'' | '$' | '°' | '%');
    let mut start = head.len();
    for (index, c) in head.char_indices().rev() {
        if !belongs(c) || head.len() - index > LOOK_BACK {
            break;
        }
        start = index;
    }
    &head[start..]
}

/// A number as written.
#[derive(Debug, Clone)]
pub(in crate::front_end) struct Quantity<'a> {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The digits before the point, without separators; empty for `.5`.
    pub whole: String,
    /// The digits after the point.
    pub fraction: &'a str,
    /// Thousands are set apart.
    pub grouped: bool,
}

impl Quantity<'_> {
    /// Whether it is exactly one, so that a singular follows.
    pub(in crate::front_end) fn is_one(&self) -> bool {
        self.whole == "1" && self.fraction.is_empty()
    }

    /// Just digits.
    pub(in crate::front_end) fn is_plain(&self) -> bool {
        !self.grouped && self.fraction.is_empty()
    }

    /// The value of a plain number of at most nine digits.
    pub(in crate::front_end) fn small(&self) -> Option<u64> {
        (self.is_plain() && self.whole.len() <= 9).then(|| self.whole.parse().ok())?
    }
}

/// Groups of three digits, each after a separator, and where they end.
pub(in crate::front_end) fn groups(t: &str, at: usize, separator: char) -> (String, usize) {
    let (mut joined, mut end) = (String::new(), at);
    while tail(t, end).starts_with(separator) && digits(t, end + 1) == end + 4 {
        joined.push_str(slice(t, end + 1..end + 4));
        end += 4;
    }
    (joined, end)
}
