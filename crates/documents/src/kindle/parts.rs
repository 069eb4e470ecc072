//! The parts of a book's text. A KF8 book is stored as skeletons of pages, each followed by the
//! fragments that belong into it. An older book is one page, which is divided at its page breaks.

use super::{
    header::Book,
    index::Index,
    records::{damaged, u32_at},
};
use crate::{Limits, Unreadable};

/// The mark between the pages of an old book.
const PAGE_BREAK: &[u8] = b"<mbp:pagebreak";

/// A part of the text.
#[derive(Debug)]
pub(super) struct Part {
    /// Where it starts in the whole text, as links count.
    pub start: usize,
    pub bytes: Vec<u8>,
}

/// The parts of a text in order, one right after the other or with gaps.
#[derive(Debug)]
pub(super) struct Parts {
    pub list: Vec<Part>,
    /// Where the fragments of a KF8 book are in its text.
    fragments: Vec<usize>,
}

impl Parts {
    pub(super) fn of(book: &Book<'_>, text: &[u8], limits: &Limits) -> Result<Self, Unreadable> {
        if book.is_kf8() {
            return assembled(book, first_flow(book, text), limits);
        }
        Ok(Self { list: divided(text, limits.entries), fragments: Vec::new() })
    }

    /// Where a place inside a fragment is.
    pub(super) fn position(&self, fragment: usize, offset: usize) -> Option<usize> {
        self.fragments.get(fragment)?.checked_add(offset)
    }

    /// The index of the part that holds a position.
    pub(super) fn at(&self, position: usize) -> Option<usize> {
        let index = self.list.partition_point(|part| part.start <= position).checked_sub(1)?;
        (position - self.list[index].start < self.list[index].bytes.len()).then_some(index)
    }
}

/// The first stream, which is the text; the others are style sheets and drawings.
fn first_flow<'a>(book: &Book<'_>, text: &'a [u8]) -> &'a [u8] {
    let range = || {
        let record = book.record(book.flows()?).filter(|record| record.starts_with(b"FDST"))?;
        let first = u32_at(record, 4)? as usize;
        let (start, end) = (u32_at(record, first)?, u32_at(record, first.checked_add(4)?)?);
        text.get(start as usize..(end as usize).min(text.len()))
    };
    range().unwrap_or(text)
}

fn assembled(book: &Book<'_>, text: &[u8], limits: &Limits) -> Result<Parts, Unreadable> {
    let index = |at: Option<usize>| at.and_then(|at| Index::read(book, at));
    let Some(skeletons) = index(book.skeletons()) else {
        return Ok(Parts { list: vec![Part { start: 0, bytes: text.to_vec() }], fragments: Vec::new() });
    };
    if skeletons.entries.len() > limits.entries {
        return Err(Unreadable::expands_too_far());
    }
    let fragments = index(book.fragments()).map(|index| index.entries).unwrap_or_default();
    // The name of a fragment is its place in the text, and it has its length.
    let fragment = |entry: &super::index::Entry<'_>| {
        let place: usize = std::str::from_utf8(entry.name).ok()?.trim().parse().ok()?;
        Some((place, entry.value(6, 1)? as usize))
    };
    let fragments: Option<Vec<(usize, usize)>> = fragments.iter().map(fragment).collect();
    let fragments = fragments.ok_or_else(broken)?;
    let (mut list, mut next, mut end) = (Vec::new(), 0_usize, 0_usize);
    for entry in &skeletons.entries {
        let number = |tag, at| entry.value(tag, at).map(|number| number as usize);
        let (Some(count), Some(start), Some(length)) = (number(1, 0), number(6, 0), number(6, 1)) else {
            return Err(broken());
        };
        let own = fragments.get(next..next.saturating_add(count)).ok_or_else(broken)?;
        next += count;
        // Skeletons in order do not overlap, so that all parts together are no more than the text.
        if start < end {
            return Err(broken());
        }
        let bytes = assemble(text, start, length, own).ok_or_else(broken)?;
        end = start + bytes.len();
        list.push(Part { start, bytes });
    }
    Ok(Parts { list, fragments: fragments.into_iter().map(|(place, _)| place).collect() })
}

/// A skeleton with its fragments at their places, which count with those already there. A place before
/// the end of the last fragment is taken for that end: nothing is moved.
fn assemble(text: &[u8], start: usize, length: usize, fragments: &[(usize, usize)]) -> Option<Vec<u8>> {
    let mut skeleton = text.get(start..start.checked_add(length)?)?;
    let mut rest = &text[start + length..];
    let mut bytes = Vec::with_capacity(length);
    for &(place, length) in fragments {
        let before = place.checked_sub(start)?.saturating_sub(bytes.len()).min(skeleton.len());
        let (head, tail) = skeleton.split_at(before);
        bytes.extend_from_slice(head);
        skeleton = tail;
        let (fragment, after) = rest.split_at_checked(length)?;
        bytes.extend_from_slice(fragment);
        rest = after;
    }
    bytes.extend_from_slice(skeleton);
    Some(bytes)
}

fn broken() -> Unreadable {
    damaged("the parts of its text do not fit together")
}

/// The pages of an old book; a single one if there were very many.
fn divided(text: &[u8], max_pages: usize) -> Vec<Part> {
    let is_break = |window: &[u8]| window.eq_ignore_ascii_case(PAGE_BREAK);
    let mut starts = vec![0];
    let breaks = text.windows(PAGE_BREAK.len()).enumerate().filter(|(_, window)| is_break(window));
    starts.extend(breaks.map(|(at, _)| at).take(max_pages));
    if starts.len() > max_pages {
        starts.truncate(1);
    }
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let pages = starts.iter().zip(ends).filter(|(start, end)| end > start);
    pages.map(|(&start, end)| Part { start, bytes: text[start..end].to_vec() }).collect()
}
