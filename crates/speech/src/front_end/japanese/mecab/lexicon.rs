//! The words of a dictionary: `sys.dic` and `unk.dic`, a double array from spellings to entries, the
//! entries, and what is said of each.

use super::{
    Bytes, DictionaryError,
    bytes::{i16_at, i32_at, u16_at, u32_at},
};

/// The header: ten numbers and the name of the character set.
const HEADER: usize = 72;
const CHARSET: std::ops::Range<usize> = 40..72;
/// The first number is the file's size under this mask.
const MAGIC: u32 = 0xEF71_8F77;
const VERSION: u32 = 102;
const ENTRY: usize = 16;
const UNIT: usize = 8;

#[derive(Debug)]
pub(super) struct Lexicon {
    bytes: Bytes,
    /// Where the entries and the features begin.
    entries: usize,
    features: usize,
    contexts: (usize, usize),
}

/// One reading of a spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Entry {
    /// The context that it is to the word before it.
    pub(in super::super) left: u16,
    /// The context that it is to the word after it.
    pub(in super::super) right: u16,
    pub(in super::super) cost: i16,
    /// The place of what is said of it.
    feature: u32,
}

impl Lexicon {
    pub(super) fn new(bytes: Bytes) -> Result<Self, DictionaryError> {
        let number = |index: usize| u32_at(&bytes, 4 * index).ok_or(DictionaryError::Truncated);
        if bytes.len() < HEADER {
            return Err(DictionaryError::Truncated);
        }
        let size = number(0)? ^ MAGIC;
        let charset = bytes[CHARSET].split(|&byte| byte == 0).next().unwrap_or_default();
        if number(1)? != VERSION || !matches!(charset.to_ascii_lowercase().as_slice(), b"utf-8" | b"utf8") {
            return Err(DictionaryError::Format);
        }
        let contexts = (number(4)? as usize, number(5)? as usize);
        let (units, entries, features) = (number(6)? as usize, number(7)? as usize, number(8)? as usize);
        let told = HEADER as u64 + units as u64 + entries as u64 + features as u64;
        if u64::from(size) != told || u64::try_from(bytes.len()).is_ok_and(|length| length != told) {
            return Err(DictionaryError::Truncated);
        }
        Ok(Self { entries: HEADER + units, features: HEADER + units + entries, contexts, bytes })
    }

    /// How many contexts its entries may have on the left and on the right.
    pub(super) const fn contexts(&self) -> (usize, usize) {
        self.contexts
    }

    /// Calls `found` with the length of each spelling that the text starts with and with its
    /// entries.
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, Entry)) {
        let mut base = self.unit(0).map_or(0, |(base, _)| base);
        for length in 0..=text.len() {
            if let Some((value, check)) = self.unit(base)
                && check == base.cast_unsigned()
                && value < 0
            {
                self.of_value(value).for_each(|entry| found(length, entry));
            }
            let Some(&byte) = text.get(length) else { return };
            match self.step(base, byte) {
                Some(next) => base = next,
                None => return,
            }
        }
    }

    /// The entries of a spelling.
    pub(super) fn exact(&self, text: &[u8]) -> impl Iterator<Item = Entry> + '_ {
        let start = self.unit(0).map(|(base, _)| base);
        let end = start.and_then(|start| text.iter().try_fold(start, |base, &byte| self.step(base, byte)));
        let value = end.and_then(|base| {
            let (value, check) = self.unit(base)?;
            (check == base.cast_unsigned() && value < 0).then_some(value)
        });
        value.into_iter().flat_map(|value| self.of_value(value))
    }

    /// What is said of an entry, empty when the file is damaged there.
    pub(super) fn feature(&self, entry: Entry) -> &str {
        let start = self.features.saturating_add(entry.feature as usize);
        let rest = self.bytes.get(start..).unwrap_or_default();
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(0);
        std::str::from_utf8(&rest[..end]).unwrap_or_default()
    }

    /// From a state of the double array with one byte more.
    fn step(&self, base: i32, byte: u8) -> Option<i32> {
        let at = base.checked_add(i32::from(byte) + 1)?;
        let (next, check) = self.unit(at)?;
        (check == base.cast_unsigned()).then_some(next)
    }

    fn unit(&self, index: i32) -> Option<(i32, u32)> {
        let at = HEADER.checked_add(usize::try_from(index).ok()?.checked_mul(UNIT)?)?;
        if at + UNIT > self.entries {
            return None;
        }
        Some((i32_at(&self.bytes, at)?, u32_at(&self.bytes, at + 4)?))
    }

    /// The entries that a value of the double array stands for: how many, in its low byte, and the
    /// first.
    fn of_value(&self, value: i32) -> impl Iterator<Item = Entry> + '_ {
        let value = (-1_i32).wrapping_sub(value).cast_unsigned();
        let first = (value >> 8) as usize;
        (first..first + (value & 0xFF) as usize).filter_map(|index| self.entry(index))
    }

    fn entry(&self, index: usize) -> Option<Entry> {
        let at = self.entries.checked_add(index.checked_mul(ENTRY)?)?;
        if at + ENTRY > self.features {
            return None;
        }
        Some(Entry {
            left: u16_at(&self.bytes, at)?,
            right: u16_at(&self.bytes, at + 2)?,
            cost: i16_at(&self.bytes, at + 6)?,
            feature: u32_at(&self.bytes, at + 8)?,
        })
    }
}
