//! The container of a Kindle book: a Palm database, which is a list of records.

use crate::{Reason, Unreadable};

/// Where the number of records is, and the list of their places.
const COUNT_AT: usize = 76;
const LIST_AT: usize = 78;

/// Each place in the list has an attribute and an id, too.
const ENTRY_BYTES: usize = 8;

#[derive(Debug)]
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    /// Where the records start, in order. A record ends where the next one starts.
    starts: Vec<usize>,
}

impl<'a> Records<'a> {
    /// # Errors
    /// [`Reason::Damaged`] when the list of records is cut off or not in order. In order, records do not
    /// overlap, so that all of them together are no more than the file.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let count = usize::from(u16_at(bytes, COUNT_AT).ok_or_else(truncated)?);
        let start = |index: usize| Some(u32_at(bytes, LIST_AT + ENTRY_BYTES * index)? as usize);
        let starts: Option<Vec<usize>> = (0..count).map(start).collect();
        let starts = starts.ok_or_else(truncated)?;
        if !starts.is_sorted() {
            return Err(damaged("its records are not in order"));
        }
        Ok(Self { bytes, starts })
    }

    /// A record; `None` if there is none or the file ends before it does.
    pub(super) fn get(&self, index: usize) -> Option<&'a [u8]> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.bytes.len());
        self.bytes.get(start..end)
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

pub(super) fn damaged(what: &str) -> Unreadable {
    Unreadable::new(Reason::Damaged, format!("The Kindle book is damaged: {what}."))
}

pub(super) fn truncated() -> Unreadable {
    damaged("its end is missing, perhaps because a transfer was interrupted. Send the whole file again")
}
