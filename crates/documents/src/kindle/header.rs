//! The header of a book, its first record: how its text is stored, where its indexes are, and what
//! its publisher says about it. A file may have two books: one in the old format (MOBI 6) and, after
//! it, one in the new format (KF8).

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::records::{Records, damaged, truncated, u16_at, u32_at};
use crate::Unreadable;

/// The version of a header from which on the book is in the new format.
const KF8: u32 = 8;

/// The kinds of properties.
const AUTHOR: u32 = 100;
const COPYRIGHT: u32 = 109;
const SECOND_BOOK: u32 = 121;
const COVER: u32 = 201;
const TITLE: u32 = 503;
const LANGUAGE: u32 = 524;

/// Properties beyond this number are not read.
const MAX_PROPERTIES: u32 = 2_000;

/// Authors beyond this number are ignored.
const MAX_AUTHORS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    PalmDoc,
    Huffman,
}

/// A book in a file.
#[derive(Debug)]
pub(super) struct Book<'a> {
    records: &'a Records<'a>,
    /// The record of its header. All numbers of records count from it.
    start: usize,
    header: &'a [u8],
    properties: Vec<(u32, &'a [u8])>,
}

impl<'a> Book<'a> {
    /// The book whose header is a record.
    ///
    /// # Errors
    /// [`Unreadable`] with `damaged` when it is no header.
    pub(super) fn open(records: &'a Records<'a>, start: usize) -> Result<Self, Unreadable> {
        let header = records.get(start).ok_or_else(truncated)?;
        if header.get(16..20) != Some(b"MOBI") {
            return Err(damaged("its header is missing"));
        }
        let has_properties = u32_at(header, 128).is_some_and(|flags| flags & 0x40 != 0);
        let properties = if has_properties { properties(header) } else { Vec::new() };
        Ok(Self { records, start, header, properties })
    }

    /// The book in the new format after this one.
    pub(super) fn second(&self) -> Option<Self> {
        let start = usize::try_from(self.number(SECOND_BOOK)?).ok()?;
        let is_boundary = self.records.get(start.checked_sub(1)?)?.starts_with(b"BOUNDARY");
        let book = Self::open(self.records, start).ok()?;
        (is_boundary && book.is_kf8()).then_some(book)
    }

    /// A record, counted from the header.
    pub(super) fn record(&self, index: usize) -> Option<&'a [u8]> {
        self.records.get(self.start.checked_add(index)?)
    }

    pub(super) fn is_kf8(&self) -> bool {
        u32_at(self.header, 36).is_some_and(|version| version >= KF8)
    }

    pub(super) fn is_encrypted(&self) -> bool {
        u16_at(self.header, 12) != Some(0)
    }

    pub(super) fn compression(&self) -> Option<Compression> {
        match u16_at(self.header, 0)? {
            1 => Some(Compression::None),
            2 => Some(Compression::PalmDoc),
            0x4448 => Some(Compression::Huffman),
            _ => None,
        }
    }

    pub(super) fn encoding(&self) -> &'static Encoding {
        if u32_at(self.header, 28) == Some(65_001) { UTF_8 } else { WINDOWS_1252 }
    }

    /// The number of records of text, which follow the header.
    pub(super) fn text_records(&self) -> usize {
        u16_at(self.header, 8).map_or(0, usize::from)
    }

    /// The bits that say what follows the text of each record. Short headers have none.
    pub(super) fn trailing_flags(&self) -> u16 {
        if self.length() >= 228 { u16_at(self.header, 242).unwrap_or(0) } else { 0 }
    }

    /// The first record of the tables for unpacking text, and how many there are.
    pub(super) fn huffman_records(&self) -> Option<(usize, usize)> {
        Some((self.place(112)?, usize::try_from(u32_at(self.header, 116)?).ok()?))
    }

    /// The index of the table of contents.
    pub(super) fn contents(&self) -> Option<usize> {
        self.place(244)
    }

    /// Where the streams of a KF8 book are, of which the first is its text.
    pub(super) fn flows(&self) -> Option<usize> {
        self.place(192).filter(|_| self.is_kf8())
    }

    /// The index of the fragments of a KF8 book.
    pub(super) fn fragments(&self) -> Option<usize> {
        self.place(248).filter(|_| self.is_kf8())
    }

    /// The index of the skeletons of a KF8 book.
    pub(super) fn skeletons(&self) -> Option<usize> {
        self.place(252).filter(|_| self.is_kf8())
    }

    /// The index of the guide of a KF8 book.
    pub(super) fn guide(&self) -> Option<usize> {
        self.place(260).filter(|_| self.is_kf8())
    }

    pub(super) fn title(&self) -> Option<String> {
        let name = || {
            let start = usize::try_from(u32_at(self.header, 84)?).ok()?;
            let length = usize::try_from(u32_at(self.header, 88)?).ok()?;
            self.header.get(start..start.checked_add(length)?)
        };
        self.property(TITLE).or_else(name).map(|title| self.decode(title))
    }

    pub(super) fn author(&self) -> Option<String> {
        let authors = self.properties.iter().filter(|(kind, _)| *kind == AUTHOR);
        let authors: Vec<String> = authors.take(MAX_AUTHORS).map(|(_, name)| self.decode(name)).collect();
        (!authors.is_empty()).then(|| authors.join(", "))
    }

    pub(super) fn copyright(&self) -> Option<String> {
        self.property(COPYRIGHT).map(|rights| self.decode(rights))
    }

    pub(super) fn language(&self) -> Option<String> {
        let by_number = || {
            let number = i32::try_from(u32_at(self.header, 92)?).ok()?;
            crate::language::windows_tag(number).map(str::to_owned)
        };
        self.property(LANGUAGE).map(|tag| self.decode(tag)).or_else(by_number)
    }

    /// The picture of the cover.
    pub(super) fn cover(&self) -> Option<&'a [u8]> {
        let first = self.place(108)?;
        let offset = usize::try_from(self.number(COVER)?).ok()?;
        self.record(first.checked_add(offset)?)
    }

    fn decode(&self, bytes: &[u8]) -> String {
        self.encoding().decode_without_bom_handling(bytes).0.into_owned()
    }

    fn length(&self) -> u32 {
        u32_at(self.header, 20).unwrap_or(0)
    }

    /// The number of a record in the header; `None` where there is none, or the header is too short.
    fn place(&self, at: usize) -> Option<usize> {
        let end = 16_usize.saturating_add(usize::try_from(self.length()).ok()?);
        let place = u32_at(&self.header[..end.min(self.header.len())], at)?;
        (place != u32::MAX).then(|| usize::try_from(place).ok()).flatten()
    }

    fn property(&self, wanted: u32) -> Option<&'a [u8]> {
        self.properties.iter().find(|(kind, _)| *kind == wanted).map(|(_, value)| *value)
    }

    fn number(&self, wanted: u32) -> Option<u32> {
        u32_at(self.property(wanted)?, 0).filter(|number| *number != u32::MAX)
    }
}

/// The properties after the header: each has its kind and the length of all of it.
fn properties(header: &[u8]) -> Vec<(u32, &[u8])> {
    let mut found = Vec::new();
    let start = u32_at(header, 20).map_or(0, |length| 16_usize.saturating_add(length as usize));
    let Some(block) = header.get(start..).filter(|block| block.starts_with(b"EXTH")) else { return found };
    let count = u32_at(block, 8).unwrap_or(0).min(MAX_PROPERTIES);
    let mut at = 12;
    for _ in 0..count {
        let (Some(kind), Some(length)) = (u32_at(block, at), u32_at(block, at + 4)) else { break };
        let length = length as usize;
        let Some(value) = block.get(at + 8..at.saturating_add(length)) else { break };
        found.push((kind, value));
        at += length;
    }
    found
}
