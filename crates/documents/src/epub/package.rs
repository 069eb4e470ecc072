//! Reads the package document (OPF): the metadata, the members and the reading order of a book.

use std::collections::{HashMap, HashSet};

use super::{href, roles::DocumentRoles};
use crate::xml::{Element, Event, Events};

const READABLE_TYPES: [&str; 4] =
    ["application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"];

/// The type of SVG, which is read for its text if it has no fallback.
pub(super) const SVG: &str = "image/svg+xml";

/// The type of a lexicon of pronunciations.
const PLS: &str = "application/pls+xml";

/// The longest chain of fallbacks that is followed.
const MAX_FALLBACKS: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) copyright: Option<String>,
    /// The language tag as the publisher wrote it.
    pub(super) language: Option<String>,
    /// In manifest order: where several items would do, the first one is used.
    items: Vec<Item>,
    /// Indexes of `items` by id.
    ids: HashMap<String, usize>,
    /// Ids in reading order.
    spine: Vec<SpineItem>,
    ncx: Option<String>,
    cover: Option<String>,
    /// EPUB 2's guide, the roles of documents: `cover`, `toc`, `notes`, …
    pub(super) guide: DocumentRoles,
}

/// A manifest item.
#[derive(Debug)]
pub(super) struct Item {
    /// The name of the member in the archive.
    pub(super) path: String,
    /// As declared, in lower case.
    pub(super) media_type: String,
    navigation: bool,
    cover_image: bool,
    fallback: Option<String>,
}

#[derive(Debug)]
struct SpineItem {
    id: String,
    linear: bool,
}

/// A `dc:title` or `dc:creator` with its refinement.
#[derive(Debug, Default)]
struct Refinable {
    id: Option<String>,
    role: Option<String>,
    text: String,
}

impl Package {
    /// The names of the files of pronunciations that belong to the book.
    pub(super) fn lexicons(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter(|item| item.media_type == PLS).map(|item| item.path.as_str())
    }

    /// Reads the document `text`, whose name in the archive is `path`.
    pub(super) fn parse(text: &str, path: &str) -> Self {
        let mut package = Self::default();
        let mut titles: Vec<Refinable> = Vec::new();
        let mut creators: Vec<Refinable> = Vec::new();
        // `<meta refines="#id" property="role">aut</meta>`
        let mut refinements: HashMap<(String, String), String> = HashMap::new();
        let mut events = Events::lenient(text);
        while let Some(event) = events.next() {
            let Event::Open(element) = event else { continue };
            match element.name() {
                "title" => titles.push(refinable(&element, &mut events)),
                "creator" => creators.push(refinable(&element, &mut events)),
                "language" if package.language.is_none() => {
                    package.language = Some(events.text_of("language")).filter(|tag| !tag.is_empty());
                }
                "rights" if package.copyright.is_none() => {
                    package.copyright = Some(events.text_of("rights")).filter(|rights| !rights.is_empty());
                }
                "meta" => {
                    if element.attribute("name").as_deref() == Some("cover") {
                        package.cover = element.attribute("content");
                    } else if let (Some(refined), Some(property)) =
                        (element.attribute("refines"), element.attribute("property"))
                    {
                        let key = (refined.trim_start_matches('#').to_owned(), property);
                        refinements.insert(key, events.text_of("meta"));
                    }
                }
                "item" => package.add_item(&element, path),
                "spine" => package.ncx = element.attribute("toc"),
                "itemref" => package.spine.extend(element.attribute("idref").map(|id| SpineItem {
                    id,
                    linear: element.attribute("linear").as_deref() != Some("no"),
                })),
                "reference" => {
                    let target = element.attribute("href").and_then(|to| href::resolve(path, &to));
                    if let (Some(kinds), Some(target)) = (element.attribute("type"), target) {
                        package.guide.add(target, &kinds);
                    }
                }
                _ => {}
            }
        }
        for (list, property) in [(&mut titles, "title-type"), (&mut creators, "role")] {
            for refinable in list {
                let refined = refinable.id.as_ref().map(|id| (id.clone(), property.to_owned()));
                if let Some(role) = refined.and_then(|key| refinements.remove(&key)) {
                    refinable.role = Some(role);
                }
            }
        }
        package.title = main_title(titles);
        package.author = authors(creators);
        package
    }

    fn add_item(&mut self, element: &Element<'_>, path: &str) {
        let target = element.attribute("href").and_then(|to| href::resolve(path, &to));
        if let (Some(id), Some(target)) = (element.attribute("id"), target) {
            let item = Item {
                path: target.path,
                media_type: element.attribute("media-type").unwrap_or_default().to_lowercase(),
                navigation: element.has_token("properties", "nav"),
                cover_image: element.has_token("properties", "cover-image"),
                fallback: element.attribute("fallback"),
            };
            if let Some(&index) = self.ids.get(&id) {
                self.items[index] = item;
            } else {
                self.ids.insert(id, self.items.len());
                self.items.push(item);
            }
        }
    }

    fn item(&self, id: &str) -> Option<&Item> {
        self.ids.get(id).map(|&index| &self.items[index])
    }

    /// The documents in reading order, each once. If all of them are marked supplementary, none is.
    pub(super) fn reading_order(&self) -> Vec<&Item> {
        let all_supplementary = self.spine.iter().all(|item| !item.linear);
        let mut seen = HashSet::new();
        let listed = self.spine.iter().filter(|item| item.linear || all_supplementary);
        let readable = listed.filter_map(|item| self.readable(&item.id));
        readable.filter(|item| seen.insert(item.path.as_str())).collect()
    }

    /// The item, or the first readable one in its chain of fallbacks, which may be circular.
    fn readable(&self, id: &str) -> Option<&Item> {
        let chain = || {
            let chain = std::iter::successors(self.item(id), |item| self.item(item.fallback.as_deref()?));
            chain.take(1 + MAX_FALLBACKS)
        };
        let text = chain().find(|item| READABLE_TYPES.contains(&item.media_type.as_str()));
        text.or_else(|| chain().find(|item| item.media_type == SVG))
    }

    /// Whether any page of the spine is a picture.
    pub(super) fn has_picture_pages(&self) -> bool {
        self.spine
            .iter()
            .any(|page| self.item(&page.id).is_some_and(|item| item.media_type.starts_with("image/")))
    }

    /// EPUB 3's navigation document.
    pub(super) fn navigation(&self) -> Option<&Item> {
        self.items.iter().find(|item| item.navigation)
    }

    /// EPUB 2's table of contents.
    pub(super) fn ncx(&self) -> Option<&Item> {
        let refinable = self.ncx.as_ref().and_then(|id| self.item(id));
        refinable.or_else(|| self.items.iter().find(|item| item.media_type == "application/x-dtbncx+xml"))
    }

    pub(super) fn cover(&self) -> Option<&Item> {
        let marked = self.items.iter().find(|item| item.cover_image);
        let refinable = || {
            let name = self.cover.as_deref()?;
            // Some books give a file name instead of an id.
            self.item(name).or_else(|| self.items.iter().find(|item| item.path.ends_with(name)))
        };
        marked.or_else(refinable).filter(|item| item.media_type.starts_with("image/"))
    }
}

fn refinable(element: &Element<'_>, events: &mut Events<'_>) -> Refinable {
    Refinable {
        id: element.attribute("id"),
        role: element.attribute("role"),
        text: events.text_of(element.name()),
    }
}

fn main_title(titles: Vec<Refinable>) -> Option<String> {
    let mut titles: Vec<Refinable> = titles.into_iter().filter(|title| !title.text.is_empty()).collect();
    let main = titles.iter().position(|title| title.role.as_deref() == Some("main")).unwrap_or(0);
    (!titles.is_empty()).then(|| titles.swap_remove(main).text)
}

/// The creators marked as authors, else those without a role, else the first one.
fn authors(creators: Vec<Refinable>) -> Option<String> {
    let creators: Vec<Refinable> = creators.into_iter().filter(|creator| !creator.text.is_empty()).collect();
    let with = |wanted: Option<&str>| -> Vec<&str> {
        let found = creators.iter().filter(|creator| creator.role.as_deref() == wanted);
        found.map(|creator| creator.text.as_str()).collect()
    };
    let mut names = with(Some("aut"));
    if names.is_empty() {
        names = with(None);
    }
    if names.is_empty() {
        names.extend(creators.first().map(|creator| creator.text.as_str()));
    }
    (!names.is_empty()).then(|| names.join(", "))
}
