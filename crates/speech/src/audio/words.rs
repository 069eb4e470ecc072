//! The positions of words in samples.

use std::ops::Range;

/// A spoken word and its position in the samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordTiming {
    /// The bytes of the original text that the word was read from.
    pub source: Range<usize>,
    /// First sample of the word.
    pub start_sample: u64,
    /// One past the last sample of the word.
    pub end_sample: u64,
}
