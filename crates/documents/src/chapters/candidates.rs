//! The places where a chapter may start: the starts that a reader found, and the edges of parts with
//! a role.

use std::{collections::HashSet, ops::Range};

use super::{Bounds, MAX_TITLE_CHARACTERS, Outline, RoleRegion};
use crate::toc::ChapterStart;
use crate::{
    ChapterRole, Heading, characters, paragraphs,
    roles::{self, BookFacts, Place},
};

/// Parts with a role beyond this number are ignored.
const MAX_REGIONS: usize = 2_000;

/// This many files or pages are looked at, from either end.
const MAX_UNITS: usize = 60;

/// A place where a chapter may start.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The start of a paragraph.
    pub start: usize,
    pub title: Option<String>,
    /// From 1; 0 if nothing says it.
    pub level: u8,
    /// The role, if it is known.
    pub given: Option<ChapterRole>,
    /// Whether a table of contents lists it.
    pub is_listed: bool,
}

impl Candidate {
    fn new(start: usize, title: Option<String>) -> Self {
        Self { start, title, level: 0, given: None, is_listed: false }
    }
}

/// The candidates with their ranges.
pub(super) fn ranges(
    candidates: &[Candidate],
    bytes: usize,
) -> impl Iterator<Item = (&Candidate, Range<usize>)> {
    let ends = candidates.iter().skip(1).map(|next| next.start).chain([bytes]);
    candidates.iter().zip(ends).map(|(candidate, end)| (candidate, candidate.start..end))
}

/// The candidates in order; the first one starts at 0.
pub(super) fn collect(text: &str, headings: &[Heading], outline: &Outline) -> Vec<Candidate> {
    let mut starts: Vec<&ChapterStart> = outline.starts.iter().collect();
    starts.sort_by_key(|start| start.at);
    let regions: Vec<&RoleRegion> = outline.regions.iter().take(MAX_REGIONS).collect();
    let edges = regions.iter().flat_map(|region| [region.range.start, region.range.end]);
    let places = Paragraphs::of(text, starts.iter().map(|start| start.at).chain(edges));
    let mut candidates = vec![Candidate::new(0, None)];
    for start in starts {
        let Some(at) = places.get(start.at) else { continue };
        let title =
            start.title.as_deref().and_then(|title| characters::one_line(title, MAX_TITLE_CHARACTERS));
        let level = start.level.max(1);
        candidates.push(Candidate { level, is_listed: outline.is_listed, ..Candidate::new(at, title) });
    }
    let regions: Vec<(Range<usize>, ChapterRole)> = regions
        .into_iter()
        .filter_map(|region| {
            let start = places.get(region.range.start)?;
            let end = places.get(region.range.end).unwrap_or(text.len());
            (start < end).then_some((start..end, region.role))
        })
        .collect();
    let facts = BookFacts { bytes: text.len(), ..BookFacts::default() };
    let confirmed = regions.into_iter().map(|(range, role)| {
        let role = roles::confirmed(role, &text[range.clone()], facts);
        (range, role)
    });
    add_regions(text, headings, confirmed.collect(), &mut candidates);
    candidates
}

/// Adds candidates at the edges of parts, and gives all candidates inside them their role.
fn add_regions(
    text: &str,
    headings: &[Heading],
    mut regions: Vec<(Range<usize>, ChapterRole)>,
    candidates: &mut Vec<Candidate>,
) {
    let listed: Vec<(usize, Option<String>)> =
        candidates.iter().map(|candidate| (candidate.start, candidate.title.clone())).collect();
    let has = |at: usize| listed.binary_search_by_key(&at, |(start, _)| *start).is_ok();
    let begins: HashSet<usize> = regions.iter().map(|(range, _)| range.start).collect();
    // The chapter that goes on after a part inside it.
    let around = |at: usize| {
        let before = listed.partition_point(|(start, _)| *start < at);
        let (start, title) = listed.get(before.checked_sub(1)?)?;
        title.clone().filter(|_| !has(at) && !begins.contains(start))
    };
    let mut added: Vec<Candidate> = Vec::new();
    // A role that is read goes on to the end of the chapter: a preface may be several files.
    for (range, role) in &mut regions {
        let at = candidates.partition_point(|candidate| candidate.start < range.start);
        let own = candidates.get(at).filter(|own| own.start == range.start && own.is_listed);
        if own.is_some() && role.is_included_by_default() && *role != ChapterRole::Body {
            let next =
                candidates[at..].iter().map(|candidate| candidate.start).find(|next| *next > range.start);
            range.end = range.end.max(next.unwrap_or(text.len()));
        }
    }
    // What is read inside of what is not, such as a motto on a title page, is a chapter of its own.
    let left_out: Vec<Range<usize>> = regions
        .iter()
        .filter(|(_, role)| !role.is_included_by_default())
        .map(|(range, _)| range.clone())
        .collect();
    let is_inside = |inner: &Range<usize>| {
        left_out.iter().any(|outer| outer.start <= inner.start && inner.end <= outer.end && outer != inner)
    };
    for (range, _) in regions.iter().filter(|(range, role)| *role != ChapterRole::Body || is_inside(range)) {
        if !has(range.start) {
            added.push(Candidate::new(range.start, heading_at(text, headings, range.start)));
        }
        if range.end < text.len() && !has(range.end) {
            let title = heading_at(text, headings, range.end).or_else(|| around(range.start));
            added.push(Candidate::new(range.end, title.filter(|_| !is_inside(range))));
        }
    }
    added.sort_by_key(|candidate| candidate.start);
    added.dedup_by_key(|candidate| candidate.start);
    candidates.extend(added);
    candidates.sort_by_key(|candidate| candidate.start);
    // The innermost part counts, which is the last to begin and of these the shortest.
    regions.sort_by(|a, b| a.0.start.cmp(&b.0.start).then(b.0.end.cmp(&a.0.end)));
    let mut open: Vec<&(Range<usize>, ChapterRole)> = Vec::new();
    let mut next = regions.iter().peekable();
    for candidate in candidates {
        while let Some(region) = next.next_if(|(range, _)| range.start <= candidate.start) {
            open.retain(|(range, _)| range.end > region.0.start);
            open.push(region);
        }
        while open.pop_if(|(range, _)| range.end <= candidate.start).is_some() {}
        candidate.given = open.last().map(|(_, role)| *role);
    }
}

/// Adds candidates for the files or pages at the front and the back that are something else than the
/// text around them. Returns where those files and pages begin.
pub(super) fn add_units(
    text: &str,
    headings: &[Heading],
    units: &[usize],
    candidates: &mut Vec<Candidate>,
    bounds: Bounds,
    facts: BookFacts<'_>,
) -> HashSet<usize> {
    let near = |index: usize| index < MAX_UNITS || index + MAX_UNITS >= units.len();
    let looked_at = || units.iter().enumerate().filter(|(index, _)| near(*index)).map(|(_, &at)| at);
    let places = Paragraphs::of(text, looked_at());
    let mut starts: Vec<usize> = looked_at().filter_map(|at| places.get(at)).collect();
    starts.dedup();
    let mut added: Vec<Candidate> = Vec::new();
    for (index, &start) in starts.iter().enumerate() {
        let at = candidates.partition_point(|candidate| candidate.start < start);
        let next = candidates[at..].iter().map(|candidate| candidate.start).find(|&next| next > start);
        let own = candidates[at..].iter_mut().find(|candidate| candidate.start == start);
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let (inside, is_cut) = (end.min(next.unwrap_or(text.len())), next.is_some_and(|next| next <= end));
        let place = bounds.place(start);
        let is_open = own.as_ref().is_none_or(|own| own.given.is_none() && own.title.is_none());
        if place == Place::Middle || !is_open {
            continue;
        }
        let Some(role) = roles::by_text(&text[start..inside], place, facts) else { continue };
        // A title above the text on the same page is no title page.
        if role == ChapterRole::TitlePage && inside < end {
            continue;
        }
        match own {
            Some(own) => own.given = Some(role),
            None if added.last().is_some_and(|last| last.start == start) => {
                if let Some(last) = added.last_mut() {
                    last.given = Some(role);
                }
            }
            None => added.push(Candidate {
                given: Some(role),
                ..Candidate::new(start, heading_at(text, headings, start))
            }),
        }
        if !is_cut && inside < text.len() {
            let title = heading_at(text, headings, inside);
            added.push(Candidate::new(inside, title));
        }
    }
    candidates.extend(added);
    candidates.sort_by_key(|candidate| candidate.start);
    starts.into_iter().collect()
}

/// The heading that begins at an offset.
pub(super) fn heading_at(text: &str, headings: &[Heading], at: usize) -> Option<String> {
    let index = headings.binary_search_by_key(&at, |heading| heading.range.start).ok()?;
    characters::one_line(&text[headings[index].range.clone()], MAX_TITLE_CHARACTERS)
}

/// The paragraphs that hold or follow some offsets.
struct Paragraphs(Vec<(usize, usize)>);

impl Paragraphs {
    fn of(text: &str, offsets: impl Iterator<Item = usize>) -> Self {
        let mut offsets: Vec<usize> = offsets.collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut places = Vec::with_capacity(offsets.len());
        let mut paragraphs = paragraphs::paragraphs(text).peekable();
        for offset in offsets {
            while paragraphs.next_if(|paragraph| paragraph.end <= offset).is_some() {}
            let Some(paragraph) = paragraphs.peek() else { break };
            places.push((offset, paragraph.start));
        }
        Self(places)
    }

    /// The start of the paragraph; `None` when no text follows the offset.
    fn get(&self, offset: usize) -> Option<usize> {
        let index = self.0.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        Some(self.0[index].1)
    }
}
