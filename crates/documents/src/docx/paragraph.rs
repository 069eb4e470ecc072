//! A paragraph while it is read, and where it goes: into the text, or into the cell of a table it stands in.

use super::{numbering::Place, styles::Role};
use crate::builder::Builder;

/// A paragraph and what is anchored in it.
#[derive(Debug)]
pub(super) struct Paragraph {
    pub role: Role,
    /// Its text; a line feed is a line break.
    pub text: String,
    /// Its place in a list.
    pub numbering: Place,
    /// Whether it is the large first letter of the paragraph after it.
    pub drop_cap: bool,
    /// Paragraphs of the boxes that are anchored in it, to be read after it.
    pub boxes: Vec<Paragraph>,
}

impl Paragraph {
    pub(super) fn new() -> Self {
        Self {
            role: Role::Text,
            text: String::new(),
            numbering: Place::default(),
            drop_cap: false,
            boxes: Vec::new(),
        }
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A row of a table.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The paragraphs of each cell.
    pub cells: Vec<Vec<Paragraph>>,
    /// Whether its deletion is recorded.
    pub deleted: bool,
}

/// Where the title stands, once it was met.
pub(super) type Title = Option<String>;

/// Writes a paragraph, then its boxes.
pub(super) fn write(paragraph: &Paragraph, builder: &mut Builder, title: &mut Title) {
    let mut waiting = vec![paragraph];
    while let Some(paragraph) = waiting.pop() {
        waiting.extend(paragraph.boxes.iter().rev());
        match paragraph.role {
            Role::Listing => continue,
            Role::Text => builder.paragraph(),
            Role::Heading(level) => builder.heading(level),
            Role::Title => {
                builder.heading(1);
                if !paragraph.is_empty() {
                    title.get_or_insert_with(|| paragraph.text.clone());
                }
            }
        }
        for (index, line) in paragraph.text.split('\n').enumerate() {
            if index > 0 {
                builder.line_break();
            }
            builder.text(line);
        }
        builder.paragraph();
    }
}

/// Writes a row: on one line, when each of its cells is one paragraph; else its paragraphs one by one, as they are in
/// tables that only place text on a page.
pub(super) fn write_row(row: &Row, builder: &mut Builder, title: &mut Title) {
    if row.deleted {
        return;
    }
    let plain = |cell: &Vec<Paragraph>| {
        cell.iter().filter(|paragraph| !paragraph.is_empty()).count() <= 1
            && cell.iter().all(|paragraph| paragraph.role == Role::Text && paragraph.boxes.is_empty())
    };
    if !row.cells.iter().all(plain) {
        row.cells.iter().flatten().for_each(|paragraph| write(paragraph, builder, title));
        return;
    }
    builder.paragraph();
    for cell in &row.cells {
        builder.cell();
        for paragraph in cell {
            builder.text(&paragraph.text);
        }
    }
    builder.paragraph();
}
