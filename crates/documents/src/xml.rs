//! XML for the small documents that describe a book: events by local names, leniently. What stands before the first
//! thing that is not XML counts; entities that a document declares itself are not expanded.

use quick_xml::{
    Reader,
    escape::{resolve_html5_entity, unescape_with},
    events::{BytesStart, Event as Raw},
};

use crate::characters;

/// The text of one element is cut here; what is longer is no title or name.
const TEXT_CHARACTERS: usize = 1_000;

/// What comes next in a document.
#[derive(Debug)]
pub(crate) enum Event {
    /// An element begins; an empty one ends at once.
    Open(Element),
    /// An element of this local name ends.
    Close(String),
    /// Text, with what references to characters stand for.
    Text(String),
}

/// An element's local name and attributes.
#[derive(Debug)]
pub(crate) struct Element {
    /// Without its prefix.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// The attribute of this local name, when it is not blank.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| local(key) == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// Whether the attribute holds `token` among others, separated by white space.
    pub(crate) fn has_token(&self, name: &str, token: &str) -> bool {
        self.attribute(name).is_some_and(|value| value.split_whitespace().any(|held| held == token))
    }
}

/// The events of a document.
pub(crate) struct Events<'a>(Reader<&'a [u8]>);

impl<'a> Events<'a> {
    /// Of this text.
    pub(crate) fn of(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        let settings = reader.config_mut();
        settings.allow_dangling_amp = true;
        settings.allow_unmatched_ends = true;
        settings.check_end_names = false;
        settings.expand_empty_elements = true;
        Self(reader)
    }

    /// The text up to the end of the element that has just begun, on one line.
    pub(crate) fn text_of(&mut self, name: &str) -> String {
        let mut text = String::new();
        for event in self {
            match event {
                Event::Text(more) => text.push_str(&more),
                Event::Close(closed) if closed == name => break,
                _ => {}
            }
        }
        characters::one_line(&text, TEXT_CHARACTERS).unwrap_or_default()
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            return Some(match self.0.read_event().ok()? {
                Raw::Start(element) | Raw::Empty(element) => Event::Open(open(&element)),
                Raw::End(element) => Event::Close(local(element.name().0).to_owned()),
                Raw::Text(text) => Event::Text(text.into_inner().into_owned()),
                Raw::CData(text) => Event::Text(text.into_inner().into_owned()),
                Raw::GeneralRef(reference) => match reference.resolve_char_ref() {
                    Ok(Some(character)) => Event::Text(character.to_string()),
                    _ => Event::Text(resolve_html5_entity(&reference).unwrap_or_default().to_owned()),
                },
                Raw::Eof => return None,
                _ => continue,
            });
        }
    }
}

fn open(element: &BytesStart<'_>) -> Element {
    let mut attributes = element.html_attributes();
    let attributes = attributes.with_checks(false).flatten().map(|attribute| {
        let value = unescape_with(&attribute.value, resolve_html5_entity)
            .map_or_else(|_| attribute.value.to_string(), std::borrow::Cow::into_owned);
        (attribute.key.0.to_owned(), value)
    });
    Element { name: local(element.name().0).to_owned(), attributes: attributes.collect() }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}
