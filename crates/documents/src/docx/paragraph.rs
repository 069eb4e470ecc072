//! A paragraph being read, and where it goes: into the text or into a table cell.

use super::{numbering::ListPosition, styles::Role};
use crate::builder::Builder;

/// Marks a reference to a note in the text of a paragraph. Texts never have this character.
pub(super) const NOTE_MARK: char = '\u{FFF9}';

#[derive(Debug)]
pub(super) struct Paragraph {
    pub role: Role,
    /// A line feed is a line break, and [`NOTE_MARK`] refers to a note.
    pub text: String,
    /// The keys of the notes it refers to, in order.
    pub notes: Vec<usize>,
    pub numbering: ListPosition,
    /// Whether it is the drop cap of the next paragraph.
    pub drop_cap: bool,
    /// Paragraphs of text boxes anchored in it, read after it.
    pub text_boxes: Vec<Paragraph>,
}

impl Paragraph {
    pub(super) fn new() -> Self {
        Self {
            role: Role::Text,
            text: String::new(),
            notes: Vec::new(),
            numbering: ListPosition::default(),
            drop_cap: false,
            text_boxes: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Writes the text into the open block.
    fn write_text(&self, builder: &mut Builder) {
        let mut notes = self.notes.iter();
        for (index, line) in self.text.split('\n').enumerate() {
            if index > 0 {
                builder.line_break();
            }
            for (index, part) in line.split(NOTE_MARK).enumerate() {
                if let Some(note) = (index > 0).then(|| notes.next()).flatten() {
                    builder.refer_to_note(*note);
                }
                builder.text(part);
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Row {
    pub cells: Vec<Vec<Paragraph>>,
    /// Whether a recorded change deletes it.
    pub deleted: bool,
}

/// The document's title, once found.
pub(super) type Title = Option<String>;

/// Writes a paragraph, then its text boxes.
pub(super) fn write(paragraph: &Paragraph, builder: &mut Builder, title: &mut Title) {
    let mut stack = vec![paragraph];
    while let Some(paragraph) = stack.pop() {
        stack.extend(paragraph.text_boxes.iter().rev());
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
        paragraph.write_text(builder);
        builder.paragraph();
    }
}

/// Writes a row. It is one line if each cell is one paragraph. Otherwise its paragraphs are written
/// one by one, because such tables are used for layout.
pub(super) fn write_row(row: &Row, builder: &mut Builder, title: &mut Title) {
    if row.deleted {
        return;
    }
    let plain = |cell: &Vec<Paragraph>| {
        cell.iter().filter(|paragraph| !paragraph.is_empty()).count() <= 1
            && cell.iter().all(|paragraph| paragraph.role == Role::Text && paragraph.text_boxes.is_empty())
    };
    if !row.cells.iter().all(plain) {
        row.cells.iter().flatten().for_each(|paragraph| write(paragraph, builder, title));
        return;
    }
    builder.paragraph();
    for cell in &row.cells {
        builder.cell();
        for paragraph in cell {
            paragraph.write_text(builder);
        }
    }
    builder.paragraph();
}
