//! Decides where chapters start, from the headings or the targets of a table of contents that a
//! reader found. Moves each start to the beginning of a paragraph. A chapter that is only a
//! heading, such as a part's title page, joins the next one.

use std::ops::Range;

use crate::{Chapter, Heading, characters, paragraphs};

const MAX_TITLE_CHARACTERS: usize = 200;

/// A chapter start that a reader found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChapterStart {
    /// A byte offset in the text.
    pub at: usize,
    pub title: Option<String>,
}

/// Starts chapters at the highest heading level that has several headings, and at the levels above.
/// A book's own title, alone at its level, therefore does not turn the whole book into one chapter.
pub(crate) fn at_headings(text: &str, headings: &[Heading]) -> Vec<ChapterStart> {
    let count = |level| headings.iter().filter(|heading| heading.level == level).count();
    let Some(level) = (1..=6)
        .find(|&level| count(level) > 1)
        .or_else(|| headings.iter().map(|heading| heading.level).min())
    else {
        return Vec::new();
    };
    let chosen = headings.iter().filter(|heading| heading.level <= level);
    chosen
        .map(|heading| ChapterStart {
            at: heading.range.start,
            title: Some(text[heading.range.clone()].to_owned()),
        })
        .collect()
}

/// The chapters in order. They cover the whole text and, where the document allows, each has more
/// to speak than headings. `title` is the document's.
pub(crate) fn finalize(
    text: &str,
    headings: &[Heading],
    mut starts: Vec<ChapterStart>,
    title: Option<&str>,
) -> Vec<Chapter> {
    starts.sort_by_key(|start| start.at);
    let places = at_paragraphs(text, starts);
    let mut headings = headings;
    let mut chapters: Vec<Chapter> = Vec::with_capacity(places.len());
    let mut pending: Option<EmptyChapter> = None;
    for (index, place) in places.iter().enumerate() {
        let end = places.get(index + 1).map_or(text.len(), |next| next.start);
        let passed = headings.iter().take_while(|heading| heading.range.end <= place.start).count();
        headings = &headings[passed..];
        let chapter = EmptyChapter::before(pending.take(), place, title);
        if has_body(text, place.start..end, headings) {
            chapters.push(chapter.chapter);
        } else {
            pending = Some(chapter);
        }
    }
    if let Some(EmptyChapter { chapter, .. }) = pending
        && (chapters.is_empty() || characters::is_speakable(&text[chapter.start..]))
    {
        chapters.push(chapter);
    }
    chapters
}

/// A chapter without a body; it is merged into the next one.
struct EmptyChapter {
    chapter: Chapter,
    /// How many chapters were merged into it.
    joined: usize,
}

impl EmptyChapter {
    fn before(pending: Option<Self>, next: &Chapter, title: Option<&str>) -> Self {
        let Some(Self { chapter, joined }) = pending else {
            return Self { chapter: next.clone(), joined: 1 };
        };
        let joined = joined + usize::from(chapter.title.is_some());
        // A part and its chapter share one title. More than three titles in a row are a list of
        // chapters, and only the last title counts.
        let above = chapter.title.as_deref().filter(|above| joined <= 3 && Some(*above) != title);
        let title = match (above, next.title.as_deref()) {
            (Some(above), Some(own)) if own.starts_with(above) => Some(own.to_owned()),
            (Some(above), Some(own)) => {
                let part = above.trim_end_matches(['.', ':', '–', '—', '-', ' ']);
                characters::one_line(&format!("{part}: {own}"), MAX_TITLE_CHARACTERS)
            }
            (Some(above), None) => Some(above.to_owned()),
            (None, own) => own.map(str::to_owned).or(chapter.title),
        };
        Self { chapter: Chapter { title, start: chapter.start }, joined }
    }
}

/// Moves starts to paragraphs; the first chapter starts at 0. A start with no text after it is
/// dropped.
fn at_paragraphs(text: &str, starts: Vec<ChapterStart>) -> Vec<Chapter> {
    let mut chapters = vec![Chapter { title: None, start: 0 }];
    let mut paragraphs = paragraphs::paragraphs(text).peekable();
    for start in starts {
        while paragraphs.next_if(|paragraph| paragraph.end <= start.at).is_some() {}
        let Some(paragraph) = paragraphs.peek() else { break };
        let title = start.title.and_then(|title| characters::one_line(&title, MAX_TITLE_CHARACTERS));
        chapters.push(Chapter { title, start: paragraph.start });
    }
    chapters
}

/// Whether a range has anything to speak outside its headings.
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
