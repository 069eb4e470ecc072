//! What a document's properties say about it.

use super::part;
use crate::{Unreadable, builder::About, xml::Event};

/// So many bytes of a field are kept until it is tidied.
const FIELD_BYTES: usize = 4_000;

/// Programs that sign as the author of what they make.
const PROGRAMS: &[&str] = &["python-docx", "docx4j", "Apache POI", "openpyxl", "Un-named"];

pub(super) fn read(part: &str, depth: usize) -> Result<About, Unreadable> {
    let mut about = About::default();
    let mut field: Option<&str> = None;
    part::read(part, depth, |event| {
        match event {
            Event::Open(element) => {
                field = ["title", "creator", "language"].into_iter().find(|name| *name == element.name());
            }
            Event::Close(_) => field = None,
            Event::Text(text) => {
                let slot = match field {
                    Some("title") => &mut about.title,
                    Some("creator") => &mut about.author,
                    Some("language") => &mut about.language,
                    _ => return true,
                };
                let value = slot.get_or_insert_default();
                if value.len() < FIELD_BYTES {
                    value.push_str(&text);
                }
            }
        }
        true
    })?;
    about.author = about.author.filter(|author| !PROGRAMS.contains(&author.trim()));
    Ok(about)
}
