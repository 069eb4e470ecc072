//! Paragraph styles: which of them make headings, and which are not read.

use std::collections::HashMap;

use super::{numbering::ListPosition, part};
use crate::{
    Unreadable,
    chapter_names::digit,
    xml::{Element, Event},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    Title,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A line of a table of contents or an index.
    Listing,
}

const MAX_BASE_STYLES: usize = 16;

/// Longer ids and names of styles are ignored. Each paragraph names its style, and the whole name
/// is compared.
const MAX_NAME_BYTES: usize = 256;

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

/// Built-in style names are English in every language of Word. Other programs write the names that
/// they show, so those of the languages that Lectern reads are known, too.
fn by_name(name: &str) -> Option<Role> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let name: String = name.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(level) = HEADING_NAMES.iter().find_map(|heading| heading_level(name.strip_prefix(heading)?)) {
        return Some(Role::Heading(level));
    }
    if TITLE_NAMES.contains(&name.as_str()) {
        return Some(Role::Title);
    }
    if SUBTITLE_NAMES.contains(&name.as_str()) {
        return Some(Role::Heading(6));
    }
    let listed = |names: &[&str]| {
        names
            .iter()
            .any(|listing| name.strip_prefix(listing).is_some_and(|rest| heading_level(rest).is_some()))
    };
    if LISTING_NAMES.contains(&name.as_str()) || listed(LISTING_NAMES) || listed(LISTING_LEVELS) {
        return Some(Role::Listing);
    }
    match name.as_str() {
        "title" => Some(Role::Title),
        // The lowest level: a subtitle belongs to the title and starts no chapter.
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

/// The level of a heading style after its name: "1", "२".
fn heading_level(rest: &str) -> Option<u8> {
    let mut figures = rest.chars();
    let (Some(figure), None) = (figures.next(), figures.next()) else { return None };
    let level = u8::try_from(digit(figure)?).ok()?;
    (1..=9).contains(&level).then_some(level.min(6))
}

/// Names of heading styles without their level, in lower case and without spaces. The ids of styles
/// lack letters with accents.
const HEADING_NAMES: &[&str] = &[
    "heading",
    "titre",
    "überschrift",
    "berschrift",
    "título",
    "ttulo",
    "titolo",
    "intestazione",
    "kop",
    "заголовок",
    "見出し",
    "标题",
    "標題",
    "शीर्षक",
];

const TITLE_NAMES: &[&str] =
    &["titre", "titel", "título", "ttulo", "titolo", "表題", "标题", "標題", "शीर्षक"];

const SUBTITLE_NAMES: &[&str] = &[
    "sous-titre",
    "untertitel",
    "subtítulo",
    "subttulo",
    "sottotitolo",
    "副題",
    "副标题",
    "副標題",
    "उपशीर्षक",
];

/// Names of headings and lines of contents, with or without a level.
const LISTING_NAMES: &[&str] = &[
    "tabledesmatières",
    "titretabledesmatières",
    "entêtedetabledesmatières",
    "inhaltsverzeichnis",
    "inhaltsverzeichnisüberschrift",
    "tabladecontenido",
    "sommario",
    "titolosommario",
    "sumário",
    "目次",
    "目次の見出し",
    "目录",
    "目錄",
    "विषय-सूची",
    "विषयसूची",
];

/// Names of lines of contents that always have a level.
const LISTING_LEVELS: &[&str] = &["tm", "tdc", "verzeichnis", "índice", "ndice"];
