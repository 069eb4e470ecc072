//! Reads DOCX: the body as the author sees it with all changes accepted. Headings come from styles.
//! Notes are kept apart; comments, running heads and tables of contents are left out.
//!
//! Parts are read as a stream of XML, without a tree and without the document's own entities.

use crate::{
    Document, Limits, Reason, Unreadable,
    archive::Archive,
    builder::{Builder, ChaptersFrom},
    decoding,
};

mod body;
mod notes;
mod numbering;
mod part;
mod properties;
mod styles;

use numbering::Numbering;
use styles::Styles;

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let mut archive = Archive::open(bytes, limits)?;
    let main = match archive.read("_rels/.rels")? {
        Some(relations) => part::relationship_target(&text(relations), "/officeDocument", limits.depth)?,
        None => None,
    };
    let main = main.filter(|name| archive.has(name)).unwrap_or_else(|| "word/document.xml".to_owned());
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let styles = match archive.read(&format!("{folder}/styles.xml"))? {
        Some(part) => Styles::read(&text(part), limits.depth)?,
        None => Styles::default(),
    };
    let numbering = match archive.read(&format!("{folder}/numbering.xml"))? {
        Some(part) => Numbering::read(&text(part), limits.depth)?,
        None => Numbering::default(),
    };
    let mut metadata = match archive.read("docProps/core.xml")? {
        Some(part) => properties::read(&text(part), limits.depth)?,
        None => crate::builder::Metadata::default(),
    };
    let Some(part) = archive.read(&main)? else {
        return Err(Unreadable::new(
            Reason::Damaged,
            "The DOCX file is damaged: its main document is missing.",
        ));
    };
    let mut builder = Builder::new(limits);
    let mut notes = Vec::new();
    for name in ["footnotes", "endnotes"] {
        if let Some(part) = archive.read(&format!("{folder}/{name}.xml"))? {
            notes.extend(notes::read(&text(part), limits.depth)?);
        }
    }
    let title = body::read(&text(part), &styles, &numbering, limits.depth, &mut builder)?;
    for (key, note) in notes {
        // A note whose reference is deleted is deleted as well.
        if builder.is_referred_to(key) {
            builder.note(key, &note);
        }
    }
    // The title on the page is the author's; the one in the properties often comes from a template.
    metadata.title = title.or(metadata.title);
    metadata.language = metadata.language.or_else(|| styles.language().map(str::to_owned));
    builder.finish(metadata, ChaptersFrom::Headings)
}

fn text(part: Vec<u8>) -> String {
    match String::from_utf8(part) {
        Ok(text) => text,
        Err(error) => decoding::markup(error.as_bytes()),
    }
}
