//! Reads FictionBook 2: one XML file with a description, bodies of nested sections, and pictures
//! in base64. Notes are kept apart from the text, except those that nothing refers to.
//!
//! `description` collects the metadata, `binary` the cover. The file is read as a stream of XML,
//! without a tree and without its own entities.

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom},
    decoding,
    xml::{Element, Event, Events, XmlError},
};

mod binary;
mod description;
mod notes;

use binary::CoverData;
use description::Description;
use notes::NoteBodies;

/// Reads a book.
///
/// # Errors
/// [`Unreadable`], with `damaged` when the file is not well-formed or is nested deeper than
/// [`Limits::depth`].
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let source = decoding::markup(bytes);
    let mut book = Book {
        part: Part::Other,
        skipped: 0,
        description: Description::default(),
        cover: CoverData::new(limits),
        body: Body { builder: Builder::new(limits), depth: 0, in_title: false },
        notes: NoteBodies::default(),
    };
    let mut events = Events::strict(&source, limits.depth);
    for event in events.by_ref() {
        match event {
            Event::Open(element) => book.open(&element),
            Event::Close(name) => book.close(&name),
            Event::Text(text) => book.text(&text),
        }
        if book.body.builder.is_full() {
            break;
        }
    }
    events.finish().map_err(damaged)?;
    let mut metadata = book.description.finish();
    metadata.cover = book.cover.finish(limits);
    book.body.builder.finish(metadata, ChaptersFrom::Headings)
}

fn damaged(error: XmlError) -> Unreadable {
    let message = match error {
        XmlError::Malformed => "The FictionBook file is damaged: it is not well-formed XML.",
        XmlError::TooDeep => "The FictionBook file is damaged: its elements are nested too deeply.",
    };
    Unreadable::new(Reason::Damaged, message)
}

/// The top-level part that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Description,
    Body,
    Notes,
    Binary,
    Other,
}

#[derive(Debug)]
struct Book {
    part: Part,
    /// The number of open elements that are not read.
    skipped: usize,
    description: Description,
    cover: CoverData,
    body: Body,
    notes: NoteBodies,
}

impl Book {
    fn open(&mut self, element: &Element<'_>) {
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        match (self.part, element.name()) {
            (Part::Other, "description") => self.part = Part::Description,
            (Part::Other, "body") if is_apparatus(element) => self.part = Part::Notes,
            (Part::Other, "body") => self.part = Part::Body,
            (Part::Other, "binary") if self.cover.is_wanted(element, &self.description) => {
                self.part = Part::Binary;
            }
            (Part::Other, "FictionBook") => {}
            (Part::Description, _) => self.description.open(element),
            (Part::Body | Part::Notes, _) if is_note_reference(element) => {
                self.notes.refer(element, &mut self.body.builder);
                self.skipped = 1;
            }
            (Part::Body, _) => self.body.open(element),
            (Part::Notes, _) => self.notes.open(element, &mut self.body),
            _ => self.skipped = 1,
        }
    }

    fn close(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match (self.part, name) {
            (Part::Notes, "body") => {
                self.notes.finish(&mut self.body);
                self.part = Part::Other;
            }
            (Part::Notes, _) => self.notes.close(name, &mut self.body),
            (_, "description" | "body" | "binary") => self.part = Part::Other,
            (Part::Description, _) => self.description.close(name),
            (Part::Body, _) => self.body.close(name),
            (Part::Binary | Part::Other, _) => {}
        }
    }

    fn text(&mut self, text: &str) {
        match self.part {
            _ if self.skipped > 0 => {}
            Part::Description => self.description.text(text),
            Part::Body => self.body.builder.text(text),
            Part::Notes => self.notes.text(text, &mut self.body),
            Part::Binary => self.cover.text(text),
            Part::Other => {}
        }
    }
}

/// Whether a body has notes or comments instead of the text.
fn is_apparatus(body: &Element<'_>) -> bool {
    matches!(body.attribute("name").as_deref(), Some("notes" | "comments" | "footnotes"))
}

fn is_note_reference(element: &Element<'_>) -> bool {
    element.name() == "a" && element.attribute("type").as_deref() == Some("note")
}

/// The text of the book.
#[derive(Debug)]
struct Body {
    builder: Builder,
    /// The number of open sections and poems, which sets the level of headings: the title of a body
    /// is the highest.
    depth: u8,
    in_title: bool,
}

impl Body {
    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "section" | "poem" => {
                self.depth = self.depth.saturating_add(1);
                self.builder.paragraph();
            }
            "title" => {
                self.builder.heading(self.depth.saturating_add(1));
                self.in_title = true;
            }
            "v" => self.builder.line_break(),
            "td" | "th" => self.builder.cell(),
            name if is_block(name) => self.block(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "section" | "poem" => {
                self.depth = self.depth.saturating_sub(1);
                self.builder.paragraph();
            }
            "title" => {
                self.in_title = false;
                self.builder.paragraph();
            }
            _ if is_block(name) => self.block(),
            _ => {}
        }
    }

    /// A title is one heading, even if it has several paragraphs.
    fn block(&mut self) {
        if self.in_title { self.builder.line_break() } else { self.builder.paragraph() }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "subtitle"
            | "epigraph"
            | "cite"
            | "annotation"
            | "stanza"
            | "text-author"
            | "empty-line"
            | "date"
            | "table"
            | "tr"
    )
}
