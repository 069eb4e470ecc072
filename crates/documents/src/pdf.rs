//! Reads PDF. A PDF knows little more than where letters are, so paragraphs, columns and headings
//! are found by geometry, and page furniture (running heads, page numbers, hyphens at line ends,
//! references to footnotes) is dropped.
//!
//! `page` collects the fragments of one page: `span` turns runs upright, `rotated` does so letter
//! by letter, `vertical` turns pages of columns, `rtl` and `line_order` handle text from right to left, and `initials` joins large
//! first letters. `furniture` finds repeated lines, `columns` the reading order, `tables`
//! the tables, `footnotes` the footnotes and `note_places` their places, `flow` paragraphs and headings; `hyphens` rejoins words.
//!
//! `nesting`, `streams` and `work` refuse files that would overflow the stack, unpack without end
//! or take too long, and `integrity` refuses truncated files. `pictures` and `undecoded` find pages
//! without text. `outline` and `metadata` read the bookmarks and metadata. The library handles
//! fonts, encodings, compression and encryption; a page on which it panics is skipped.

mod block;
mod bytes;
mod columns;
mod flow;
mod fonts;
mod footnotes;
mod fragment;
mod furniture;
mod hyphens;
mod initials;
mod integrity;
mod line_order;
mod metadata;
mod nesting;
mod note_places;
mod outline;
mod page;
mod panics;
mod pictures;
mod rotated;
mod rtl;
mod span;
mod streams;
mod tables;
mod undecoded;
mod vertical;
mod work;

use pdf_oxide::{PdfDocument, object::Object};

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom},
};
use page::{MIN_PAGE_CHARACTERS, Page};
use panics::catch_panics;
use work::WorkBudget;

/// Reads a PDF.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when it needs a password and `image_only` when its pages are
/// pictures.
pub(crate) fn read(
    bytes: &[u8],
    recognized: Option<&Recognized<'_>>,
    limits: &Limits,
) -> Result<Document, Unreadable> {
    let pdf = open(bytes, limits)?;
    let count = catch_panics(|| pdf.page_count().ok()).ok_or_else(|| integrity::no_pages(bytes))?;
    if count > limits.pages {
        let message = format!("The PDF has more than {} pages. Send it in parts.", limits.pages);
        return Err(Unreadable::new(Reason::TooLarge, message));
    }
    let mut pages = pages(&pdf, bytes, count, limits)?;
    if let Some(recognized) = recognized {
        replace(&mut pages, recognized, limits)?;
    }
    let characters: usize = pages.iter().map(Page::characters).sum();
    if is_scan(&pages, characters) {
        return Err(Unreadable::new(
            Reason::ImageOnly,
            "The PDF's pages are pictures (a scan) without text. Run text recognition (OCR) on it first.",
        ));
    }
    if characters == 0 && pdf.is_encrypted() {
        // It opened, but the library does not support its encryption.
        return Err(encrypted());
    }
    undecoded::check(&pdf, &pages)?;
    let pictured_pages = pictured(&pages);
    furniture::remove(&mut pages);
    let (columns, notes) = columns::blocks(&pages);
    let mut builder = Builder::new(limits);
    let places = flow::write(&columns, &notes, &mut builder);
    builder.units_at(page_starts(&places));
    let bookmarks = catch_panics(|| Some(outline::bookmarks(&pdf))).unwrap_or_default();
    builder.chapters_of(&outline::entries(bookmarks, &places));
    let metadata = catch_panics(|| Some(metadata::metadata(&pdf))).unwrap_or_default();
    let document = builder.finish(metadata, ChaptersFrom::Offsets)?;
    Ok(Document { pictured_pages, ..document })
}

/// Pages whose text was recognized elsewhere: a PDF of that text.
#[derive(Debug, Clone, Copy)]
pub struct Recognized<'a> {
    pub pdf: &'a [u8],
    /// Which page of the document each page of `pdf` is, from 1.
    pub pages: &'a [u32],
}

/// Puts recognized pages in the places of pictures.
fn replace(pages: &mut [Page], recognized: &Recognized<'_>, limits: &Limits) -> Result<(), Unreadable> {
    let pdf = open(recognized.pdf, limits)?;
    let count = catch_panics(|| pdf.page_count().ok()).ok_or_else(damaged)?.min(recognized.pages.len());
    for (page, number) in self::pages(&pdf, recognized.pdf, count, limits)?.into_iter().zip(recognized.pages)
    {
        let index = (*number as usize).saturating_sub(1);
        if let Some(place) = pages.get_mut(index) {
            *place = Page { index, ..page };
        }
    }
    Ok(())
}

/// The numbers of the pages that are pictures, from 1.
fn pictured(pages: &[Page]) -> Vec<u32> {
    let is_pictured = |page: &&Page| page.characters() < MIN_PAGE_CHARACTERS && page.pictures.covers_page;
    pages.iter().filter(is_pictured).map(|page| page.index as u32 + 1).collect()
}

/// Where the first paragraph of each page begins.
fn page_starts(places: &[flow::LinePosition]) -> Vec<usize> {
    let (mut starts, mut page, mut offset) = (Vec::new(), None, None);
    for place in places {
        let is_new = offset != Some(place.offset);
        offset = Some(place.offset);
        if is_new && page != Some(place.page) {
            page = Some(place.page);
            starts.push(place.offset);
        }
    }
    starts
}

/// Whether the pages are scans. A stamp or a number that a scanner added does not count as text.
fn is_scan(pages: &[Page], characters: usize) -> bool {
    let empty = pages.iter().any(|page| page.fragments.is_empty() && page.pictures.any);
    let covered = pages.iter().filter(|page| page.pictures.covers_page).count();
    characters < MIN_PAGE_CHARACTERS * pages.len().min(3) && empty
        || characters < MIN_PAGE_CHARACTERS * pages.len() && covered * 2 > pages.len()
}

fn open(bytes: &[u8], limits: &Limits) -> Result<PdfDocument, Unreadable> {
    if nesting::is_deep(bytes) {
        return Err(damaged());
    }
    let mut bytes = bytes.to_vec();
    streams::check(&mut bytes, limits)?;
    integrity::fix_xref_start(&mut bytes);
    let pdf = catch_panics(|| Some(PdfDocument::from_bytes(bytes))).ok_or_else(damaged)?;
    let pdf = match pdf {
        Ok(pdf) => pdf,
        Err(pdf_oxide::Error::EncryptedPdf) => return Err(encrypted()),
        Err(_) => return Err(damaged()),
    };
    // A file that is only protected against printing opens with the empty password.
    match catch_panics(|| Some(!pdf.is_encrypted() || pdf.is_authenticated())) {
        Some(true) => Ok(pdf),
        Some(false) => Err(encrypted()),
        None => Err(damaged()),
    }
}

fn pages(pdf: &PdfDocument, file: &[u8], count: usize, limits: &Limits) -> Result<Vec<Page>, Unreadable> {
    let mut pages = Vec::with_capacity(count.min(1_024));
    let (mut read, mut bytes) = (0_usize, 0_usize);
    let mut work = WorkBudget::default();
    let objects: Vec<Option<Object>> =
        (0..count).map(|index| catch_panics(|| pdf.get_page(index).ok())).collect();
    catch_panics(|| Some(integrity::check(pdf, file, &objects))).unwrap_or(Ok(()))?;
    for (index, object) in objects.into_iter().enumerate() {
        if let Some(object) = &object {
            catch_panics(|| Some(work.add_objects(pdf, object))).unwrap_or(Ok(()))?;
        }
        // Unpack the contents once, and do not try again after a failure.
        let contents = object.as_ref().and_then(|_| catch_panics(|| pdf.get_page_content_data(index).ok()));
        if let (Some(object), Some(contents)) = (&object, &contents) {
            catch_panics(|| Some(work.add(pdf, object, contents))).unwrap_or(Ok(()))?;
        }
        let page = contents.and_then(|contents| catch_panics(|| page::gather(pdf, index, &contents)));
        read += usize::from(object.is_some());
        let page = page.unwrap_or_else(|| Page::empty(index));
        bytes += page.characters();
        if bytes > limits.text_characters {
            return Err(Unreadable::text_too_large(limits.text_characters));
        }
        pages.push(page);
    }
    if read == 0 { Err(integrity::no_pages(file)) } else { Ok(pages) }
}

fn encrypted() -> Unreadable {
    Unreadable::new(
        Reason::Encrypted,
        "The PDF is protected with a password. Remove the password and send it again.",
    )
}

fn damaged() -> Unreadable {
    Unreadable::new(Reason::Damaged, "The PDF is damaged: its pages cannot be found.")
}
