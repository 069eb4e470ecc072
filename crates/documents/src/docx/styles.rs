//! The styles of paragraphs: which make headings, which are not read.

use std::collections::HashMap;

use super::{numbering::Place, part};
use crate::{
    Unreadable,
    xml::{Element, Event},
};

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

/// The longest chain of base styles that is followed.
const ANCESTORS: usize = 16;

/// No id or name of a style is longer, bytes: longer ones are none. Each paragraph names its style, and all of the name
/// is compared.
const NAME_BYTES: usize = 256;

/// What the styles of a document make of its paragraphs.
#[derive(Debug, Default)]
pub(super) struct Styles {
    roles: HashMap<String, Role>,
    numbering: HashMap<String, Place>,
    language: Option<String>,
}

/// A style as it is declared.
#[derive(Debug, Default)]
struct Style {
    role: Option<Role>,
    based_on: Option<String>,
    outline: Option<u8>,
    numbering: Place,
}

impl Styles {
    pub(super) fn read(part: &str, depth: usize) -> Result<Self, Unreadable> {
        let mut styles: HashMap<String, Style> = HashMap::new();
        let mut language = None;
        let mut open: Option<(String, Style)> = None;
        part::read(part, depth, |event| {
            match event {
                Event::Open(element) => match (element.name(), &mut open) {
                    ("style", _) => {
                        open = name(element.attribute("styleId")).map(|id| (id, Style::default()));
                    }
                    ("name", Some((_, style))) => {
                        style.role = name(element.attribute("val")).and_then(|name| by_name(&name));
                    }
                    ("basedOn", Some((_, style))) => style.based_on = name(element.attribute("val")),
                    ("outlineLvl", Some((_, style))) => style.outline = outline(element.attribute("val")),
                    ("numId", Some((_, style))) => style.numbering.list = number(&element),
                    ("ilvl", Some((_, style))) => style.numbering.level = number(&element),
                    ("lang", None) => language = language.take().or_else(|| element.attribute("val")),
                    _ => {}
                },
                Event::Close(name) if name == "style" => styles.extend(open.take()),
                _ => {}
            }
            true
        })?;
        // Once for each style, not once for each paragraph.
        let roles = styles.keys().map(|id| (id.clone(), role(&styles, id))).collect();
        let numbering = styles.keys().map(|id| (id.clone(), numbering(&styles, id)));
        let numbering = numbering.filter(|(_, place)| place.list.is_some()).collect();
        Ok(Self { roles, numbering, language })
    }

    /// The language that text is in unless something else is said.
    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The list that paragraphs in the style of that id belong to.
    pub(super) fn numbering(&self, id: &str) -> Place {
        self.numbering.get(id).copied().unwrap_or_default()
    }

    /// What the style of that id makes of a paragraph.
    pub(super) fn role(&self, id: &str) -> Role {
        // A document without a part of styles is read by their ids.
        self.roles.get(id).copied().or_else(|| by_name(id)).unwrap_or(Role::Text)
    }
}

/// What a style makes of a paragraph, by itself or by what it is based on.
fn role(styles: &HashMap<String, Style>, id: &str) -> Role {
    let mut next = Some(id);
    for _ in 0..ANCESTORS {
        let Some(id) = next else { break };
        let Some(style) = styles.get(id) else { return by_name(id).unwrap_or(Role::Text) };
        if let Some(role) = style.role.or(style.outline.map(Role::Heading)) {
            return role;
        }
        next = style.based_on.as_deref();
    }
    Role::Text
}

/// The list of a style, its own or that of what it is based on.
fn numbering(styles: &HashMap<String, Style>, id: &str) -> Place {
    let mut place = Place::default();
    let mut next = Some(id);
    for _ in 0..ANCESTORS {
        let Some(style) = next.and_then(|id| styles.get(id)) else { break };
        place.list = place.list.or(style.numbering.list);
        place.level = place.level.or(style.numbering.level);
        next = style.based_on.as_deref();
    }
    place
}

fn number(element: &Element<'_>) -> Option<i64> {
    element.attribute("val")?.parse().ok()
}

fn name(text: Option<String>) -> Option<String> {
    text.filter(|text| text.len() <= NAME_BYTES)
}

/// The level of a heading from its place in the outline, which counts from 0; 9 is body text.
pub(super) fn outline(value: Option<String>) -> Option<u8> {
    let level: u8 = value?.parse().ok()?;
    (level < 9).then(|| (level + 1).min(6))
}

/// Names of built-in styles are English in every language of Word.
fn by_name(name: &str) -> Option<Role> {
    if name.len() > NAME_BYTES {
        return None;
    }
    let name = name.to_lowercase().replace(' ', "");
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
