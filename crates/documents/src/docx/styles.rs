//! Paragraph styles: which of them make headings, and which are not read.

use std::collections::HashMap;

use super::{numbering::ListPosition, part};
use crate::{
    Unreadable,
    word_processing::{MAX_NAME_BYTES, Role, by_name},
    xml::{Element, Event},
};

const MAX_BASE_STYLES: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Styles {
    roles: HashMap<String, Role>,
    numbering: HashMap<String, ListPosition>,
    language: Option<String>,
}

/// A style as declared.
#[derive(Debug, Default)]
struct Style {
    role: Option<Role>,
    based_on: Option<String>,
    outline_level: Option<u8>,
    numbering: ListPosition,
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
                    ("outlineLvl", Some((_, style))) => {
                        style.outline_level = outline_level(element.attribute("val"));
                    }
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
        // Resolve each style once, not once for each paragraph.
        let roles = styles.keys().map(|id| (id.clone(), role(&styles, id))).collect();
        let numbering = styles.keys().map(|id| (id.clone(), numbering(&styles, id)));
        let numbering = numbering.filter(|(_, position)| position.list.is_some()).collect();
        Ok(Self { roles, numbering, language })
    }

    /// The default language of the text.
    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The list of a style.
    pub(super) fn numbering(&self, id: &str) -> ListPosition {
        self.numbering.get(id).copied().unwrap_or_default()
    }

    pub(super) fn role(&self, id: &str) -> Role {
        // Without a styles part, use the id of the style.
        self.roles.get(id).copied().or_else(|| by_name(id)).unwrap_or(Role::Text)
    }
}

/// The role of a style or of the nearest base style that has one.
fn role(styles: &HashMap<String, Style>, id: &str) -> Role {
    let mut next = Some(id);
    for _ in 0..MAX_BASE_STYLES {
        let Some(id) = next else { break };
        let Some(style) = styles.get(id) else { return by_name(id).unwrap_or(Role::Text) };
        if let Some(role) = style.role.or(style.outline_level.map(Role::Heading)) {
            return role;
        }
        next = style.based_on.as_deref();
    }
    Role::Text
}

/// The list of a style or of the nearest base style that has one.
fn numbering(styles: &HashMap<String, Style>, id: &str) -> ListPosition {
    let mut position = ListPosition::default();
    let mut next = Some(id);
    for _ in 0..MAX_BASE_STYLES {
        let Some(style) = next.and_then(|id| styles.get(id)) else { break };
        position.list = position.list.or(style.numbering.list);
        position.level = position.level.or(style.numbering.level);
        next = style.based_on.as_deref();
    }
    position
}

fn number(element: &Element<'_>) -> Option<i64> {
    element.attribute("val")?.parse().ok()
}

fn name(text: Option<String>) -> Option<String> {
    text.filter(|text| text.len() <= MAX_NAME_BYTES)
}

/// The heading level of an outline level, which counts from 0; 9 is body text.
pub(super) fn outline_level(value: Option<String>) -> Option<u8> {
    let level: u8 = value?.parse().ok()?;
    (level < 9).then(|| (level + 1).min(6))
}
