//! PDF: marks on pages back to running text. A PDF knows where letters stand and little else, so paragraphs, columns
//! and headings are found by geometry, and what only pages need (running heads, page numbers, hyphens at the ends of
//! lines, footnotes) is left out.
//!
//! `page` gathers what stands on one page (`initials` are put back), `furniture` finds what is repeated over pages,
//! `columns` the order of reading, `flow` paragraphs and headings, `hyphens` mends words; `nesting` turns away what
//! would overflow a stack; `outline` and `about` read what the file says of itself. Fonts, encodings, compression and
//! encryption are the library's, which is kept on a short leash: a page on which it panics is left out.

mod about;
mod columns;
mod flow;
mod furniture;
mod hyphens;
mod initials;
mod nesting;
mod outline;
mod page;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_oxide::PdfDocument;

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom},
    contents,
};
use page::Page;

/// A page with fewer characters than this says nothing: a stamp, a page number of a scanned book.
const CHARACTERS_OF_A_PAGE: usize = 12;

/// Reads a PDF.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when it needs a password and `image_only` when its pages are pictures.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let pdf = open(bytes)?;
    let count = guarded(|| pdf.page_count().ok()).ok_or_else(damaged)?;
    if count > limits.pages {
        let message = format!("The PDF has more than {} pages. Send it in parts.", limits.pages);
        return Err(Unreadable::new(Reason::TooLarge, message));
    }
    let mut pages = pages(&pdf, count, limits)?;
    let characters: usize = pages.iter().map(Page::characters).sum();
    if characters < CHARACTERS_OF_A_PAGE * count.min(3) && pages.iter().any(|page| page.has_picture) {
        return Err(Unreadable::new(
            Reason::ImageOnly,
            "The PDF's pages are pictures (a scan) without text. Run text recognition (OCR) on it first.",
        ));
    }
    if characters == 0 && pdf.is_encrypted() {
        // Opened, but by a scheme that the library knows only by name.
        return Err(locked());
    }
    furniture::remove(&mut pages);
    let columns = columns::blocks(&pages);
    let mut builder = Builder::new(limits);
    let places = flow::write(&columns, &mut builder);
    let bookmarks = guarded(|| Some(outline::bookmarks(&pdf))).unwrap_or_default();
    contents::set_chapters(&outline::entries(bookmarks, &places), &mut builder);
    let about = guarded(|| Some(about::about(&pdf))).unwrap_or_default();
    builder.finish(about, ChaptersFrom::Places)
}

fn open(bytes: &[u8]) -> Result<PdfDocument, Unreadable> {
    if nesting::is_deep(bytes) {
        return Err(damaged());
    }
    let pdf = guarded(|| Some(PdfDocument::from_bytes(bytes.to_vec()))).ok_or_else(damaged)?;
    let pdf = match pdf {
        Ok(pdf) => pdf,
        Err(pdf_oxide::Error::EncryptedPdf) => return Err(locked()),
        Err(_) => return Err(damaged()),
    };
    // A file that is locked against printing only opens with the empty password.
    match guarded(|| Some(!pdf.is_encrypted() || pdf.is_authenticated())) {
        Some(true) => Ok(pdf),
        Some(false) => Err(locked()),
        None => Err(damaged()),
    }
}

fn pages(pdf: &PdfDocument, count: usize, limits: &Limits) -> Result<Vec<Page>, Unreadable> {
    let mut pages = Vec::with_capacity(count.min(1_024));
    let (mut read, mut bytes) = (0_usize, 0_usize);
    for index in 0..count {
        let page = guarded(|| page::gather(pdf, index));
        read += usize::from(page.is_some());
        let page = page.unwrap_or_else(|| Page::empty(index));
        bytes += page.characters();
        if bytes > limits.text_bytes {
            return Err(Unreadable::text_too_large(limits.text_bytes));
        }
        pages.push(page);
    }
    if read == 0 { Err(damaged()) } else { Ok(pages) }
}

/// What the library makes of a hostile file, or nothing when it panics over it.
fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

fn locked() -> Unreadable {
    Unreadable::new(Reason::Encrypted, "The PDF is protected with a password. Send it without one.")
}

fn damaged() -> Unreadable {
    Unreadable::new(Reason::Damaged, "The PDF is damaged: its pages cannot be found.")
}
