//! Which entries of a table of contents are chapters: a book lists its parts above its chapters and its sections below
//! them, and no format says which level is which. Where the entries come from is each format's own.

use std::collections::HashMap;

use crate::builder::Builder;

/// An entry with entries below it is a part, whatever it is called, when it is longer than this: over an hour.
const PART_BYTES: usize = 80_000;

/// Words that begin the titles of what holds chapters.
const PARTS: [&str; 18] = [
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

/// A line of a table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub title: String,
    /// How far in it stands; 0 is outermost.
    pub depth: usize,
    /// The place in the text that it leads to, an offset of the builder; a part may lead nowhere.
    pub place: Option<usize>,
}

/// Sets a book's chapters; how many.
///
/// The outermost entries are; so are those below a part, which is one by its title or because it would make a very
/// long chapter, and those below a single entry that stands for the whole book.
pub(crate) fn set_chapters(entries: &[Entry], builder: &mut Builder) -> usize {
    let chapters = chapters(entries, builder.offset());
    for (at, title) in &chapters {
        builder.chapter_at(*at, Some(title));
    }
    chapters.len()
}

fn chapters(entries: &[Entry], text_bytes: usize) -> Vec<(usize, &str)> {
    let places = places(entries);
    let outermost = entries.iter().map(|entry| entry.depth).min().unwrap_or(0);
    let whole_book = entries.iter().filter(|entry| entry.depth == outermost).count() == 1;
    let mut chapters = Vec::new();
    // The depth down to which entries are chapters here.
    let mut opened = outermost;
    for (index, entry) in entries.iter().enumerate() {
        if entry.depth > opened {
            continue;
        }
        opened = entry.depth;
        let Some(start) = places[index] else { continue };
        let later = entries[index + 1..].iter().zip(&places[index + 1..]);
        let end = later
            .filter(|(later, _)| later.depth <= entry.depth)
            .find_map(|(_, place)| *place)
            .unwrap_or(text_bytes);
        let title = entry.title.trim();
        let part = is_part(title)
            || end.saturating_sub(start) > PART_BYTES
            || (whole_book && entry.depth == outermost);
        if part {
            opened = entry.depth + 1;
        }
        chapters.push((start, title));
    }
    chapters
}

/// Where entries lead: one that leads nowhere starts with the first entry below it that leads somewhere.
fn places(entries: &[Entry]) -> Vec<Option<usize>> {
    let mut places: Vec<Option<usize>> = entries.iter().map(|entry| entry.place).collect();
    // From the last to the first: the first place below, by depth.
    let mut below: HashMap<usize, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate().rev() {
        if places[index].is_none() {
            places[index] = below.get(&(entry.depth + 1)).copied();
        }
        below.retain(|&deeper, _| deeper <= entry.depth);
        if let Some(place) = places[index] {
            below.insert(entry.depth, place);
        }
    }
    places
}

fn is_part(title: &str) -> bool {
    let lower = title.to_lowercase();
    PARTS.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Entry, chapters};

    fn entries(list: &[(&str, usize, Option<usize>)]) -> Vec<Entry> {
        let entry = |&(title, depth, place): &(&str, usize, Option<usize>)| Entry {
            title: title.to_owned(),
            depth,
            place,
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
