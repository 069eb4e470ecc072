//! Unpacks text that is packed with a Huffman code for phrases of a dictionary. A phrase may be packed
//! itself, by the same code.

use super::{
    header::Book,
    records::{damaged, truncated, u16_at, u32_at},
};
use crate::Unreadable;

/// Phrases nested deeper than this are damage.
const MAX_DEPTH: usize = 64;

/// The most records of phrases.
const MAX_RECORDS: usize = 1_000;

/// Phrases beyond this number are damage.
const MAX_PHRASES: usize = 1 << 20;

/// What the first eight bits of a code say.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    /// The length of the code, or the least that it may have.
    length: u32,
    is_whole: bool,
    /// The highest code of this length, in the upper bits.
    highest: u32,
}

/// The lowest and the highest code by length, in the upper bits.
type Ranges = Vec<(u32, u32)>;

#[derive(Debug)]
struct Phrase<'a> {
    bytes: &'a [u8],
    is_packed: bool,
}

#[derive(Debug)]
pub(super) struct Huffman<'a> {
    starts: Vec<Start>,
    ranges: Ranges,
    phrases: Vec<Phrase<'a>>,
    /// How long the text may become.
    limit: usize,
    /// How many phrases may still be looked up. Phrases of nothing but phrases make much work and no
    /// text.
    work: usize,
}

impl<'a> Huffman<'a> {
    /// Reads the tables of a book, for a text of at most `limit` bytes.
    pub(super) fn read(book: &Book<'a>, limit: usize) -> Result<Self, Unreadable> {
        let (first, count) = book.huffman_records().ok_or_else(broken)?;
        let codes = book.record(first).ok_or_else(truncated)?;
        let (starts, ranges) = code_tables(codes).ok_or_else(broken)?;
        let mut phrases = Vec::new();
        for index in 1..count.min(MAX_RECORDS) {
            let record = book.record(first.saturating_add(index)).ok_or_else(truncated)?;
            add_phrases(record, &mut phrases).ok_or_else(broken)?;
        }
        Ok(Self { starts, ranges, phrases, limit, work: limit })
    }

    /// Adds the text of a record.
    ///
    /// # Errors
    /// `damaged` when a code stands for no phrase, `too_large` when the text or the work is more than
    /// the limit.
    pub(super) fn unpack(&mut self, packed: &'a [u8], text: &mut Vec<u8>) -> Result<(), Unreadable> {
        let mut open = vec![Bits { bytes: packed, at: 0 }];
        while let Some(bits) = open.last_mut() {
            let Some(index) = next(&self.starts, &self.ranges, bits) else {
                open.pop();
                continue;
            };
            self.work = self.work.checked_sub(1).ok_or_else(Unreadable::expands_too_far)?;
            let phrase = self.phrases.get(index).ok_or_else(broken)?;
            if text.len() + phrase.bytes.len() > self.limit {
                return Err(Unreadable::expands_too_far());
            }
            if !phrase.is_packed {
                text.extend_from_slice(phrase.bytes);
            } else if open.len() < MAX_DEPTH {
                open.push(Bits { bytes: phrase.bytes, at: 0 });
            } else {
                return Err(broken());
            }
        }
        Ok(())
    }
}

fn broken() -> Unreadable {
    damaged("its text cannot be unpacked")
}

/// Bits being read.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next 32 bits, with zeros after the end.
    fn peek(&self) -> u32 {
        let first = self.at / 8;
        let bytes = (first..first + 5).map(|at| self.bytes.get(at).copied().unwrap_or(0));
        let window = bytes.fold(0_u64, |window, byte| window << 8 | u64::from(byte));
        // 40 bits, of which the first 0 to 7 are used up.
        (window >> (8 - self.at % 8)) as u32
    }

    fn left(&self) -> usize {
        self.bytes.len() * 8 - self.at
    }
}

/// The index of the next phrase; `None` at the end.
fn next(starts: &[Start], ranges: &[(u32, u32)], bits: &mut Bits<'_>) -> Option<usize> {
    let code = bits.peek();
    let start = starts.get((code >> 24) as usize)?;
    let (mut length, mut highest) = (start.length, start.highest);
    if !start.is_whole {
        while code < ranges.get(length as usize)?.0 {
            length += 1;
        }
        highest = ranges.get(length as usize)?.1;
    }
    if !(1..=32).contains(&length) || length as usize > bits.left() {
        return None;
    }
    bits.at += length as usize;
    Some((highest.wrapping_sub(code) >> (32 - length)) as usize)
}

/// The two tables of codes: by their first eight bits, and by their lengths.
fn code_tables(record: &[u8]) -> Option<(Vec<Start>, Ranges)> {
    if !record.starts_with(b"HUFF") {
        return None;
    }
    let (first, second) = (u32_at(record, 8)? as usize, u32_at(record, 12)? as usize);
    // The highest code of a length, moved to the upper bits, with ones after it.
    let upper = |code: u32, length: u32| ((u64::from(code) + 1) << (32 - length)).wrapping_sub(1) as u32;
    let start = |index: usize| {
        let value = u32_at(record, first.checked_add(4 * index)?)?;
        let length = value & 0x1F;
        Some(Start { length, is_whole: value & 0x80 != 0, highest: upper(value >> 8, length) })
    };
    let range = |length: u32| {
        let at = second.checked_add(8 * (length as usize - 1))?;
        let lowest = (u64::from(u32_at(record, at)?) << (32 - length)) as u32;
        Some((lowest, upper(u32_at(record, at + 4)?, length)))
    };
    let starts = (0..256).map(start).collect::<Option<Vec<Start>>>()?;
    // No code has no bits.
    let ranges = std::iter::once(Some((u32::MAX, 0))).chain((1..=32).map(range));
    Some((starts, ranges.collect::<Option<Vec<_>>>()?))
}

/// Adds the phrases of a record.
fn add_phrases<'a>(record: &'a [u8], phrases: &mut Vec<Phrase<'a>>) -> Option<()> {
    const LIST_AT: usize = 16;
    if !record.starts_with(b"CDIC") {
        return None;
    }
    let all = u32_at(record, 8)? as usize;
    let most = 1_usize << u32_at(record, 12)?.min(16);
    for index in 0..most.min(all.saturating_sub(phrases.len())) {
        let place = LIST_AT + usize::from(u16_at(record, LIST_AT + 2 * index)?);
        let length = u16_at(record, place)?;
        let bytes = record.get(place + 2..place + 2 + usize::from(length & 0x7FFF))?;
        if phrases.len() >= MAX_PHRASES {
            return None;
        }
        phrases.push(Phrase { bytes, is_packed: length & 0x8000 == 0 });
    }
    Some(())
}
