//! Reads a document's properties.

use super::part;
use crate::{Unreadable, builder::Metadata, xml::Event};

/// How many bytes of a field are kept until it is cleaned up.
const MAX_FIELD_BYTES: usize = 4_000;

/// Programs that enter themselves as the author.
const PROGRAMS: &[&str] = &["python-docx", "docx4j", "Apache POI", "openpyxl", "Un-named"];

pub(super) fn read(part: &str, depth: usize) -> Result<Metadata, Unreadable> {
    let mut metadata = Metadata::default();
    let mut field: Option<&str> = None;
    part::read(part, depth, |event| {
        match event {
            Event::Open(element) => {
                field = ["title", "creator", "language"].into_iter().find(|name| *name == element.name());
            }
            Event::Close(_) => field = None,
            Event::Text(text) => {
                let slot = match field {
                    Some("title") => &mut metadata.title,
                    Some("creator") => &mut metadata.author,
                    Some("language") => &mut metadata.language,
                    _ => return true,
                };
                let value = slot.get_or_insert_default();
                if value.len() < MAX_FIELD_BYTES {
                    value.push_str(&text);
                }
            }
        }
        true
    })?;
    metadata.author = metadata.author.filter(|author| !PROGRAMS.contains(&author.trim()));
    Ok(metadata)
}
