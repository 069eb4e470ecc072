//! Looks into ZIP containers (EPUB, DOCX, ODT) and compound files (encrypted and old Office documents).
//! Only the first and last bytes of the file are available, so directories are read as far as those
//! reach.

use super::foreign::unsupported;
use crate::{Kind, Reason, Unreadable, pictures::are_pictures};

const ENTRY: &[u8] = b"PK\x03\x04";
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

pub(super) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(ENTRY) || head.starts_with(b"PK\x05\x06") || head.starts_with(b"PK\x07\x08")
}

pub(super) fn is_compound(head: &[u8]) -> bool {
    head.starts_with(COMPOUND)
}

pub(super) fn in_zip(head: &[u8], tail: &[u8]) -> Result<Kind, Unreadable> {
    match media_type(head) {
        Some(b"application/epub+zip") => return Ok(Kind::Epub),
        Some(other) => {
            if let Some(kind) = open_document(other) {
                return kind;
            }
        }
        None => {}
    }
    let names: Vec<&[u8]> = all_names(head, tail).collect();
    let has = |name: &[u8]| names.contains(&name);
    let has_folder = |folder: &[u8]| names.iter().any(|name| name.starts_with(folder));
    if has(b"META-INF/container.xml") {
        return Ok(Kind::Epub);
    }
    if has(b"word/document.xml") || (has(b"[Content_Types].xml") && has_folder(b"word/")) {
        return Ok(Kind::Docx);
    }
    // Archiving again may lose the media type.
    if has(b"content.xml") && has(b"META-INF/manifest.xml") {
        return Ok(Kind::Odt);
    }
    let what = if has_folder(b"xl/") {
        "an Excel workbook"
    } else if has_folder(b"ppt/") {
        "a PowerPoint presentation"
    } else if has(b"META-INF/MANIFEST.MF") {
        "a Java program"
    } else if has_folder(b"Index/") {
        "an iWork document; export it as EPUB or DOCX"
    } else if names.is_empty() {
        return Err(Unreadable::new(
            Reason::Damaged,
            "The file is damaged: its ZIP container has no entries.",
        ));
    } else {
        "a ZIP archive; send the documents in it one by one"
    };
    Err(unsupported(what))
}

/// Whether the entries that can be seen are pictures.
pub(super) fn has_pictures_only(head: &[u8], tail: &[u8]) -> bool {
    // What looks like a header may be part of a picture, so only the directory counts where it can be seen.
    let directory: Vec<&[u8]> = names(tail, DIRECTORY_ENTRY, 28, 46).collect();
    let names = if directory.is_empty() { all_names(head, tail).collect() } else { directory };
    are_pictures(names.into_iter())
}

fn all_names<'a>(head: &'a [u8], tail: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    names(tail, DIRECTORY_ENTRY, 28, 46).chain(names(head, ENTRY, 26, 30))
}

/// The kind of an `OpenDocument` file by its media type.
fn open_document(media_type: &[u8]) -> Option<Result<Kind, Unreadable>> {
    let what = match media_type.strip_prefix(b"application/vnd.oasis.opendocument.") {
        Some(b"text" | b"text-template" | b"text-web") => return Some(Ok(Kind::Odt)),
        Some(b"text-master") => "an OpenDocument master document; send the documents in it one by one",
        Some(other) if other.starts_with(b"spreadsheet") => "an OpenDocument spreadsheet",
        Some(other) if other.starts_with(b"presentation") => "an OpenDocument presentation",
        Some(_) => "an OpenDocument drawing or another file without a running text",
        None if media_type.starts_with(b"application/vnd.sun.xml.") => {
            "an old OpenOffice document; save it as ODT"
        }
        None => return None,
    };
    Some(Err(unsupported(what)))
}

/// The media type in the first entry, which EPUB and `OpenDocument` store uncompressed.
fn media_type(head: &[u8]) -> Option<&[u8]> {
    let number = |at: usize| Some(usize::from(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?])));
    let (name, extra) = (number(26)?, number(28)?);
    if head.get(30..30 + name)? != b"mimetype" {
        return None;
    }
    let content = head.get(30 + name + extra..)?;
    // It ends at the next entry or at its own descriptor.
    let end = content.windows(2).take(100).position(|window| window == b"PK")?;
    Some(content[..end].trim_ascii())
}

/// The names in all headers with this signature. `length_at` is the offset of the name's length,
/// `name_at` that of the name.
fn names<'a>(
    bytes: &'a [u8],
    signature: &'static [u8],
    length_at: usize,
    name_at: usize,
) -> impl Iterator<Item = &'a [u8]> {
    let starts = (0..bytes.len()).filter(move |&at| bytes[at] == b'P' && bytes[at..].starts_with(signature));
    starts.filter_map(move |at| {
        let length = bytes.get(at + length_at..at + length_at + 2)?;
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        bytes.get(at + name_at..at + name_at + length)
    })
}

/// Why a compound file cannot be read: it is an encrypted DOCX or a document of an old Office
/// version.
pub(super) fn in_compound(head: &[u8], tail: &[u8]) -> Unreadable {
    let holds = |name: &str| {
        let wide: Vec<u8> = name.bytes().flat_map(|byte| [byte, 0]).collect();
        [head, tail].iter().any(|part| part.windows(wide.len()).any(|window| window == wide))
    };
    if holds("EncryptedPackage") {
        let message = "The document is protected with a password. Remove the password and send it again.";
        Unreadable::new(Reason::Encrypted, message)
    } else if holds("WordDocument") {
        unsupported("an old Word (DOC) document; save it as DOCX")
    } else if holds("Workbook") {
        unsupported("an old Excel workbook")
    } else if holds("PowerPoint Document") {
        unsupported("an old PowerPoint presentation")
    } else {
        unsupported("an old Office document; save it as DOCX")
    }
}
