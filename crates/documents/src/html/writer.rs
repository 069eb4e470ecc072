//! The second pass: writes a page's text to a [`Builder`].

use std::collections::HashSet;

use super::{
    boilerplate::ReadingPlan,
    elements::{self, Element, ElementKind, Hint},
    lists::Numbers,
    marks::PendingMark,
    notes::PageNotes,
    speech::{SpeechStyle, Spelling},
    tokens::Handler,
};
use crate::{
    ChapterRole, builder::Builder, document::PhonemeAlphabet, mathml, mathml::Formula, roles::TypedRole,
};

mod notes;
mod speech;

/// How many bytes of a title are kept until it is cleaned up.
const MAX_TITLE_BYTES: usize = 4_000;

/// The metadata and anchors of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub title: Option<String>,
    pub author: Option<String>,
    pub copyright: Option<String>,
    pub language: Option<String>,
    pub anchors: Vec<(String, usize)>,
}

pub(super) struct Writer<'a> {
    builder: &'a mut Builder,
    plan: ReadingPlan,
    wanted_ids: Option<&'a HashSet<String>>,
    notes: Option<&'a PageNotes>,
    /// The note that is being read, and how many elements were skipped around it.
    note: Option<(usize, usize)>,
    page: Page,
    open: Vec<CloseAction>,
    /// The numbers of open elements that are skipped, that are the root, and that keep line breaks.
    skipped_depth: usize,
    in_root: usize,
    preformatted: usize,
    /// The title, while it is being read.
    title: Option<String>,
    /// The open lists; `None` for those without numbers.
    lists: Vec<Option<Numbers>>,
    /// How the characters of open elements are read; elements that say nothing about it have none.
    spellings: Vec<Spelling>,
    /// The alphabets of pronunciations that open elements name; `None` for one that is not known.
    alphabets: Vec<Option<PhonemeAlphabet>>,
    pending: Option<PendingMark>,
    formula: Option<OpenFormula>,
    after_break: bool,
}

/// A formula being read.
struct OpenFormula {
    formula: Formula,
    /// Whether it is displayed on its own line.
    display: bool,
}

/// What to do when an element closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CloseAction {
    Skipped,
    Title,
    Formula,
    Text {
        root: bool,
        block: bool,
        marks: Marks,
    },
    /// A note, around the action of its element.
    Note {
        block: bool,
        marks: Marks,
    },
    /// A link that refers to a note.
    Reference(usize),
}

/// What an element says about its text besides what it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says what to end, apart from the others")]
struct Marks {
    language: bool,
    pronounced: bool,
    alphabet: bool,
    role: bool,
    spelling: bool,
    voice: bool,
    /// The pause after it.
    pause_ms: u32,
}

/// Whether a `meta` of this name, in lower case, states the copyright.
pub(super) fn names_rights(name: &str) -> bool {
    matches!(name, "copyright" | "dc.rights" | "dcterms.rights")
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        builder: &'a mut Builder,
        plan: ReadingPlan,
        wanted_ids: Option<&'a HashSet<String>>,
        notes: Option<&'a PageNotes>,
    ) -> Self {
        builder.paragraph();
        Self {
            builder,
            plan,
            wanted_ids,
            notes,
            note: None,
            page: Page::default(),
            open: Vec::new(),
            skipped_depth: 0,
            in_root: 0,
            preformatted: 0,
            title: None,
            lists: Vec::new(),
            spellings: Vec::new(),
            alphabets: Vec::new(),
            pending: None,
            formula: None,
            after_break: false,
        }
    }

    pub(super) fn finish(mut self) -> Page {
        self.flush_pending();
        self.builder.paragraph();
        self.page
    }

    fn is_read(&self) -> bool {
        self.skipped_depth == 0 && (self.plan.root.is_none() || self.in_root > 0 || self.note.is_some())
    }

    fn record_anchors(&mut self, element: &Element<'_>) {
        let Some(wanted_ids) = self.wanted_ids else { return };
        let name = (element.kind == ElementKind::Link).then(|| element.attribute("name")).flatten();
        for id in element.attribute("id").or_else(|| element.attribute("xml:id")).into_iter().chain(name) {
            if wanted_ids.contains(id) {
                self.page.anchors.push((id.to_owned(), self.builder.offset()));
            }
        }
    }

    fn metadata(&mut self, element: &Element<'_>) {
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
                    name if names_rights(name) => &mut self.page.copyright,
                    "content-language" | "dc.language" | "dcterms.language" => &mut self.page.language,
                    "og:title" | "dc.title" | "dcterms.title" => &mut self.page.title,
                    _ => return,
                };
                slot.get_or_insert_with(|| content.chars().take(MAX_TITLE_BYTES / 4).collect());
            }
            _ => {}
        }
    }

    /// Starts what an element marks as a language's. What the whole page says is metadata, and often
    /// wrong: templates of programs are English.
    fn begin_language(&mut self, element: &Element<'_>, read: bool) -> bool {
        let tag = element.attribute("lang").or_else(|| element.attribute("xml:lang"));
        let Some(tag) = tag.filter(|_| read && !matches!(&*element.tag.name, "html" | "body")) else {
            return false;
        };
        self.builder.begin_language(tag);
        true
    }

    /// Starts what an element says about its text.
    fn begin_marks(&mut self, element: &Element<'_>, read: bool) -> Marks {
        let alphabet = element.attribute("ssml:alphabet");
        if let Some(name) = alphabet {
            self.alphabets.push(match name {
                name if name.eq_ignore_ascii_case("ipa") => Some(PhonemeAlphabet::Ipa),
                name if name.eq_ignore_ascii_case("x-sampa") => Some(PhonemeAlphabet::XSampa),
                _ => None,
            });
        }
        let in_use = self.alphabets.last().copied().unwrap_or(Some(PhonemeAlphabet::Ipa));
        let phonemes = element.attribute("ssml:ph").filter(|_| read).zip(in_use);
        if let Some((phonemes, alphabet)) = phonemes {
            self.builder.begin_pronounced(phonemes, alphabet);
        }
        let language = self.begin_language(element, read);
        let role = elements::book_role(element).filter(|_| read);
        if let Some(role) = role {
            self.builder.begin_role(match role {
                TypedRole::Role(role) => role,
                TypedRole::Notes => ChapterRole::Notes,
            });
        }
        let style = self.plan.speech.get(&element.ordinal).filter(|_| read);
        self.spellings.extend(style.and_then(|style| style.spelling));
        let voice = style.and_then(|style| style.voice.as_ref());
        if let Some(voice) = voice {
            self.builder.begin_voice(voice.name());
        }
        Marks {
            language,
            pronounced: phonemes.is_some(),
            alphabet: alphabet.is_some(),
            role: role.is_some(),
            spelling: style.is_some_and(|style| style.spelling.is_some()),
            voice: voice.is_some(),
            pause_ms: style.map_or(0, SpeechStyle::after_ms),
        }
    }

    fn end_marks(&mut self, marks: Marks) {
        if marks.language {
            self.builder.end_language();
        }
        if marks.pronounced {
            self.builder.end_pronounced();
        }
        if marks.alphabet {
            self.alphabets.pop();
        }
        if marks.role {
            self.builder.end_role();
        }
        if marks.spelling {
            self.spellings.pop();
        }
        if marks.voice {
            self.builder.end_voice();
        }
        self.builder.pause(marks.pause_ms);
    }

    /// Starts the block of an element.
    fn begin(&mut self, element: &Element<'_>) {
        match element.kind {
            ElementKind::Heading(level) if !element.void => self.builder.heading(level),
            ElementKind::LineBreak if self.after_break => self.builder.paragraph(),
            ElementKind::LineBreak => {
                self.builder.line_break();
                self.after_break = true;
            }
            ElementKind::Rule => self.builder.scene_break(),
            ElementKind::List => {
                self.builder.paragraph();
                if !element.void {
                    let items = self.plan.items.get(&element.ordinal).copied();
                    self.lists.push((&*element.tag.name == "ol").then(|| Numbers::of(element, items)));
                }
            }
            ElementKind::Item => {
                let numbers = self.lists.last_mut().and_then(Option::as_mut);
                let label =
                    numbers.filter(|_| &*element.tag.name == "li").and_then(|numbers| numbers.label(element));
                self.builder.item(label);
            }
            ElementKind::Cell => self.builder.cell(),
            ElementKind::Quoted if !element.void => self.write_text("“"),
            ElementKind::Preformatted => {
                self.builder.paragraph();
                self.preformatted += usize::from(!element.void);
            }
            kind if kind.is_block() => self.builder.paragraph(),
            _ => {}
        }
    }

    fn write_text(&mut self, text: &str) {
        if let Some(&spelling) = self.spellings.last().filter(|&&spelling| spelling != Spelling::None) {
            return self.write_spelled(text, spelling);
        }
        if self.preformatted == 0 {
            self.after_break &= text.trim().is_empty();
            self.builder.text(text);
            return;
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                if self.after_break {
                    self.builder.paragraph();
                } else {
                    self.builder.line_break();
                }
                self.after_break = true;
            }
            self.after_break &= line.trim().is_empty();
            self.builder.text(line);
        }
    }

    /// Starts a formula. The author's alternative text is read instead if it is useful.
    fn begin_formula(&mut self, element: &Element<'_>) {
        self.flush_pending();
        let given = element.attribute("alttext");
        let display = element.attribute("display").is_some_and(|value| value.trim() == "block");
        if let Some(text) = mathml::worth_saying(given) {
            self.say_formula(text, display);
            if !element.void {
                self.skipped_depth += 1;
                self.open.push(CloseAction::Skipped);
            }
            return;
        }
        if !element.void {
            self.formula = Some(OpenFormula { formula: Formula::new(), display });
            self.open.push(CloseAction::Formula);
        }
    }

    fn end_formula(&mut self) {
        if let Some(OpenFormula { formula, display }) = self.formula.take() {
            self.say_formula(&formula.spoken(), display);
        }
    }

    /// A displayed formula is a paragraph if no text comes before it in its block, else a line of
    /// that block.
    fn say_formula(&mut self, text: &str, display: bool) {
        let first = self.builder.at_block_start();
        if display && !first {
            self.builder.line_break();
        }
        self.after_break = false;
        self.builder.text(text);
        match (display, first) {
            (true, true) => self.builder.paragraph(),
            (true, false) => self.builder.line_break(),
            (false, _) => {}
        }
    }
}

impl Handler for Writer<'_> {
    fn open(&mut self, element: &Element<'_>) {
        self.record_anchors(element);
        if let Some(OpenFormula { formula, .. }) = &mut self.formula {
            formula.open(&element.tag.name, |name| element.attribute(name));
            if element.void {
                formula.close();
            } else {
                self.open.push(CloseAction::Formula);
            }
            return;
        }
        self.metadata(element);
        if let Some(notes) = self.notes.filter(|_| self.note.is_none() && !element.void) {
            if let Some(&note) = notes.notes.get(&element.ordinal) {
                return self.begin_note(element, note);
            }
            if let Some(&note) = notes.references.get(&element.ordinal).filter(|_| self.is_read()) {
                self.hold(element);
                if let Some(pending) = &mut self.pending {
                    pending.refers = true;
                }
                return self.open.push(CloseAction::Reference(note));
            }
        }
        let hint = elements::hint(element, self.wanted_ids.is_some());
        let skipped = element.kind == ElementKind::Skipped
            || matches!(hint, Hint::Skip | Hint::NoteMark)
            || self.is_skipped_for_notes(element)
            || self.is_silent(element)
            || self.plan.skipped.contains(&element.ordinal);
        if !skipped && element.kind == ElementKind::Formula && self.is_read() {
            self.begin_formula(element);
            return;
        }
        if skipped {
            if element.void {
                return;
            }
            // A skipped inline element, such as a note reference, does not end its paragraph; a
            // skipped block does.
            if element.kind.is_block() && self.is_read() {
                self.builder.paragraph();
            }
            self.skipped_depth += 1;
            self.open.push(CloseAction::Skipped);
            return;
        }
        if element.kind == ElementKind::Title {
            if self.skipped_depth == 0 && self.page.title.is_none() && !element.void {
                self.title = Some(String::new());
            }
            if !element.void {
                self.open.push(CloseAction::Title);
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
            let before_ms = self.plan.speech.get(&element.ordinal).map_or(0, SpeechStyle::before_ms);
            self.builder.pause(before_ms);
            self.begin(element);
        }
        if !element.void {
            let marks = self.begin_marks(element, read);
            self.open.push(CloseAction::Text { root, block: read && element.kind.is_block(), marks });
        }
    }

    fn close(&mut self, kind: ElementKind) {
        let Some(action) = self.open.pop() else { return };
        let read = self.is_read();
        match action {
            CloseAction::Skipped => self.skipped_depth -= 1,
            CloseAction::Note { block, marks } => self.end_note(kind, block, marks),
            CloseAction::Reference(note) => {
                self.release_pending();
                self.builder.refer_to_note(note);
            }
            CloseAction::Formula => {
                if let Some(OpenFormula { formula, .. }) = &mut self.formula
                    && !formula.close()
                {
                    self.end_formula();
                }
            }
            CloseAction::Title => {
                if let Some(title) = self.title.take().filter(|title| !title.trim().is_empty()) {
                    self.page.title = Some(title);
                }
            }
            CloseAction::Text { root, block, marks } => {
                if read {
                    self.release_pending();
                }
                if read && kind == ElementKind::Quoted {
                    self.write_text("”");
                }
                self.end_marks(marks);
                if block {
                    match kind {
                        ElementKind::List => drop(self.lists.pop()),
                        ElementKind::Preformatted => self.preformatted -= 1,
                        ElementKind::Item => self.builder.item(None),
                        _ => {}
                    }
                    if kind != ElementKind::Cell {
                        self.builder.paragraph();
                    }
                }
                self.in_root -= usize::from(root);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(title) = &mut self.title {
            if title.len() < MAX_TITLE_BYTES {
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
        if let Some(pending) = &mut self.pending {
            pending.text.push_str(text);
            if pending.is_too_long() {
                self.flush_pending();
            }
            return;
        }
        self.write_text(text);
    }

    fn is_done(&self) -> bool {
        self.builder.is_full()
    }
}
