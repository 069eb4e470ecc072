//! When the headings inside the chapters are said: the chapters of a podcast's episodes.

use std::collections::HashMap;

use lectern_speech::markup;
use lectern_store::{
    books::PartMark,
    chunks::{self, HeadingAt, headings},
};
use lectern_types::WordTimestamp;

use super::{internal, parts::Parts};
use crate::{
    base::Base,
    services::materials::{
        audio::read_words,
        jobs::run::{JobError, Run},
    },
};

/// The most headings of a chapter that are listed.
const MOST: usize = 500;

/// The headings of each chapter with `head_ms` before it, in order, after the title of the chapter. A
/// chapter without headings inside has none.
pub(super) async fn marks(
    base: &Base,
    run: &Run,
    parts: &Parts,
    head_ms: u64,
) -> Result<Vec<Vec<PartMark>>, JobError> {
    let (account, environment, material) = (run.claim.account, run.claim.environment, parts.material.id);
    let headed = headings::find(&base.store, account, environment, material).await?;
    let headed: HashMap<u32, Vec<HeadingAt>> = headed.into_iter().collect();
    let mut all = Vec::with_capacity(parts.chapters.len());
    for (chapter, number) in parts.chapters.iter().zip(1_u32..) {
        let mut marks = vec![PartMark { title: chapter.title(number), start_ms: 0 }];
        let mut start_ms = head_ms;
        for (place, part) in chapter.parts.iter().enumerate() {
            if let Some(headings) = headed.get(&part.index).filter(|_| marks.len() <= MOST) {
                let text = chunks::text(&base.store, account, environment, material, part.index).await?;
                let text = text.ok_or_else(|| internal(format!("chunk {} is gone", part.index)))?;
                let words = read_words(&base.objects, &part.audio.words_object).await;
                let words: Vec<WordTimestamp> = words.map_err(|error| internal(error.to_string()))?;
                let found = said(&text, headings, &words, start_ms);
                // A chapter that begins with a heading begins with it here, too.
                let at_start = headings.first().is_some_and(|first| is_blank(&text, first.start));
                if place == 0 && at_start && !found.is_empty() {
                    marks.clear();
                }
                marks.extend(found);
            }
            start_ms += part.audio.duration_ms;
        }
        if let Some(first) = marks.first_mut() {
            first.start_ms = 0;
        }
        marks.truncate(MOST);
        all.push(if marks.len() > 1 { marks } else { Vec::new() });
    }
    Ok(all)
}

/// Whether nothing is before a place of a text.
fn is_blank(text: &str, before: u32) -> bool {
    text.get(..before as usize).is_some_and(|before| before.trim().is_empty())
}

/// When the headings of a chunk are said that begins at `start_ms`.
fn said(text: &str, headings: &[HeadingAt], words: &[WordTimestamp], start_ms: u64) -> Vec<PartMark> {
    let mark = |heading: &HeadingAt| {
        let (start, end) = (heading.start as usize, heading.end as usize);
        let (before, own, after) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
        // A program that does not know headings has replaced the text, and left them.
        let is_paragraph =
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'));
        let title = markup::plain(own).split_whitespace().collect::<Vec<_>>().join(" ");
        let first = u32::try_from(before.chars().count()).ok()?;
        let last = first + u32::try_from(own.chars().count()).ok()?;
        let word = words.iter().find(|word| word.start_char >= first && word.start_char < last)?;
        let start_ms = start_ms + word.start_ms;
        (is_paragraph && !title.is_empty()).then_some(PartMark { title, start_ms })
    };
    headings.iter().filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_begins_with_its_first_word_that_is_said() {
        let text = "Été ended.\n\n§ [Night](/ˈnaɪt/) \nfalls\n\nShips came.\n\n***\n\n";
        let at = |words: &str| text.find(words).expect("it is there");
        let heading = |start: usize, end: usize| HeadingAt { start: start as u32, end: end as u32 };
        let word = |said: &str, start_ms: u64| {
            let start_char = text[..at(said)].chars().count() as u32;
            WordTimestamp {
                text: said.to_owned(),
                start_char,
                end_char: start_char,
                start_ms,
                end_ms: start_ms,
            }
        };
        let words = [word("ended", 400), word("Night", 1_200), word("falls", 1_600), word("Ships", 2_500)];
        let night = heading(at("§"), at("\n\nShips"));
        let headings = [night, heading(at("***"), at("***") + 3)];
        let mark = PartMark { title: "§ Night falls".to_owned(), start_ms: 61_200 };
        assert_eq!(said(text, &headings, &words, 60_000), [mark]);
        // Of a text that was there before.
        let (ships, came) = (at("Ships"), at("came"));
        for stale in [heading(came, at("***")), heading(ships, came), heading(1, 9), heading(5, 900)] {
            assert_eq!(said(text, &[stale], &words, 0), [], "{stale:?}");
        }
    }
}
