//! What the readers of word processors' documents (DOCX, ODT, RTF) share: paragraphs and rows of
//! tables, the names of styles, and strict reading of XML parts.

use crate::{
    Reason, Unreadable,
    xml::{Event, Events, XmlError},
};

mod paragraph;
mod style_names;

pub(crate) use paragraph::{Paragraph, Row, Title, write, write_row};
pub(crate) use style_names::{MAX_NAME_BYTES, Role, by_name};

/// Passes the events of an XML part to a handler until that returns `false`. `format` is the name of
/// the format for messages.
///
/// # Errors
/// [`Reason::Damaged`] when the part is not well-formed up to there, or is nested deeper than
/// `depth`.
pub(crate) fn read_part(
    format: &str,
    part: &str,
    depth: usize,
    mut handler: impl FnMut(Event<'_>) -> bool,
) -> Result<(), Unreadable> {
    let mut events = Events::strict(part, depth);
    for event in events.by_ref() {
        if !handler(event) {
            break;
        }
    }
    events.finish().map_err(|broken| {
        let what = match broken {
            XmlError::Malformed => "one of its parts is not well-formed XML",
            XmlError::TooDeep => "its parts are nested too deeply",
        };
        Unreadable::new(Reason::Damaged, format!("The {format} file is damaged: {what}."))
    })
}
