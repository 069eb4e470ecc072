//! Where a very long sentence without punctuation may be cut: before a word that begins a clause.

use super::words;

/// The last byte before `most`, in the second half, at which a clause begins.
pub(super) fn boundary(text: &str, most: usize) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(most)];
    let mut best = None;
    let mut start = 0;
    for word in near.split_inclusive(char::is_whitespace) {
        if start > near.len() / 2 && starts(word.trim()) {
            best = Some(start);
        }
        start += word.len();
    }
    best
}

/// Whether a phrase begins with a word.
pub(super) fn starts(word: &str) -> bool {
    words::CLAUSES.contains(&word)
}
