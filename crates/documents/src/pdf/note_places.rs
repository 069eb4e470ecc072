//! Finds the places of footnotes: the marks with their numbers on the same page.

use std::collections::HashMap;

use super::fragment::Fragment;
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

    /// Refers to the notes of a line's marks, after its text was appended to the open paragraph.
    pub(super) fn add_line(&mut self, line: &Fragment, page: usize, text: &str) {
        let Some(waiting) = self.waiting.get_mut(&page) else { return };
        for (at, mark) in &line.marks {
            let after = line.text.trim_end().len().saturating_sub(*at);
            let place = text.floor_char_boundary(text.len().saturating_sub(after));
            for one in mark.split(',').map(|one| one.trim_matches(['[', ']', ' '])) {
                // The first note with the mark.
                let found = waiting.iter().rposition(|key| self.notes[*key].mark == one);
                self.open.extend(found.map(|index| (place, waiting.remove(index))));
            }
        }
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
