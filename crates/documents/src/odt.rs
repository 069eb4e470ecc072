//! Reads ODT, the text format of `OpenDocument`, from its package or from one flat XML file: the body
//! as the author sees it with all changes accepted. Headings come from outline levels and styles.
//! Notes are kept apart; comments, running heads and tables of contents are left out.
//!
//! Parts are read as a stream of XML, without a tree and without the document's own entities.

use crate::{
    Document, Limits, Reason, Unreadable,
    archive::Archive,
    builder::{Builder, ChaptersFrom},
    decoding,
    word_processing::read_part,
    xml::Event,
};

mod body;
mod formula;
mod lists;
mod metadata;
mod styles;

use styles::Styles;

/// The XML of a document. A flat file is each of its parts.
struct Parts<'a> {
    metadata: &'a str,
    /// The parts that declare styles; a later one wins.
    styles: &'a [&'a str],
    content: &'a str,
}

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    if !bytes.starts_with(b"PK") {
        let flat = decoding::markup(bytes);
        return write(&Parts { metadata: &flat, styles: &[&flat], content: &flat }, &mut |_| None, limits);
    }
    let mut archive = Archive::open(bytes, limits)?;
    refuse_encrypted(&mut archive, limits.depth)?;
    let metadata = part(&mut archive, "meta.xml")?.unwrap_or_default();
    let styles = part(&mut archive, "styles.xml")?.unwrap_or_default();
    let Some(content) = part(&mut archive, "content.xml")? else {
        return Err(Unreadable::new(Reason::Damaged, "The ODT file is damaged: its content is missing."));
    };
    let parts = Parts { metadata: &metadata, styles: &[&styles, &content], content: &content };
    // A formula that cannot be unpacked is left out, like a picture.
    let mut object = |path: &str| {
        let name = format!("{}/content.xml", path.trim_start_matches("./").trim_end_matches('/'));
        part(&mut archive, &name).ok().flatten()
    };
    write(&parts, &mut object, limits)
}

fn write(
    parts: &Parts<'_>,
    object: &mut dyn FnMut(&str) -> Option<String>,
    limits: &Limits,
) -> Result<Document, Unreadable> {
    let styles = Styles::read(parts.styles, limits.depth)?;
    let mut metadata = metadata::read(parts.metadata, limits.depth)?;
    let mut builder = Builder::new(limits);
    let body = body::read(parts.content, &styles, object, limits.depth, &mut builder)?;
    for (key, note) in body.notes.iter().enumerate() {
        builder.note(key, note);
    }
    // The title on the page is the author's; the one in the properties often comes from a template.
    metadata.title = body.title.or(metadata.title);
    // The language of the styles is that of the spelling checker, so it fits the text.
    metadata.language = styles.language().map(str::to_owned).or(metadata.language);
    builder.finish(metadata, ChaptersFrom::Headings)
}

fn part(archive: &mut Archive<'_>, name: &str) -> Result<Option<String>, Unreadable> {
    let part = archive.read(name)?;
    Ok(part.map(|bytes| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => decoding::markup(error.as_bytes()),
    }))
}

/// # Errors
/// [`Reason::Encrypted`] when the manifest says that a part needs a password.
fn refuse_encrypted(archive: &mut Archive<'_>, depth: usize) -> Result<(), Unreadable> {
    let Some(manifest) = part(archive, "META-INF/manifest.xml")? else { return Ok(()) };
    let mut is_encrypted = false;
    read_part("ODT", &manifest, depth, |event| {
        is_encrypted |= matches!(event, Event::Open(element) if element.name() == "encryption-data");
        !is_encrypted
    })?;
    if is_encrypted {
        let message = "The document is protected with a password. Remove the password and send it again.";
        return Err(Unreadable::new(Reason::Encrypted, message));
    }
    Ok(())
}
