//! Unpacks the text of a book from its records.

use super::{
    header::{Book, Compression},
    huffman::Huffman,
    records::{damaged, truncated},
};
use crate::{Limits, Unreadable};

/// Bytes of the book's text, which is markup.
///
/// # Errors
/// `damaged` when a record is missing or cannot be unpacked, `too_large` when the text unpacks to more
/// than the limits allow.
pub(super) fn read(book: &Book<'_>, limits: &Limits) -> Result<Vec<u8>, Unreadable> {
    let Some(compression) = book.compression() else {
        return Err(damaged("its text is packed in a way that is not known"));
    };
    let limit = usize::try_from(limits.part_bytes.min(limits.unpacked_bytes)).unwrap_or(usize::MAX);
    let mut huffman = match compression {
        Compression::Huffman => Some(Huffman::read(book, limit)?),
        _ => None,
    };
    let mut text = Vec::new();
    for index in 1..=book.text_records() {
        let record = book.record(index).ok_or_else(truncated)?;
        let packed = without_trailing(record, book.trailing_flags());
        match (&mut huffman, compression) {
            (Some(huffman), _) => huffman.unpack(packed, &mut text)?,
            (None, Compression::PalmDoc) => unpack(packed, &mut text),
            (None, _) => text.extend_from_slice(packed),
        }
        // PalmDOC makes at most five bytes of one, so that one record is not much.
        if text.len() > limit {
            return Err(Unreadable::expands_too_far());
        }
    }
    Ok(text)
}

/// A record without what follows its text. Each bit of the flags but the lowest stands for an entry
/// that ends with its length; the lowest stands for the rest of a character that the next record
/// repeats.
fn without_trailing(record: &[u8], flags: u16) -> &[u8] {
    let mut rest = record;
    for _ in 0..(flags >> 1).count_ones() {
        rest = &rest[..rest.len().saturating_sub(trailing_length(rest))];
    }
    if flags & 1 != 0
        && let Some(last) = rest.last()
    {
        rest = &rest[..rest.len().saturating_sub(usize::from(last & 3) + 1)];
    }
    rest
}

/// A number of seven bits a byte at the end of a record, whose first byte has the highest bit set.
fn trailing_length(record: &[u8]) -> usize {
    let last = &record[record.len().saturating_sub(4)..];
    last.iter().fold(0, |number, byte| {
        let before = if byte & 0x80 == 0 { number } else { 0 };
        before << 7 | usize::from(byte & 0x7F)
    })
}

/// Unpacks `PalmDOC`: bytes that stand for themselves, runs of them, a space before a letter, and
/// repetitions of earlier text.
fn unpack(packed: &[u8], text: &mut Vec<u8>) {
    let start = text.len();
    let mut bytes = packed.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            1..=8 => text.extend(bytes.by_ref().take(usize::from(byte))),
            0 | 9..=0x7F => text.push(byte),
            0xC0.. => text.extend([b' ', byte ^ 0x80]),
            0x80..=0xBF => {
                let Some(second) = bytes.next() else { break };
                let pair = usize::from(byte) << 8 | usize::from(second);
                let (distance, length) = (pair >> 3 & 0x7FF, (pair & 7) + 3);
                // A repetition of what comes before the record is damage.
                let Some(from) = text.len().checked_sub(distance).filter(|from| *from >= start) else {
                    continue;
                };
                if distance > 0 {
                    // It may overlap what it makes.
                    (from..from + length).for_each(|at| text.push(text[at]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{unpack, without_trailing};

    #[test]
    fn palmdoc_repeats_earlier_text_and_nothing_else() {
        let unpacked = |packed: &[u8]| {
            let mut text = b"before".to_vec();
            unpack(packed, &mut text);
            String::from_utf8_lossy(&text[6..]).into_owned()
        };
        assert_eq!(unpacked(b"ab\x80\x11c"), "abababc", "four bytes from two before");
        assert_eq!(unpacked(b"a\xE2\x02\xC3\xA9!"), "a b\u{E9}!");
        // Too far back, from nowhere, and cut off.
        assert_eq!(unpacked(b"ab\x80\x21c"), "abc");
        assert_eq!(unpacked(b"ab\x80\x01c"), "abc");
        assert_eq!(unpacked(b"ab\x80"), "ab");
        assert_eq!(unpacked(b"\x08ab"), "ab");
    }

    #[test]
    fn what_follows_the_text_of_a_record_is_cut_off() {
        assert_eq!(without_trailing(b"text", 0), b"text");
        assert_eq!(without_trailing(b"text\x83", 0b10), b"te");
        assert_eq!(without_trailing(b"text\x01x\x82", 0b11), b"tex", "a byte of a character, then an entry");
        assert_eq!(without_trailing(b"text\x8F\x7F", 0b10), b"", "a length of more than there is");
        assert_eq!(without_trailing(b"", 0b111), b"");
    }
}
