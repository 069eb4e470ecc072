//! A paragraph being read, and where it goes: into the text or into a table cell.

use super::Role;
use crate::builder::Builder;

/// Marks a reference to a note in the text of a paragraph. Texts never have this character, nor the
/// two below.
const NOTE_MARK: char = '\u{FFF9}';

/// Mark the start and the end of a stretch in another language.
const LANGUAGE_START: char = '\u{FFFA}';
const LANGUAGE_END: char = '\u{FFFB}';

/// A paragraph with more changes of language than this is read as if it had no more.
const MAX_LANGUAGES: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Paragraph {
    pub role: Role,
    /// A line feed is a line break. Marks stand for notes and changes of language.
    text: String,
    /// The keys of the notes it refers to, in order.
    notes: Vec<usize>,
    /// The tags of the languages that start in it, in order.
    languages: Vec<String>,
    /// Paragraphs of text boxes anchored in it, read after it.
    pub text_boxes: Vec<Paragraph>,
}

impl Paragraph {
    /// An empty paragraph.
    pub(crate) fn of(role: Role) -> Self {
        Self { role, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Adds text, with a line feed for a line break.
    pub(crate) fn push(&mut self, text: &str) {
        if text.contains(is_mark) {
            self.text.extend(text.chars().filter(|c| !is_mark(*c)));
        } else {
            self.text.push_str(text);
        }
    }

    /// Adds text before all other text.
    pub(crate) fn prepend(&mut self, text: &str) {
        self.text.insert_str(0, text);
    }

    /// Adds the label of a list: "3.".
    pub(crate) fn add_label(&mut self, label: &str) {
        self.text = format!("{label} {}", self.text.trim_start());
    }

    pub(crate) fn refer_to_note(&mut self, key: usize) {
        self.text.push(NOTE_MARK);
        self.notes.push(key);
    }

    /// Starts a stretch in another language. Returns whether [`Paragraph::end_language`] has to end
    /// it.
    pub(crate) fn begin_language(&mut self, tag: &str) -> bool {
        if self.languages.len() >= MAX_LANGUAGES {
            return false;
        }
        self.text.push(LANGUAGE_START);
        self.languages.push(tag.to_owned());
        true
    }

    pub(crate) fn end_language(&mut self) {
        self.text.push(LANGUAGE_END);
    }

    /// The text without marks.
    pub(crate) fn plain_text(&self) -> String {
        self.text.chars().filter(|c| !is_mark(*c)).collect()
    }

    /// Writes the text into the open block.
    fn write_text(&self, builder: &mut Builder) {
        let (mut notes, mut languages) = (self.notes.iter(), self.languages.iter());
        let mut open = 0_usize;
        for part in self.text.split_inclusive(|c| c == '\n' || is_mark(c)) {
            let mark = part.chars().next_back().filter(|c| *c == '\n' || is_mark(*c));
            builder.text(&part[..part.len() - mark.map_or(0, char::len_utf8)]);
            match mark {
                Some('\n') => builder.line_break(),
                Some(NOTE_MARK) => notes.next().into_iter().for_each(|note| builder.refer_to_note(*note)),
                Some(LANGUAGE_START) => {
                    if let Some(tag) = languages.next() {
                        builder.begin_language(tag);
                        open += 1;
                    }
                }
                Some(LANGUAGE_END) if open > 0 => {
                    builder.end_language();
                    open -= 1;
                }
                _ => {}
            }
        }
        (0..open).for_each(|_| builder.end_language());
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, NOTE_MARK | LANGUAGE_START | LANGUAGE_END)
}

#[derive(Debug, Default)]
pub(crate) struct Row {
    pub cells: Vec<Vec<Paragraph>>,
    /// Whether a recorded change deletes it.
    pub deleted: bool,
}

impl Row {
    /// The paragraphs of all cells, for a table inside another one.
    pub(crate) fn into_paragraphs(self) -> Vec<Paragraph> {
        if self.deleted { Vec::new() } else { self.cells.into_iter().flatten().collect() }
    }
}

/// The document's title, once found.
pub(crate) type Title = Option<String>;

/// Writes a paragraph, then its text boxes.
pub(crate) fn write(paragraph: &Paragraph, builder: &mut Builder, title: &mut Title) {
    let mut stack = vec![paragraph];
    while let Some(paragraph) = stack.pop() {
        stack.extend(paragraph.text_boxes.iter().rev());
        match paragraph.role {
            Role::Listing => continue,
            Role::Rule if paragraph.is_empty() => builder.scene_break(),
            Role::Text | Role::Rule => builder.paragraph(),
            Role::Heading(level) => builder.heading(level),
            Role::Title => {
                builder.heading(1);
                if !paragraph.is_empty() {
                    title.get_or_insert_with(|| paragraph.plain_text());
                }
            }
        }
        paragraph.write_text(builder);
        builder.paragraph();
    }
}

/// Writes a row. It is one line if each cell is one paragraph. Otherwise its paragraphs are written
/// one by one, because such tables are used for layout.
pub(crate) fn write_row(row: &Row, builder: &mut Builder, title: &mut Title) {
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
