//! Reads the body of a document: paragraphs, tables, text boxes, notes and formulas.

use super::{
    formula,
    lists::Counters,
    styles::{Family, Style, Styles},
};
use crate::{
    Unreadable,
    builder::Builder,
    mathml::Formula,
    word_processing::{self, Paragraph, Role, Row, Title, read_part},
    xml::{Element, Event},
};

/// Notes beyond this number are not read.
const MAX_NOTES: usize = 20_000;

/// Elements that are not read: deleted text, comments, numbers of notes, indexes, readings above
/// words, forms and what fields are made of.
const SKIPPED_ELEMENTS: &[&str] = &[
    "tracked-changes",
    "annotation",
    "note-citation",
    "table-of-content",
    "illustration-index",
    "table-index",
    "object-index",
    "user-index",
    "alphabetical-index",
    "bibliography-source",
    "ruby-text",
    "covered-table-cell",
    "number",
    "sequence-decls",
    "variable-decls",
    "user-field-decls",
    "forms",
    "script",
    "binary-data",
    "event-listeners",
];

/// What the body has besides text.
pub(super) struct Content {
    /// The text of the first paragraph in the style "Title".
    pub title: Title,
    /// The notes; their keys are their indexes.
    pub notes: Vec<String>,
}

/// Reads the body into a builder. `object` finds the part of an embedded object.
pub(super) fn read(
    part: &str,
    styles: &Styles,
    object: &mut dyn FnMut(&str) -> Option<String>,
    depth: usize,
    builder: &mut Builder,
) -> Result<Content, Unreadable> {
    let mut body = Body {
        styles,
        object,
        builder,
        content: Content { title: None, notes: Vec::new() },
        is_open: false,
        open: Vec::new(),
        spans: Vec::new(),
        skipped: 0,
        counters: Counters::default(),
        formula: None,
    };
    read_part("ODT", part, depth, |event| {
        match event {
            Event::Open(element) => body.open(&element),
            Event::Close(name) => body.close(&name),
            Event::Text(text) => body.text(&text),
        }
        !body.builder.is_full()
    })?;
    Ok(body.content)
}

struct Body<'a> {
    styles: &'a Styles,
    object: &'a mut dyn FnMut(&str) -> Option<String>,
    builder: &'a mut Builder,
    content: Content,
    /// Whether the element that holds the text is open.
    is_open: bool,
    open: Vec<Block>,
    /// For each open span, whether it began a language.
    spans: Vec<bool>,
    /// How many elements are open from a skipped one on.
    skipped: usize,
    counters: Counters,
    formula: Option<Formula>,
}

/// A block being read.
enum Block {
    Paragraph {
        paragraph: Paragraph,
        is_hidden: bool,
    },
    Row(Row),
    /// A note, with its text.
    Note(String),
}

/// A block that was read.
enum Completed {
    Paragraph(Paragraph),
    Row(Row),
}

impl Body<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        if let Some(formula) = &mut self.formula {
            formula::open(formula, element);
        } else if self.skipped > 0 || (self.is_open && self.is_skipped(element)) {
            self.skipped += 1;
        } else if self.is_open {
            self.element(name, element);
        } else {
            // Spreadsheets and presentations have a body of another name.
            self.is_open = name == "text" && element.prefix() == Some("office");
        }
    }

    fn is_skipped(&self, element: &Element<'_>) -> bool {
        let is = |attribute: &str, value: &str| element.attribute(attribute).as_deref() == Some(value);
        match element.name() {
            // The name and description of a picture; the field of the document's title is read.
            "title" | "desc" => element.prefix() == Some("svg"),
            "section" => is("display", "none") || is("is-hidden", "true"),
            "hidden-text" => is("is-hidden", "true"),
            "span" => self.style(Family::Text, element).is_hidden,
            "p" | "h" => self.style(Family::Paragraph, element).is_hidden,
            "note" => self.content.notes.len() >= MAX_NOTES,
            name => SKIPPED_ELEMENTS.contains(&name),
        }
    }

    fn element(&mut self, name: &str, element: &Element<'_>) {
        match name {
            "p" | "h" => self.begin_paragraph(name, element),
            "span" => {
                let style = self.style(Family::Text, element);
                let paragraph = self.paragraph();
                let begun = style.language.zip(paragraph).map(|(tag, around)| around.begin_language(&tag));
                self.spans.push(begun.unwrap_or(false));
            }
            "list" => self.counters.begin_list(element),
            "list-item" | "list-header" => self.counters.begin_item(element),
            "table-row" => self.open.push(Block::Row(Row::default())),
            "table-cell" => {
                if let Some(Block::Row(row)) = self.open.last_mut() {
                    row.cells.push(Vec::new());
                }
            }
            "note" => {
                let key = self.content.notes.len();
                self.content.notes.push(String::new());
                if let Some(paragraph) = self.paragraph() {
                    paragraph.refer_to_note(key);
                }
                self.open.push(Block::Note(String::new()));
            }
            "s" | "tab" => self.push_text(" "),
            "line-break" => self.push_text("\n"),
            "math" => self.formula = Some(Formula::new()),
            "object" => {
                let part = element.attribute("href").and_then(|path| (self.object)(&path));
                if let Some(spoken) = part.and_then(|part| formula::spoken(&part)) {
                    self.push_text(&spoken);
                }
            }
            "hidden-paragraph" if element.attribute("is-hidden").as_deref() == Some("true") => {
                if let Some(Block::Paragraph { is_hidden, .. }) = self.open.last_mut() {
                    *is_hidden = true;
                }
            }
            _ => {}
        }
    }

    fn style(&self, family: Family, element: &Element<'_>) -> Style {
        let name = element.attribute("style-name");
        name.map(|name| self.styles.of(family, &name)).unwrap_or_default()
    }

    fn begin_paragraph(&mut self, name: &str, element: &Element<'_>) {
        let style = self.style(Family::Paragraph, element);
        let mut paragraph = Paragraph::of(style.role);
        let styles = self.styles;
        let mut label = self.counters.label(|name| styles.list(name));
        if name == "h" {
            let level = element.attribute("outline-level").and_then(|level| level.parse::<u8>().ok());
            let level = level.unwrap_or(1).max(1);
            if paragraph.role != Role::Title {
                paragraph.role = Role::Heading(level.min(6));
            }
            if !self.counters.is_in_list() && element.attribute("is-list-header").as_deref() != Some("true") {
                label = self.counters.heading_label(&styles.outline, usize::from(level) - 1, element);
            }
        }
        if let Some(tag) = style.language {
            paragraph.begin_language(&tag);
        }
        if let Some(label) = label {
            paragraph.push(&label);
            paragraph.push(" ");
        }
        self.open.push(Block::Paragraph { paragraph, is_hidden: false });
    }

    fn close(&mut self, name: &str) {
        if let Some(formula) = &mut self.formula {
            if !formula.close() {
                let spoken = self.formula.take().map(Formula::spoken).unwrap_or_default();
                self.push_text(&spoken);
            }
            return;
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match name {
            "p" | "h" => {
                if let Some(Block::Paragraph { paragraph, is_hidden: false }) =
                    self.open.pop_if(|open| matches!(open, Block::Paragraph { .. }))
                {
                    self.attach(Completed::Paragraph(paragraph));
                }
            }
            "span" => {
                if self.spans.pop() == Some(true)
                    && let Some(paragraph) = self.paragraph()
                {
                    paragraph.end_language();
                }
            }
            "list" => self.counters.end_list(),
            "table-row" => {
                if let Some(Block::Row(row)) = self.open.pop_if(|open| matches!(open, Block::Row(_))) {
                    self.attach(Completed::Row(row));
                }
            }
            "note" => {
                if let Some(Block::Note(text)) = self.open.pop_if(|open| matches!(open, Block::Note(_)))
                    && let Some(note) = self.content.notes.last_mut()
                {
                    *note = text;
                }
            }
            "body" => self.is_open = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(formula) = &mut self.formula {
            formula.text(text);
        } else if self.skipped == 0 {
            // Line breaks are elements; line feeds in text are plain white space.
            self.push_text(&text.replace(['\n', '\r'], " "));
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraph() {
            paragraph.push(text);
        }
    }

    fn paragraph(&mut self) -> Option<&mut Paragraph> {
        match self.open.last_mut() {
            Some(Block::Paragraph { paragraph, .. }) => Some(paragraph),
            _ => None,
        }
    }

    /// Moves a complete block to where it belongs: the paragraph that anchors it, its table cell, its
    /// note, or the text.
    fn attach(&mut self, done: Completed) {
        let paragraphs = |done: Completed| match done {
            Completed::Paragraph(paragraph) => vec![paragraph],
            Completed::Row(row) => row.into_paragraphs(),
        };
        match self.open.last_mut() {
            Some(Block::Paragraph { paragraph, .. }) => paragraph.text_boxes.extend(paragraphs(done)),
            Some(Block::Row(row)) => {
                if let Some(cell) = row.cells.last_mut() {
                    cell.extend(paragraphs(done));
                }
            }
            Some(Block::Note(text)) => {
                for paragraph in paragraphs(done) {
                    text.push_str(&paragraph.plain_text());
                    text.push(' ');
                }
            }
            None => match &done {
                Completed::Paragraph(paragraph) => {
                    word_processing::write(paragraph, self.builder, &mut self.content.title);
                }
                Completed::Row(row) => {
                    word_processing::write_row(row, self.builder, &mut self.content.title);
                }
            },
        }
    }
}
