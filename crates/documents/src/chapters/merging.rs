//! Joins candidates that have nothing of their own to say with the next one, and chooses titles.

use std::{collections::HashSet, ops::Range};

use super::{
    MAX_TITLE_CHARACTERS,
    candidates::{Candidate, heading_at, ranges},
};
use crate::{Chapter, ChapterRole, Heading, chapter_names, characters, roles, roles::BookFacts};

/// A chapter whose level is still the reader's.
#[derive(Debug, Clone)]
pub(super) struct Merged {
    pub chapter: Chapter,
}

/// A candidate with what its text is.
struct Content {
    range: Range<usize>,
    title: Option<String>,
    level: u8,
    role: Option<ChapterRole>,
    is_listed: bool,
    is_speakable: bool,
    /// Whether it has anything to speak outside its headings.
    has_body: bool,
}

/// The chapters; each has something to speak if the text has.
pub(super) fn merge(
    text: &str,
    headings: &[Heading],
    candidates: &[Candidate],
    pages: &HashSet<usize>,
    facts: BookFacts<'_>,
) -> Vec<Merged> {
    let contents = contents(text, headings, candidates, facts);
    let followers = followers(&contents);
    let mut chapters: Vec<Merged> = Vec::with_capacity(contents.len());
    let mut pending = Pending::default();
    for (index, content) in contents.iter().enumerate() {
        let next = followers[index].map(|next| &contents[next]);
        if !content.is_speakable {
            pending.add_silent(content, next, facts);
            continue;
        }
        let is_own = content.has_body
            || content.role.is_some_and(|role| role != ChapterRole::Body)
            || next.is_none_or(|next| is_above(content, next));
        let is_number = content.title.as_deref().is_some_and(is_bare_number);
        let is_title = is_title_page(content, next, &contents, &chapters, facts);
        let is_page = is_title && {
            let after = after_title(index, &contents, &followers, facts);
            after.is_some_and(|after| pages.contains(&after.range.start))
        };
        // The title of a document that is no page of its own is read before its first chapter.
        let is_read_with_next = is_title && !is_page && content.role.is_none()
            || !is_own && !is_title && (is_number || !content.is_listed);
        if is_read_with_next {
            pending.add_heading(content, is_number && !is_title);
            continue;
        }
        let plain = if is_page { ChapterRole::TitlePage } else { ChapterRole::Body };
        let role = content.role.unwrap_or(plain);
        let chapter = pending.take().into_chapter(content, role);
        let is_listed = content.is_listed;
        match chapters.last_mut() {
            Some(last) if goes_on(last, &chapter, is_listed) => {}
            _ => chapters.push(Merged { chapter }),
        }
    }
    if let Some(start) = pending.take().start
        && chapters.is_empty()
    {
        let chapter = Chapter { title: None, level: 0, role: ChapterRole::Body, start };
        chapters.push(Merged { chapter });
    }
    if let Some(first) = chapters.first_mut() {
        first.chapter.start = 0;
    }
    chapters
}

/// Whether a chapter of the same role belongs to the one before it: the lines of a title page.
fn goes_on(last: &Merged, chapter: &Chapter, is_listed: bool) -> bool {
    last.chapter.role == chapter.role
        && (!is_listed || chapter.title.is_none())
        && match chapter.role {
            ChapterRole::TitlePage | ChapterRole::Copyright | ChapterRole::Licence | ChapterRole::Cover => {
                true
            }
            ChapterRole::Toc | ChapterRole::Index | ChapterRole::Advertisement => chapter.title.is_none(),
            _ => false,
        }
}

/// Whether a candidate that is only a heading stands above the next one: a part or a book.
fn is_above(content: &Content, next: &Content) -> bool {
    content.level > 0 && next.level > content.level
        || content.title.as_deref().is_some_and(chapter_names::is_part)
            && !next.title.as_deref().is_some_and(chapter_names::is_part)
            && next.level == content.level
}

/// Whether a heading without text before the first chapter is the title of the book, or the line of
/// its author.
fn is_title_page(
    content: &Content,
    next: Option<&Content>,
    contents: &[Content],
    chapters: &[Merged],
    facts: BookFacts<'_>,
) -> bool {
    let Some(title) = content.title.as_deref().filter(|_| !content.has_body) else { return false };
    let Some(next) = next else { return false };
    let is_first = chapters.iter().all(|merged| merged.chapter.role != ChapterRole::Body);
    if !is_first || content.is_listed && next.level <= content.level || chapter_names::is_part(title) {
        return false;
    }
    // The only one of its level, above all others.
    let is_alone = || {
        let first = contents.iter().find(|one| one.is_speakable).map(|one| one.range.start);
        first == Some(content.range.start)
            && contents.iter().filter(|one| one.is_speakable && one.level <= content.level).count() == 1
    };
    let follows_title = chapters.last().is_some_and(|merged| merged.chapter.role == ChapterRole::TitlePage);
    roles::is_title_or_author(title, facts) || is_alone() || follows_title && roles::is_byline(title)
}

/// The first part after the lines of a title page.
fn after_title<'a>(
    index: usize,
    contents: &'a [Content],
    followers: &[Option<usize>],
    facts: BookFacts<'_>,
) -> Option<&'a Content> {
    let is_line = |content: &Content| {
        let title = content.title.as_deref().filter(|_| !content.has_body);
        title.is_some_and(|title| roles::is_title_or_author(title, facts) || roles::is_byline(title))
    };
    let after = std::iter::successors(followers[index], |&next| followers[next]);
    after.take(4).map(|next| &contents[next]).find(|next| !is_line(next))
}

fn is_bare_number(title: &str) -> bool {
    chapter_names::chapter_line(title) == Some(true)
        || chapter_names::bare_number(title.trim_end_matches('.')).is_some()
        || !title.is_empty() && title.chars().all(|c| chapter_names::digit(c).is_some() || c == '.')
}

/// What candidates without anything to say leave to the next one.
#[derive(Debug, Default)]
struct Pending {
    start: Option<usize>,
    /// The title of a part that has no text of its own, or the number of a chapter.
    title: Option<String>,
}

impl Pending {
    fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// A part without a page is named in the title of its first chapter, because it has no place of
    /// its own. Other silent candidates (a picture) leave nothing.
    fn add_silent(&mut self, content: &Content, next: Option<&Content>, facts: BookFacts<'_>) {
        self.start = self.start.or(Some(content.range.start));
        let Some(title) = content.title.as_deref() else { return };
        let is_above = next.is_some_and(|next| is_above(content, next));
        if is_above && !roles::is_title_or_author(title, facts) {
            self.title = Some(title.to_owned());
        }
    }

    fn add_heading(&mut self, content: &Content, is_number: bool) {
        self.start = self.start.or(Some(content.range.start));
        self.title = content.title.clone().filter(|_| is_number);
    }

    fn into_chapter(self, content: &Content, role: ChapterRole) -> Chapter {
        let title = match (self.title, &content.title) {
            (Some(above), Some(own)) if own.starts_with(&above) => Some(own.clone()),
            (Some(above), Some(own)) => {
                let above = above.trim_end_matches(['.', ':', '–', '—', '-', ' ']);
                characters::one_line(&format!("{above}: {own}"), MAX_TITLE_CHARACTERS)
            }
            (above, own) => own.clone().or(above),
        };
        Chapter { title, level: content.level, role, start: self.start.unwrap_or(content.range.start) }
    }
}

/// For each candidate the next one that has something to speak.
fn followers(contents: &[Content]) -> Vec<Option<usize>> {
    let mut next = None;
    let mut followers: Vec<Option<usize>> = contents
        .iter()
        .enumerate()
        .rev()
        .map(|(index, content)| {
            let follower = next;
            if content.is_speakable {
                next = Some(index);
            }
            follower
        })
        .collect();
    followers.reverse();
    followers
}

fn contents(
    text: &str,
    headings: &[Heading],
    candidates: &[Candidate],
    facts: BookFacts<'_>,
) -> Vec<Content> {
    let mut headings_left = headings;
    let content = |(candidate, range): (&Candidate, Range<usize>)| {
        let passed = headings_left.iter().take_while(|heading| heading.range.end <= range.start).count();
        headings_left = &headings_left[passed..];
        let is_speakable = characters::is_speakable(&text[range.clone()]);
        let title = candidate.title.clone().filter(|title| !is_file_name(title));
        // The entry for the whole book may lead to the first page that has text.
        let is_whole = title.as_deref().is_some_and(|title| roles::is_title_or_author(title, facts))
            && candidate.given != Some(ChapterRole::TitlePage);
        let title = title
            .filter(|_| !is_whole)
            .or_else(|| heading_at(text, headings, range.start))
            .or_else(|| candidate.title.clone().filter(|_| is_whole));
        Content {
            title,
            level: candidate.level,
            role: candidate.given,
            is_listed: candidate.is_listed,
            is_speakable,
            has_body: is_speakable && has_body(text, range.clone(), headings_left),
            range,
        }
    };
    ranges(candidates, text.len()).map(content).collect()
}

/// Whether a title is the name of a file, which programs leave in bookmarks.
fn is_file_name(title: &str) -> bool {
    const ENDINGS: [&str; 12] =
        [".html", ".htm", ".xhtml", ".xml", ".pdf", ".doc", ".docx", ".odt", ".tex", ".dvi", ".indd", ".qxd"];
    let lower = title.trim().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending))
        && (!lower.contains(' ') || lower.starts_with("microsoft word"))
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
