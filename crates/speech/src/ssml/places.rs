//! The lines and columns of places in a text.

use std::cell::Cell;

/// A byte of the text, and its line and column.
#[derive(Debug, Clone, Copy)]
struct Place {
    byte: usize,
    line: u32,
    column: u32,
}

impl Place {
    const START: Self = Self { byte: 0, line: 1, column: 1 };
}

/// Counts lines and columns. Elements are read from the first to the last, so it counts on from the last place: one
/// count from the start for each of many elements would take time in the square of the text.
pub(super) struct Places<'a> {
    text: &'a str,
    last: Cell<Place>,
}

impl<'a> Places<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, last: Cell::new(Place::START) }
    }

    pub(super) fn line_and_column(&self, byte: usize) -> (u32, u32) {
        let byte = self.text.floor_char_boundary(byte);
        let last = self.last.get();
        let Place { byte: from, mut line, mut column } = if last.byte <= byte { last } else { Place::START };
        for c in self.text[from..byte].chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        self.last.set(Place { byte, line, column });
        (line, column)
    }
}
