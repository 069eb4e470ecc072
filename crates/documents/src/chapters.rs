//! Where chapters start, from what a reader found: headings, or places that a table of contents points to. Starts are
//! moved to paragraphs, and a "chapter" of nothing but a heading (a part's title page, say) joins the one after it.

use std::ops::Range;

use crate::{Chapter, Heading, characters, paragraphs};

/// The most characters of a chapter's title.
const TITLE_CHARACTERS: usize = 200;

/// A place where a reader says that a chapter starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    /// A byte of the text.
    pub at: usize,
    pub title: Option<String>,
}

/// Chapters start at the headings of the highest level that has several, and at those above it: a book's own title,
/// alone at its level, does not make the whole book one chapter.
pub(crate) fn at_headings(text: &str, headings: &[Heading]) -> Vec<Start> {
    let count = |level| headings.iter().filter(|heading| heading.level == level).count();
    let Some(level) = (1..=6)
        .find(|&level| count(level) > 1)
        .or_else(|| headings.iter().map(|heading| heading.level).min())
    else {
        return Vec::new();
    };
    let chosen = headings.iter().filter(|heading| heading.level <= level);
    chosen
        .map(|heading| Start { at: heading.range.start, title: Some(text[heading.range.clone()].to_owned()) })
        .collect()
}

/// The chapters of a text: covering all of it, ascending, each with something to say besides its headings, where the
/// document allows. `title` is the document's.
pub(crate) fn settle(
    text: &str,
    headings: &[Heading],
    mut starts: Vec<Start>,
    title: Option<&str>,
) -> Vec<Chapter> {
    starts.sort_by_key(|start| start.at);
    let places = at_paragraphs(text, starts);
    let mut headings = headings;
    let mut chapters: Vec<Chapter> = Vec::with_capacity(places.len());
    let mut waiting: Option<Waiting> = None;
    for (index, place) in places.iter().enumerate() {
        let end = places.get(index + 1).map_or(text.len(), |next| next.start);
        let behind = headings.iter().take_while(|heading| heading.range.end <= place.start).count();
        headings = &headings[behind..];
        let chapter = Waiting::before(waiting.take(), place, title);
        if has_body(text, place.start..end, headings) {
            chapters.push(chapter.chapter);
        } else {
            waiting = Some(chapter);
        }
    }
    if let Some(Waiting { chapter, .. }) = waiting
        && (chapters.is_empty() || characters::is_speakable(&text[chapter.start..]))
    {
        chapters.push(chapter);
    }
    chapters
}

/// A chapter without a body, which the next one takes in.
struct Waiting {
    chapter: Chapter,
    /// How many chapters it was.
    joined: usize,
}

impl Waiting {
    fn before(waiting: Option<Self>, next: &Chapter, title: Option<&str>) -> Self {
        let Some(Self { chapter, joined }) = waiting else {
            return Self { chapter: next.clone(), joined: 1 };
        };
        let joined = joined + usize::from(chapter.title.is_some());
        // More than a part and its chapter is a list of chapters: the last one's title is the one that holds.
        let above = chapter.title.as_deref().filter(|above| joined <= 3 && Some(*above) != title);
        let title = match (above, next.title.as_deref()) {
            (Some(above), Some(own)) if own.starts_with(above) => Some(own.to_owned()),
            (Some(above), Some(own)) => {
                let part = above.trim_end_matches(['.', ':', '–', '—', '-', ' ']);
                characters::one_line(&format!("{part}: {own}"), TITLE_CHARACTERS)
            }
            (Some(above), None) => Some(above.to_owned()),
            (None, own) => own.map(str::to_owned).or(chapter.title),
        };
        Self { chapter: Chapter { title, start: chapter.start }, joined }
    }
}

/// The starts as chapters that begin with a paragraph, the first at 0. A start that nothing follows is none.
fn at_paragraphs(text: &str, starts: Vec<Start>) -> Vec<Chapter> {
    let mut chapters = vec![Chapter { title: None, start: 0 }];
    let mut paragraphs = paragraphs::paragraphs(text).peekable();
    for start in starts {
        while paragraphs.next_if(|paragraph| paragraph.end <= start.at).is_some() {}
        let Some(paragraph) = paragraphs.peek() else { break };
        let title = start.title.and_then(|title| characters::one_line(&title, TITLE_CHARACTERS));
        chapters.push(Chapter { title, start: paragraph.start });
    }
    chapters
}

/// Whether a part of the text says anything outside its headings.
fn has_body(text: &str, range: Range<usize>, headings: &[Heading]) -> bool {
    let mut at = range.start;
    for heading in headings.iter().take_while(|heading| heading.range.start < range.end) {
        if characters::is_speakable(&text[at..heading.range.start.max(at)]) {
            return true;
        }
        at = heading.range.end.max(at);
    }
    at < range.end && characters::is_speakable(&text[at..range.end])
}
