//! The names of paragraph styles that mean something in every word processor: headings, titles and
//! lines of contents.

use crate::chapter_names::digit;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Text,
    Title,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A line of a table of contents or an index.
    Listing,
    /// A line across the page, if it has no text.
    Rule,
}

/// Longer ids and names of styles are ignored. Each paragraph names its style, and the whole name
/// is compared.
pub(crate) const MAX_NAME_BYTES: usize = 256;

/// The role of a paragraph style by its name. Built-in style names are English in every language of
/// Word. Other programs write the names that they show, so those of the languages that Lectern reads
/// are known, too.
pub(crate) fn by_name(name: &str) -> Option<Role> {
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
        // OpenDocument has no element for it.
        "horizontalline" => Some(Role::Rule),
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
