//! The package document of a source: what it lists, and where it is changed.

use std::{collections::HashSet, fmt::Write as _, ops::Range};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{super::FromScratch, tree::Tree};

/// What a reference may not contain as it is.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A package of version 3 without overlays.
pub(super) struct Package {
    pub(super) source: String,
    pub(super) tree: Tree,
    /// All files that it lists.
    pub(super) items: Vec<Item>,
    /// The folder of the package document, with a slash at its end unless it is the root.
    pub(super) folder: String,
    /// The XHTML documents of the reading order.
    pub(super) spine: Vec<Item>,
    /// The text of `dcterms:modified`.
    pub(super) modified: Option<Range<usize>>,
    /// The position of `</metadata>`.
    pub(super) metadata_end: usize,
    /// The position of `</manifest>`.
    pub(super) manifest_end: usize,
    /// The prefix of the package's own elements, with its colon.
    pub(super) prefix: String,
    /// A start of ids that no id of the package has.
    pub(super) id_prefix: String,
    /// What the metadata says already, as `property=value`.
    pub(super) statements: HashSet<String>,
}

#[derive(Clone)]
pub(super) struct Item {
    pub(super) id: String,
    /// The reference, as it is written.
    pub(super) href: String,
    /// The name of the file in the container.
    pub(super) path: String,
    pub(super) media_type: String,
    pub(super) is_navigation: bool,
    pub(super) is_cover: bool,
    /// Its position in the package's elements.
    pub(super) element: usize,
    /// Where an attribute can be added to its tag.
    pub(super) attributes_at: usize,
}

#[derive(Default)]
struct Parser {
    items: Vec<Item>,
    elements: usize,
    order: Vec<String>,
    modified: Option<Range<usize>>,
    metadata_end: Option<usize>,
    manifest_end: Option<usize>,
    prefix: String,
    ids: HashSet<String>,
    statements: HashSet<String>,
    has_overlays: bool,
    /// The property of the open `meta` element.
    property: Option<String>,
}

impl Package {
    pub(super) fn parse(source: String, path: &str) -> Result<Self, FromScratch> {
        let folder = path.rfind('/').map_or("", |at| &path[..=at]).to_owned();
        let mut parser = Parser::default();
        parser.parse(&source, &folder)?;
        if parser.has_overlays {
            return Err(FromScratch::HasOverlays);
        }
        let mut spine: Vec<Item> = Vec::new();
        let mut seen = HashSet::new();
        for id in &parser.order {
            let item = parser.items.iter().find(|item| item.id == *id);
            if let Some(item) = item.filter(|item| item.media_type == "application/xhtml+xml")
                && seen.insert(item.path.clone())
            {
                spine.push(item.clone());
            }
        }
        let mut id_prefix = "spoken".to_owned();
        while parser.ids.iter().any(|id| id.starts_with(&id_prefix)) {
            id_prefix.push('-');
        }
        let tree = Tree::parse(&source).ok_or(FromScratch::Unreadable)?;
        Ok(Self {
            source,
            tree,
            items: parser.items,
            folder,
            spine,
            modified: parser.modified,
            metadata_end: parser.metadata_end.ok_or(FromScratch::Unreadable)?,
            manifest_end: parser.manifest_end.ok_or(FromScratch::Unreadable)?,
            prefix: parser.prefix,
            id_prefix,
            statements: parser.statements,
        })
    }
}

impl Parser {
    fn parse(&mut self, source: &str, folder: &str) -> Result<(), FromScratch> {
        let bom = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut reader = Reader::from_str(&source[bom..]);
        let mut is_first = true;
        loop {
            let start = bom + reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|_| FromScratch::Unreadable)?;
            let end = bom + reader.buffer_position() as usize;
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    if std::mem::take(&mut is_first) {
                        self.package(&tag)?;
                    }
                    self.element(&tag, start, folder);
                    if source[start..end].ends_with("/>") {
                        self.property = None;
                    }
                }
                Event::Text(text) => self.text(text.trim(), start..end),
                Event::End(tag) => {
                    self.property = None;
                    match tag.local_name().as_ref() {
                        "metadata" => self.metadata_end = Some(start),
                        "manifest" => self.manifest_end = Some(start),
                        _ => {}
                    }
                }
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    fn package(&mut self, tag: &BytesStart<'_>) -> Result<(), FromScratch> {
        if tag.local_name().as_ref() != "package" {
            return Err(FromScratch::Unreadable);
        }
        tag.name().as_ref().trim_end_matches("package").clone_into(&mut self.prefix);
        if !attribute(tag, "version").is_some_and(|version| version.trim().starts_with("3.")) {
            return Err(FromScratch::OlderVersion);
        }
        // These two are defined without being declared, unless a package says otherwise.
        let prefixes = attribute(tag, "prefix").unwrap_or_default();
        let mut words = prefixes.split_whitespace();
        while let (Some(name), Some(meaning)) = (words.next(), words.next()) {
            let usual = match name {
                "media:" => "http://www.idpf.org/epub/vocab/overlays/#",
                "schema:" => "http://schema.org/",
                _ => continue,
            };
            if meaning != usual {
                return Err(FromScratch::Unreadable);
            }
        }
        Ok(())
    }

    fn element(&mut self, tag: &BytesStart<'_>, start: usize, folder: &str) {
        self.ids.extend(attribute(tag, "id"));
        let element = self.elements;
        self.elements += 1;
        match tag.local_name().as_ref() {
            "item" => {
                self.has_overlays |= attribute(tag, "media-overlay").is_some();
                let raw = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == "href");
                let (Some(id), Some(href)) = (attribute(tag, "id"), raw) else { return };
                let Some(path) = attribute(tag, "href").and_then(|href| resolve(folder, &href)) else {
                    return;
                };
                self.items.push(Item {
                    id,
                    href: href.value.into_owned(),
                    path,
                    media_type: attribute(tag, "media-type").unwrap_or_default(),
                    is_navigation: has_property(tag, "nav"),
                    is_cover: has_property(tag, "cover-image"),
                    element,
                    attributes_at: start + 1 + tag.name().as_ref().len(),
                });
            }
            "itemref" => self.order.extend(attribute(tag, "idref")),
            "meta" => {
                self.property = attribute(tag, "property");
                self.has_overlays |= self.property.as_ref().is_some_and(|name| name.starts_with("media:"));
                if attribute(tag, "refines").is_some() {
                    self.property = None;
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        match self.property.as_deref() {
            Some("dcterms:modified") if !text.is_empty() => self.modified = Some(range),
            Some(property) => {
                self.statements.insert(format!("{property}={text}"));
            }
            None => {}
        }
    }
}

fn has_property(tag: &BytesStart<'_>, property: &str) -> bool {
    attribute(tag, "properties").is_some_and(|value| value.split_whitespace().any(|found| found == property))
}

/// An attribute's value. References are resolved.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let raw = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    Some(quick_xml::escape::unescape(&raw.value).ok()?.into_owned())
}

/// A reference from one file to another.
pub(super) fn reference(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let common = from[..from.len() - 1].iter().zip(&to).take_while(|(from, to)| from == to).count();
    let mut reference = "../".repeat(from.len() - 1 - common);
    for (at, part) in to[common..].iter().enumerate() {
        let _ = write!(reference, "{}{}", if at > 0 { "/" } else { "" }, utf8_percent_encode(part, IN_PATH));
    }
    reference
}

/// The name of the file that a reference leads to; `None` when it leads out of the container.
pub(super) fn resolve(folder: &str, href: &str) -> Option<String> {
    let href = href.split(['#', '?']).next().unwrap_or_default();
    if href.is_empty() || href.starts_with('/') || href.contains("://") {
        return None;
    }
    let href = percent_decode_str(href).decode_utf8().ok()?;
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop()?;
            }
            part => path.push(part),
        }
    }
    Some(path.join("/"))
}
