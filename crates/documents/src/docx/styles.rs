//! The styles of paragraphs: which make headings, which are not read.

use std::collections::HashMap;

use super::xml::{self, Node};
use crate::Unreadable;

/// What a style makes of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    /// The title of the document.
    Title,
    /// A heading of a level, 1 to 6.
    Heading(u8),
    /// A line of a table of contents or of an index.
    Listing,
}

/// A style is looked up through at most so many that it is based on.
const ANCESTORS: usize = 16;

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    language: Option<String>,
}

#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
}

impl Styles {
    pub(super) fn read(part: &str, depth: usize) -> Result<Self, Unreadable> {
        let mut styles = Self::default();
        let mut open: Option<(String, Style)> = None;
        xml::read(part, depth, |node| {
            match node {
                Node::Open(tag) => match (tag.name(), &mut open) {
                    ("style", _) => open = tag.attribute("styleId").map(|id| (id, Style::default())),
                    ("name", Some((_, style))) => {
                        style.name = tag.attribute("val").unwrap_or_default().to_lowercase();
                    }
                    ("basedOn", Some((_, style))) => style.based_on = tag.attribute("val"),
                    ("outlineLvl", Some((_, style))) => style.outline = outline(tag.attribute("val")),
                    ("lang", None) => {
                        styles.language = styles.language.take().or_else(|| tag.attribute("val"));
                    }
                    _ => {}
                },
                Node::Close(name) if name == "style" => {
                    if let Some((id, style)) = open.take() {
                        styles.styles.insert(id, style);
                    }
                }
                _ => {}
            }
            true
        })?;
        Ok(styles)
    }

    /// The language that text is in unless something else is said.
    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// What the style of that id makes of a paragraph.
    pub(super) fn role(&self, id: &str) -> Role {
        let mut next = Some(id);
        for _ in 0..ANCESTORS {
            let Some(id) = next else { break };
            let style = self.styles.get(id);
            // A document without a part of styles is read by their ids.
            let name = style.map_or_else(|| id.to_lowercase(), |style| style.name.clone());
            if let Some(role) = by_name(&name) {
                return role;
            }
            if let Some(level) = style.and_then(|style| style.outline) {
                return Role::Heading(level);
            }
            next = style.and_then(|style| style.based_on.as_deref());
        }
        Role::Text
    }
}

/// The level of a heading from its place in the outline, which counts from 0; 9 is body text.
pub(super) fn outline(value: Option<String>) -> Option<u8> {
    let level: u8 = value?.parse().ok()?;
    (level < 9).then(|| (level + 1).min(6))
}

/// Names of built-in styles are English in every language of Word.
fn by_name(name: &str) -> Option<Role> {
    let name = name.replace(' ', "");
    if let Some(level) = name.strip_prefix("heading") {
        return level
            .parse::<u8>()
            .ok()
            .filter(|level| (1..=9).contains(level))
            .map(|level| Role::Heading(level.min(6)));
    }
    match name.as_str() {
        "title" => Some(Role::Title),
        // Below all headings: it belongs to the title, and makes no chapter.
        "subtitle" => Some(Role::Heading(6)),
        "tocheading" | "tableoffigures" | "tableofauthorities" => Some(Role::Listing),
        _ if name.starts_with("toc") && name[3..].bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Role::Listing)
        }
        _ if name.starts_with("index") && name[5..].bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Role::Listing)
        }
        _ => None,
    }
}
