//! What it costs that a word of one context follows a word of another: `matrix.bin`, two sizes and a
//! table of costs.

use super::{
    Bytes, DictionaryError,
    bytes::{i16_at, u16_at},
};

const HEADER: usize = 4;

/// What two contexts cost that the table does not have: more than any that it has.
const NONE: i32 = 1 << 15;

#[derive(Debug)]
pub(super) struct Matrix {
    bytes: Bytes,
    /// The contexts that a word has on its right, then those on its left.
    right: usize,
    left: usize,
}

impl Matrix {
    pub(super) fn new(bytes: Bytes) -> Result<Self, DictionaryError> {
        let (Some(right), Some(left)) = (u16_at(&bytes, 0), u16_at(&bytes, 2)) else {
            return Err(DictionaryError::Truncated);
        };
        let (right, left) = (usize::from(right), usize::from(left));
        match bytes.len().cmp(&(HEADER + right * left * 2)) {
            std::cmp::Ordering::Less => Err(DictionaryError::Truncated),
            std::cmp::Ordering::Equal => Ok(Self { bytes, right, left }),
            std::cmp::Ordering::Greater => Err(DictionaryError::Format),
        }
    }

    /// How many contexts there are on the left of a word and on its right.
    pub(super) const fn contexts(&self) -> (usize, usize) {
        (self.right, self.left)
    }

    /// What it costs that a word with the context `next` on its left follows one with the context
    /// `previous` on its right.
    pub(super) fn cost(&self, previous: u16, next: u16) -> i32 {
        let at = HEADER + 2 * (usize::from(previous) + self.right * usize::from(next));
        i16_at(&self.bytes, at).map_or(NONE, i32::from)
    }
}
