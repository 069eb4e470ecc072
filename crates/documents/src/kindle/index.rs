//! Reads an index: a list of named entries, each of which has lists of numbers by tags. Texts of an
//! index are in records of their own.

use super::{
    header::Book,
    records::{u16_at, u32_at},
};

/// Entries of an index beyond this number are not read.
const MAX_ENTRIES: usize = 100_000;

/// A text of an index longer than this is cut.
const MAX_TEXT_BYTES: usize = 1_000;

/// What the tags of an entry are, as their numbers.
#[derive(Debug, Clone, Copy)]
struct Tag {
    number: u8,
    values: usize,
    /// The bits of the control byte that say how often it occurs.
    mask: u8,
    /// Whether it only ends a control byte.
    ends_byte: bool,
}

#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub name: &'a [u8],
    tags: Vec<(u8, Vec<u32>)>,
}

impl Entry<'_> {
    /// A number of a tag.
    pub(super) fn value(&self, tag: u8, at: usize) -> Option<u32> {
        self.tags.iter().find(|(number, _)| *number == tag)?.1.get(at).copied()
    }
}

#[derive(Debug)]
pub(super) struct Index<'a> {
    pub entries: Vec<Entry<'a>>,
    /// The records of texts.
    texts: Vec<&'a [u8]>,
}

impl<'a> Index<'a> {
    /// Reads the index that begins in a record; `None` if it is none.
    pub(super) fn read(book: &Book<'a>, at: usize) -> Option<Self> {
        let header = book.record(at)?;
        let count = u32_at(header, 24)? as usize;
        let texts = u32_at(header, 52)? as usize;
        let (tags, control_bytes) = tag_table(header)?;
        let mut entries = Vec::new();
        let first = at.checked_add(1)?;
        // The loops end with the records of the file, whatever their numbers are.
        for record in (first..first.saturating_add(count)).map_while(|index| book.record(index)) {
            add_entries(record, &tags, control_bytes, &mut entries);
        }
        let first = first.checked_add(count)?;
        let texts = (first..first.saturating_add(texts)).map_while(|index| book.record(index)).collect();
        Some(Self { entries, texts })
    }

    /// The text at an offset, which counts 64 KiB a record.
    pub(super) fn text(&self, offset: u32) -> Option<&'a [u8]> {
        let record = self.texts.get((offset >> 16) as usize)?;
        let mut rest = record.get((offset & 0xFFFF) as usize..)?;
        let length = number(&mut rest)? as usize;
        Some(&rest[..length.min(rest.len()).min(MAX_TEXT_BYTES)])
    }
}

/// The tags that entries may have, and the number of control bytes of an entry.
fn tag_table(header: &[u8]) -> Option<(Vec<Tag>, usize)> {
    if !header.starts_with(b"INDX") {
        return None;
    }
    let table = header.get(u32_at(header, 4)? as usize..)?;
    if !table.starts_with(b"TAGX") {
        return None;
    }
    let length = u32_at(table, 4)? as usize;
    let control_bytes = u32_at(table, 8)? as usize;
    let tags = table.get(12..length)?.chunks_exact(4).map(|tag| Tag {
        number: tag[0],
        values: usize::from(tag[1]),
        mask: tag[2],
        ends_byte: tag[3] == 1,
    });
    Some((tags.collect(), control_bytes))
}

/// Adds the entries of a record, as far as they are whole. Entries do not overlap, so that all of them
/// together are no more than the record.
fn add_entries<'a>(record: &'a [u8], tags: &[Tag], control_bytes: usize, entries: &mut Vec<Entry<'a>>) {
    let (Some(list), Some(count)) = (u32_at(record, 20), u32_at(record, 24)) else { return };
    let list = list as usize;
    let place = |index: usize| u16_at(record, list.checked_add(4 + 2 * index)?).map(usize::from);
    let mut before = 0;
    for index in 0..count as usize {
        let start = place(index).filter(|start| *start >= before && entries.len() < MAX_ENTRIES);
        let Some(start) = start else { break };
        let end = if index + 1 < count as usize { place(index + 1) } else { None };
        let end = end.unwrap_or(list);
        before = start.max(end);
        let bytes = record.get(start..end);
        let Some(entry) = bytes.and_then(|bytes| entry(bytes, tags, control_bytes)) else { continue };
        entries.push(entry);
    }
}

fn entry<'a>(bytes: &'a [u8], tags: &[Tag], control_bytes: usize) -> Option<Entry<'a>> {
    let (&length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(length))?;
    let (mut control, mut rest) = rest.split_at_checked(control_bytes)?;
    let mut counted = Vec::new();
    for tag in tags {
        if tag.ends_byte {
            control = control.split_first()?.1;
            continue;
        }
        let bits = control.first()? & tag.mask;
        if bits == 0 {
            continue;
        }
        // All of several bits mean that a length in bytes comes first.
        if bits == tag.mask && tag.mask.count_ones() > 1 {
            counted.push((tag, None, number(&mut rest)? as usize));
        } else {
            let times = usize::from(bits >> tag.mask.trailing_zeros());
            counted.push((tag, Some(times * tag.values), 0));
        }
    }
    let mut found = Vec::with_capacity(counted.len());
    for (tag, count, bytes) in counted {
        let values = if let Some(count) = count {
            std::iter::from_fn(|| number(&mut rest)).take(count).collect()
        } else {
            let (mut own, after) = rest.split_at_checked(bytes)?;
            rest = after;
            std::iter::from_fn(|| number(&mut own)).collect()
        };
        found.push((tag.number, values));
    }
    Some(Entry { name, tags: found })
}

/// A number of seven bits a byte, whose last byte has the highest bit set.
fn number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for _ in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number = number << 7 | u32::from(byte & 0x7F);
        if byte & 0x80 != 0 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::{Tag, add_entries};

    /// Negative control: without the check of their places, all of them were read.
    #[test]
    fn entries_that_overlap_are_not_read() {
        let mut record = b"INDX".to_vec();
        record.resize(300, 0x81);
        let count = 100_u16;
        record[20..24].copy_from_slice(&300_u32.to_be_bytes());
        record[24..28].copy_from_slice(&u32::from(count).to_be_bytes());
        // The first entry has no name, and the list of places has it again and again.
        record[200..202].copy_from_slice(&[0, 1]);
        record.extend(b"IDXT");
        (0..count).for_each(|index| record.extend(if index % 2 == 0 { 200_u16 } else { 290 }.to_be_bytes()));
        let tags = [Tag { number: 1, values: 1, mask: 1, ends_byte: false }];
        let mut entries = Vec::new();
        add_entries(&record, &tags, 1, &mut entries);
        let values: Vec<Option<u32>> = entries.iter().map(|entry| entry.value(1, 0)).collect();
        assert_eq!(values, [Some(1)]);
    }
}
