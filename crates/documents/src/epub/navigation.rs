//! Reads a book's table of contents from EPUB 3's navigation document or EPUB 2's NCX.

use super::{
    href::{self, Target},
    roles::DocumentRoles,
};
use crate::xml::{Event, Events};

/// Entries beyond this number are not read.
const MAX_ENTRIES: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NavigationEntry {
    pub(super) title: String,
    /// Its target; a part without its own page has none.
    pub(super) target: Option<Target>,
    /// The nesting depth; 0 is outermost.
    pub(super) depth: usize,
}

/// The content of a navigation document.
#[derive(Debug, Default)]
pub(super) struct Navigation {
    pub(super) entries: Vec<NavigationEntry>,
    /// The roles of documents: `cover`, `toc`, `endnotes`, …
    pub(super) landmarks: DocumentRoles,
}

/// Reads EPUB 3's navigation document, whose name in the archive is `path`.
pub(super) fn parse_nav(text: &str, path: &str) -> Navigation {
    let mut navigation = Navigation::default();
    let mut untyped = Vec::new();
    let mut events = Events::lenient(text);
    while let Some(event) = events.next() {
        let Event::Open(nav) = event else { continue };
        if nav.name() != "nav" {
            continue;
        }
        let items = list(&mut events, path);
        if nav.has_token("type", "toc") && navigation.entries.is_empty() {
            navigation.entries = items.into_iter().map(|item| item.entry).collect();
        } else if nav.has_token("type", "landmarks") {
            for item in items {
                if let Some(target) = item.entry.target {
                    navigation.landmarks.add(target, &item.kinds);
                }
            }
        } else if nav.attribute("type").is_none() && untyped.is_empty() {
            untyped = items;
        }
    }
    if navigation.entries.is_empty() {
        navigation.entries = untyped.into_iter().map(|item| item.entry).collect();
    }
    navigation
}

struct Item {
    entry: NavigationEntry,
    /// The `epub:type` of its link.
    kinds: String,
}

/// The items of nested lists up to the end of the open `nav`. The title of an item is its text
/// before any nested list, and its target is its first link.
fn list(events: &mut Events<'_>, path: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut depth = 0_usize;
    // Whether text belongs to the last item.
    let mut open = false;
    for event in events {
        match event {
            Event::Open(element) => match element.name() {
                "ol" | "ul" => {
                    depth += 1;
                    open = false;
                }
                "li" => {
                    open = items.len() < MAX_ENTRIES;
                    if open {
                        let depth = depth.saturating_sub(1);
                        let entry = NavigationEntry { title: String::new(), target: None, depth };
                        items.push(Item { entry, kinds: String::new() });
                    }
                }
                "a" if open => {
                    if let Some(item) = items.last_mut().filter(|item| item.entry.target.is_none()) {
                        item.entry.target = element.attribute("href").and_then(|to| href::resolve(path, &to));
                        item.kinds.push_str(&element.attribute("type").unwrap_or_default());
                    }
                }
                _ => {}
            },
            Event::Text(text) if open => {
                if let Some(item) = items.last_mut() {
                    item.entry.title.push_str(&text);
                }
            }
            Event::Close(name) => match name.as_str() {
                "ol" | "ul" => {
                    depth = depth.saturating_sub(1);
                    open = false;
                }
                "nav" => break,
                _ => {}
            },
            Event::Text(_) => {}
        }
    }
    items
}

/// Reads EPUB 2's table of contents, whose name in the archive is `path`.
pub(super) fn parse_ncx(text: &str, path: &str) -> Vec<NavigationEntry> {
    let mut entries: Vec<NavigationEntry> = Vec::new();
    let mut depth = 0_usize;
    let mut in_map = false;
    let mut events = Events::lenient(text);
    while let Some(event) = events.next() {
        match event {
            Event::Open(element) => match element.name() {
                "navMap" => in_map = true,
                "navPoint" if in_map && entries.len() < MAX_ENTRIES => {
                    entries.push(NavigationEntry { title: String::new(), target: None, depth });
                    depth += 1;
                }
                "text" if in_map => {
                    let title = events.text_of("text");
                    if let Some(entry) = entries.last_mut().filter(|entry| entry.title.is_empty()) {
                        entry.title = title;
                    }
                }
                "content" if in_map => {
                    let target = element.attribute("src").and_then(|to| href::resolve(path, &to));
                    if let Some(entry) = entries.last_mut().filter(|entry| entry.target.is_none()) {
                        entry.target = target;
                    }
                }
                _ => {}
            },
            Event::Close(name) if name == "navPoint" => depth = depth.saturating_sub(1),
            Event::Close(name) if name == "navMap" => in_map = false,
            _ => {}
        }
    }
    entries
}
