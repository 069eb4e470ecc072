//! Finds the places of footnotes: the marks with their numbers on the same page.

use std::collections::HashMap;

use super::fragment::{Fragment, NoteMark};
use crate::builder::Builder;

/// A footnote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footnote {
    pub(super) page: usize,
    /// Its number or sign; empty if it has none.
    pub(super) mark: String,
    pub(super) text: String,
}

/// The footnotes that wait for their references.
#[derive(Debug)]
pub(super) struct NotePlaces<'a> {
    notes: &'a [Footnote],
    /// The notes of each page that no mark refers to yet, last one first.
    waiting: HashMap<usize, Vec<usize>>,
    /// The notes before this one are in the builder.
    written: usize,
    /// The references in the open paragraph: places in its text, and notes.
    open: Vec<(usize, usize)>,
}

impl<'a> NotePlaces<'a> {
    pub(super) fn new(notes: &'a [Footnote]) -> Self {
        let mut waiting: HashMap<usize, Vec<usize>> = HashMap::new();
        for (key, note) in notes.iter().enumerate().rev() {
            waiting.entry(note.page).or_default().push(key);
        }
        Self { notes, waiting, written: 0, open: Vec::new() }
    }

    /// Refers to the notes of a line's marks, after its text was appended to the open paragraph. Marks that refer to one
    /// are taken from the text.
    pub(super) fn add_line(&mut self, line: &Fragment, page: usize, text: &mut String) {
        for NoteMark { at, mark, is_in_text } in &line.marks {
            let after = line.text.trim_end().len().saturating_sub(*at);
            let place = text.floor_char_boundary(text.len().saturating_sub(after));
            let before = self.open.len();
            for one in mark.split(',').map(|one| one.trim_matches(['[', ']', ' '])) {
                let found = self.found(page, one);
                self.open.extend(found.map(|note| (place, note)));
            }
            if *is_in_text && self.open.len() > before && text[place..].starts_with(mark.as_str()) {
                text.replace_range(place..place + mark.len(), "");
            }
        }
    }

    /// The first note of the page with a mark, or the first of the next page, where a note stands that found no room.
    fn found(&mut self, page: usize, mark: &str) -> Option<usize> {
        let notes = self.notes;
        let is_it = |key: &usize| notes[*key].mark == mark;
        if let Some(waiting) = self.waiting.get_mut(&page)
            && let Some(index) = waiting.iter().rposition(is_it)
        {
            return Some(waiting.remove(index));
        }
        self.waiting.get_mut(&(page + 1)).filter(|waiting| waiting.last().is_some_and(is_it))?.pop()
    }

    /// Writes the open paragraph into the open block of the builder.
    pub(super) fn write(&mut self, text: &str, builder: &mut Builder) {
        let mut from = 0;
        for (place, note) in self.open.drain(..) {
            // A hyphen may have been removed since.
            let place = text.floor_char_boundary(place.min(text.len())).max(from);
            builder.text(&text[from..place]);
            builder.refer_to_note(note);
            from = place;
        }
        builder.text(&text[from..]);
    }

    /// Adds the notes of the pages before `page` to the builder. Those without a reference stand at
    /// the end of their page.
    pub(super) fn leave_pages(&mut self, page: usize, builder: &mut Builder) {
        while let Some(note) = self.notes.get(self.written).filter(|note| note.page < page) {
            builder.note(self.written, &note.text);
            self.written += 1;
        }
    }
}
