//! The XML of a part as a stream: elements by their local names, text with its references resolved. Depth is bounded;
//! entities that a document declares itself are not followed, so that none can unfold.

use quick_xml::{
    Reader,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};

use crate::{Reason, Unreadable};

/// What a part holds, one after the other.
pub(super) enum Node<'a> {
    /// An element opens. Empty ones open and close.
    Open(Tag<'a>),
    /// The element of that name closes.
    Close(String),
    Text(String),
}

/// An element that opens.
pub(super) struct Tag<'a>(BytesStart<'a>);

impl Tag<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of the attribute of that name, whatever its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|found| found.key.local_name().into_inner() == name)?;
        let value = found.value;
        Some(
            quick_xml::escape::unescape(&value)
                .map_or_else(|_| value.to_string(), std::borrow::Cow::into_owned),
        )
    }

    /// Whether a switch that is on by being there is on: `<w:b/>`, but not `<w:b w:val="0"/>`.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.attribute("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// Reads a part to a listener, until it says that it has enough (`false`).
pub(super) fn read(
    part: &str,
    depth: usize,
    mut listener: impl FnMut(Node<'_>) -> bool,
) -> Result<(), Unreadable> {
    let mut reader = Reader::from_str(part.trim_start_matches('\u{FEFF}'));
    let mut open = 0_usize;
    loop {
        let goes_on = match reader.read_event().map_err(|_| damaged())? {
            Event::Start(tag) => {
                open += 1;
                if open > depth {
                    let message =
                        "The DOCX file is damaged: its parts are nested deeper than any document's.";
                    return Err(Unreadable::new(Reason::Damaged, message));
                }
                listener(Node::Open(Tag(tag)))
            }
            Event::Empty(tag) => {
                let name = Tag(tag.clone()).name().to_owned();
                listener(Node::Open(Tag(tag))) && listener(Node::Close(name))
            }
            Event::End(tag) => {
                open = open.saturating_sub(1);
                let name = tag.local_name();
                listener(Node::Close(name.into_inner().to_owned()))
            }
            Event::Text(text) => listener(Node::Text(text.xml10_content().into_owned())),
            Event::CData(text) => listener(Node::Text(text.xml10_content().into_owned())),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                let named = || Some(resolve_predefined_entity(&reference)?.to_owned());
                character.or_else(named).is_none_or(|text| listener(Node::Text(text)))
            }
            Event::Eof if open > 0 => return Err(damaged()),
            Event::Eof => return Ok(()),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_) => true,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

/// The part that a part of relations points to for a type that ends so.
pub(super) fn target_of(part: &str, kind: &str, depth: usize) -> Result<Option<String>, Unreadable> {
    let mut target = None;
    read(part, depth, |node| {
        if let Node::Open(tag) = node
            && tag.name() == "Relationship"
            && tag.attribute("Type").is_some_and(|found| found.ends_with(kind))
        {
            target = tag.attribute("Target").map(|target| target.trim_start_matches('/').to_owned());
        }
        target.is_none()
    })?;
    Ok(target)
}

fn damaged() -> Unreadable {
    Unreadable::new(Reason::Damaged, "The DOCX file is damaged: a part of it is not well-formed.")
}
