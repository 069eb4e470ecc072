//! Reads EPUB 2 and 3: the documents of the spine in order, with chapters from the table of
//! contents. Navigation and supplementary documents are left out; the cover, lists of contents and
//! the like are chapters with roles.
//!
//! `container` finds the package and the encrypted members, `package` reads the package,
//! `navigation` the table of contents. `roles` records the purpose of each document, `styles`
//! reads what style sheets say about speech, and `href` resolves references. [`crate::html`] reads the pages. Published files have many mistakes; any
//! that leave the text and its order clear are tolerated.

mod container;
mod doctype;
mod href;
mod navigation;
mod package;
mod roles;
mod styles;
mod svg;

use std::collections::{HashMap, HashSet};

use crate::{
    ChapterRole, Cover, Document, Limits, Reason, Unreadable,
    archive::Archive,
    builder::{Builder, ChaptersFrom, Metadata},
    chapter_names, cover, decoding,
    html::{self, LinkedPage, PageLinks, PageNotes, Syntax},
    roles::TypedRole,
    toc::TocEntry,
};
use href::Target;
use navigation::{Navigation, NavigationEntry};
use package::Package;
use styles::StyleSheets;

/// A list of contents has at most this much text for each link.
const LIST_BYTES_PER_LINK: usize = 120;

/// A document headed "Contents" is a list if it has this many links.
const MIN_CONTENTS_LINKS: usize = 3;

/// At most this many lexicons of a book are read, and together at most this many bytes.
const MAX_LEXICONS: usize = 10;
const MAX_LEXICON_BYTES: usize = 2 * 1024 * 1024;

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
    let chapters = builder.chapters_of(&entries.collect::<Vec<_>>());
    if chapters == 0 && !builder.has_headings() {
        // With no other information, each document is a chapter.
        for start in starts {
            builder.chapter_at(start, None);
        }
    }
    let cover = cover(&mut archive, &package, limits);
    let lexicons = lexicons(&mut archive, &package)?;
    let package_has_pictures = package.has_picture_pages();
    let metadata = Metadata {
        title: package.title,
        author: package.author,
        copyright: package.copyright,
        language: package.language,
        cover,
    };
    let document = builder.finish(metadata, ChaptersFrom::Offsets).map_err(|error| match error.reason {
        Reason::NoText if package_has_pictures => pictures(),
        _ => error,
    })?;
    Ok(Document { lexicons, ..document })
}

/// The lexicons of pronunciations that come with the book, as far as they are not too large.
fn lexicons(archive: &mut Archive<'_>, package: &Package) -> Result<Vec<String>, Unreadable> {
    let (mut found, mut room) = (Vec::new(), MAX_LEXICON_BYTES);
    for path in package.lexicons().take(MAX_LEXICONS) {
        let Some(bytes) = ignore_damage(archive.read(path))? else { continue };
        if bytes.len() <= room {
            room -= bytes.len();
            found.push(decoding::markup(&bytes));
        }
    }
    Ok(found)
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
    let notes = notes(archive, package, navigation, &order)?;
    let contents = package.navigation().map(|navigation| navigation.path.as_str());
    let mut anchors = AnchorOffsets::new();
    let mut starts = Vec::new();
    let mut found = false;
    let mut styles = StyleSheets::default();
    for (index, item) in order.iter().enumerate() {
        let Some(bytes) = archive.read(&item.path)? else { continue };
        found = true;
        if contents == Some(item.path.as_str()) {
            continue;
        }
        let source = decoding::markup(&bytes);
        let role = package.guide.of(&item.path).or_else(|| navigation.landmarks.of(&item.path));
        builder.paragraph();
        builder.unit();
        starts.push(builder.offset());
        anchors.insert((item.path.clone(), None), builder.offset());
        let role = match role {
            Some(TypedRole::Role(role)) => Some(role),
            Some(TypedRole::Notes) => Some(ChapterRole::Notes),
            None => is_contents(&source).then_some(ChapterRole::Toc),
        };
        if let Some(role) = role {
            builder.begin_role(role);
        }
        if item.media_type == package::SVG {
            svg::write_page(&source, builder);
        } else {
            let wanted_ids = wanted_ids.get(item.path.as_str()).unwrap_or(&nothing);
            let (page, syntax) = (doctype::expand_entities(&source), syntax_of(item));
            let rules = styles.of_page(archive, &item.path, &page, syntax)?;
            for (id, at) in html::write_page(&page, syntax, wanted_ids, Some(&notes[index]), &rules, builder)?
            {
                anchors.entry((item.path.clone(), Some(id))).or_insert(at);
            }
        }
        if role.is_some() {
            builder.end_role();
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

/// The notes of the documents.
fn notes(
    archive: &mut Archive<'_>,
    package: &Package,
    navigation: &Navigation,
    order: &[&package::Item],
) -> Result<Vec<PageNotes>, Unreadable> {
    let mut pages = Vec::with_capacity(order.len());
    for item in order {
        let links = match archive.peek(&item.path)? {
            Some(bytes) if item.media_type != package::SVG => {
                let source = decoding::markup(&bytes);
                html::links(&doctype::expand_entities(&source), syntax_of(item))?
            }
            _ => PageLinks::default(),
        };
        let role = package.guide.of(&item.path).or_else(|| navigation.landmarks.of(&item.path));
        pages.push(LinkedPage { links, is_notes: role == Some(TypedRole::Notes) });
    }
    let indexes: HashMap<&str, usize> =
        order.iter().enumerate().map(|(index, item)| (item.path.as_str(), index)).collect();
    Ok(html::find_notes(&pages, |page, target| {
        let target = href::resolve(&order.get(page)?.path, target)?;
        Some((*indexes.get(target.path.as_str())?, target.fragment?))
    }))
}

fn syntax_of(item: &package::Item) -> Syntax {
    if item.media_type == "text/html" { Syntax::Html } else { Syntax::Xhtml }
}

/// Whether a document that no role names is a list of contents: it is headed so, and mostly links.
pub(crate) fn is_contents(source: &str) -> bool {
    let links = source.matches("<a ").count();
    if links < MIN_CONTENTS_LINKS {
        return false;
    }
    let limit = LIST_BYTES_PER_LINK * (4 + links);
    let mut probe = Builder::new(&Limits { text_characters: limit, ..Limits::default() });
    if html::write_page(source, Syntax::Xhtml, &HashSet::new(), None, &[], &mut probe).is_err() {
        return false;
    }
    let page = probe.finish(Metadata::default(), ChaptersFrom::Headings);
    page.is_ok_and(|page| page.text.lines().next().is_some_and(chapter_names::is_contents))
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
