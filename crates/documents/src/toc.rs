//! Decides which entries of a table of contents are chapters. A book lists parts above chapters and
//! sections below them, and no format says which level is which. Each format finds the entries
//! itself.

use std::collections::HashMap;

use crate::chapter_names;

/// An entry with children that is longer than this (over an hour of speech) is a part, whatever its
/// title.
const MIN_PART_BYTES: usize = 80_000;

/// An entry that stands for the chapters below it has at most this much text of its own.
const MAX_TITLE_BYTES: usize = 400;

/// An entry of a table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TocEntry {
    pub title: String,
    /// The nesting depth; 0 is outermost.
    pub depth: usize,
    /// Its target, an offset of the builder; a part may have none.
    pub offset: Option<usize>,
}

/// A chapter start that a reader found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChapterStart {
    /// A byte offset in the text.
    pub at: usize,
    pub title: Option<String>,
    /// From 1; levels may be left out.
    pub level: u8,
}

/// The entries that are chapters: those down to `depth`, and those below parts. Without a depth, the
/// outermost ones are, and those below a single entry that stands for the whole book. A part is one by its title,
/// or because it would make a very long chapter.
pub(crate) fn chapters(entries: &[TocEntry], text_bytes: usize, depth: Option<usize>) -> Vec<ChapterStart> {
    let offsets = offsets(entries);
    let ends = ends(entries, &offsets, text_bytes);
    let outermost = entries.iter().map(|entry| entry.depth).min().unwrap_or(0);
    let whole_book = depth.is_none() && entries.iter().filter(|entry| entry.depth == outermost).count() == 1;
    let least = depth.unwrap_or(outermost);
    let mut chapters = Vec::new();
    // Entries down to this depth are chapters here.
    let mut chapter_depth = least;
    for (index, entry) in entries.iter().enumerate() {
        if entry.depth > chapter_depth {
            continue;
        }
        chapter_depth = entry.depth.max(least);
        let Some(at) = offsets[index] else { continue };
        let title = entry.title.trim();
        let part = chapter_names::is_part(title)
            || ends[index].saturating_sub(at) > MIN_PART_BYTES
            || stands_for_chapters(entries, &offsets, index)
            || (whole_book && entry.depth == outermost);
        if part && entry.depth >= least {
            chapter_depth = entry.depth + 1;
        }
        let level = u8::try_from(entry.depth - outermost + 1).unwrap_or(u8::MAX);
        chapters.push(ChapterStart { at, title: Some(title.to_owned()), level });
    }
    chapters
}

/// Whether an entry that is no chapter by its title has hardly any text before the chapters or parts
/// below it: the title of a book.
fn stands_for_chapters(entries: &[TocEntry], offsets: &[Option<usize>], index: usize) -> bool {
    let is_chapter = |title: &str| {
        let start = title.split([':', '.', ' ']).next().unwrap_or_default();
        chapter_names::is_part(title)
            // "Introduction" alone may be a section.
            || title.contains(|c: char| c.is_whitespace() || !c.is_ascii()) && chapter_names::chapter_line(title).is_some()
            || chapter_names::bare_number(start).is_some()
    };
    let Some(below) = entries.get(index + 1).filter(|next| next.depth > entries[index].depth) else {
        return false;
    };
    let own = offsets[index].zip(offsets[index + 1]).map(|(at, next)| next.saturating_sub(at));
    own.is_some_and(|own| own <= MAX_TITLE_BYTES)
        && is_chapter(below.title.trim())
        && !is_chapter(entries[index].title.trim())
}

/// The end of each entry: the target of the next one that is not below it.
fn ends(entries: &[TocEntry], offsets: &[Option<usize>], text_bytes: usize) -> Vec<usize> {
    let mut ends = vec![text_bytes; entries.len()];
    // Backwards: the targets that follow, each less deep than the one before it in the list.
    let mut following: Vec<(usize, usize)> = Vec::new();
    for index in (0..entries.len()).rev() {
        let depth = entries[index].depth;
        while following.pop_if(|(deeper, _)| *deeper > depth).is_some() {}
        ends[index] = following.last().map_or(text_bytes, |(_, at)| *at);
        if let Some(at) = offsets[index] {
            following.push((depth, at));
        }
    }
    ends
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

#[cfg(test)]
mod tests {
    use super::TocEntry;

    fn chapters(entries: &[TocEntry], bytes: usize) -> Vec<(usize, &str)> {
        let found = super::chapters(entries, bytes, None);
        let title = |title: Option<String>| {
            entries.iter().map(|entry| entry.title.as_str()).find(|known| title.as_deref() == Some(*known))
        };
        found.into_iter().map(|start| (start.at, title(start.title).unwrap_or_default())).collect()
    }

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
