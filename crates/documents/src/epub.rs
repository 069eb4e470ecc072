//! Reads EPUB 2 and 3: the documents of the spine in order, with chapters from the table of
//! contents. Navigation, the cover, lists of contents, notes and supplementary documents are left
//! out.
//!
//! `container` finds the package and the encrypted members, `package` reads the package,
//! `navigation` the table of contents. `roles` records the purpose of each document, and `href`
//! resolves references. [`crate::html`] reads the pages. Published files have many mistakes; any
//! that leave the text and its order clear are tolerated.

mod container;
mod doctype;
mod href;
mod navigation;
mod package;
mod roles;
mod svg;

use std::collections::{HashMap, HashSet};

use crate::{
    Cover, Document, Limits, Reason, Unreadable,
    archive::Archive,
    builder::{Builder, ChaptersFrom, Metadata},
    cover, decoding,
    html::{self, Syntax},
    toc::{self, TocEntry},
};
use href::Target;
use navigation::{Navigation, NavigationEntry};
use package::Package;
use roles::DocumentRole;

/// A document marked as the cover is skipped if it has at most this much text. Some books mark
/// their only document as the cover.
const MAX_COVER_PAGE_BYTES: usize = 1_500;

/// A document marked as a list of contents is skipped if it has at most this much text for each
/// link.
const LIST_BYTES_PER_LINK: usize = 120;

/// Reads a book.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when the publisher's lock is on its text.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let mut archive = Archive::open(bytes, limits)?;
    let path = container::package_path(&mut archive)?;
    let Some(package) = archive.read(&path)? else {
        return Err(damaged("The EPUB is damaged: its package document is missing."));
    };
    let package = Package::parse(&decoding::markup(&package), &path);
    let order = package.reading_order();
    if order.is_empty() && package.has_picture_pages() {
        return Err(pictures());
    }
    if order.is_empty() {
        return Err(damaged("The EPUB is damaged: its reading order (the spine) is missing."));
    }
    let encrypted = container::encrypted_members(&mut archive)?;
    if order.iter().any(|item| encrypted.contains(&item.path)) {
        return Err(Unreadable::new(
            Reason::Encrypted,
            "The EPUB is locked by its publisher (DRM); its text cannot be read.",
        ));
    }
    let navigation = navigation(&mut archive, &package)?;
    let mut builder = Builder::new(limits);
    let (anchors, starts) = write_spine(&mut archive, &package, &navigation, &mut builder)?;
    let offset = |target: &Target| {
        let fragment = target.fragment.clone().and_then(|id| anchors.get(&(target.path.clone(), Some(id))));
        // A missing fragment still names the document.
        fragment.or_else(|| anchors.get(&(target.path.clone(), None))).copied()
    };
    let entries = navigation.entries.into_iter().map(|NavigationEntry { title, depth, target }| TocEntry {
        title,
        depth,
        offset: target.as_ref().and_then(offset),
    });
    let chapters = toc::set_chapters(&entries.collect::<Vec<_>>(), &mut builder);
    if chapters == 0 && !builder.has_headings() {
        // With no other information, each document is a chapter.
        for start in starts {
            builder.chapter_at(start, None);
        }
    }
    let cover = cover(&mut archive, &package, limits);
    let package_has_pictures = package.has_picture_pages();
    let metadata =
        Metadata { title: package.title, author: package.author, language: package.language, cover };
    builder.finish(metadata, ChaptersFrom::Offsets).map_err(|error| match error.reason {
        Reason::NoText if package_has_pictures => pictures(),
        _ => error,
    })
}

/// The offsets of documents and, inside them, of the elements that the table of contents names.
type AnchorOffsets = HashMap<(String, Option<String>), usize>;

/// Writes the text and returns the offsets of anchors, and those of documents in order.
fn write_spine(
    archive: &mut Archive<'_>,
    package: &Package,
    navigation: &Navigation,
    builder: &mut Builder,
) -> Result<(AnchorOffsets, Vec<usize>), Unreadable> {
    let order = package.reading_order();
    let mut wanted_ids: HashMap<&str, HashSet<String>> = HashMap::new();
    for target in navigation.entries.iter().filter_map(|line: &NavigationEntry| line.target.as_ref()) {
        wanted_ids.entry(&target.path).or_default().extend(target.fragment.clone());
    }
    let nothing = HashSet::new();
    let contents = package.navigation().map(|navigation| navigation.path.as_str());
    let mut anchors = AnchorOffsets::new();
    let mut starts = Vec::new();
    let mut found = false;
    for item in order {
        let Some(bytes) = archive.read(&item.path)? else { continue };
        found = true;
        if contents == Some(item.path.as_str()) {
            continue;
        }
        let source = decoding::markup(&bytes);
        if is_skipped(&source, package.guide.of(&item.path).and(navigation.landmarks.of(&item.path))) {
            continue;
        }
        builder.paragraph();
        starts.push(builder.offset());
        anchors.insert((item.path.clone(), None), builder.offset());
        if item.media_type == package::SVG {
            svg::write_page(&source, builder);
            if builder.is_full() {
                break;
            }
            continue;
        }
        let syntax = if item.media_type == "text/html" { Syntax::Html } else { Syntax::Xhtml };
        let wanted_ids = wanted_ids.get(item.path.as_str()).unwrap_or(&nothing);
        for (id, at) in html::write_page(&doctype::expand_entities(&source), syntax, wanted_ids, builder)? {
            anchors.entry((item.path.clone(), Some(id))).or_insert(at);
        }
        if builder.is_full() {
            break;
        }
    }
    if !found {
        return Err(damaged("The EPUB is damaged: all documents that it lists are missing."));
    }
    Ok((anchors, starts))
}

/// Whether a document is not part of the text, by its role.
fn is_skipped(source: &str, role: DocumentRole) -> bool {
    let links = || source.matches("<a ").count();
    role.notes
        || (role.cover && !is_longer(source, MAX_COVER_PAGE_BYTES))
        // A real list of contents is mostly links; some books mark their first document as one.
        || (role.list && !is_longer(source, LIST_BYTES_PER_LINK * (4 + links())))
}

/// Whether a document has more than `max_bytes` bytes of text.
fn is_longer(source: &str, max_bytes: usize) -> bool {
    let mut probe = Builder::new(&Limits { text_characters: max_bytes, ..Limits::default() });
    html::write_page(source, Syntax::Xhtml, &HashSet::new(), &mut probe).is_err() || probe.is_full()
}

fn navigation(archive: &mut Archive<'_>, package: &Package) -> Result<Navigation, Unreadable> {
    let mut found = Navigation::default();
    if let Some(item) = package.navigation()
        && let Some(bytes) = ignore_damage(archive.read(&item.path))?
    {
        found = navigation::parse_nav(&decoding::markup(&bytes), &item.path);
    }
    if found.entries.is_empty()
        && let Some(item) = package.ncx()
        && let Some(bytes) = ignore_damage(archive.read(&item.path))?
    {
        found.entries = navigation::parse_ncx(&decoding::markup(&bytes), &item.path);
    }
    Ok(found)
}

/// Treats a damaged member that is not needed for the text as missing.
fn ignore_damage(read: Result<Option<Vec<u8>>, Unreadable>) -> Result<Option<Vec<u8>>, Unreadable> {
    match read {
        Err(error) if error.reason == Reason::Damaged => Ok(None),
        other => other,
    }
}

/// The cover in a form that players can show.
fn cover(archive: &mut Archive<'_>, package: &Package, limits: &Limits) -> Option<Cover> {
    let item = package.cover()?;
    let bytes = archive.read(&item.path).ok()??;
    if item.media_type != "image/svg+xml" {
        return cover::prepare(bytes, limits.cover_bytes);
    }
    let source = decoding::markup(&bytes);
    let mut pictures = HashMap::new();
    for link in cover::linked_pictures(&source) {
        // Only members of the book are opened.
        if let Some(target) = href::resolve(&item.path, &link)
            && let Some(picture) = archive.read(&target.path).ok().flatten()
        {
            pictures.insert(link, picture);
        }
    }
    cover::draw(&source, pictures)
}

fn pictures() -> Unreadable {
    Unreadable::new(
        Reason::ImageOnly,
        "The pages of the EPUB are pictures, which have no text to read aloud.",
    )
}

fn damaged(message: &str) -> Unreadable {
    Unreadable::new(Reason::Damaged, message)
}
