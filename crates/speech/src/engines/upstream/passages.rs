//! Cuts a text into passages of whole sentences, as long as the protocol allows.
//!
//! The server has its own front end, so this only looks for good places to stop: the end of a
//! paragraph, of a sentence, of a word, in this order, in the last part of the text that fits.

use std::ops::Range;

use crate::markup;

/// Byte ranges of at most `most` characters each that together hold all of the text, except white
/// space at their ends.
pub(super) fn cut(text: &str, most: usize) -> Vec<Range<usize>> {
    let mut passages = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let end = start + rest.char_indices().nth(most).map_or(rest.len(), |(at, _)| stop(rest, at));
        let passage = &text[start..end];
        let from = start + (passage.len() - passage.trim_start().len());
        let to = start + passage.trim_end().len();
        if from < to {
            passages.push(from..to);
        }
        start = end;
    }
    passages
}

/// Where to stop within the first `most` bytes of a longer text. The result is never 0, and never
/// inside markup unless the markup itself is longer than `most`.
fn stop(text: &str, most: usize) -> usize {
    let end = good_stop(&text[..most]);
    match markup::outside(text, end) {
        0 => markup::starting_at(text, 0)
            .map(|markup| markup.range.end)
            .filter(|&whole| whole <= most)
            .unwrap_or(end),
        outside => outside,
    }
}

/// The best place to stop within `room`, whether or not it is inside markup.
fn good_stop(room: &str) -> usize {
    // Stopping in the first half would make many short passages.
    let half = room.len() / 2;
    let after = |at: usize, mark: &str| at + mark.len();
    let paragraph = room.rfind("\n\n").map(|at| after(at, "\n\n"));
    let sentence = [". ", "! ", "? ", ".\n", "!\n", "?\n", "。", "！", "？"]
        .iter()
        .filter_map(|mark| room.rfind(mark).map(|at| after(at, mark)))
        .max();
    let word =
        room.rfind(char::is_whitespace).and_then(|at| Some(at + room[at..].chars().next()?.len_utf8()));
    [paragraph, sentence, word].into_iter().flatten().find(|end| *end > half).or(word).unwrap_or(room.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut_to(text: &str, most: usize) -> Vec<&str> {
        cut(text, most).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_text_that_fits_is_one_passage() {
        assert_eq!(cut_to("  One. Two.\n", 4000), ["One. Two."]);
        assert!(cut_to(" \n\t ", 4000).is_empty());
    }

    #[test]
    fn passages_end_with_paragraphs_then_sentences_then_words() {
        assert_eq!(cut_to("Aaa bbb.\n\nCc. Ddd", 14), ["Aaa bbb.", "Cc. Ddd"]);
        assert_eq!(cut_to("Aaa bbb. Ccc ddd eee", 14), ["Aaa bbb.", "Ccc ddd eee"]);
        assert_eq!(cut_to("aaa bbb ccc", 8), ["aaa bbb", "ccc"]);
        assert_eq!(cut_to("aaaaaaaaaa", 4), ["aaaa", "aaaa", "aa"]);
    }

    // Negative control: without `outside`, a passage ended in "[Dr.".
    #[test]
    fn no_passage_ends_inside_markup() {
        let text = "Nobody but the old [Dr. Jones](/dˈɑktəɹ ʤˈOnz/) [pause 1.5s] knew.";
        for most in 32..70 {
            for passage in cut_to(text, most) {
                assert_eq!(markup::find(passage).count(), passage.matches('[').count(), "{passage}");
                assert_eq!(markup::find(passage).count(), passage.matches(']').count(), "{passage}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_passage_is_too_long_and_nothing_readable_is_lost(text in "[a-c. \n。é]{0,200}", most in 1_usize..40) {
            let passages = cut_to(&text, most);
            prop_assert!(passages.iter().all(|passage| passage.chars().count() <= most));
            let kept: String = passages.concat().split_whitespace().collect();
            let wanted: String = text.split_whitespace().collect();
            prop_assert_eq!(kept, wanted);
        }
    }
}
