//! Detects the kind of a document by content, never by name. An unsupported file is named, so that
//! the sender knows what to send instead.

use crate::{Kind, Unreadable};

mod containers;
mod foreign;
mod text;

/// Detects the kind of a document from its first and last bytes: 64 KiB of each or more, or the
/// whole file.
///
/// # Errors
/// [`Unreadable`] with reason `empty`, `unknown_kind`, `encrypted` or, for a truncated document,
/// `damaged`.
pub fn detect(head: &[u8], tail: &[u8]) -> Result<Kind, Unreadable> {
    if head.is_empty() {
        return Err(Unreadable::empty());
    }
    if is_pdf(head) {
        return Ok(Kind::Pdf);
    }
    if containers::is_zip(head) {
        return containers::in_zip(head, tail);
    }
    if containers::is_compound(head) {
        return Err(containers::in_compound(head, tail));
    }
    if is_rtf(head) {
        return Ok(Kind::Rtf);
    }
    if is_kindle(head) {
        return Ok(Kind::Kindle);
    }
    if let Some(what) = foreign::name(head) {
        return Err(foreign::unsupported(what));
    }
    text::kind(head).ok_or_else(|| foreign::unsupported("in no supported text format"))
}

/// Detects pictures of pages, which [`detect`] refuses: only where their text can be recognized are they documents.
pub fn detect_pictures(head: &[u8], tail: &[u8]) -> Option<Kind> {
    let starts: [(&[u8], Kind); 4] = [
        (b"\x89PNG\r\n\x1a\n", Kind::Png),
        (b"\xFF\xD8\xFF", Kind::Jpeg),
        (b"II*\0", Kind::Tiff),
        (b"MM\0*", Kind::Tiff),
    ];
    let picture = starts.into_iter().find(|(start, _)| head.starts_with(start)).map(|(_, kind)| kind);
    let are_zipped = || containers::is_zip(head) && containers::has_pictures_only(head, tail);
    picture.or_else(|| are_zipped().then_some(Kind::PictureZip))
}

/// Up to 1,024 other bytes may come before the PDF header.
fn is_pdf(head: &[u8]) -> bool {
    const MARK: &[u8] = b"%PDF-";
    head[..head.len().min(1024 + MARK.len())].windows(MARK.len()).any(|window| window == MARK)
}

/// Byte order marks and blank lines may come before the first group.
fn is_rtf(head: &[u8]) -> bool {
    head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start().starts_with(b"{\\rtf")
}

/// The type and the creator of a Palm database.
fn is_kindle(head: &[u8]) -> bool {
    head.get(60..68) == Some(b"BOOKMOBI")
}
