//! The first reading of a page of the web: where its main text is. Whatever surrounds it goes only when the page says
//! so, or when it is mostly links, and never when it is a large part of the page: a passage that is read in vain is a
//! smaller fault than one that is lost.

use std::collections::{HashMap, HashSet};

use super::{
    elements::{self, Meaning, Said},
    tokens::{Element, Listener},
};

/// What a second reading keeps of a page.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The element whose content is all that is read, by its ordinal.
    pub root: Option<u32>,
    /// Elements that are not read.
    pub skipped: HashSet<u32>,
    /// How many items lists have whose numbers go down, by their ordinals.
    pub items: HashMap<u32, u32>,
}

impl Plan {
    /// All of a page.
    pub(super) fn everything(items: HashMap<u32, u32>) -> Self {
        Self { items, ..Self::default() }
    }
}

/// Lists and tables that are mostly links, with at least this many of them, lead elsewhere.
const LINKS: u32 = 4;

/// A list of names, which may be longer than the text it stands under: at least so many links, with at most so many
/// characters each.
const NAMES: u32 = 50;
const NAME_CHARACTERS: u64 = 40;

/// It is left out only when a page has so much text besides, characters, and a fifth of it: a page that is a list is read.
const PROSE: u64 = 1_500;

/// Lines that lead around what stands between the text, in lower case.
const SIGNPOSTS: &[&str] = &[
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
];

/// No signpost is longer, bytes.
const SIGNPOST_BYTES: usize = 64;

/// Weighs the parts of a page.
#[derive(Debug, Default)]
pub(super) struct Survey {
    open: Vec<Part>,
    /// How many of those that are open are not read.
    unread: usize,
    links: usize,
    articles: usize,
    /// Articles, sections and main parts: a header inside one is that one's.
    sections: usize,
    total: u64,
    mains: Vec<Weighed>,
    outer_articles: Vec<Weighed>,
    surroundings: Vec<Weighed>,
    /// Lists of names, however long.
    names: Vec<Weighed>,
}

#[derive(Debug, Clone, Copy)]
struct Weighed {
    ordinal: u32,
    characters: u64,
}

#[derive(Debug)]
struct Part {
    ordinal: u32,
    unread: bool,
    section: bool,
    role: Role,
    characters: u64,
    linked: u64,
    links: u32,
    /// Its text, as long as it may be a signpost.
    text: Option<String>,
}

impl Part {
    /// Takes text, or that of a part inside it, as long as all of it may be a signpost.
    fn take(&mut self, text: Option<&str>) {
        match (&mut self.text, text) {
            (Some(own), Some(text)) if own.len() + text.len() <= SIGNPOST_BYTES => own.push_str(text),
            (Some(_), Some(text)) if text.trim().is_empty() => {}
            _ => self.text = None,
        }
    }

    fn is_signpost(&self) -> bool {
        self.text.as_ref().is_some_and(|text| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            SIGNPOSTS.contains(&text.as_str())
        })
    }

    /// Whether it is mostly links of a few words each.
    fn is_names(&self) -> bool {
        self.links >= NAMES
            && self.linked * 100 >= self.characters * 85
            && self.linked <= u64::from(self.links) * NAME_CHARACTERS
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Main,
    Article,
    Surrounding,
    /// May turn out to be nothing but links.
    Gathering,
    None,
}

impl Survey {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// What is worth reading.
    pub(super) fn plan(self, items: HashMap<u32, u32>) -> Plan {
        let holds = |part: &Weighed, share: u64| part.characters * share >= self.total && part.characters > 0;
        let root = match (self.mains.as_slice(), self.outer_articles.as_slice()) {
            ([main], _) if holds(main, 4) => Some(main.ordinal),
            (_, [article]) if holds(article, 2) => Some(article.ordinal),
            _ => None,
        };
        // What is called a surrounding but holds most of the page is not one.
        let surrounding = self.surroundings.iter().filter(|part| part.characters * 5 < self.total * 2);
        // A list of names is, where there is text besides all of them.
        let names: u64 = self.names.iter().map(|part| part.characters).sum();
        let prose = self.total.saturating_sub(names);
        let listed = self.names.iter().filter(|_| prose >= PROSE && prose * 5 >= self.total);
        let skipped = surrounding.chain(listed);
        Plan { root, skipped: skipped.map(|part| part.ordinal).collect(), items }
    }
}

fn is_section(element: &Element<'_>) -> bool {
    matches!(element.meaning, Meaning::Article | Meaning::Main)
        || matches!(&*element.tag.name, "section" | "blockquote")
}

impl Listener for Survey {
    fn open(&mut self, element: &Element<'_>) {
        if element.void {
            return;
        }
        let said = elements::said(element);
        let unread = said == Said::Unread || matches!(element.meaning, Meaning::Silent | Meaning::Title);
        let role = match element.meaning {
            _ if unread => Role::None,
            _ if said == Said::Main => Role::Main,
            Meaning::Main => Role::Main,
            Meaning::Article if self.articles == 0 => Role::Article,
            Meaning::Form | Meaning::Aside => Role::Surrounding,
            Meaning::Margin if self.sections == 0 || &*element.tag.name == "footer" => Role::Surrounding,
            _ if said == Said::Beside => Role::Surrounding,
            Meaning::Inline if elements::is_edit_link(element) => Role::Surrounding,
            // The names of the whole page's body say nothing about its parts.
            Meaning::Heading(_) | Meaning::Article => Role::None,
            meaning if meaning.is_block() && &*element.tag.name != "body" && &*element.tag.name != "html" => {
                if elements::is_surrounding(element) {
                    Role::Surrounding
                } else if matches!(meaning, Meaning::List | Meaning::Table | Meaning::Block) {
                    Role::Gathering
                } else {
                    Role::None
                }
            }
            _ => Role::None,
        };
        self.unread += usize::from(unread);
        let section = is_section(element);
        self.articles += usize::from(role == Role::Article);
        self.sections += usize::from(section);
        self.links += usize::from(element.meaning == Meaning::Link);
        let links = u32::from(element.meaning == Meaning::Link);
        self.open.push(Part {
            ordinal: element.ordinal,
            unread,
            section,
            role,
            characters: 0,
            linked: 0,
            links,
            text: Some(String::new()),
        });
    }

    fn close(&mut self, meaning: Meaning) {
        let Some(part) = self.open.pop() else { return };
        self.unread -= usize::from(part.unread);
        self.sections -= usize::from(part.section);
        self.links -= usize::from(meaning == Meaning::Link);
        if let Some(around) = self.open.last_mut() {
            around.characters += part.characters;
            around.linked += part.linked;
            around.links = around.links.saturating_add(part.links);
            around.take(part.text.as_deref());
        }
        let weighed = Weighed { ordinal: part.ordinal, characters: part.characters };
        let candidate = matches!(part.role, Role::Gathering | Role::None);
        if candidate && part.characters > 0 && part.is_signpost() {
            self.surroundings.push(weighed);
        }
        // The outermost of lists inside each other holds the others.
        if candidate && meaning.is_block() && part.is_names() {
            while self.names.pop_if(|inner| inner.ordinal > part.ordinal).is_some() {}
            self.names.push(weighed);
        }
        match part.role {
            Role::Main => self.mains.push(weighed),
            Role::Article => {
                self.articles -= 1;
                self.outer_articles.push(weighed);
            }
            Role::Surrounding => self.surroundings.push(weighed),
            Role::Gathering if part.links >= LINKS && part.linked * 10 >= part.characters * 8 => {
                self.surroundings.push(weighed);
            }
            Role::Gathering | Role::None => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.unread > 0 {
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
