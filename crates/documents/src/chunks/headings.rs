//! The headings inside the chapters of a text.

use std::ops::Range;

use crate::{Chapter, Heading, characters};

/// The headings that begin in a part of a chapter, counted from its start. Those at the beginning of the
/// chapter that its title consists of are not among them.
pub(super) fn within(
    headings: &[Heading],
    text: &str,
    chapter: &Chapter,
    part: &Range<usize>,
) -> Vec<Heading> {
    let from = end_of_title(headings, text, chapter).max(part.start);
    let first = headings.partition_point(|heading| heading.range.start < from);
    let inside = headings[first..].iter().take_while(|heading| heading.range.start < part.end);
    let said = inside.filter(|heading| text.get(heading.range.clone()).is_some_and(characters::is_speakable));
    let counted = said.map(|heading| Heading {
        range: heading.range.start - part.start..heading.range.end.min(part.end) - part.start,
        level: heading.level,
    });
    counted.collect()
}

/// Where the headings at the beginning of a chapter end that its title consists of.
fn end_of_title(headings: &[Heading], text: &str, chapter: &Chapter) -> usize {
    let title = chapter.title.as_deref().unwrap_or_default();
    // A long title is the beginning of its heading.
    let is_cut = title.ends_with('…');
    let mut rest = letters(title);
    let mut end = chapter.start;
    let first = headings.partition_point(|heading| heading.range.start < end);
    for heading in &headings[first..] {
        let is_next = text.get(end..heading.range.start).is_some_and(|before| before.trim().is_empty());
        let own = letters(text.get(heading.range.clone()).unwrap_or_default());
        rest = match rest.find(&own) {
            _ if !is_next || rest.is_empty() => break,
            Some(at) => rest.split_off(at + own.len()),
            None if is_cut && own.starts_with(&rest) => String::new(),
            None => break,
        };
        end = heading.range.end;
    }
    end
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChapterRole;

    /// A text of headings, each a paragraph, and of paragraphs in brackets.
    fn text_of(paragraphs: &[&str]) -> (String, Vec<Heading>) {
        let (mut text, mut headings) = (String::new(), Vec::new());
        for paragraph in paragraphs {
            let start = text.len();
            text += paragraph.trim_matches(['[', ']']);
            if !paragraph.starts_with('[') {
                headings.push(Heading { range: start..text.len(), level: 3 });
            }
            text += "\n\n";
        }
        (text, headings)
    }

    fn chapter(title: Option<&str>) -> Chapter {
        Chapter { title: title.map(str::to_owned), level: 1, role: ChapterRole::Body, start: 0 }
    }

    fn found(title: Option<&str>, paragraphs: &[&str]) -> Vec<String> {
        let (text, headings) = text_of(paragraphs);
        let found = within(&headings, &text, &chapter(title), &(0..text.len()));
        found.iter().map(|one| text[one.range.clone()].to_owned()).collect()
    }

    // Negative control: with a title that is searched as a whole for each heading, sections "1" and "Spain" are lost.
    #[test]
    fn headings_of_the_title_are_left_out_and_no_others() {
        let none: [&str; 0] = [];
        for (title, paragraphs, wanted) in [
            (
                Some("Chapter I: The Harbor"),
                vec!["CHAPTER I", "The Harbor", "Morning", "[Ships.]"],
                vec!["Morning"],
            ),
            (Some("Chapter I"), vec!["Chapter I", "The Harbor", "[Ships.]"], vec!["The Harbor"]),
            (Some("Chapter 1"), vec!["Chapter 1", "1", "[Ships.]", "2", "[Sails.]"], vec!["1", "2"]),
            (Some("The History of Spain"), vec!["The History of Spain", "Spain", "[It is.]"], vec!["Spain"]),
            (Some("I"), vec!["I", "In Chancery", "[London.]"], vec!["In Chancery"]),
            (Some("A very long ti…"), vec!["A very long title of all", "[So it is.]"], none.to_vec()),
            (Some("1. Loomings"), vec!["CHAPTER 1. Loomings", "[Call me.]"], vec!["CHAPTER 1. Loomings"]),
            (None, vec!["Morning", "[Ships.]", "* * *", "[Sails.]"], vec!["Morning"]),
            // Text before a heading ends the title.
            (Some("One"), vec!["[Ships.]", "One", "[Sails.]"], vec!["One"]),
        ] {
            assert_eq!(found(title, &paragraphs), wanted, "{title:?}");
        }
    }

    #[test]
    fn a_part_has_the_headings_that_begin_in_it() {
        let (text, headings) = text_of(&["One", "Dawn", "[Ships came.]", "Dusk", "[Ships went.]"]);
        let of = |part: Range<usize>| -> Vec<&str> {
            let found = within(&headings, &text, &chapter(Some("One")), &part);
            found.iter().map(|one| &text[part.clone()][one.range.clone()]).collect()
        };
        let at = |words: &str| text.find(words).expect("it is there");
        assert_eq!(of(0..text.len()), ["Dawn", "Dusk"]);
        assert_eq!(of(0..at("Dusk")), ["Dawn"]);
        assert_eq!(of(at("Ships came")..text.len()), ["Dusk"]);
        assert_eq!(of(at("Ships went")..text.len()), [""; 0]);
    }
}
