//! Checks that a file is complete. The library reads the remains of a truncated file without an
//! error.

use std::collections::{HashMap, HashSet};

use pdf_oxide::{
    PdfDocument,
    object::{Object, ObjectRef},
};

use super::{bytes::find, outline::member};
use crate::{Reason, Unreadable};

/// A complete file has the position of its cross-reference table within this many bytes of the end.
const TAIL_BYTES: usize = 2_048;

const MAX_LEVELS: usize = 50;

/// Corrects a cross-reference table that starts at object 1 although its first entry is that of
/// object 0.
pub(super) fn fix_xref_start(file: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = find(&file[at..], b"xref") {
        at += found + b"xref".len();
        let rest = &file[at..];
        let first = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let line = &rest[first..rest.len().min(first + 64)];
        let Some(end) = line.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else { continue };
        let (head, entry) = (&line[..end], line[end..].trim_ascii_start());
        if head.starts_with(b"1 ") && entry.starts_with(b"0000000000 65535 f") {
            file[at + first] = b'0';
        }
    }
}

/// Whether the file has its end marker.
fn has_end(file: &[u8]) -> bool {
    let end = &file[file.len().saturating_sub(TAIL_BYTES)..];
    find(end, b"startxref").is_some() || find(end, b"%%EOF").is_some()
}

/// Refuses a file with missing pages; `pages` has an entry for each page that the file declares.
///
/// # Errors
/// [`Unreadable`] that says how much of it is present.
pub(super) fn check(pdf: &PdfDocument, file: &[u8], pages: &[Option<Object>]) -> Result<(), Unreadable> {
    let found = pages.iter().flatten().count();
    if found == 0 {
        return Ok(());
    }
    if found < pages.len()
        && !(has_end(file) && page_count(pdf).is_some_and(|page_count| page_count <= found))
    {
        return Err(truncated(&format!("only {found} of its {} pages can be found", pages.len())));
    }
    if has_end(file) {
        return Ok(());
    }
    // Perhaps only the object table is missing; then pages whose tree has its root are complete.
    let mut known = HashMap::new();
    let orphan = pages.iter().flatten().any(|page| !has_root(pdf, page, &mut known));
    let cut = unterminated_stream(file);
    let is_cut = cut.is_some_and(|(number, dictionary)| {
        find(dictionary, b"/ObjStm").is_some()
            || number.is_some_and(|number| {
                let mut seen = HashSet::new();
                pages.iter().flatten().any(|page| contents(pdf, page, &mut seen).contains(&number))
            })
    });
    if orphan || is_cut {
        return Err(truncated(&format!("it ends after about {found} pages")));
    }
    Ok(())
}

/// The refusal of a file without any page.
pub(super) fn no_pages(file: &[u8]) -> Unreadable {
    if has_end(file) {
        return Unreadable::new(Reason::Damaged, "The PDF is damaged: its pages cannot be found.");
    }
    truncated("its end with the list of pages is missing")
}

/// The refusal of a file whose object stream is broken.
pub(super) fn no_objects() -> Unreadable {
    truncated("its list of objects is cut off")
}

fn truncated(what: &str) -> Unreadable {
    let message = format!("The PDF is incomplete: {what}. Send the whole file.");
    Unreadable::new(Reason::Damaged, message)
}

/// The actual number of pages in the page tree; `None` if a part of it is missing.
fn page_count(pdf: &PdfDocument) -> Option<usize> {
    let catalog = pdf.catalog().ok()?;
    let mut next = vec![catalog.as_dict()?.get("Pages")?.as_reference()?];
    let mut seen: HashSet<ObjectRef> = HashSet::new();
    let mut page_count = 0;
    while let Some(at) = next.pop() {
        if !seen.insert(at) {
            continue;
        }
        let node = pdf.load_object(at).ok()?;
        match member(pdf, &node, "Kids") {
            Some(kids) => next.extend(kids.as_array()?.iter().filter_map(Object::as_reference)),
            None if node.as_dict()?.get("Type").and_then(Object::as_name) == Some("Page") => page_count += 1,
            None => return None,
        }
    }
    Some(page_count)
}

/// Whether all ancestors of a page in the page tree are present. Results are kept in `known`,
/// because the library copies a node with all its children at each look.
fn has_root(pdf: &PdfDocument, page: &Object, known: &mut HashMap<ObjectRef, bool>) -> bool {
    let parent = |node: &Object| node.as_dict()?.get("Parent")?.as_reference();
    let mut passed: Vec<ObjectRef> = Vec::new();
    let mut next = parent(page);
    let has_root = loop {
        let Some(at) = next else { break true };
        if let Some(&known) = known.get(&at) {
            break known;
        }
        if passed.len() >= MAX_LEVELS || passed.contains(&at) {
            break true;
        }
        passed.push(at);
        match pdf.load_object(at) {
            Ok(above) if above.as_dict().is_some() => next = parent(&above),
            _ => break false,
        }
    };
    known.extend(passed.into_iter().map(|node| (node, has_root)));
    has_root
}

/// The number and the dictionary of the object whose stream has no end.
fn unterminated_stream(file: &[u8]) -> Option<(Option<u32>, &[u8])> {
    let mut at = 0;
    loop {
        let keyword = at + find(&file[at..], b"stream")?;
        let Some(end) = find(&file[keyword..], b"endstream") else {
            let object =
                file[at..keyword].windows(4).rposition(|window| window == b" obj").map(|place| at + place);
            let number = object.and_then(|place| {
                let line = &file[at..place];
                let words: Vec<&[u8]> = line.rsplitn(3, u8::is_ascii_whitespace).collect();
                std::str::from_utf8(words.get(1)?).ok()?.parse().ok()
            });
            return Some((number, &file[object.unwrap_or(at)..keyword]));
        };
        at = keyword + end + b"endstream".len();
    }
}

/// The numbers of the objects with a page's operators; a list that pages share is returned once.
fn contents(pdf: &PdfDocument, page: &Object, seen: &mut HashSet<ObjectRef>) -> Vec<u32> {
    let named = page.as_dict().and_then(|names| names.get("Contents"));
    let direct = named.and_then(Object::as_reference);
    if direct.is_some_and(|at| !seen.insert(at)) {
        return Vec::new();
    }
    let direct = direct.map(|at| at.id);
    let list = member(pdf, page, "Contents");
    let listed = list.as_ref().and_then(Object::as_array).into_iter().flatten();
    listed.filter_map(Object::as_reference).map(|at| at.id).chain(direct).collect()
}
