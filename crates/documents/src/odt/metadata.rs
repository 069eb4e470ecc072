//! Reads a document's properties.

use crate::{Unreadable, builder::Metadata, word_processing::read_part, xml::Event};

/// How many bytes of a field are kept until it is cleaned up.
const MAX_FIELD_BYTES: usize = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    /// The person who wrote it first.
    InitialCreator,
    /// The person who changed it last.
    Creator,
    Rights,
    Language,
}

pub(super) fn read(part: &str, depth: usize) -> Result<Metadata, Unreadable> {
    let mut metadata = Metadata::default();
    let mut creator: Option<String> = None;
    let mut field = None;
    read_part("ODT", part, depth, |event| {
        match event {
            // In a flat file the text follows, whose fields have the same names.
            Event::Open(element) if element.name() == "body" => return false,
            Event::Open(element) => field = field_of(element.name()),
            Event::Close(_) => field = None,
            Event::Text(text) => {
                let slot = match field {
                    Some(Field::Title) => &mut metadata.title,
                    Some(Field::InitialCreator) => &mut metadata.author,
                    Some(Field::Creator) => &mut creator,
                    Some(Field::Rights) => &mut metadata.copyright,
                    Some(Field::Language) => &mut metadata.language,
                    None => return true,
                };
                let value = slot.get_or_insert_default();
                if value.len() < MAX_FIELD_BYTES {
                    value.push_str(&text);
                }
            }
        }
        true
    })?;
    metadata.author = metadata.author.or(creator);
    Ok(metadata)
}

fn field_of(name: &str) -> Option<Field> {
    match name {
        "title" => Some(Field::Title),
        "initial-creator" => Some(Field::InitialCreator),
        "creator" => Some(Field::Creator),
        "rights" => Some(Field::Rights),
        "language" => Some(Field::Language),
        _ => None,
    }
}
