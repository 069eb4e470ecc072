//! PDF: marks on pages back to running text. A PDF knows where letters stand and little else, so paragraphs, columns
//! and headings are found by geometry, and what only pages need (running heads, page numbers, hyphens at the ends of
//! lines, footnotes) is left out.
//!
//! `page` gathers what stands on one page (`span` turns it upright, `turned` letter by letter, `rtl` orders what runs
//! from right to left, `initials` are put back), `furniture` finds what is repeated over pages, `columns` the order of
//! reading, `tables` what has no columns to read, `notes` the footnotes, `flow` paragraphs and headings, `hyphens`
//! repairs words. `nesting`, `streams` and `work` refuse what would overflow a stack, unpack without end or take too
//! long; `whole` what breaks off; `pictures` and `undecoded` find what has no text. `outline` and `about` read what the
//! file says of itself. Fonts, encodings, compression and encryption are the library's, which is kept on a short leash:
//! a page on which it panics is left out.

mod about;
mod bytes;
mod columns;
mod flow;
mod furniture;
mod hyphens;
mod initials;
mod nesting;
mod notes;
mod outline;
mod page;
mod pictures;
mod rtl;
mod span;
mod streams;
mod tables;
mod turned;
mod undecoded;
mod whole;
mod work;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_oxide::{PdfDocument, object::Object};

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom},
    contents,
};
use page::{CHARACTERS_OF_A_PAGE, Page};
use work::Work;

/// Reads a PDF.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when it needs a password and `image_only` when its pages are pictures.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let pdf = open(bytes, limits)?;
    let count = guarded(|| pdf.page_count().ok()).ok_or_else(|| whole::none(bytes))?;
    if count > limits.pages {
        let message = format!("The PDF has more than {} pages. Send it in parts.", limits.pages);
        return Err(Unreadable::new(Reason::TooLarge, message));
    }
    let mut pages = pages(&pdf, bytes, count, limits)?;
    let characters: usize = pages.iter().map(Page::characters).sum();
    if is_scan(&pages, characters) {
        return Err(Unreadable::new(
            Reason::ImageOnly,
            "The PDF's pages are pictures (a scan) without text. Run text recognition (OCR) on it first.",
        ));
    }
    if characters == 0 && pdf.is_encrypted() {
        // Opened, but by a scheme that the library knows only by name.
        return Err(locked());
    }
    undecoded::check(&pdf, &pages)?;
    furniture::remove(&mut pages);
    let columns = columns::blocks(&pages);
    let mut builder = Builder::new(limits);
    let places = flow::write(&columns, &mut builder);
    let bookmarks = guarded(|| Some(outline::bookmarks(&pdf))).unwrap_or_default();
    contents::set_chapters(&outline::entries(bookmarks, &places), &mut builder);
    let about = guarded(|| Some(about::about(&pdf))).unwrap_or_default();
    builder.finish(about, ChaptersFrom::Places)
}

/// Whether the pages are pictures. A stamp or a number on them, which a scanner put there, is not their text.
fn is_scan(pages: &[Page], characters: usize) -> bool {
    let empty = pages.iter().any(|page| page.fragments.is_empty() && page.pictures.any);
    let covered = pages.iter().filter(|page| page.pictures.cover).count();
    characters < CHARACTERS_OF_A_PAGE * pages.len().min(3) && empty
        || characters < CHARACTERS_OF_A_PAGE * pages.len() && covered * 2 > pages.len()
}

fn open(bytes: &[u8], limits: &Limits) -> Result<PdfDocument, Unreadable> {
    if nesting::is_deep(bytes) {
        return Err(damaged());
    }
    let mut bytes = bytes.to_vec();
    streams::check(&mut bytes, limits)?;
    whole::correct(&mut bytes);
    let pdf = guarded(|| Some(PdfDocument::from_bytes(bytes))).ok_or_else(damaged)?;
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

fn pages(pdf: &PdfDocument, file: &[u8], count: usize, limits: &Limits) -> Result<Vec<Page>, Unreadable> {
    let mut pages = Vec::with_capacity(count.min(1_024));
    let (mut read, mut bytes) = (0_usize, 0_usize);
    let mut work = Work::default();
    let objects: Vec<Option<Object>> = (0..count).map(|index| guarded(|| pdf.get_page(index).ok())).collect();
    guarded(|| Some(whole::check(pdf, file, &objects))).unwrap_or(Ok(()))?;
    for (index, object) in objects.into_iter().enumerate() {
        if let Some(object) = &object {
            guarded(|| Some(work.add_objects(pdf, object))).unwrap_or(Ok(()))?;
        }
        // Unpacked once when it can be, and not asked for again when it cannot.
        let contents = object.as_ref().and_then(|_| guarded(|| pdf.get_page_content_data(index).ok()));
        if let (Some(object), Some(contents)) = (&object, &contents) {
            guarded(|| Some(work.add(pdf, object, contents))).unwrap_or(Ok(()))?;
        }
        let page = contents.and_then(|contents| guarded(|| page::gather(pdf, index, &contents)));
        read += usize::from(object.is_some());
        let page = page.unwrap_or_else(|| Page::empty(index));
        bytes += page.characters();
        if bytes > limits.text_characters {
            return Err(Unreadable::text_too_large(limits.text_characters));
        }
        pages.push(page);
    }
    if read == 0 { Err(whole::none(file)) } else { Ok(pages) }
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
