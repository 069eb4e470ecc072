//! Decides the roles of chapters: from what the file says (`epub:type`, DPUB-ARIA, EPUB 2's guide and
//! landmarks), from titles, and from the text. A role that is left out by default always needs a
//! text that looks like it. When unsure, a chapter is body.

use crate::{ChapterRole, chapter_names};

mod rights;
mod text;
mod types;

pub(crate) use rights::stated_rights;
use text::Shape;
pub(crate) use types::{TypedRole, of_types};

/// What is known of the document.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BookFacts<'a> {
    pub title: Option<&'a str>,
    pub author: Option<&'a str>,
    /// The length of the whole text.
    pub bytes: usize,
}

/// Where a chapter is in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the text itself.
    Front,
    Middle,
    /// After most of the text.
    Back,
}

/// The role that a file gives a part, unless the text contradicts it: some books mark their only
/// document as the cover.
pub(crate) fn confirmed(role: ChapterRole, text: &str, facts: BookFacts<'_>) -> ChapterRole {
    let limit = match role {
        ChapterRole::Cover => 1_500,
        ChapterRole::TitlePage => 4_000,
        ChapterRole::Imprint | ChapterRole::Copyright => 20_000,
        ChapterRole::Licence => 60_000,
        ChapterRole::Advertisement => 40_000,
        ChapterRole::Toc if !Shape::of(text).is_list() => 300,
        // An index is a list as well, but the publisher's word counts for more.
        ChapterRole::Index if Shape::of(text).is_prose() => 300,
        _ => usize::MAX,
    };
    let is_most = text.len() > 1_500 && text.len() * 2 > facts.bytes;
    let is_trusted = text.len() <= limit && (role.is_included_by_default() || !is_most);
    if is_trusted { role } else { ChapterRole::Body }
}

/// The role of a chapter by its title, if its text looks like it.
pub(crate) fn by_title(title: &str, text: &str, place: Place, facts: BookFacts<'_>) -> Option<ChapterRole> {
    let role = chapter_names::named_role(title)?;
    // The title may stand in the text as well.
    let inside = text.trim_start().strip_prefix(title).unwrap_or(text);
    let is_like_it = match role {
        ChapterRole::Cover => text.len() <= 600,
        ChapterRole::TitlePage => text.len() <= 1_500 && !Shape::of(inside).is_prose(),
        ChapterRole::Imprint => place != Place::Middle && text.len() <= 3_000,
        ChapterRole::Copyright => {
            let signs = text::copyright_signs(text);
            place != Place::Middle && (signs >= 2 && text.len() <= 20_000 || signs >= 1 && text.len() <= 500)
        }
        ChapterRole::Toc | ChapterRole::Advertisement => {
            place != Place::Middle && Shape::of(inside).is_list()
        }
        ChapterRole::Index => place == Place::Back && Shape::of(inside).is_index(),
        ChapterRole::Licence => place != Place::Middle && text::is_licence(text),
        ChapterRole::Dedication => text.len() <= 4_000,
        // A book whose chapters were not found is no preface.
        _ => text.len() < 4_000 || text.len() * 3 < facts.bytes,
    };
    is_like_it.then_some(role)
}

/// The role of a part without a title that names one, at the front or the back of a document.
pub(crate) fn by_text(text: &str, place: Place, facts: BookFacts<'_>) -> Option<ChapterRole> {
    // A short book may be one chapter with its header.
    let is_apart = text.len() <= 8_000 || place == Place::Back && text.len() * 2 <= facts.bytes;
    if is_apart && text::is_gutenberg(text) {
        return Some(ChapterRole::Licence);
    }
    if place == Place::Middle || text.len() * 4 > facts.bytes {
        return None;
    }
    let shape = Shape::of(text);
    let first = text.trim_start().lines().next().unwrap_or_default();
    if place == Place::Front && text::is_title_page(text, facts) {
        return Some(ChapterRole::TitlePage);
    }
    if chapter_names::named_role(first) == Some(ChapterRole::Toc) && shape.is_list() {
        return Some(ChapterRole::Toc);
    }
    if text::is_copyright(text) {
        return Some(ChapterRole::Copyright);
    }
    // A page that the table of contents passes over has its title all the same.
    if place == Place::Back
        && let Some(role) = by_title(first, text, place, facts)
    {
        return Some(role);
    }
    if chapter_names::named_role(first) == Some(ChapterRole::Advertisement)
        && shape.is_list()
        && text.len() <= 8_000
    {
        return Some(ChapterRole::Advertisement);
    }
    (place == Place::Front && text::is_dedication(text)).then_some(ChapterRole::Dedication)
}

/// Whether a heading names an author: "By Jane Austen".
pub(crate) fn is_byline(line: &str) -> bool {
    text::is_byline(line)
}

/// Whether a line is the book's title or its author: no chapter is called so.
pub(crate) fn is_title_or_author(line: &str, facts: BookFacts<'_>) -> bool {
    text::is_title(line, facts) || text::is_author(line, facts)
}
