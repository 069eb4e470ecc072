//! The first pass over a web page finds the main text. Other parts are dropped only if the page
//! marks them, or if they are mostly links, and never if they are a large part of the page: reading
//! too much is a smaller mistake than losing text.

use std::collections::{HashMap, HashSet};

use super::{
    elements::{self, Element, ElementKind, Hint},
    speech::SpeechStyles,
    tokens::Handler,
};

/// The part of the page that the second pass reads.
#[derive(Debug, Default)]
pub(super) struct ReadingPlan {
    /// The ordinal of the only element that is read, if any.
    pub root: Option<u32>,
    /// Ordinals of elements to skip.
    pub skipped: HashSet<u32>,
    /// The lengths of lists that count down, by ordinal.
    pub items: HashMap<u32, u32>,
    /// What style sheets say about the speech of elements.
    pub speech: SpeechStyles,
}

impl ReadingPlan {
    /// Reads the whole page.
    pub(super) fn everything(items: HashMap<u32, u32>) -> Self {
        Self { items, ..Self::default() }
    }
}

/// A list or table that is mostly links is navigation, if it has at least this many links.
const MIN_LINKS: u32 = 4;

/// A list of names may be longer than the text above it. Such a list has at least this many links,
/// each of at most this many characters.
const MIN_NAMES: u32 = 50;
const MAX_NAME_CHARACTERS: u64 = 40;

/// A list of names is dropped only if the page has this many other characters, and these are at
/// least a fifth of the page. A page that is itself a list is read.
const MIN_PROSE_CHARACTERS: u64 = 1_500;

/// Navigation lines between paragraphs, in lower case.
const NAVIGATION_LINES: &[&str] = &[
    "advertisement",
    "advertisement continue reading the main story",
    "continue reading the main story",
    "anzeige",
    "werbung",
    "publicité",
    "publicidad",
    "sponsored content",
    "jump to content",
    "jump to navigation",
    "jump to search",
    "jump to: navigation, search",
    "jump to navigation jump to search",
    "skip to content",
    "skip to main content",
    "skip to navigation",
    "zum inhalt springen",
    "aller au contenu",
    "aller au contenu principal",
    "saltar al contenido",
    "ir al contenido",
    "pubblicità",
    "vai al contenuto",
    "publicidade",
    "ir para o conteúdo",
    "pular para o conteúdo",
    "广告",
    "跳转到内容",
    "跳至内容",
    "広告",
    "コンテンツへスキップ",
    "コンテンツにスキップ",
    "本文へスキップ",
    "विज्ञापन",
    "मुख्य सामग्री पर जाएँ",
];

const MAX_NAVIGATION_LINE_BYTES: usize = 64;

/// Measures the parts of a page.
#[derive(Debug, Default)]
pub(super) struct BoilerplateDetector {
    open: Vec<Part>,
    /// The number of open parts that are skipped.
    skipped: usize,
    links: usize,
    articles: usize,
    /// The number of open articles, sections and main parts, whose headers are part of the text.
    sections: usize,
    total: u64,
    mains: Vec<MeasuredPart>,
    outer_articles: Vec<MeasuredPart>,
    boilerplate: Vec<MeasuredPart>,
    /// Lists of names of any length.
    names: Vec<MeasuredPart>,
}

#[derive(Debug, Clone, Copy)]
struct MeasuredPart {
    ordinal: u32,
    characters: u64,
}

#[derive(Debug)]
struct Part {
    ordinal: u32,
    skipped: bool,
    section: bool,
    role: Role,
    characters: u64,
    linked: u64,
    links: u32,
    /// Its text, while it may still be a navigation line.
    text: Option<String>,
}

impl Part {
    /// Adds the text of the part or of an inner part, while it may still be a navigation line.
    fn take(&mut self, text: Option<&str>) {
        match (&mut self.text, text) {
            (Some(own), Some(text)) if own.len() + text.len() <= MAX_NAVIGATION_LINE_BYTES => {
                own.push_str(text);
            }
            (Some(_), Some(text)) if text.trim().is_empty() => {}
            _ => self.text = None,
        }
    }

    fn is_navigation_line(&self) -> bool {
        self.text.as_ref().is_some_and(|text| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            NAVIGATION_LINES.contains(&text.as_str())
        })
    }

    fn is_name_list(&self) -> bool {
        self.links >= MIN_NAMES
            && self.linked * 100 >= self.characters * 85
            && self.linked <= u64::from(self.links) * MAX_NAME_CHARACTERS
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Main,
    Article,
    Boilerplate,
    /// May turn out to be only links.
    LinkListCandidate,
    None,
}

impl BoilerplateDetector {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn plan(self, items: HashMap<u32, u32>) -> ReadingPlan {
        let holds =
            |part: &MeasuredPart, share: u64| part.characters * share >= self.total && part.characters > 0;
        let root = match (self.mains.as_slice(), self.outer_articles.as_slice()) {
            ([main], _) if holds(main, 4) => Some(main.ordinal),
            (_, [article]) if holds(article, 2) => Some(article.ordinal),
            _ => None,
        };
        // A part marked as boilerplate is kept if it has most of the text.
        let boilerplate = self.boilerplate.iter().filter(|part| part.characters * 5 < self.total * 2);
        // A list of names is boilerplate if there is enough other text.
        let names: u64 = self.names.iter().map(|part| part.characters).sum();
        let prose = self.total.saturating_sub(names);
        let listed = self.names.iter().filter(|_| prose >= MIN_PROSE_CHARACTERS && prose * 5 >= self.total);
        let skipped = boilerplate.chain(listed);
        let skipped = skipped.map(|part| part.ordinal).collect();
        ReadingPlan { root, skipped, ..ReadingPlan::everything(items) }
    }
}

fn is_section(element: &Element<'_>) -> bool {
    matches!(element.kind, ElementKind::Article | ElementKind::Main)
        || matches!(&*element.tag.name, "section" | "blockquote")
}

impl Handler for BoilerplateDetector {
    fn open(&mut self, element: &Element<'_>) {
        if element.void {
            return;
        }
        let hint = elements::hint(element, false);
        let is_note = elements::note_type(element).is_some();
        let skipped = is_note
            || hint == Hint::Skip
            || matches!(element.kind, ElementKind::Skipped | ElementKind::Title);
        let role = match element.kind {
            _ if skipped => Role::None,
            _ if hint == Hint::Main => Role::Main,
            ElementKind::Main => Role::Main,
            ElementKind::Article if self.articles == 0 => Role::Article,
            ElementKind::Form | ElementKind::Aside => Role::Boilerplate,
            ElementKind::HeaderFooter if self.sections == 0 || &*element.tag.name == "footer" => {
                Role::Boilerplate
            }
            _ if hint == Hint::Peripheral => Role::Boilerplate,
            ElementKind::Inline if elements::is_edit_link(element) => Role::Boilerplate,
            // Names on the body describe the whole page, not its parts.
            ElementKind::Heading(_) | ElementKind::Article => Role::None,
            kind if kind.is_block() && &*element.tag.name != "body" && &*element.tag.name != "html" => {
                if elements::is_boilerplate(element) {
                    Role::Boilerplate
                } else if matches!(kind, ElementKind::List | ElementKind::Table | ElementKind::Block) {
                    Role::LinkListCandidate
                } else {
                    Role::None
                }
            }
            _ => Role::None,
        };
        self.skipped += usize::from(skipped);
        let section = is_section(element);
        self.articles += usize::from(role == Role::Article);
        self.sections += usize::from(section);
        self.links += usize::from(element.kind == ElementKind::Link);
        let links = u32::from(element.kind == ElementKind::Link);
        self.open.push(Part {
            ordinal: element.ordinal,
            skipped,
            section,
            role,
            characters: 0,
            linked: 0,
            links,
            text: Some(String::new()),
        });
    }

    fn close(&mut self, kind: ElementKind) {
        let Some(part) = self.open.pop() else { return };
        self.skipped -= usize::from(part.skipped);
        self.sections -= usize::from(part.section);
        self.links -= usize::from(kind == ElementKind::Link);
        if let Some(parent) = self.open.last_mut() {
            parent.characters += part.characters;
            parent.linked += part.linked;
            parent.links = parent.links.saturating_add(part.links);
            parent.take(part.text.as_deref());
        }
        let measured = MeasuredPart { ordinal: part.ordinal, characters: part.characters };
        let candidate = matches!(part.role, Role::LinkListCandidate | Role::None);
        if candidate && part.characters > 0 && part.is_navigation_line() {
            self.boilerplate.push(measured);
        }
        // The outermost of nested lists contains the others.
        if candidate && kind.is_block() && part.is_name_list() {
            while self.names.pop_if(|inner| inner.ordinal > part.ordinal).is_some() {}
            self.names.push(measured);
        }
        match part.role {
            Role::Main => self.mains.push(measured),
            Role::Article => {
                self.articles -= 1;
                self.outer_articles.push(measured);
            }
            Role::Boilerplate => self.boilerplate.push(measured),
            Role::LinkListCandidate if part.links >= MIN_LINKS && part.linked * 10 >= part.characters * 8 => {
                self.boilerplate.push(measured);
            }
            Role::LinkListCandidate | Role::None => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        let characters = text.chars().filter(|c| !c.is_whitespace()).count() as u64;
        self.total += characters;
        if let Some(part) = self.open.last_mut() {
            part.take(Some(text));
            part.characters += characters;
            part.linked += if self.links > 0 { characters } else { 0 };
        }
    }
}
