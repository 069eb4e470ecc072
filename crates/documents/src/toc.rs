//! Decides which entries of a table of contents are chapters. A book lists parts above chapters and
//! sections below them, and no format says which level is which. Each format finds the entries
//! itself.

use std::collections::HashMap;

use crate::builder::Builder;

/// An entry with children that is longer than this (over an hour of speech) is a part, whatever its
/// title.
const MIN_PART_BYTES: usize = 80_000;

/// First words of the titles of parts.
const PART_WORDS: [&str; 18] = [
    "part",
    "book",
    "volume",
    "vol.",
    "section",
    "act",
    "cycle",
    "teil",
    "buch",
    "band",
    "partie",
    "livre",
    "tome",
    "parte",
    "libro",
    "deel",
    "del",
    "часть",
];

/// An entry of a table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TocEntry {
    pub title: String,
    /// The nesting depth; 0 is outermost.
    pub depth: usize,
    /// Its target, an offset of the builder; a part may have none.
    pub offset: Option<usize>,
}

/// Sets a book's chapters and returns how many there are.
///
/// The outermost entries are chapters. So are the entries below a part (by its title, or because it
/// would make a very long chapter) and below a single entry that stands for the whole book.
pub(crate) fn set_chapters(entries: &[TocEntry], builder: &mut Builder) -> usize {
    let chapters = chapters(entries, builder.offset());
    for (at, title) in &chapters {
        builder.chapter_at(*at, Some(title));
    }
    chapters.len()
}

fn chapters(entries: &[TocEntry], text_bytes: usize) -> Vec<(usize, &str)> {
    let offsets = offsets(entries);
    let outermost = entries.iter().map(|entry| entry.depth).min().unwrap_or(0);
    let whole_book = entries.iter().filter(|entry| entry.depth == outermost).count() == 1;
    let mut chapters = Vec::new();
    // Entries down to this depth are chapters here.
    let mut chapter_depth = outermost;
    for (index, entry) in entries.iter().enumerate() {
        if entry.depth > chapter_depth {
            continue;
        }
        chapter_depth = entry.depth;
        let Some(start) = offsets[index] else { continue };
        let later = entries[index + 1..].iter().zip(&offsets[index + 1..]);
        let end = later
            .filter(|(later, _)| later.depth <= entry.depth)
            .find_map(|(_, offset)| *offset)
            .unwrap_or(text_bytes);
        let title = entry.title.trim();
        let part = is_part(title)
            || end.saturating_sub(start) > MIN_PART_BYTES
            || (whole_book && entry.depth == outermost);
        if part {
            chapter_depth = entry.depth + 1;
        }
        chapters.push((start, title));
    }
    chapters
}

/// The targets of the entries. An entry without one takes that of the first entry below it that has
/// one.
fn offsets(entries: &[TocEntry]) -> Vec<Option<usize>> {
    let mut offsets: Vec<Option<usize>> = entries.iter().map(|entry| entry.offset).collect();
    // Backwards: the first target found below, by depth.
    let mut below: HashMap<usize, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate().rev() {
        if offsets[index].is_none() {
            offsets[index] = below.get(&(entry.depth + 1)).copied();
        }
        below.retain(|&deeper, _| deeper <= entry.depth);
        if let Some(offset) = offsets[index] {
            below.insert(entry.depth, offset);
        }
    }
    offsets
}

fn is_part(title: &str) -> bool {
    let lower = title.to_lowercase();
    PART_WORDS.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::{TocEntry, chapters};

    fn entries(list: &[(&str, usize, Option<usize>)]) -> Vec<TocEntry> {
        let entry = |&(title, depth, offset): &(&str, usize, Option<usize>)| TocEntry {
            title: title.to_owned(),
            depth,
            offset,
        };
        list.iter().map(entry).collect()
    }

    #[test]
    fn sections_of_a_chapter_are_no_chapters_and_parts_hold_some() {
        let list = entries(&[
            ("Preface", 0, Some(0)),
            ("Part One", 0, None),
            ("Spring", 1, Some(100)),
            ("Snow", 2, Some(150)),
            ("Summer", 1, Some(200)),
            ("Afterword", 0, Some(300)),
            ("Thanks", 1, Some(350)),
        ]);
        let found = chapters(&list, 400);
        assert_eq!(
            found,
            [(0, "Preface"), (100, "Part One"), (100, "Spring"), (200, "Summer"), (300, "Afterword")]
        );
    }

    #[test]
    fn an_entry_for_the_whole_book_or_for_hours_is_opened() {
        let list = entries(&[
            ("The Book", 0, Some(0)),
            ("One", 1, Some(0)),
            ("a", 2, Some(9)),
            ("Two", 1, Some(50)),
        ]);
        assert_eq!(chapters(&list, 100), [(0, "The Book"), (0, "One"), (50, "Two")]);
        let list =
            entries(&[("I", 0, Some(0)), ("One", 1, Some(10)), ("II", 0, Some(90_000)), ("Two", 1, None)]);
        assert_eq!(chapters(&list, 91_000), [(0, "I"), (10, "One"), (90_000, "II")]);
    }

    #[test]
    fn entries_that_lead_nowhere_are_left_out() {
        let list = entries(&[("Cover", 0, None), ("One", 0, Some(5)), ("Part", 0, None), ("gone", 1, None)]);
        assert_eq!(chapters(&list, 10), [(5, "One")]);
        assert!(chapters(&[], 10).is_empty());
    }
}
