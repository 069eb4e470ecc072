//! The second reading of a page: its text into a [`Builder`].

use std::collections::HashSet;

use super::{
    elements::{self, Meaning, Said},
    lists::Numbers,
    marks::{self, Held},
    survey::Plan,
    tokens::{Element, Listener},
};
use crate::{builder::Builder, mathml, mathml::Formula};

/// So many bytes of a page's name are kept until it is tidied.
const TITLE_BYTES: usize = 4_000;

/// What a page held besides its text.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub title: Option<String>,
    pub author: Option<String>,
    pub language: Option<String>,
    pub places: Vec<(String, usize)>,
}

/// Writes what is read of a page.
pub(super) struct Writer<'a> {
    builder: &'a mut Builder,
    plan: Plan,
    watched: Option<&'a HashSet<String>>,
    page: Page,
    open: Vec<Effect>,
    /// Elements open that are not read, that are the root, that keep their lines.
    silent: usize,
    in_root: usize,
    preformatted: usize,
    /// The name of the page, while it is being read.
    title: Option<String>,
    /// The lists that are open; `None` for those without numbers.
    lists: Vec<Option<Numbers>>,
    held: Option<Held>,
    formula: Option<OpenFormula>,
    broken: bool,
}

/// A formula while it is gathered.
struct OpenFormula {
    formula: Formula,
    /// Whether it stands on a line of its own.
    display: bool,
}

/// What ends when an element closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Silent,
    Title,
    /// A formula, or an element in one.
    Formula,
    Text {
        root: bool,
        block: bool,
    },
}

impl<'a> Writer<'a> {
    pub(super) fn new(builder: &'a mut Builder, plan: Plan, watched: Option<&'a HashSet<String>>) -> Self {
        builder.paragraph();
        Self {
            builder,
            plan,
            watched,
            page: Page::default(),
            open: Vec::new(),
            silent: 0,
            in_root: 0,
            preformatted: 0,
            title: None,
            lists: Vec::new(),
            held: None,
            formula: None,
            broken: false,
        }
    }

    /// What the page held besides its text.
    pub(super) fn finish(mut self) -> Page {
        self.release();
        self.builder.paragraph();
        self.page
    }

    fn is_read(&self) -> bool {
        self.silent == 0 && (self.plan.root.is_none() || self.in_root > 0)
    }

    fn watch(&mut self, element: &Element<'_>) {
        let Some(watched) = self.watched else { return };
        let name = (element.meaning == Meaning::Link).then(|| element.attribute("name")).flatten();
        for id in element.attribute("id").or_else(|| element.attribute("xml:id")).into_iter().chain(name) {
            if watched.contains(id) {
                self.page.places.push((id.to_owned(), self.builder.offset()));
            }
        }
    }

    fn about(&mut self, element: &Element<'_>) {
        match &*element.tag.name {
            "html" | "body" if self.page.language.is_none() => {
                let language = element.attribute("lang").or_else(|| element.attribute("xml:lang"));
                self.page.language = language.map(str::to_owned);
            }
            "meta" => {
                let Some(content) = element.attribute("content").filter(|content| !content.trim().is_empty())
                else {
                    return;
                };
                let name =
                    ["name", "property", "http-equiv"].into_iter().find_map(|name| element.attribute(name));
                let slot = match name.unwrap_or_default().to_ascii_lowercase().as_str() {
                    "author" | "dc.creator" | "dcterms.creator" | "citation_author" => &mut self.page.author,
                    "content-language" | "dc.language" | "dcterms.language" => &mut self.page.language,
                    "og:title" | "dc.title" | "dcterms.title" => &mut self.page.title,
                    _ => return,
                };
                slot.get_or_insert_with(|| content.chars().take(TITLE_BYTES / 4).collect());
            }
            _ => {}
        }
    }

    /// Starts what an element starts, but for marks.
    fn begin(&mut self, element: &Element<'_>) {
        match element.meaning {
            Meaning::Heading(level) if !element.void => self.builder.heading(level),
            Meaning::LineBreak if self.broken => self.builder.paragraph(),
            Meaning::LineBreak => {
                self.builder.line_break();
                self.broken = true;
            }
            Meaning::Rule => self.builder.scene_break(),
            Meaning::List => {
                self.builder.paragraph();
                if !element.void {
                    let items = self.plan.items.get(&element.ordinal).copied();
                    self.lists.push((&*element.tag.name == "ol").then(|| Numbers::of(element, items)));
                }
            }
            Meaning::Item => {
                let numbers = self.lists.last_mut().and_then(Option::as_mut);
                let label =
                    numbers.filter(|_| &*element.tag.name == "li").and_then(|numbers| numbers.label(element));
                self.builder.item(label);
            }
            Meaning::Cell => self.builder.cell(),
            Meaning::Quoted if !element.void => self.say("“"),
            Meaning::Preformatted => {
                self.builder.paragraph();
                self.preformatted += usize::from(!element.void);
            }
            meaning if meaning.is_block() => self.builder.paragraph(),
            _ => {}
        }
    }

    /// Writes text that is read.
    fn say(&mut self, text: &str) {
        if self.preformatted == 0 {
            self.broken &= text.trim().is_empty();
            self.builder.text(text);
            return;
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                // An empty line ends a paragraph.
                if self.broken {
                    self.builder.paragraph();
                } else {
                    self.builder.line_break();
                }
                self.broken = true;
            }
            self.broken &= line.trim().is_empty();
            self.builder.text(line);
        }
    }

    /// Starts a formula. What its author wrote for it is said instead, if that is worth saying.
    fn begin_formula(&mut self, element: &Element<'_>) {
        self.release();
        let given = element.attribute("alttext");
        let display = element.attribute("display").is_some_and(|value| value.trim() == "block");
        if let Some(text) = mathml::worth_saying(given) {
            self.say_formula(text, display);
            if !element.void {
                self.silent += 1;
                self.open.push(Effect::Silent);
            }
            return;
        }
        if !element.void {
            self.formula = Some(OpenFormula { formula: Formula::new(), display });
            self.open.push(Effect::Formula);
        }
    }

    fn end_formula(&mut self) {
        if let Some(OpenFormula { formula, display }) = self.formula.take() {
            self.say_formula(&formula.spoken(), display);
        }
    }

    /// A formula on a line of its own is a paragraph where no text stands before it, and a line of its paragraph
    /// elsewhere.
    fn say_formula(&mut self, text: &str, display: bool) {
        let first = self.builder.at_block_start();
        if display && !first {
            self.builder.line_break();
        }
        self.broken = false;
        self.builder.text(text);
        match (display, first) {
            (true, true) => self.builder.paragraph(),
            (true, false) => self.builder.line_break(),
            (false, _) => {}
        }
    }

    /// Writes what was held back and is no mark.
    fn release(&mut self) {
        let Some(held) = self.held.take() else { return };
        if held.raised
            && let Some(figures) = marks::raised_figures(held.text.trim())
        {
            self.say(&figures);
        } else {
            self.say(&held.text);
        }
    }

    /// Holds back what may be the mark of a note; an element inside that is no part of one sets it free.
    fn hold(&mut self, element: &Element<'_>) {
        let raised = element.meaning == Meaning::Raised;
        let leads = element.meaning == Meaning::Link
            && element.attribute("href").is_some_and(|target| target.contains('#') && target != "#");
        if self.held.is_some() && (element.meaning.is_block() || element.meaning == Meaning::LineBreak) {
            self.release();
        }
        if element.void {
            return;
        }
        if let Some(held) = &mut self.held {
            held.depth += 1;
            held.raised |= raised;
            held.leads |= leads;
        } else if raised || leads {
            self.held = Some(Held { depth: 1, raised, leads, ..Held::default() });
        }
    }
}

impl Listener for Writer<'_> {
    fn open(&mut self, element: &Element<'_>) {
        self.watch(element);
        if let Some(OpenFormula { formula, .. }) = &mut self.formula {
            formula.open(&element.tag.name, |name| element.attribute(name));
            if element.void {
                formula.close();
            } else {
                self.open.push(Effect::Formula);
            }
            return;
        }
        self.about(element);
        let said = elements::said(element);
        let unread = element.meaning == Meaning::Silent
            || matches!(said, Said::Unread | Said::NoteMark)
            || self.plan.skipped.contains(&element.ordinal);
        if !unread && element.meaning == Meaning::Formula && self.is_read() {
            self.begin_formula(element);
            return;
        }
        if unread {
            if element.void {
                return;
            }
            // A mark that is left out may stand where words do.
            if element.meaning.is_block() && self.is_read() {
                self.builder.paragraph();
            }
            self.silent += 1;
            self.open.push(Effect::Silent);
            return;
        }
        if element.meaning == Meaning::Title {
            if self.silent == 0 && self.page.title.is_none() && !element.void {
                self.title = Some(String::new());
            }
            if !element.void {
                self.open.push(Effect::Title);
            }
            return;
        }
        let root = self.plan.root == Some(element.ordinal);
        if root && !element.void {
            self.in_root += 1;
        }
        let read = self.is_read();
        if read {
            self.hold(element);
            self.begin(element);
        }
        if !element.void {
            self.open.push(Effect::Text { root, block: read && element.meaning.is_block() });
        }
    }

    fn close(&mut self, meaning: Meaning) {
        let Some(effect) = self.open.pop() else { return };
        let read = self.is_read();
        match effect {
            Effect::Silent => self.silent -= 1,
            Effect::Formula => {
                if let Some(OpenFormula { formula, .. }) = &mut self.formula
                    && !formula.close()
                {
                    self.end_formula();
                }
            }
            Effect::Title => {
                if let Some(title) = self.title.take().filter(|title| !title.trim().is_empty()) {
                    self.page.title = Some(title);
                }
            }
            Effect::Text { root, block } => {
                if read && let Some(held) = &mut self.held {
                    held.depth -= 1;
                    if held.depth == 0 {
                        if held.is_mark(self.builder.last()) {
                            self.held = None;
                        } else {
                            self.release();
                        }
                    }
                }
                if read && meaning == Meaning::Quoted {
                    self.say("”");
                }
                if block {
                    match meaning {
                        Meaning::List => drop(self.lists.pop()),
                        Meaning::Preformatted => self.preformatted -= 1,
                        Meaning::Item => self.builder.item(None),
                        _ => {}
                    }
                    // Cells stay on the line of their row.
                    if meaning != Meaning::Cell {
                        self.builder.paragraph();
                    }
                }
                self.in_root -= usize::from(root);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(title) = &mut self.title {
            if title.len() < TITLE_BYTES {
                title.push_str(text);
            }
            return;
        }
        if let Some(OpenFormula { formula, .. }) = &mut self.formula {
            formula.text(text);
            return;
        }
        if !self.is_read() {
            return;
        }
        if let Some(held) = &mut self.held {
            held.text.push_str(text);
            if held.is_text() {
                self.release();
            }
            return;
        }
        self.say(text);
    }

    fn has_enough(&self) -> bool {
        self.builder.is_full()
    }
}
