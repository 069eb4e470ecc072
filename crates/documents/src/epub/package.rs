//! The package document (OPF): what the book says of itself, what it holds, and in which order that is read.

use std::collections::{HashMap, HashSet};

use super::{href, uses::Uses};
use crate::xml::{Element, Event, Events};

/// Media types that are read aloud.
const READABLE: [&str; 4] =
    ["application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"];

/// What is read as far as there is text in it, where nothing else stands in for it.
pub(super) const SVG: &str = "image/svg+xml";

/// So many items that stand in for one that cannot be read are tried.
const FALLBACKS: usize = 16;

/// What the package document says.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// A language tag as the publisher wrote it.
    pub(super) language: Option<String>,
    /// As the manifest lists them: where one would do for another, the first is meant.
    items: Vec<Item>,
    /// Their places by their ids.
    ids: HashMap<String, usize>,
    /// The ids of what is read, in order.
    spine: Vec<SpineItem>,
    ncx: Option<String>,
    cover: Option<String>,
    /// EPUB 2's list of what documents are for: `cover`, `toc`, `notes`, …
    pub(super) guide: Uses,
}

/// A member of the book as its manifest lists it.
#[derive(Debug)]
pub(super) struct Item {
    /// The member's name in the archive.
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

/// A `dc:title` or `dc:creator`, with what refines it.
#[derive(Debug, Default)]
struct Named {
    id: Option<String>,
    role: Option<String>,
    text: String,
}

impl Package {
    /// Reads the document `text`, whose name in the archive is `path`.
    pub(super) fn parse(text: &str, path: &str) -> Self {
        let mut package = Self::default();
        let mut titles: Vec<Named> = Vec::new();
        let mut creators: Vec<Named> = Vec::new();
        // `<meta refines="#id" property="role">aut</meta>`
        let mut refinements: HashMap<(String, String), String> = HashMap::new();
        let mut events = Events::of(text);
        while let Some(event) = events.next() {
            let Event::Open(element) = event else { continue };
            match element.name() {
                "title" => titles.push(named(&element, &mut events)),
                "creator" => creators.push(named(&element, &mut events)),
                "language" if package.language.is_none() => {
                    package.language = Some(events.text_of("language")).filter(|tag| !tag.is_empty());
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
            for named in list {
                let refined = named.id.as_ref().map(|id| (id.clone(), property.to_owned()));
                if let Some(role) = refined.and_then(|key| refinements.remove(&key)) {
                    named.role = Some(role);
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
            if let Some(&place) = self.ids.get(&id) {
                self.items[place] = item;
            } else {
                self.ids.insert(id, self.items.len());
                self.items.push(item);
            }
        }
    }

    fn item(&self, id: &str) -> Option<&Item> {
        self.ids.get(id).map(|&place| &self.items[place])
    }

    /// The documents that are read, in order, each once. A book that calls all of them supplementary means none.
    pub(super) fn reading_order(&self) -> Vec<&Item> {
        let all_supplementary = self.spine.iter().all(|item| !item.linear);
        let mut seen = HashSet::new();
        let listed = self.spine.iter().filter(|item| item.linear || all_supplementary);
        let readable = listed.filter_map(|item| self.readable(&item.id));
        readable.filter(|item| seen.insert(item.path.as_str())).collect()
    }

    /// The item, or the first in its chain of fallbacks that can be read. A chain may lead around in a circle.
    fn readable(&self, id: &str) -> Option<&Item> {
        let chain = || {
            let chain = std::iter::successors(self.item(id), |item| self.item(item.fallback.as_deref()?));
            chain.take(1 + FALLBACKS)
        };
        let text = chain().find(|item| READABLE.contains(&item.media_type.as_str()));
        text.or_else(|| chain().find(|item| item.media_type == SVG))
    }

    /// Whether pages of the book are pictures.
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
        let named = self.ncx.as_ref().and_then(|id| self.item(id));
        named.or_else(|| self.items.iter().find(|item| item.media_type == "application/x-dtbncx+xml"))
    }

    /// The image of the cover.
    pub(super) fn cover(&self) -> Option<&Item> {
        let marked = self.items.iter().find(|item| item.cover_image);
        let named = || {
            let name = self.cover.as_deref()?;
            // Some books give the file where the id belongs.
            self.item(name).or_else(|| self.items.iter().find(|item| item.path.ends_with(name)))
        };
        marked.or_else(named).filter(|item| item.media_type.starts_with("image/"))
    }
}

fn named(element: &Element<'_>, events: &mut Events<'_>) -> Named {
    Named {
        id: element.attribute("id"),
        role: element.attribute("role"),
        text: events.text_of(element.name()),
    }
}

fn main_title(titles: Vec<Named>) -> Option<String> {
    let mut titles: Vec<Named> = titles.into_iter().filter(|title| !title.text.is_empty()).collect();
    let main = titles.iter().position(|title| title.role.as_deref() == Some("main")).unwrap_or(0);
    (!titles.is_empty()).then(|| titles.swap_remove(main).text)
}

/// Those marked as authors; else those of whom nothing else is said; else the first.
fn authors(creators: Vec<Named>) -> Option<String> {
    let creators: Vec<Named> = creators.into_iter().filter(|creator| !creator.text.is_empty()).collect();
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
