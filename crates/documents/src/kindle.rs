//! Reads Kindle books: MOBI 6, KF8 (AZW3) and files with both, of which KF8 is read. Chapters come
//! from the table of contents. KFX and Topaz are other formats, which are not read.
//!
//! `records` is the container, `header` the description of a book, and `text` unpacks its text with
//! `huffman`. `index` reads lists, `parts` assembles the pages, `links` makes their links readable, and
//! `contents` is the table of contents. [`crate::html`] reads the pages.

use std::collections::{HashMap, HashSet};

use crate::{
    ChapterRole, Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom, Metadata},
    cover, epub,
    html::{self, LinkedPage, PageNotes, Syntax},
    roles::TypedRole,
    toc::TocEntry,
};

mod contents;
mod header;
mod huffman;
mod index;
mod links;
mod parts;
mod records;
mod text;

use contents::ContentsEntry;
use header::Book;
use parts::Parts;
use records::Records;

/// Reads a book.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when the publisher's lock is on its text.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let records = Records::parse(bytes)?;
    let first = Book::open(&records, 0)?;
    let second = first.second();
    let book = second.as_ref().unwrap_or(&first);
    if book.is_encrypted() {
        return Err(Unreadable::new(
            Reason::Encrypted,
            "The Kindle book is locked by its publisher (DRM); its text cannot be read.",
        ));
    }
    let text = text::read(book, limits)?;
    if text.starts_with(b"%MOP") {
        let message = "The Kindle book is a Print Replica, which has pages of PDF; send the PDF.";
        return Err(Unreadable::new(Reason::UnknownKind, message));
    }
    let parts = Parts::of(book, &text, limits)?;
    drop(text);
    let contents = contents::read(book, &parts);
    let mut builder = Builder::new(limits);
    write(book, &parts, contents, &mut builder)?;
    // Both books of a file share the pictures of the first.
    let picture = first.cover().or_else(|| book.cover());
    let metadata = Metadata {
        title: book.title(),
        author: book.author(),
        copyright: book.copyright(),
        language: book.language(),
        cover: picture.and_then(|picture| cover::prepare(picture.to_vec(), limits.cover_bytes)),
    };
    builder.finish(metadata, ChaptersFrom::Offsets)
}

/// Writes the text and its chapters.
fn write(
    book: &Book<'_>,
    parts: &Parts,
    contents: Vec<ContentsEntry>,
    builder: &mut Builder,
) -> Result<(), Unreadable> {
    let syntax = if book.is_kf8() { Syntax::Xhtml } else { Syntax::Html };
    let roles = contents::roles(book, parts);
    let pages = links::with_ids(parts, contents.iter().filter_map(|entry| entry.place));
    let decode = |page: Vec<u8>| book.encoding().decode_without_bom_handling(&page).0.into_owned();
    let pages: Vec<String> = pages.into_iter().map(decode).collect();
    let notes = notes(parts, &pages, syntax, &roles)?;
    let wanted: HashSet<String> = contents.iter().filter_map(|entry| entry.place).map(links::id).collect();
    let (mut anchors, mut starts) = (HashMap::new(), Vec::with_capacity(pages.len()));
    for (index, page) in pages.iter().enumerate() {
        builder.paragraph();
        builder.unit();
        starts.push(builder.offset());
        let role = match roles.get(&index) {
            Some(TypedRole::Role(role)) => Some(*role),
            Some(TypedRole::Notes) => Some(ChapterRole::Notes),
            None => epub::is_contents(page).then_some(ChapterRole::Toc),
        };
        if let Some(role) = role {
            builder.begin_role(role);
        }
        for (id, at) in html::write_page(page, syntax, &wanted, notes.get(index), &[], builder)? {
            anchors.entry(id).or_insert(at);
        }
        if role.is_some() {
            builder.end_role();
        }
        if builder.is_full() {
            break;
        }
    }
    let entries = contents.into_iter().map(|entry| TocEntry {
        title: entry.title,
        depth: entry.depth,
        offset: entry.place.and_then(|place| anchors.get(&links::id(place)).copied()),
    });
    let chapters = builder.chapters_of(&entries.collect::<Vec<_>>());
    if chapters == 0 && !builder.has_headings() {
        // With no other information, each page is a chapter.
        for start in starts {
            builder.chapter_at(start, None);
        }
    }
    Ok(())
}

/// The notes of the pages.
fn notes(
    parts: &Parts,
    pages: &[String],
    syntax: Syntax,
    roles: &HashMap<usize, TypedRole>,
) -> Result<Vec<PageNotes>, Unreadable> {
    let mut linked = Vec::with_capacity(pages.len());
    for (index, page) in pages.iter().enumerate() {
        let is_notes = roles.get(&index) == Some(&TypedRole::Notes);
        linked.push(LinkedPage { links: html::links(page, syntax)?, is_notes });
    }
    Ok(html::find_notes(&linked, |_, target| {
        let id = target.strip_prefix('#')?;
        Some((parts.at(links::place_of(id)?)?, id.to_owned()))
    }))
}
