//! An XML document as its elements with their places, and changes at such places.

use std::ops::Range;

use quick_xml::{Reader, escape::resolve_html5_entity, events::Event};

/// More than a document has.
const MAX_DEPTH: usize = 1_000;

pub(super) struct Element {
    /// Without its prefix.
    pub(super) name: String,
    /// Names without prefixes, and values with references resolved.
    attributes: Vec<(String, String)>,
    /// Its start tag.
    pub(super) tag: Range<usize>,
    /// From its start tag to its end tag.
    pub(super) range: Range<usize>,
    /// What is between its tags; empty at the end of a tag that is both.
    pub(super) inner: Range<usize>,
    pub(super) parent: Option<usize>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// Whether an attribute that is a list of words has this one.
    pub(super) fn has(&self, name: &str, word: &str) -> bool {
        self.attribute(name).is_some_and(|value| value.split_whitespace().any(|found| found == word))
    }
}

/// The elements in the order of their start tags.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) elements: Vec<Element>,
    /// Each stretch of text and its place.
    texts: Vec<(usize, String)>,
}

impl Tree {
    /// `None` when the document is not well-formed.
    pub(super) fn parse(source: &str) -> Option<Self> {
        let bom = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut reader = Reader::from_str(&source[bom..]);
        let mut tree = Self::default();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let start = bom + usize::try_from(reader.buffer_position()).ok()?;
            let event = reader.read_event().ok()?;
            let end = bom + usize::try_from(reader.buffer_position()).ok()?;
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let attributes = tag.attributes().flatten().map(|attribute| {
                        let value = quick_xml::escape::unescape(&attribute.value).unwrap_or_default();
                        (attribute.key.local_name().as_ref().to_owned(), value.into_owned())
                    });
                    tree.elements.push(Element {
                        name: tag.local_name().as_ref().to_owned(),
                        attributes: attributes.collect(),
                        tag: start..end,
                        range: start..end,
                        inner: end..end,
                        parent: open.last().copied(),
                    });
                    if !source[start..end].ends_with("/>") {
                        open.push(tree.elements.len() - 1);
                    }
                    if open.len() > MAX_DEPTH {
                        return None;
                    }
                }
                Event::End(_) => {
                    let element = &mut tree.elements[open.pop()?];
                    element.inner.end = start;
                    element.range.end = end;
                }
                Event::Text(text) => tree.texts.push((start, text.to_string())),
                Event::CData(text) => tree.texts.push((start, text.to_string())),
                Event::GeneralRef(name) => {
                    let text = match name.resolve_char_ref().ok()? {
                        Some(c) => c.to_string(),
                        None => resolve_html5_entity(&name).unwrap_or_default().to_owned(),
                    };
                    tree.texts.push((start, text));
                }
                Event::Eof => return open.is_empty().then_some(tree),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {}
            }
        }
    }

    /// The text of an element with single spaces.
    pub(super) fn text(&self, element: usize) -> String {
        let inner = &self.elements[element].inner;
        let first = self.texts.partition_point(|(at, _)| *at < inner.start);
        let texts = self.texts[first..].iter().take_while(|(at, _)| *at < inner.end);
        let text: String = texts.map(|(_, text)| text.as_str()).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (usize, &'a Element)> {
        self.elements.iter().enumerate().filter(move |(_, element)| element.name == name)
    }

    /// The elements directly in another.
    pub(super) fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &Element)> {
        let end = self.elements[parent].range.end;
        let inside = self.elements.iter().enumerate().skip(parent + 1);
        inside
            .take_while(move |(_, element)| element.range.start < end)
            .filter(move |(_, element)| element.parent == Some(parent))
    }

    /// The elements that an element is in, from the inside.
    pub(super) fn around(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.elements[element].parent, move |at| self.elements[*at].parent)
    }
}

/// What is put in the place of stretches of a text.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub(super) fn replace(&mut self, range: Range<usize>, new: impl Into<String>) {
        self.0.push((range, new.into()));
    }

    pub(super) fn insert(&mut self, at: usize, new: impl Into<String>) {
        self.replace(at..at, new);
    }

    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Sets the value of an attribute of an element's start tag.
    pub(super) fn set_attribute(&mut self, source: &str, element: &Element, name: &str, value: &str) {
        let tag = &source[element.tag.clone()];
        if let Some(place) = place_of_value(tag, name) {
            let start = element.tag.start;
            self.replace(start + place.start..start + place.end, value);
        } else {
            let end = tag.trim_end_matches('>').trim_end_matches('/').trim_end().len();
            self.insert(element.tag.start + end, format!(" {name}=\"{value}\""));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The changed text. What lies in a stretch that an earlier change replaced is dropped.
    pub(super) fn apply(mut self, source: &str) -> String {
        // Of changes that begin together, insertions come first, and the larger before the smaller.
        self.0.sort_by_key(|(range, _)| (range.start, !range.is_empty(), std::cmp::Reverse(range.end)));
        let mut text = String::with_capacity(source.len() + 4096);
        let mut copied = 0;
        for (range, new) in self.0 {
            if range.start >= copied {
                text.push_str(&source[copied..range.start]);
                text.push_str(&new);
                copied = range.end;
            }
        }
        text + &source[copied..]
    }
}

/// Where in a start tag the value of an attribute is.
pub(super) fn place_of_value(tag: &str, name: &str) -> Option<Range<usize>> {
    let mut rest = 0;
    loop {
        let at = rest + tag[rest..].find(name)?;
        rest = at + name.len();
        let after = tag[rest..].trim_start();
        let Some(after) = after.strip_prefix('=') else { continue };
        let after = after.trim_start();
        let quote = after.chars().next()?;
        if !matches!(quote, '"' | '\'') || !tag[..at].ends_with(char::is_whitespace) {
            continue;
        }
        let start = tag.len() - after.len() + 1;
        return Some(start..start + tag[start..].find(quote)?);
    }
}
