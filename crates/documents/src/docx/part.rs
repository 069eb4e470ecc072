//! Reads the XML parts of a DOCX strictly, passing events to a handler.

use crate::{Unreadable, word_processing::read_part, xml::Event};

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

/// [`read_part`] for the parts of a DOCX.
pub(super) fn read(
    part: &str,
    depth: usize,
    handler: impl FnMut(Event<'_>) -> bool,
) -> Result<(), Unreadable> {
    read_part("DOCX", part, depth, handler)
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
