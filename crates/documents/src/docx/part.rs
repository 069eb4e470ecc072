//! The parts of a DOCX, each of which is XML: read strictly, to a listener.

use crate::{
    Reason, Unreadable,
    xml::{Broken, Event, Events},
};

/// Reads a part to a listener, until it says that it has enough (`false`).
///
/// # Errors
/// [`Reason::Damaged`] when it is not well-formed up to there, or nested deeper than `depth`.
pub(super) fn read(
    part: &str,
    depth: usize,
    mut listener: impl FnMut(Event<'_>) -> bool,
) -> Result<(), Unreadable> {
    let mut events = Events::strictly(part, depth);
    for event in events.by_ref() {
        if !listener(event) {
            break;
        }
    }
    events.finish().map_err(|broken| {
        let message = match broken {
            Broken::Malformed => "The DOCX file is damaged: a part of it is not well-formed.",
            Broken::Deep => "The DOCX file is damaged: its parts are nested deeper than any document's.",
        };
        Unreadable::new(Reason::Damaged, message)
    })
}

/// The part that a part of relations points to for a type that ends so.
pub(super) fn target_of(part: &str, kind: &str, depth: usize) -> Result<Option<String>, Unreadable> {
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
