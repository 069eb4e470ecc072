//! Reads the body of a document: paragraphs, tables, text boxes and recorded changes.

use super::{
    notes::NoteKind,
    numbering::{Counters, ListPosition, Numbering},
    part,
    styles::{self, Styles},
};
use crate::{
    Unreadable,
    builder::Builder,
    word_processing::{self, Paragraph, Role, Row, Title},
    xml::{Element, Event},
};

/// The length of the longest drop cap, which may have a quotation mark before it or be a short
/// word.
const MAX_DROP_CAP_CHARACTERS: usize = 12;

/// Reads the body into a builder and returns the text of the first paragraph in the style "Title".
pub(super) fn read(
    part: &str,
    styles: &Styles,
    numbering: &Numbering,
    depth: usize,
    builder: &mut Builder,
) -> Result<Title, Unreadable> {
    let mut body = Body {
        styles,
        builder,
        title: None,
        open: Vec::new(),
        skipped: 0,
        runs: Vec::new(),
        text: false,
        numbering,
        counters: Counters::default(),
        initial: String::new(),
    };
    part::read(part, depth, |event| {
        match event {
            Event::Open(element) => body.open(&element),
            Event::Close(name) => body.close(&name),
            Event::Text(text) => body.text(&text),
        }
        !body.builder.is_full()
    })?;
    if !body.initial.is_empty() {
        let mut last = Paragraph::default();
        last.push(&std::mem::take(&mut body.initial));
        body.attach(Completed::Paragraph(last));
    }
    Ok(body.title)
}

fn number(element: &Element<'_>) -> Option<i64> {
    element.attribute("val")?.parse().ok()
}

struct Body<'a> {
    styles: &'a Styles,
    builder: &'a mut Builder,
    title: Title,
    open: Vec<Block>,
    /// How many skipped elements are open.
    skipped: usize,
    /// Whether each open run is hidden.
    runs: Vec<bool>,
    /// Whether a text element is open.
    text: bool,
    numbering: &'a Numbering,
    counters: Counters,
    /// A drop cap that waits for its paragraph.
    initial: String,
}

/// A block being read.
enum Block {
    Paragraph(OpenParagraph),
    Row(Row),
}

#[derive(Default)]
struct OpenParagraph {
    paragraph: Paragraph,
    numbering: ListPosition,
    /// Whether it is the drop cap of the next paragraph.
    drop_cap: bool,
}

/// A block that was read.
enum Completed {
    Paragraph(Paragraph),
    Row(Row),
}

impl Body<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        // In the properties of a row, `del` marks the row as deleted; in those of a paragraph mark,
        // the mark.
        if name == "del"
            && let Some(Block::Row(row)) = self.open.last_mut()
        {
            row.deleted = row.cells.is_empty();
        }
        if self.skipped > 0 || part::SKIPPED_ELEMENTS.contains(&name) {
            self.skipped += usize::from(part::SKIPPED_ELEMENTS.contains(&name));
            return;
        }
        match name {
            "p" => self.open.push(Block::Paragraph(OpenParagraph::default())),
            "tr" => self.open.push(Block::Row(Row::default())),
            "tc" => {
                if let Some(Block::Row(row)) = self.open.last_mut() {
                    row.cells.push(Vec::new());
                }
            }
            "r" => self.runs.push(false),
            "vanish" | "webHidden" if element.is_on() => {
                if let Some(hidden) = self.runs.last_mut() {
                    *hidden = true;
                }
            }
            "pStyle" => {
                let id = element.attribute("val");
                let styled = id.map(|id| (self.styles.role(&id), self.styles.numbering(&id)));
                if let (Some(open), Some((role, numbering))) = (self.paragraph(), styled) {
                    open.paragraph.role = role;
                    open.numbering = numbering;
                }
            }
            "framePr" => {
                if let Some(open) = self.paragraph() {
                    open.drop_cap =
                        matches!(element.attribute("dropCap").as_deref(), Some("drop" | "margin"));
                }
            }
            "ilvl" => {
                if let Some(open) = self.paragraph() {
                    open.numbering.level = number(element);
                }
            }
            "numId" => {
                if let Some(open) = self.paragraph() {
                    open.numbering.list = number(element);
                }
            }
            "outlineLvl" => {
                if let (Some(level), Some(open)) =
                    (styles::outline_level(element.attribute("val")), self.paragraph())
                    && open.paragraph.role == Role::Text
                {
                    open.paragraph.role = Role::Heading(level);
                }
            }
            "t" => self.text = true,
            // Outside a run, `tab` is a tab stop of the paragraph.
            "tab" | "ptab" if !self.runs.is_empty() => self.push_text(" "),
            "br" if element.attribute("type").is_some_and(|kind| kind != "textWrapping") => {
                self.push_text(" ");
            }
            "br" | "cr" => self.push_text("\n"),
            "noBreakHyphen" => self.push_text("-"),
            name => self.refer(name, element),
        }
    }

    /// Refers to a note, if the element does.
    fn refer(&mut self, name: &str, element: &Element<'_>) {
        let id = element.attribute("id").and_then(|id| id.parse::<usize>().ok());
        let is_hidden = self.runs.last().is_some_and(|hidden| *hidden);
        if let (Some(kind), Some(id), false) = (NoteKind::of(name), id, is_hidden)
            && let Some(open) = self.paragraph()
        {
            open.paragraph.refer_to_note(kind.key(id));
        }
    }

    fn close(&mut self, name: &str) {
        if part::SKIPPED_ELEMENTS.contains(&name) {
            self.skipped = self.skipped.saturating_sub(1);
            return;
        }
        if self.skipped > 0 {
            return;
        }
        match name {
            "t" => self.text = false,
            "r" => drop(self.runs.pop()),
            "p" => {
                if let Some(Block::Paragraph(open)) =
                    self.open.pop_if(|open| matches!(open, Block::Paragraph(_)))
                    && let Some(paragraph) = self.complete(open)
                {
                    self.attach(Completed::Paragraph(paragraph));
                }
            }
            "tr" => {
                if let Some(Block::Row(row)) = self.open.pop_if(|open| matches!(open, Block::Row(_))) {
                    self.attach(Completed::Row(row));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.text && self.skipped == 0 {
            // Line breaks are elements; line feeds in text are plain white space.
            self.push_text(&text.replace(['\n', '\r'], " "));
        }
    }

    fn push_text(&mut self, text: &str) {
        if self.runs.last().is_some_and(|hidden| *hidden) {
            return;
        }
        if let Some(open) = self.paragraph() {
            open.paragraph.push(text);
        }
    }

    fn paragraph(&mut self) -> Option<&mut OpenParagraph> {
        match self.open.last_mut() {
            Some(Block::Paragraph(paragraph)) => Some(paragraph),
            _ => None,
        }
    }

    /// Adds the list label and a waiting drop cap to a paragraph. `None` if the paragraph is a drop
    /// cap.
    fn complete(&mut self, open: OpenParagraph) -> Option<Paragraph> {
        let OpenParagraph { mut paragraph, numbering, drop_cap } = open;
        if drop_cap && paragraph.text_boxes.is_empty() {
            let text = paragraph.plain_text();
            if text.trim().chars().count() <= MAX_DROP_CAP_CHARACTERS {
                self.initial.push_str(text.trim_end());
                return None;
            }
        }
        if !paragraph.is_empty() {
            paragraph.prepend(&std::mem::take(&mut self.initial));
            if let Some(label) = self.counters.label(self.numbering, numbering) {
                paragraph.add_label(&label);
            }
        }
        Some(paragraph)
    }

    /// Moves a complete block to where it belongs: the paragraph that anchors it, its table cell,
    /// or the text.
    fn attach(&mut self, done: Completed) {
        let paragraphs = |done: Completed| match done {
            Completed::Paragraph(paragraph) => vec![paragraph],
            Completed::Row(row) => row.into_paragraphs(),
        };
        match self.open.last_mut() {
            Some(Block::Paragraph(around)) => around.paragraph.text_boxes.extend(paragraphs(done)),
            Some(Block::Row(row)) => {
                if let Some(cell) = row.cells.last_mut() {
                    cell.extend(paragraphs(done));
                }
            }
            None => match &done {
                Completed::Paragraph(paragraph) => {
                    word_processing::write(paragraph, self.builder, &mut self.title);
                }
                Completed::Row(row) => word_processing::write_row(row, self.builder, &mut self.title),
            },
        }
    }
}
