//! Counts the levels of chapters: 1 is the highest, none is left out, and parts stand above the
//! chapters that follow them even where a file puts both on one level.

use super::merging::Merged;
use crate::{Chapter, ChapterRole, chapter_names, roles, roles::BookFacts};

/// The most levels of parts that are found by their names: volumes, books and parts.
const MAX_PART_KINDS: usize = 3;

pub(super) fn set(merged: Vec<Merged>, facts: BookFacts<'_>) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = merged.into_iter().map(|merged| merged.chapter).collect();
    leave_whole_books(&mut chapters, facts);
    let mut used = [0_usize; 256];
    for chapter in chapters.iter().filter(|chapter| chapter.level > 0 && counts(chapter, facts)) {
        used[usize::from(chapter.level)] += 1;
    }
    for chapter in &mut chapters {
        // A part whose level nothing says belongs to the whole book.
        let rank = used[..usize::from(chapter.level)].iter().filter(|&&count| count > 0).count();
        chapter.level = u8::try_from(rank + 1).unwrap_or(u8::MAX);
    }
    lower_below_parts(&mut chapters);
    chapters
}

/// Raises the chapters below an entry for the whole book, which is no part of it.
fn leave_whole_books(chapters: &mut [Chapter], facts: BookFacts<'_>) {
    let mut open: Vec<u8> = Vec::new();
    for chapter in chapters.iter_mut().filter(|chapter| chapter.level > 0) {
        while open.pop_if(|level| *level >= chapter.level).is_some() {}
        let raised = u8::try_from(open.len()).unwrap_or(u8::MAX);
        if !counts(chapter, facts) {
            open.push(chapter.level);
        }
        chapter.level = chapter.level.saturating_sub(raised).max(1);
    }
}

/// Whether the level of a chapter counts. The title of the whole book is above all others, but no
/// chapter is in it.
fn counts(chapter: &Chapter, facts: BookFacts<'_>) -> bool {
    let is_title = || chapter.title.as_deref().is_some_and(|title| roles::is_title_or_author(title, facts));
    !matches!(chapter.role, ChapterRole::TitlePage | ChapterRole::Cover) && !is_title()
}

/// Puts chapters one level below the parts before them, where they are on one level.
fn lower_below_parts(chapters: &mut [Chapter]) {
    let is_part = |chapter: &Chapter| {
        chapter.role == ChapterRole::Body && chapter.title.as_deref().is_some_and(chapter_names::is_part)
    };
    // The names of parts in the order in which they first come: a volume holds books.
    let mut kinds: Vec<String> = Vec::new();
    let Some(first) = chapters.iter().position(is_part) else { return };
    let level = chapters[first].level;
    let own = |chapter: &Chapter| chapter.role == ChapterRole::Body && chapter.level == level;
    if !chapters[first..].iter().any(|chapter| own(chapter) && !is_part(chapter)) {
        return;
    }
    let last_part = chapters.iter().rposition(is_part).unwrap_or(first);
    for (index, chapter) in chapters.iter_mut().enumerate().skip(first) {
        if !own(chapter) {
            continue;
        }
        let title = chapter.title.clone().unwrap_or_default();
        if is_part(chapter) {
            let kind = chapter_names::part_kind(&title);
            let known = kinds.iter().position(|known| *known == kind);
            let depth = known.unwrap_or_else(|| {
                if kinds.len() < MAX_PART_KINDS {
                    kinds.push(kind);
                }
                kinds.len() - 1
            });
            chapter.level = level.saturating_add(u8::try_from(depth).unwrap_or(0));
        } else {
            // An epilogue after the last part belongs to the whole book.
            let closes = index > last_part && chapter_names::closes_book(&title);
            let below = if closes { 0 } else { kinds.len() };
            chapter.level = level.saturating_add(u8::try_from(below).unwrap_or(0));
        }
    }
}
