//! Which chapters of a book are read: `--chapters`, `--exclude` and `--all-chapters`; and the list of them.

use std::ops::RangeInclusive;

use lectern_documents::{ChapterRole, Chunk, Document};
use serde::Serialize;

/// Chapters by their indexes, as `0,2-5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indexes(Vec<RangeInclusive<u32>>);

impl Indexes {
    /// Parses `--chapters` and `--exclude`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "must be indexes of chapters such as 0,2-5; --list shows them".to_owned();
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        let ranges = text.split(',').map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = number(first)?..=number(last)?;
            if range.is_empty() { Err(wrong()) } else { Ok(range) }
        });
        ranges.collect::<Result<_, _>>().map(Self)
    }

    fn contains(&self, index: u32) -> bool {
        self.0.iter().any(|range| range.contains(&index))
    }

    /// The first index that a book with this many chapters does not have.
    fn beyond(&self, count: u32) -> Option<u32> {
        self.0.iter().find(|range| *range.end() >= count).map(|range| count.max(*range.start()))
    }
}

/// What a command says of the chapters to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection<'a> {
    /// Exactly these; by default those that belong to a spoken book.
    pub(super) chapters: Option<&'a Indexes>,
    /// All but these.
    pub(super) exclude: Option<&'a Indexes>,
    /// Also those that a listener does not want, such as the imprint.
    pub(super) all: bool,
}

/// A chapter, with the names of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Listed {
    index: u32,
    title: Option<String>,
    level: u8,
    role: ChapterRole,
    included: bool,
    characters: u64,
}

impl Selection<'_> {
    /// The chapters of a book, and of its chunks those that are read. Chapters are counted as by the API: those that
    /// have chunks.
    ///
    /// # Errors
    /// A sentence about an index that no chapter has, or that nothing is left to read.
    pub(super) fn of(&self, document: &Document, chunks: &mut Vec<Chunk>) -> Result<Vec<Listed>, String> {
        let mut listed: Vec<Listed> = Vec::new();
        let mut own = Vec::with_capacity(chunks.len());
        let mut last = None;
        for chunk in chunks.iter() {
            if last != Some(chunk.chapter) {
                last = Some(chunk.chapter);
                let about = document.chapters.get(chunk.chapter as usize);
                listed.push(Listed {
                    index: listed.len() as u32,
                    title: about.and_then(|about| about.title.clone()),
                    level: about.map_or(1, |about| about.level),
                    role: about.map_or(ChapterRole::Body, |about| about.role),
                    included: true,
                    characters: 0,
                });
            }
            if let Some(chapter) = listed.last_mut() {
                chapter.characters += u64::from(chunk.characters);
            }
            own.push(listed.len() - 1);
        }
        self.include(&mut listed)?;
        let mut own = own.into_iter();
        chunks.retain(|_| own.next().is_some_and(|chapter| listed[chapter].included));
        Ok(listed)
    }

    fn include(&self, listed: &mut [Listed]) -> Result<(), String> {
        let count = listed.len() as u32;
        let mut named = [self.chapters, self.exclude].into_iter().flatten();
        if let Some(unknown) = named.find_map(|indexes| indexes.beyond(count)) {
            return Err(format!("it has no chapter {unknown}: there are {count}, from 0"));
        }
        // A text of which no chapter would be read is a book with all of them.
        let all = self.all || !listed.iter().any(|chapter| chapter.role.is_included_by_default());
        for chapter in &mut *listed {
            let is_wanted = match self.chapters {
                Some(chapters) => chapters.contains(chapter.index),
                None => all || chapter.role.is_included_by_default(),
            };
            chapter.included =
                is_wanted && !self.exclude.is_some_and(|left_out| left_out.contains(chapter.index));
        }
        if !listed.is_empty() && listed.iter().all(|chapter| !chapter.included) {
            return Err("no chapter is left to read".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_numbers_and_ranges() {
        let indexes = Indexes::parse("0, 2-4").unwrap();
        let contained: Vec<u32> = (0..7).filter(|index| indexes.contains(*index)).collect();
        assert_eq!(contained, [0, 2, 3, 4]);
        assert_eq!((indexes.beyond(5), indexes.beyond(4), indexes.beyond(1)), (None, Some(4), Some(2)));
        for wrong in ["", "a", "1,", "-1", "3-2", "1-", "4294967296", "1;2"] {
            assert!(Indexes::parse(wrong).is_err(), "{wrong}");
        }
    }
}
