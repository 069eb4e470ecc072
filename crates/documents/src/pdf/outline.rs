//! Reads a PDF's bookmarks. They are a linked list of linked lists, which is circular in a hostile
//! file, so each one is visited once.

use std::collections::{HashMap, HashSet};

use pdf_oxide::{
    PdfDocument,
    object::{Object, ObjectRef},
    optional_content::decode_pdf_text_string,
};

use super::flow::LinePosition;
use crate::{characters, toc::TocEntry};

/// Bookmarks, and nodes of the page tree, beyond these numbers are ignored.
const MAX_BOOKMARKS: usize = 5_000;
const MAX_NODES: usize = 100_000;

/// A bookmark's heading is looked for in this many lines of its page.
const MAX_LINES: usize = 2_000;

#[derive(Debug)]
pub(super) struct Bookmark {
    title: String,
    depth: usize,
    /// The page, from 0, and the height on it, if given.
    target: Option<(usize, Option<f32>)>,
}

pub(super) fn bookmarks(pdf: &PdfDocument) -> Vec<Bookmark> {
    let mut bookmarks = Vec::new();
    let Ok(catalog) = pdf.catalog() else { return bookmarks };
    let Some(outlines) = member(pdf, &catalog, "Outlines") else { return bookmarks };
    let Some(first) = link(&outlines, "First") else { return bookmarks };
    let pages = pages(pdf, &catalog);
    let mut seen = HashSet::new();
    let mut next = vec![(first, 0)];
    while let Some((at, depth)) = next.pop() {
        if bookmarks.len() >= MAX_BOOKMARKS || !seen.insert(at) {
            continue;
        }
        let Ok(item) = pdf.load_object(at) else { continue };
        // After its children.
        next.extend(link(&item, "Next").map(|sibling| (sibling, depth)));
        next.extend(link(&item, "First").map(|child| (child, depth + 1)));
        let title =
            member(pdf, &item, "Title").and_then(|title| title.as_string().map(decode_pdf_text_string));
        let target = destination(pdf, &item, &pages);
        bookmarks.push(Bookmark { title: title.unwrap_or_default(), depth, target });
    }
    bookmarks
}

/// Turns bookmarks into entries of a table of contents.
pub(super) fn entries(bookmarks: Vec<Bookmark>, places: &[LinePosition]) -> Vec<TocEntry> {
    let mut starts: HashMap<usize, usize> = HashMap::new();
    for (index, place) in places.iter().enumerate() {
        starts.entry(place.page).or_insert(index);
    }
    let texts: Vec<String> = places.iter().map(|place| normalized_title(&place.text)).collect();
    let entry = |bookmark: Bookmark| {
        let place = bookmark.target.and_then(|(page, height)| {
            let start = *starts.get(&page)?;
            let lines = places[start..].iter().zip(&texts[start..]).take(MAX_LINES);
            let on_page = || lines.clone().take_while(|(place, _)| place.page == page);
            let title = normalized_title(&bookmark.title);
            // The heading itself, else the first line below the height, else the page.
            let heading = on_page().find(|(_, text)| title.starts_with(text.as_str()));
            let below =
                || on_page().find(|(place, _)| height.is_some_and(|height| place.base <= height + 2.0));
            heading
                .or_else(below)
                .map(|(place, _)| place)
                .or_else(|| places.get(start))
                .map(|place| place.offset)
        });
        TocEntry { title: bookmark.title, depth: bookmark.depth, offset: place }
    };
    bookmarks.into_iter().map(entry).collect()
}

/// The form in which titles are compared: letters and digits only, at least three, or two Chinese or
/// Japanese characters.
fn normalized_title(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let least = if letters.starts_with(characters::is_unspaced) { 2 } else { 3 };
    if letters.chars().count() < least { "\u{0}".to_owned() } else { letters }
}

fn destination(
    pdf: &PdfDocument,
    item: &Object,
    pages: &HashMap<ObjectRef, usize>,
) -> Option<(usize, Option<f32>)> {
    let target = member(pdf, item, "Dest").or_else(|| member(pdf, &member(pdf, item, "A")?, "D"))?;
    let name = match &target {
        Object::Name(name) => Some(name.clone()),
        Object::String(name) => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    };
    if let Some(name) = name {
        return pdf.resolve_named_destination(&name).ok().flatten().map(|page| (page, None));
    }
    let target = target.as_array()?;
    let page = match target.first()? {
        Object::Reference(page) => *pages.get(page)?,
        other => usize::try_from(other.as_integer()?).ok()?,
    };
    let height = match target.get(1).and_then(Object::as_name) {
        Some("XYZ") => target.get(3).and_then(number),
        Some("FitH" | "FitBH") => target.get(2).and_then(number),
        _ => None,
    };
    Some((page, height))
}

/// The index of each page.
fn pages(pdf: &PdfDocument, catalog: &Object) -> HashMap<ObjectRef, usize> {
    let mut pages = HashMap::new();
    let mut seen = HashSet::new();
    let mut next: Vec<ObjectRef> = link(catalog, "Pages").into_iter().collect();
    while let Some(at) = next.pop() {
        if seen.len() >= MAX_NODES || !seen.insert(at) {
            continue;
        }
        let Ok(node) = pdf.load_object(at) else { continue };
        match member(pdf, &node, "Kids").as_ref().and_then(Object::as_array) {
            Some(kids) => next.extend(kids.iter().rev().filter_map(Object::as_reference)),
            None => drop(pages.insert(at, pages.len())),
        }
    }
    pages
}

/// A dictionary's value, with references followed.
pub(super) fn member(pdf: &PdfDocument, object: &Object, name: &str) -> Option<Object> {
    match object.as_dict()?.get(name)? {
        Object::Reference(at) => pdf.load_object(*at).ok(),
        value => Some(value.clone()),
    }
}

fn link(object: &Object, name: &str) -> Option<ObjectRef> {
    object.as_dict()?.get(name)?.as_reference()
}

fn number(object: &Object) -> Option<f32> {
    object.as_real().map(|real| real as f32).or_else(|| object.as_integer().map(|whole| whole as f32))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Bookmark, LinePosition, entries};

    /// Negative control: with each line normalized again for each bookmark this took over a minute.
    #[test]
    fn many_bookmarks_to_a_page_of_many_lines_are_placed_soon() {
        let line = |n: usize| LinePosition {
            page: 0,
            base: 0.0,
            text: format!("Line {n} {}", "of many ".repeat(40)),
            offset: n,
        };
        let places: Vec<LinePosition> = (0..20_000).map(line).collect();
        let bookmark =
            |n: usize| Bookmark { title: format!("No line {n}"), depth: 0, target: Some((0, None)) };
        let began = Instant::now();
        let mut bookmarks: Vec<Bookmark> = (0..5_000).map(bookmark).collect();
        bookmarks.push(Bookmark { title: places[7].text.clone(), depth: 0, target: Some((0, None)) });
        let entries = entries(bookmarks, &places);
        assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
        assert_eq!((entries[0].offset, entries[5_000].offset), (Some(0), Some(7)));
    }
}
