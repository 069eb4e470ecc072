//! The first reading of a page of the web: where its main text is. Whatever surrounds it goes only when the page says
//! so, or when it is mostly links, and never when it is a large part of the page: a passage that is read in vain is a
//! smaller fault than one that is lost.

use std::collections::HashSet;

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
}

impl Plan {
    /// All of a page.
    pub(super) fn everything() -> Self {
        Self::default()
    }
}

/// Lists and tables with at least so many links of which most is links lead elsewhere.
const LINKS: u32 = 4;

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
    pub(super) fn plan(self) -> Plan {
        let holds = |part: &Weighed, share: u64| part.characters * share >= self.total && part.characters > 0;
        let root = match (self.mains.as_slice(), self.outer_articles.as_slice()) {
            ([main], _) if holds(main, 4) => Some(main.ordinal),
            (_, [article]) if holds(article, 2) => Some(article.ordinal),
            _ => None,
        };
        // What is called a surrounding but holds most of the page is not one.
        let skipped = self.surroundings.iter().filter(|part| part.characters * 5 < self.total * 2);
        Plan { root, skipped: skipped.map(|part| part.ordinal).collect() }
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
        }
        let weighed = Weighed { ordinal: part.ordinal, characters: part.characters };
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
            part.characters += characters;
            part.linked += if self.links > 0 { characters } else { 0 };
        }
    }
}
