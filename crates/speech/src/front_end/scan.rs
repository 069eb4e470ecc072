//! Scans a text forward and backward: runs of digits and letters, word boundaries, groups of
//! digits. The languages decide how numbers are written.

use std::slice::SliceIndex;

/// How far to look back for a word, in bytes.
const LOOK_BACK: usize = 48;

/// The end of the run of ASCII digits at `at`.
pub(in crate::front_end) fn digits(t: &str, at: usize) -> usize {
    run(t, at, |c| c.is_ascii_digit())
}

/// The end of the run of letters at `at`.
pub(in crate::front_end) fn letters(t: &str, at: usize) -> usize {
    run(t, at, char::is_alphabetic)
}

/// The end of the run of letters and digits at `at`.
pub(in crate::front_end) fn alphanumerics(t: &str, at: usize) -> usize {
    run(t, at, char::is_alphanumeric)
}

/// The end of the run of characters that `belongs` accepts.
pub(in crate::front_end) fn run(t: &str, at: usize, belongs: impl Fn(char) -> bool) -> usize {
    let rest = tail(t, at);
    at + rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

/// A part of the text; empty when the range is invalid, so that no look-ahead can panic.
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

/// Whether there is neither a letter nor a digit at `at`.
pub(in crate::front_end) fn edge(t: &str, at: usize) -> bool {
    !char_at(t, at).is_some_and(char::is_alphanumeric)
}

/// Whether there is a digit at `at`.
pub(in crate::front_end) fn digit_at(t: &str, at: usize) -> bool {
    tail(t, at).starts_with(|c: char| c.is_ascii_digit())
}

/// Whether one of these words or phrases is in a text, and not inside another word.
pub(in crate::front_end) fn has_words(t: &str, words: &[&str]) -> bool {
    let stands =
        |at: usize, word: &str| !slice(t, ..at).ends_with(char::is_alphanumeric) && edge(t, at + word.len());
    words.iter().any(|word| t.match_indices(word).any(|(at, word)| stands(at, word)))
}

/// The position after one optional space.
pub(in crate::front_end) fn past_space(t: &str, at: usize) -> usize {
    if tail(t, at).starts_with(' ') { at + 1 } else { at }
}

/// The word at `at`: letters, with apostrophes inside.
pub(in crate::front_end) fn word(t: &str, at: usize) -> &str {
    let end = run(t, at, |c| c.is_alphabetic() || c == '\'');
    slice(t, at..end).trim_end_matches('\'')
}

/// The word that ends at `at`, or before a single space that ends there.
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
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
    /// The digits before the point, without separators; empty for `.5`.
    pub whole: String,
    /// The digits after the point.
    pub fraction: &'a str,
    /// Whether thousands are separated.
    pub grouped: bool,
}

impl Quantity<'_> {
    /// Whether it is exactly one, so that a singular follows.
    pub(in crate::front_end) fn is_one(&self) -> bool {
        self.whole == "1" && self.fraction.is_empty()
    }

    /// Whether it has only digits.
    pub(in crate::front_end) fn is_plain(&self) -> bool {
        !self.grouped && self.fraction.is_empty()
    }

    /// The value of a plain number of at most nine digits.
    pub(in crate::front_end) fn small(&self) -> Option<u64> {
        (self.is_plain() && self.whole.len() <= 9).then(|| self.whole.parse().ok())?
    }
}

/// Groups of three digits, each after a separator, and the position after them.
pub(in crate::front_end) fn groups(t: &str, at: usize, separator: char) -> (String, usize) {
    let (mut joined, mut end) = (String::new(), at);
    while tail(t, end).starts_with(separator) && digits(t, end + 1) == end + 4 {
        joined.push_str(slice(t, end + 1..end + 4));
        end += 4;
    }
    (joined, end)
}
