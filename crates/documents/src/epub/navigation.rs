//! A book's table of contents, from EPUB 3's navigation document or EPUB 2's NCX.

use super::{
    href::{self, Target},
    uses::Uses,
};
use crate::xml::{Event, Events};

/// Lines beyond this many are not read.
const LINES: usize = 20_000;

/// A line of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) title: String,
    /// Where it leads; a part without a page of its own leads nowhere.
    pub(super) target: Option<Target>,
    /// How far in it stands; 0 is outermost.
    pub(super) depth: usize,
}

/// What a navigation document tells.
#[derive(Debug, Default)]
pub(super) struct Navigation {
    pub(super) entries: Vec<Line>,
    /// What documents are for: `cover`, `toc`, `endnotes`, …
    pub(super) landmarks: Uses,
}

/// Reads EPUB 3's navigation document, whose name in the archive is `path`.
pub(super) fn of_navigation(text: &str, path: &str) -> Navigation {
    let mut navigation = Navigation::default();
    let mut untyped = Vec::new();
    let mut events = Events::of(text);
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

/// An item of a navigation list.
struct Item {
    entry: Line,
    /// The `epub:type` of its link.
    kinds: String,
}

/// The items of nested lists, up to the end of the `nav` that has begun: each has the words in front of the lists
/// inside it, and the first link among them.
fn list(events: &mut Events<'_>, path: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut depth = 0_usize;
    // Whether the words that come belong to the last item.
    let mut open = false;
    for event in events {
        match event {
            Event::Open(element) => match element.name() {
                "ol" | "ul" => {
                    depth += 1;
                    open = false;
                }
                "li" => {
                    open = items.len() < LINES;
                    if open {
                        let depth = depth.saturating_sub(1);
                        let entry = Line { title: String::new(), target: None, depth };
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
pub(super) fn of_ncx(text: &str, path: &str) -> Vec<Line> {
    let mut entries: Vec<Line> = Vec::new();
    let mut depth = 0_usize;
    let mut in_map = false;
    let mut events = Events::of(text);
    while let Some(event) = events.next() {
        match event {
            Event::Open(element) => match element.name() {
                "navMap" => in_map = true,
                "navPoint" if in_map && entries.len() < LINES => {
                    entries.push(Line { title: String::new(), target: None, depth });
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
