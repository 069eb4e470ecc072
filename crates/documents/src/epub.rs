//! EPUB 2 and 3: the documents of the spine in order, chapters from the table of contents, and of each document what
//! is read aloud. Not read: navigation, the cover, lists of contents, notes, and what is marked as supplementary.
//!
//! `container` finds the package and what is encrypted, `package` reads it, `navigation` the table of contents, `uses`
//! holds what documents are for, `href` finds what refers to what. How a page is read is [`crate::html`]'s. Publishers'
//! files are full of mistakes: whatever leaves the text and its order clear is forgiven.

mod container;
mod doctype;
mod href;
mod navigation;
mod package;
mod svg;
mod uses;

use std::collections::{HashMap, HashSet};

use crate::{
    Cover, Document, Limits, Reason, Unreadable,
    archive::Archive,
    builder::{About, Builder, ChaptersFrom},
    contents::{self, Entry},
    cover, decoding,
    html::{self, Syntax},
};
use href::Target;
use navigation::{Line, Navigation};
use package::Package;
use uses::Use;

/// A document that the book calls its cover is left out up to this much text, bytes: there are books that call their
/// only document the cover.
const COVER_BYTES: usize = 1_500;

/// A document that the book calls a list of contents is one when it has no more text than this for each link, bytes.
const LINK_BYTES: usize = 120;

/// Reads a book.
///
/// # Errors
/// [`Unreadable`], with `encrypted` when the publisher's lock is on its text.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let mut archive = Archive::open(bytes, limits)?;
    let path = container::package_path(&mut archive)?;
    let Some(package) = archive.read(&path)? else {
        return Err(damaged("The EPUB is damaged: the package that describes it is missing."));
    };
    let package = Package::parse(&decoding::markup(&package), &path);
    let order = package.reading_order();
    if order.is_empty() && package.has_picture_pages() {
        return Err(pictures());
    }
    if order.is_empty() {
        return Err(damaged("The EPUB is damaged: it does not say what is read in which order (its spine)."));
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
    let (places, starts) = walk(&mut archive, &package, &navigation, &mut builder)?;
    let place = |target: &Target| {
        let fragment = target.fragment.clone().and_then(|id| places.get(&(target.path.clone(), Some(id))));
        // A fragment that is not there still names the document.
        fragment.or_else(|| places.get(&(target.path.clone(), None))).copied()
    };
    let entries = navigation.entries.into_iter().map(|Line { title, depth, target }| Entry {
        title,
        depth,
        place: target.as_ref().and_then(place),
    });
    let chapters = contents::set_chapters(&entries.collect::<Vec<_>>(), &mut builder);
    if chapters == 0 && !builder.has_headings() {
        // Where nothing else tells, a document is a chapter.
        for start in starts {
            builder.chapter_at(start, None);
        }
    }
    let cover = cover(&mut archive, &package, limits);
    let package_has_pictures = package.has_picture_pages();
    let about = About { title: package.title, author: package.author, language: package.language, cover };
    builder.finish(about, ChaptersFrom::Places).map_err(|error| match error.reason {
        Reason::NoText if package_has_pictures => pictures(),
        _ => error,
    })
}

/// The places in the text where documents and, inside them, the elements that the table of contents leads to start.
type Places = HashMap<(String, Option<String>), usize>;

/// Writes all that is read aloud. Gives the places, and those of documents in order.
fn walk(
    archive: &mut Archive<'_>,
    package: &Package,
    navigation: &Navigation,
    builder: &mut Builder,
) -> Result<(Places, Vec<usize>), Unreadable> {
    let order = package.reading_order();
    let mut watched: HashMap<&str, HashSet<String>> = HashMap::new();
    for target in navigation.entries.iter().filter_map(|line: &Line| line.target.as_ref()) {
        watched.entry(&target.path).or_default().extend(target.fragment.clone());
    }
    let nothing = HashSet::new();
    let contents = package.navigation().map(|navigation| navigation.path.as_str());
    let mut places = Places::new();
    let mut starts = Vec::new();
    let mut found = false;
    for item in order {
        let Some(bytes) = archive.read(&item.path)? else { continue };
        found = true;
        if contents == Some(item.path.as_str()) {
            continue;
        }
        let source = decoding::markup(&bytes);
        if is_left_out(&source, package.guide.of(&item.path).and(navigation.landmarks.of(&item.path))) {
            continue;
        }
        builder.paragraph();
        starts.push(builder.offset());
        places.insert((item.path.clone(), None), builder.offset());
        if item.media_type == package::SVG {
            svg::walk(&source, builder);
            if builder.is_full() {
                break;
            }
            continue;
        }
        let syntax = if item.media_type == "text/html" { Syntax::Html } else { Syntax::Xhtml };
        let watched = watched.get(item.path.as_str()).unwrap_or(&nothing);
        for (id, at) in html::walk(&doctype::resolved(&source), syntax, watched, builder)? {
            places.entry((item.path.clone(), Some(id))).or_insert(at);
        }
        if builder.is_full() {
            break;
        }
    }
    if !found {
        return Err(damaged("The EPUB is damaged: none of the documents that it lists is in it."));
    }
    Ok((places, starts))
}

/// Whether a document is one that nobody wants to hear, by what the book says it is for.
fn is_left_out(source: &str, said: Use) -> bool {
    let links = || source.matches("<a ").count();
    said.notes
        || (said.cover && !is_longer(source, COVER_BYTES))
        // A list of contents is mostly links; a book whose first document is called one is not.
        || (said.list && !is_longer(source, LINK_BYTES * (4 + links())))
}

/// Whether more than `most` bytes of a document are read aloud.
fn is_longer(source: &str, most: usize) -> bool {
    let mut probe = Builder::new(&Limits { text_characters: most, ..Limits::default() });
    html::walk(source, Syntax::Xhtml, &HashSet::new(), &mut probe).is_err() || probe.is_full()
}

fn navigation(archive: &mut Archive<'_>, package: &Package) -> Result<Navigation, Unreadable> {
    let mut found = Navigation::default();
    if let Some(item) = package.navigation()
        && let Some(bytes) = forgiving(archive.read(&item.path))?
    {
        found = navigation::of_navigation(&decoding::markup(&bytes), &item.path);
    }
    if found.entries.is_empty()
        && let Some(item) = package.ncx()
        && let Some(bytes) = forgiving(archive.read(&item.path))?
    {
        found.entries = navigation::of_ncx(&decoding::markup(&bytes), &item.path);
    }
    Ok(found)
}

/// A damaged member that the text can do without is as good as a missing one.
fn forgiving(read: Result<Option<Vec<u8>>, Unreadable>) -> Result<Option<Vec<u8>>, Unreadable> {
    match read {
        Err(error) if error.reason == Reason::Damaged => Ok(None),
        other => other,
    }
}

/// The picture of the cover, as players can show it.
fn cover(archive: &mut Archive<'_>, package: &Package, limits: &Limits) -> Option<Cover> {
    let item = package.cover()?;
    let bytes = archive.read(&item.path).ok()??;
    if item.media_type != "image/svg+xml" {
        return cover::prepared(bytes, limits.cover_bytes);
    }
    let source = decoding::markup(&bytes);
    let mut pictures = HashMap::new();
    for link in cover::linked(&source) {
        // Only what is in the book is opened.
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
        "The pages of the EPUB are pictures; there is no text in them that could be read aloud.",
    )
}

fn damaged(message: &str) -> Unreadable {
    Unreadable::new(Reason::Damaged, message)
}
