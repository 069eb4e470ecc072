//! Collects the text of a document: paragraphs, rows of tables, text boxes and notes.

use std::collections::HashMap;

use super::styles::{StyleSheet, heading};
use crate::{
    builder::Builder,
    word_processing::{self, Paragraph, Role, Row, Title},
};

/// Notes beyond this number are not read.
const MAX_NOTES: usize = 20_000;

/// The length of the longest drop cap, which may have a quotation mark before it or be a short word.
const MAX_DROP_CAP_CHARACTERS: usize = 12;

/// The properties of a paragraph.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Format {
    pub style: i32,
    pub outline_level: Option<i32>,
    pub in_table: bool,
    pub is_drop_cap: bool,
}

pub(super) struct Text<'a> {
    pub styles: StyleSheet,
    pub title: Title,
    builder: &'a mut Builder,
    paragraph: OpenParagraph,
    /// The paragraphs that anchor the open text boxes.
    anchors: Vec<OpenParagraph>,
    /// The cells of the open row, and the paragraphs of its last one.
    row: Row,
    cell: Vec<Paragraph>,
    /// A drop cap that waits for its paragraph.
    initial: String,
    notes: Vec<String>,
    /// Whether the text belongs to the last note.
    in_note: bool,
    /// How many characters are in each language.
    languages: HashMap<&'static str, usize>,
}

#[derive(Default)]
struct OpenParagraph {
    paragraph: Paragraph,
    label: String,
    language: Option<&'static str>,
}

impl<'a> Text<'a> {
    pub(super) fn new(builder: &'a mut Builder) -> Self {
        Self {
            styles: StyleSheet::default(),
            title: None,
            builder,
            paragraph: OpenParagraph::default(),
            anchors: Vec::new(),
            row: Row::default(),
            cell: Vec::new(),
            initial: String::new(),
            notes: Vec::new(),
            in_note: false,
            languages: HashMap::new(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.builder.is_full()
    }

    /// Whether the last paragraph has ended.
    pub(super) fn is_between_paragraphs(&self) -> bool {
        self.paragraph.paragraph.is_empty() && self.anchors.is_empty() && !self.in_note
    }

    pub(super) fn push(&mut self, text: &str, language: Option<&'static str>) {
        if self.in_note {
            if let Some(note) = self.notes.last_mut() {
                note.push_str(text);
            }
            return;
        }
        let OpenParagraph { paragraph, language: open, .. } = &mut self.paragraph;
        if *open != language {
            if open.take().is_some() {
                paragraph.end_language();
            }
            *open = language.filter(|tag| paragraph.begin_language(tag));
        }
        if let Some(tag) = language {
            *self.languages.entry(tag).or_default() += text.len();
        }
        paragraph.push(text);
    }

    pub(super) fn push_label(&mut self, text: &str) {
        if !self.in_note {
            self.paragraph.label.push_str(text);
        }
    }

    /// Starts a note at this place, unless there are too many or one is open.
    pub(super) fn begin_note(&mut self) -> bool {
        if self.in_note || self.notes.len() >= MAX_NOTES {
            return false;
        }
        self.paragraph.paragraph.refer_to_note(self.notes.len());
        self.notes.push(String::new());
        self.in_note = true;
        true
    }

    pub(super) fn end_note(&mut self) {
        self.in_note = false;
    }

    /// Starts a text box, unless it is in a note.
    pub(super) fn begin_text_box(&mut self) -> bool {
        if self.in_note {
            return false;
        }
        self.anchors.push(std::mem::take(&mut self.paragraph));
        true
    }

    pub(super) fn end_text_box(&mut self) {
        self.end_paragraph(Format::default());
        if let Some(anchor) = self.anchors.pop() {
            self.paragraph = anchor;
        }
    }

    /// Ends a paragraph.
    pub(super) fn end_paragraph(&mut self, format: Format) {
        if self.in_note {
            return self.push(" ", None);
        }
        let Some(paragraph) = self.take_paragraph(format) else { return };
        if let Some(anchor) = self.anchors.last_mut() {
            anchor.paragraph.text_boxes.push(paragraph);
        } else if format.in_table {
            self.cell.push(paragraph);
        } else {
            self.end_row();
            word_processing::write(&paragraph, self.builder, &mut self.title);
        }
    }

    pub(super) fn end_cell(&mut self, format: Format) {
        self.end_paragraph(Format { in_table: true, ..format });
        if self.anchors.is_empty() && !self.in_note {
            self.row.cells.push(std::mem::take(&mut self.cell));
        }
    }

    pub(super) fn end_row(&mut self) {
        if self.in_note || !self.anchors.is_empty() {
            return;
        }
        if !self.cell.is_empty() {
            self.row.cells.push(std::mem::take(&mut self.cell));
        }
        let row = std::mem::take(&mut self.row);
        if !row.cells.is_empty() {
            word_processing::write_row(&row, self.builder, &mut self.title);
        }
    }

    /// The open paragraph with its label and a waiting drop cap. `None` if it is a drop cap.
    fn take_paragraph(&mut self, format: Format) -> Option<Paragraph> {
        let OpenParagraph { mut paragraph, label, .. } = std::mem::take(&mut self.paragraph);
        if format.is_drop_cap && paragraph.text_boxes.is_empty() {
            let text = paragraph.plain_text();
            if text.trim().chars().count() <= MAX_DROP_CAP_CHARACTERS {
                self.initial.push_str(text.trim_end());
                return None;
            }
        }
        if !paragraph.is_empty() {
            paragraph.prepend(&std::mem::take(&mut self.initial));
            // Bullets are no labels; one of them is the letter o.
            let label = label.trim();
            if label != "o" && label.contains(char::is_alphanumeric) {
                paragraph.add_label(label);
            }
        }
        paragraph.role = match self.styles.role(format.style) {
            Role::Text => format.outline_level.and_then(heading).unwrap_or_default(),
            role => role,
        };
        Some(paragraph)
    }

    /// Writes what is left and returns the language of most of the text.
    pub(super) fn finish(&mut self) -> Option<&'static str> {
        self.in_note = false;
        while !self.anchors.is_empty() {
            self.end_text_box();
        }
        let initial = std::mem::take(&mut self.initial);
        self.paragraph.paragraph.prepend(&initial);
        self.end_paragraph(Format::default());
        for (key, note) in self.notes.iter().enumerate() {
            self.builder.note(key, note);
        }
        let most = self.languages.iter().max_by_key(|(tag, bytes)| (**bytes, **tag));
        most.map(|(tag, _)| *tag)
    }
}
