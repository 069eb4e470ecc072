//! Words in a run of characters: of all ways to cut it into words of the dictionary, the one whose
//! words are the most frequent together.

use std::ops::Range;

use super::dictionary::Dictionary;

/// A word of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// Its bytes in the run.
    pub(super) range: Range<usize>,
    /// Its part of speech, as in [`super::dictionary::Entry::tag`]; `x` when it is no word of the
    /// dictionary.
    pub(super) tag: u8,
}

/// Cuts a run in simplified characters into words. The work is linear in its length: no word of
/// the dictionary is longer than some characters.
pub(super) fn segment(run: &str, dictionary: &Dictionary) -> Vec<Segment> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    // From the end: the best total for the rest of the run, and the word it begins with.
    let mut best = vec![(0.0_f32, 0_usize, b'x'); run.len() + 1];
    for &start in starts.iter().rev() {
        let rest = &run[start..];
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let mut choice = (dictionary.least_log_share + best[start + first].0, first, b'x');
        dictionary.each_word(rest, |bytes, entry| {
            let total = entry.log_share + best[start + bytes].0;
            if total > choice.0 || bytes == first {
                choice = (total, bytes, entry.tag);
            }
        });
        best[start] = choice;
    }
    let mut segments = Vec::new();
    let mut at = 0;
    while at < run.len() {
        let (_, bytes, tag) = best[at];
        segments.push(Segment { range: at..at + bytes.max(1), tag });
        at += bytes.max(1);
    }
    segments
}
