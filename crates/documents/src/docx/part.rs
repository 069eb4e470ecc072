//! Reads the XML parts of a DOCX strictly, passing events to a handler.

use crate::{
    Reason, Unreadable,
    xml::{Event, Events, XmlError},
};

/// Elements that are skipped: deleted or moved text, field codes, earlier formatting, and fallback
/// content.
pub(super) const SKIPPED_ELEMENTS: &[&str] = &[
    "del",
    "moveFrom",
    "instrText",
    "delText",
    "delInstrText",
    "fldData",
    "pPrChange",
    "rPrChange",
    "sectPrChange",
    "tblPrChange",
    "tblPrExChange",
    "tblGridChange",
    "trPrChange",
    "tcPrChange",
    "numberingChange",
    "Fallback",
    "rt",
    "docPartObj",
    "binData",
    "sectPr",
];

/// Passes the events of a part to a handler until that returns `false`.
///
/// # Errors
/// [`Reason::Damaged`] when the part is not well-formed up to there, or is nested deeper than
/// `depth`.
pub(super) fn read(
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
        let message = match broken {
            XmlError::Malformed => "The DOCX file is damaged: one of its parts is not well-formed XML.",
            XmlError::TooDeep => "The DOCX file is damaged: its parts are nested too deeply.",
        };
        Unreadable::new(Reason::Damaged, message)
    })
}

/// The target of the first relationship whose type ends with `kind`.
pub(super) fn relationship_target(
    part: &str,
    kind: &str,
    depth: usize,
) -> Result<Option<String>, Unreadable> {
    let mut target = None;
    read(part, depth, |event| {
        if let Event::Open(element) = event
            && element.name() == "Relationship"
            && element.attribute("Type").is_some_and(|found| found.ends_with(kind))
        {
            target = element.attribute("Target").map(|target| target.trim_start_matches('/').to_owned());
        }
        target.is_none()
    })?;
    Ok(target)
}
