//! Decides where chapters start, from the headings or the targets of a table of contents that a
//! reader found, and from parts whose role the file gives. Moves each start to the beginning of a
//! paragraph.
//!
//! `candidates` collects the places where a chapter may start, `merging` joins those that have
//! nothing of their own to say, and `levels` counts the levels. [`crate::roles`] decides the roles.

use std::{collections::HashSet, ops::Range};

use crate::{
    Chapter, ChapterRole, Heading, characters,
    roles::{self, BookFacts, Place},
    toc::{self, ChapterStart, TocEntry},
};

mod candidates;
mod levels;
mod merging;

use candidates::Candidate;

pub(crate) const MAX_TITLE_CHARACTERS: usize = 200;

/// A body chapter without a number in its title is at least this long, in bytes.
const MIN_BODY_BYTES: usize = 6_000;

/// A part of the text whose role the file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleRegion {
    pub range: Range<usize>,
    pub role: ChapterRole,
}

/// What a reader found about the chapters of a document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline {
    pub starts: Vec<ChapterStart>,
    /// Whether the starts are those of a table of contents, and not headings.
    pub is_listed: bool,
    /// Parts with roles; they may be nested.
    pub regions: Vec<RoleRegion>,
    /// The starts of files or pages, in order. Before the first chapter and after the last, each of
    /// them may be something else.
    pub units: Vec<usize>,
}

/// Starts chapters at the highest heading level that has several headings, at the levels above, and
/// in parts at the level below. A book's own title, alone at its level, therefore does not turn the
/// whole book into one chapter.
pub(crate) fn at_headings(text: &str, headings: &[Heading]) -> Vec<ChapterStart> {
    let count = |level| headings.iter().filter(|heading| heading.level == level).count();
    let Some(level) = (1..=6)
        .find(|&level| count(level) > 1)
        .or_else(|| headings.iter().map(|heading| heading.level).min())
    else {
        return Vec::new();
    };
    // Levels that are not used do not count.
    let rank = |level: u8| (1..level).filter(|&level| count(level) > 0).count();
    let entry = |heading: &Heading| TocEntry {
        title: text[heading.range.clone()].to_owned(),
        depth: rank(heading.level),
        offset: Some(heading.range.start),
    };
    let entries: Vec<TocEntry> = headings.iter().map(entry).collect();
    toc::chapters(&entries, text.len(), Some(rank(level)))
}

/// The chapters in order. They cover the whole text and each has something to speak.
pub(crate) fn finalize(
    text: &str,
    headings: &[Heading],
    outline: &Outline,
    facts: BookFacts<'_>,
) -> Vec<Chapter> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut candidates = candidates::collect(text, headings, outline);
    let bounds = Bounds::of(&candidates, text.len());
    let pages = candidates::add_units(text, headings, &outline.units, &mut candidates, bounds, facts);
    let bounds = Bounds::of(&candidates, text.len());
    set_roles(text, &mut candidates, bounds, &pages, facts);
    let merged = merging::merge(text, headings, &candidates, &pages, facts);
    levels::set(merged, facts)
}

/// Where the text itself begins and where its last chapter does.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    first: usize,
    last: usize,
    bytes: usize,
}

impl Bounds {
    fn of(candidates: &[Candidate], bytes: usize) -> Self {
        let body = || candidates::ranges(candidates, bytes).filter(|(one, range)| is_body(one, range.len()));
        let first = body().next().map(|(one, _)| one.start);
        let last = body().last().map(|(one, _)| one.start);
        Self { first: first.unwrap_or(bytes), last: last.unwrap_or(0), bytes }
    }

    fn place(self, at: usize) -> Place {
        if at < self.first && at * 2 <= self.bytes {
            Place::Front
        } else if at > self.last || at > self.bytes / 10 * 9 {
            Place::Back
        } else {
            Place::Middle
        }
    }
}

/// Whether a candidate is surely a chapter of the text itself.
fn is_body(candidate: &Candidate, bytes: usize) -> bool {
    match (candidate.given, candidate.title.as_deref()) {
        (Some(role), _) => role == ChapterRole::Body,
        (None, Some(title)) if crate::chapter_names::named_role(title).is_some() => false,
        (None, Some(title)) => crate::chapter_names::chapter_line(title).is_some() || bytes > MIN_BODY_BYTES,
        (None, None) => bytes > MIN_BODY_BYTES,
    }
}

fn set_roles(
    text: &str,
    candidates: &mut [Candidate],
    bounds: Bounds,
    pages: &HashSet<usize>,
    facts: BookFacts<'_>,
) {
    let ends: Vec<usize> = candidates.iter().skip(1).map(|next| next.start).chain([text.len()]).collect();
    for (candidate, end) in candidates.iter_mut().zip(ends) {
        let own = &text[candidate.start..end];
        if candidate.given.is_some() || !characters::is_speakable(own) {
            continue;
        }
        let place = bounds.place(candidate.start);
        let titled = candidate.title.as_deref().and_then(|title| roles::by_title(title, own, place, facts));
        // The title alone, or above text on its page, is read before the text.
        let is_page = pages.contains(&end) || pages.is_empty() && own.trim().lines().count() > 1;
        let by_text = || roles::by_text(own, place, facts);
        candidate.given =
            titled.or_else(|| by_text().filter(|role| *role != ChapterRole::TitlePage || is_page));
    }
}
