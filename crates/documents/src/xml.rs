//! Reads XML as a stream of events with local names. Depth is bounded, and the document's own
//! entities are not expanded.
//!
//! A description of a book is read leniently: everything before the first error counts. A part
//! whose text is read aloud is read strictly: after an error, text would be missing.

use quick_xml::{
    Reader,
    escape::{resolve_html5_entity, unescape_with},
    events::{BytesStart, Event as Raw},
};

use crate::characters;

/// The text of an element is cut here; a longer one is not a title or a name.
const MAX_TEXT_CHARACTERS: usize = 1_000;

/// The depth limit of lenient reading.
const MAX_LENIENT_DEPTH: usize = 10_000;

#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// An element starts; an empty one ends at once.
    Open(Element<'a>),
    /// An element of this local name ends.
    Close(String),
    /// Text, with character references resolved.
    Text(String),
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// The name without its prefix.
    pub(crate) fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// The prefix of the name.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.0.name().0.rsplit_once(':').map(|(prefix, _)| prefix)
    }

    /// The attribute of this local name, unless it is blank.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.html_attributes();
        let found = attributes.with_checks(false).flatten().find(|found| local(found.key.0) == name)?;
        let value = unescape_with(&found.value, resolve_html5_entity).unwrap_or_else(|_| found.value.clone());
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The local names of all attributes, and their values.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (String, String)> {
        let mut attributes = self.0.html_attributes();
        attributes.with_checks(false);
        attributes.flatten().map(|found| {
            let value =
                unescape_with(&found.value, resolve_html5_entity).unwrap_or_else(|_| found.value.clone());
            (local(found.key.0).to_owned(), value.trim().to_owned())
        })
    }

    /// Whether `token` is in the attribute's list, which is separated by white space.
    pub(crate) fn has_token(&self, name: &str, token: &str) -> bool {
        self.attribute(name).is_some_and(|value| value.split_whitespace().any(|item| item == token))
    }

    /// Whether a switch is on. Its presence turns it on: `<w:b/>`, but not `<w:b w:val="0"/>`.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.attribute("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// Why reading stopped before the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum XmlError {
    Malformed,
    /// It is nested too deeply.
    TooDeep,
}

/// The events of a document up to its end or its first error.
pub(crate) struct Events<'a> {
    reader: Reader<&'a [u8]>,
    /// The number of open elements, and its limit.
    open: usize,
    depth: usize,
    strict: bool,
    broken: Option<XmlError>,
}

impl<'a> Events<'a> {
    /// Reads leniently.
    pub(crate) fn lenient(text: &'a str) -> Self {
        let mut events = Self::strict(text, MAX_LENIENT_DEPTH);
        events.strict = false;
        let settings = events.reader.config_mut();
        settings.allow_dangling_amp = true;
        settings.allow_unmatched_ends = true;
        settings.check_end_names = false;
        events
    }

    /// Reads strictly, to a depth of at most `depth`; [`Events::finish`] reports an error.
    pub(crate) fn strict(text: &'a str, depth: usize) -> Self {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{FEFF}'));
        reader.config_mut().expand_empty_elements = true;
        Self { reader, open: 0, depth, strict: true, broken: None }
    }

    /// The text up to the end of the element that has just started, on one line.
    pub(crate) fn text_of(&mut self, name: &str) -> String {
        let mut text = String::new();
        for event in self {
            match event {
                Event::Text(more) => text.push_str(&more),
                Event::Close(closed) if closed == name => break,
                _ => {}
            }
        }
        characters::one_line(&text, MAX_TEXT_CHARACTERS).unwrap_or_default()
    }

    /// # Errors
    /// [`XmlError`] when the document was broken before the point where reading stopped.
    pub(crate) fn finish(self) -> Result<(), XmlError> {
        self.broken.map_or(Ok(()), Err)
    }

    fn end(&mut self, why: Option<XmlError>) -> Option<Event<'a>> {
        self.broken = why;
        None
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if self.broken.is_some() {
                return None;
            }
            let Ok(event) = self.reader.read_event() else { return self.end(Some(XmlError::Malformed)) };
            return Some(match event {
                Raw::Start(element) | Raw::Empty(element) => {
                    self.open += 1;
                    if self.open > self.depth {
                        return self.end(Some(XmlError::TooDeep));
                    }
                    Event::Open(Element(element))
                }
                Raw::End(element) => {
                    self.open = self.open.saturating_sub(1);
                    Event::Close(local(element.name().0).to_owned())
                }
                Raw::Text(text) => Event::Text(text.xml10_content().into_owned()),
                Raw::CData(text) => Event::Text(text.xml10_content().into_owned()),
                Raw::GeneralRef(reference) => match reference.resolve_char_ref() {
                    Ok(Some(character)) => Event::Text(character.to_string()),
                    _ => Event::Text(resolve_html5_entity(&reference).unwrap_or_default().to_owned()),
                },
                Raw::Eof => {
                    let cut_short = self.strict && self.open > 0;
                    return self.end(cut_short.then_some(XmlError::Malformed));
                }
                _ => continue,
            });
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::{Event, Events, XmlError};

    fn opened(events: &mut Events<'_>) -> usize {
        events.filter(|event| matches!(event, Event::Open(_))).count()
    }

    /// Negative control: without the bound all levels of both were read without an error.
    #[test]
    fn depth_is_bounded_however_a_document_is_read() {
        let deep = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
        let mut events = Events::strict(&deep, 100);
        assert_eq!((opened(&mut events), events.finish()), (100, Err(XmlError::TooDeep)));
        let mut events = Events::lenient(&deep);
        assert_eq!((opened(&mut events), events.finish()), (10_000, Err(XmlError::TooDeep)));
        let flat = "<a/>".repeat(20_000);
        let mut events = Events::lenient(&flat);
        assert_eq!((opened(&mut events), events.finish()), (20_000, Ok(())));
    }

    #[test]
    fn strictly_what_is_cut_short_is_broken_and_leniently_it_is_not() {
        for text in ["<a><b>text", "<a></b></a>", "<a>x & y</a>"] {
            let mut events = Events::strict(text, 10);
            events.by_ref().for_each(drop);
            assert_eq!(events.finish(), Err(XmlError::Malformed), "{text}");
            let mut events = Events::lenient(text);
            events.by_ref().for_each(drop);
            assert_eq!(events.finish(), Ok(()), "{text}");
        }
    }
}
