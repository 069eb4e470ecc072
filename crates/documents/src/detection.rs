//! What kind of document some bytes are: by content, never by name. What cannot be read is named, so that whoever
//! sent it knows what to send instead.

use crate::{Kind, Reason, Unreadable};

mod containers;
mod foreign;
mod text;

/// The kind of a document, from its first and last bytes: 64 KiB of each or more, or all there is.
///
/// # Errors
/// [`Unreadable`] with reason `empty`, `unknown_kind`, `encrypted` or, for a document cut short, `damaged`.
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
    if let Some(what) = foreign::name(head) {
        return Err(unknown(what));
    }
    text::kind(head).ok_or_else(|| unknown("no text"))
}

/// A PDF may have other bytes, up to 1,024, before it starts.
fn is_pdf(head: &[u8]) -> bool {
    const MARK: &[u8] = b"%PDF-";
    head[..head.len().min(1024 + MARK.len())].windows(MARK.len()).any(|window| window == MARK)
}

fn unknown(what: &str) -> Unreadable {
    Unreadable::new(
        Reason::UnknownKind,
        format!("The file is {what}; what can be read is EPUB, PDF, DOCX, HTML, Markdown and plain text."),
    )
}
