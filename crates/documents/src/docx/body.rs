//! The body of a document: paragraphs and tables, text boxes and recorded changes.

use super::{
    numbering::{Counters, Numbering},
    paragraph::{self, Paragraph, Row, Title},
    part,
    styles::{self, Role, Styles},
};
use crate::{
    Unreadable,
    builder::Builder,
    xml::{Element, Event},
};

/// Elements of which nothing is read: what was deleted or moved away, what fields are made of, how something was
/// formatted before, and the older of two forms of the same thing.
const SILENT: &[&str] = &[
    "del",
    "moveFrom",
    "instrText",
    "delText",
    "delInstrText",
    "fldData",
    "pPrChange",
    "rPrChange",
    "sectPrChange",
    "tblPrChange",
    "tblPrExChange",
    "tblGridChange",
    "trPrChange",
    "tcPrChange",
    "numberingChange",
    "Fallback",
    "rt",
    "docPartObj",
    "binData",
    "sectPr",
];

/// The most characters of a large first letter: with a quotation mark before it, or a short word.
const DROP_CAP: usize = 12;

/// Reads the body into a builder. Gives the text of the first paragraph in the style "Title".
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
        silent: 0,
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
        let mut last = Paragraph::new();
        last.text = std::mem::take(&mut body.initial);
        body.settle(Open::Paragraph(last));
    }
    Ok(body.title)
}

/// The number that an element holds.
fn number(element: &Element<'_>) -> Option<i64> {
    element.attribute("val")?.parse().ok()
}

struct Body<'a> {
    styles: &'a Styles,
    builder: &'a mut Builder,
    title: Title,
    open: Vec<Open>,
    /// How many silent elements are open.
    silent: usize,
    /// For each run that is open, whether it is hidden.
    runs: Vec<bool>,
    /// Whether an element that holds text is open.
    text: bool,
    numbering: &'a Numbering,
    counters: Counters,
    /// A large first letter whose paragraph has not come yet.
    initial: String,
}

/// What is being gathered.
enum Open {
    Paragraph(Paragraph),
    Row(Row),
}

impl Body<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        // Inside the properties of a row or a mark, "deleted" is a property: of the row, or of the mark's end.
        if name == "del"
            && let Some(Open::Row(row)) = self.open.last_mut()
        {
            row.deleted = row.cells.is_empty();
        }
        if self.silent > 0 || SILENT.contains(&name) {
            self.silent += usize::from(SILENT.contains(&name));
            return;
        }
        match name {
            "p" => self.open.push(Open::Paragraph(Paragraph::new())),
            "tr" => self.open.push(Open::Row(Row::default())),
            "tc" => {
                if let Some(Open::Row(row)) = self.open.last_mut() {
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
                if let (Some(paragraph), Some((role, numbering))) = (self.paragraph(), styled) {
                    paragraph.role = role;
                    paragraph.numbering = numbering;
                }
            }
            "framePr" => {
                if let Some(paragraph) = self.paragraph() {
                    paragraph.drop_cap =
                        matches!(element.attribute("dropCap").as_deref(), Some("drop" | "margin"));
                }
            }
            "ilvl" => {
                if let Some(paragraph) = self.paragraph() {
                    paragraph.numbering.level = number(element);
                }
            }
            "numId" => {
                if let Some(paragraph) = self.paragraph() {
                    paragraph.numbering.list = number(element);
                }
            }
            "outlineLvl" => {
                if let (Some(level), Some(paragraph)) =
                    (styles::outline(element.attribute("val")), self.paragraph())
                    && paragraph.role == Role::Text
                {
                    paragraph.role = Role::Heading(level);
                }
            }
            "t" => self.text = true,
            // A tab stop in the properties of a paragraph has the same name as a tab in its text.
            "tab" | "ptab" if !self.runs.is_empty() => self.say(" "),
            "br" if element.attribute("type").is_some_and(|kind| kind != "textWrapping") => self.say(" "),
            "br" | "cr" => self.say("\n"),
            "noBreakHyphen" => self.say("-"),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if SILENT.contains(&name) {
            self.silent = self.silent.saturating_sub(1);
            return;
        }
        if self.silent > 0 {
            return;
        }
        match name {
            "t" => self.text = false,
            "r" => drop(self.runs.pop()),
            "p" => {
                if let Some(Open::Paragraph(paragraph)) =
                    self.open.pop_if(|open| matches!(open, Open::Paragraph(_)))
                    && let Some(paragraph) = self.whole(paragraph)
                {
                    self.settle(Open::Paragraph(paragraph));
                }
            }
            "tr" => {
                if let Some(row) = self.open.pop_if(|open| matches!(open, Open::Row(_))) {
                    self.settle(row);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.text && self.silent == 0 {
            // White space in text is white space; line breaks are elements of their own.
            self.say(&text.replace(['\n', '\r'], " "));
        }
    }

    fn say(&mut self, text: &str) {
        if self.runs.last().is_some_and(|hidden| *hidden) {
            return;
        }
        if let Some(paragraph) = self.paragraph() {
            paragraph.text.push_str(text);
        }
    }

    fn paragraph(&mut self) -> Option<&mut Paragraph> {
        match self.open.last_mut() {
            Some(Open::Paragraph(paragraph)) => Some(paragraph),
            _ => None,
        }
    }

    /// A paragraph with its label and with the large first letter that stood before it; `None` for that letter.
    fn whole(&mut self, mut paragraph: Paragraph) -> Option<Paragraph> {
        if paragraph.drop_cap
            && paragraph.boxes.is_empty()
            && paragraph.text.trim().chars().count() <= DROP_CAP
        {
            self.initial.push_str(paragraph.text.trim_end());
            return None;
        }
        if !paragraph.is_empty() {
            paragraph.text.insert_str(0, &std::mem::take(&mut self.initial));
            if let Some(label) = self.counters.label(self.numbering, paragraph.numbering) {
                paragraph.text = format!("{label} {}", paragraph.text.trim_start());
            }
        }
        Some(paragraph)
    }

    /// Puts what is complete where it belongs: into the paragraph it is anchored in, the cell it stands in, or the
    /// text.
    fn settle(&mut self, done: Open) {
        let paragraphs = |done: Open| match done {
            Open::Paragraph(paragraph) => vec![paragraph],
            Open::Row(row) if row.deleted => Vec::new(),
            Open::Row(row) => row.cells.into_iter().flatten().collect(),
        };
        match self.open.last_mut() {
            Some(Open::Paragraph(around)) => around.boxes.extend(paragraphs(done)),
            Some(Open::Row(row)) => {
                if let Some(cell) = row.cells.last_mut() {
                    cell.extend(paragraphs(done));
                }
            }
            None => match &done {
                Open::Paragraph(paragraph) => paragraph::write(paragraph, self.builder, &mut self.title),
                Open::Row(row) => paragraph::write_row(row, self.builder, &mut self.title),
            },
        }
    }
}
