//! The table of contents of a book, and what it says about its parts.

use std::collections::HashMap;

use super::{
    header::Book,
    index::{Entry, Index},
    links,
    parts::Parts,
};
use crate::roles::{TypedRole, of_types};

/// Entries beyond this number are not read.
const MAX_ENTRIES: usize = 20_000;

/// The guide of an old book is looked for in this many bytes.
const MAX_GUIDE_BYTES: usize = 64 << 10;

/// An entry of the table of contents.
#[derive(Debug)]
pub(super) struct ContentsEntry {
    pub title: String,
    /// The nesting depth; 0 is outermost.
    pub depth: usize,
    /// The place that it leads to, one of [`links::place`].
    pub place: Option<usize>,
}

/// The entries in the order of the text: an index has those of a depth together.
pub(super) fn read(book: &Book<'_>, parts: &Parts) -> Vec<ContentsEntry> {
    let Some(index) = book.contents().and_then(|at| Index::read(book, at)) else { return Vec::new() };
    let read = |entry: &Entry<'_>| {
        let title = entry.value(3, 0).and_then(|at| index.text(at))?;
        let title = book.encoding().decode_without_bom_handling(title).0.into_owned();
        let depth = entry.value(4, 0).map_or(0, |depth| depth.min(100) as usize);
        let place = position(book, parts, entry).and_then(|position| links::place(parts, position));
        Some(ContentsEntry { title, depth, place })
    };
    let mut entries: Vec<ContentsEntry> = index.entries.iter().take(MAX_ENTRIES).filter_map(read).collect();
    // An entry without a place has none above it to belong to.
    entries.retain(|entry| entry.place.is_some());
    entries.sort_by_key(|entry| (entry.place, entry.depth));
    entries
}

fn position(book: &Book<'_>, parts: &Parts, entry: &Entry<'_>) -> Option<usize> {
    if !book.is_kf8() {
        return entry.value(1, 0).map(|position| position as usize);
    }
    parts.position(entry.value(6, 0)? as usize, entry.value(6, 1).unwrap_or(0) as usize)
}

/// The roles of parts by their indexes.
pub(super) fn roles(book: &Book<'_>, parts: &Parts) -> HashMap<usize, TypedRole> {
    let found = if book.is_kf8() { guide_index(book, parts) } else { guide_element(parts) };
    let mut roles = HashMap::new();
    for (types, position) in found {
        if let Some((role, part)) = of_types(&types).zip(parts.at(position)) {
            roles.entry(part).or_insert(role);
        }
    }
    roles
}

/// The guide of a KF8 book: the name of an entry is its type.
fn guide_index(book: &Book<'_>, parts: &Parts) -> Vec<(String, usize)> {
    let Some(index) = book.guide().and_then(|at| Index::read(book, at)) else { return Vec::new() };
    let read = |entry: &Entry<'_>| {
        let fragment = entry.value(6, 0).or_else(|| entry.value(3, 0))? as usize;
        let position = parts.position(fragment, entry.value(6, 1).unwrap_or(0) as usize)?;
        Some((String::from_utf8_lossy(entry.name).into_owned(), position))
    };
    index.entries.iter().take(MAX_ENTRIES).filter_map(read).collect()
}

/// The guide of an old book: elements such as `<reference type="toc" filepos=0000001234 />` at its start.
fn guide_element(parts: &Parts) -> Vec<(String, usize)> {
    let Some(first) = parts.list.first() else { return Vec::new() };
    let head = String::from_utf8_lossy(&first.bytes[..first.bytes.len().min(MAX_GUIDE_BYTES)]);
    let references = head.split("<reference ").skip(1).take(100);
    let read = |reference: &str| {
        let tag = reference.split('>').next()?;
        let value = |name: &str| {
            let value = tag.split_once(name)?.1.trim_start_matches(['"', '\'']);
            value.split(['"', '\'', ' ', '/']).next()
        };
        Some((value("type=")?.to_lowercase(), value("filepos=")?.parse().ok()?))
    };
    references.filter_map(read).collect()
}
