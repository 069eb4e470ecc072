//! Styles of paragraphs and words: which make headings, which are hidden and which are in another
//! language; and styles of lists.

use std::collections::HashMap;

use super::lists::ListStyle;
use crate::{
    Unreadable,
    word_processing::{MAX_NAME_BYTES, Role, by_name, read_part},
    xml::{Element, Event},
};

const MAX_BASE_STYLES: usize = 16;

/// What a style means for reading, with its base styles.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Style {
    pub role: Role,
    pub is_hidden: bool,
    /// A language tag, unless it is the document's.
    pub language: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Family {
    Paragraph,
    Text,
}

#[derive(Debug, Default)]
pub(super) struct Styles {
    paragraphs: HashMap<String, Style>,
    texts: HashMap<String, Style>,
    lists: HashMap<String, ListStyle>,
    /// The numbers of headings.
    pub outline: ListStyle,
    language: Option<String>,
}

/// A style as declared.
#[derive(Debug, Default)]
struct Declared {
    role: Option<Role>,
    parent: Option<String>,
    outline_level: Option<u8>,
    is_hidden: Option<bool>,
    language: Option<String>,
}

type DeclaredStyles = HashMap<(Family, String), Declared>;

impl Styles {
    pub(super) fn read(parts: &[&str], depth: usize) -> Result<Self, Unreadable> {
        let mut reader = Reader::default();
        for part in parts {
            read_part("ODT", part, depth, |event| {
                match event {
                    // In a flat file the text follows.
                    Event::Open(element) if element.name() == "body" => return false,
                    Event::Open(element) => reader.open(&element),
                    Event::Close(name) => reader.close(&name),
                    Event::Text(_) => {}
                }
                true
            })?;
        }
        Ok(reader.finish())
    }

    /// The default language of the text.
    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    pub(super) fn of(&self, family: Family, name: &str) -> Style {
        let styles = match family {
            Family::Paragraph => &self.paragraphs,
            Family::Text => &self.texts,
        };
        // Without a styles part, use the name of the style.
        let named = || Style { role: role_of_name(name).unwrap_or_default(), ..Style::default() };
        styles.get(name).cloned().unwrap_or_else(named)
    }

    pub(super) fn list(&self, name: &str) -> Option<&ListStyle> {
        self.lists.get(name)
    }
}

#[derive(Default)]
struct Reader {
    styles: Styles,
    declared: DeclaredStyles,
    open: Option<((Family, String), Declared)>,
    list: Option<(String, ListStyle)>,
    is_default: bool,
}

impl Reader {
    fn open(&mut self, element: &Element<'_>) {
        let family = || match element.attribute("family").as_deref() {
            Some("paragraph") => Some(Family::Paragraph),
            Some("text") => Some(Family::Text),
            _ => None,
        };
        match element.name() {
            "default-style" => self.is_default = family() == Some(Family::Paragraph),
            "style" => {
                let key = family().zip(name(element, "name"));
                self.open = key.map(|key| (key, declared(element)));
            }
            "text-properties" => self.text_properties(element),
            "list-style" => self.list = name(element, "name").map(|name| (name, ListStyle::default())),
            "outline-level-style" => self.styles.outline.add(element),
            "list-level-style-number" | "list-level-style-bullet" | "list-level-style-image" => {
                if let Some((_, list)) = &mut self.list {
                    list.add(element);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "default-style" => self.is_default = false,
            "style" => self.declared.extend(self.open.take()),
            "list-style" => self.styles.lists.extend(self.list.take()),
            _ => {}
        }
    }

    fn text_properties(&mut self, element: &Element<'_>) {
        let language = language(element);
        if let Some((_, style)) = &mut self.open {
            style.is_hidden = element.attribute("display").map(|display| display == "none");
            style.language = language;
        } else if self.is_default {
            self.styles.language = self.styles.language.take().or(language);
        }
    }

    /// Resolves each style once, not once for each paragraph.
    fn finish(mut self) -> Styles {
        for (family, name) in self.declared.keys() {
            let mut style = resolved(&self.declared, *family, name);
            style.language = style.language.filter(|tag| Some(tag) != self.styles.language.as_ref());
            let styles = match family {
                Family::Paragraph => &mut self.styles.paragraphs,
                Family::Text => &mut self.styles.texts,
            };
            styles.insert(name.clone(), style);
        }
        self.styles
    }
}

fn declared(element: &Element<'_>) -> Declared {
    let shown = name(element, "display-name").and_then(|name| by_name(&name));
    let level = element.attribute("default-outline-level").and_then(|level| level.parse::<u8>().ok());
    Declared {
        role: shown.or_else(|| role_of_name(&name(element, "name")?)),
        parent: name(element, "parent-style-name"),
        outline_level: level.filter(|level| (1..=9).contains(level)).map(|level| level.min(6)),
        is_hidden: None,
        language: None,
    }
}

/// A style with what it takes from those it is based on.
fn resolved(declared: &DeclaredStyles, family: Family, name: &str) -> Style {
    let (mut role, mut is_hidden, mut language) = (None, None, None);
    let mut next = Some(name);
    for _ in 0..MAX_BASE_STYLES {
        let Some(name) = next else { break };
        let Some(style) = declared.get(&(family, name.to_owned())) else {
            role = role.or_else(|| role_of_name(name));
            break;
        };
        role = role.or(style.role).or(style.outline_level.map(Role::Heading));
        is_hidden = is_hidden.or(style.is_hidden);
        language = language.or(style.language.as_ref());
        next = style.parent.as_deref();
    }
    Style {
        role: role.unwrap_or_default(),
        is_hidden: is_hidden.unwrap_or(false),
        language: language.cloned(),
    }
}

/// The role of a style by its internal name, where `Heading_20_1` stands for "Heading 1".
fn role_of_name(name: &str) -> Option<Role> {
    by_name(&name.replace("_20_", " "))
}

fn name(element: &Element<'_>, attribute: &str) -> Option<String> {
    element.attribute(attribute).filter(|name| name.len() <= MAX_NAME_BYTES)
}

fn language(element: &Element<'_>) -> Option<String> {
    let known = |tag: &String| !matches!(tag.as_str(), "none" | "zxx") && tag.len() <= 8;
    let language = element.attribute("language").filter(known)?;
    let country = element.attribute("country").filter(known);
    Some(country.map_or_else(|| language.clone(), |country| format!("{language}-{country}")))
}
