//! The text of a chapter with its spoken words, put together of chunks, as publications want it.

use lectern_publishing::{SpokenText, SpokenWord};
use lectern_speech::markup;
use lectern_types::WordTimestamp;

/// Adds a chunk that begins at `start_ms` to the text of its chapter, without markup.
pub fn add(spoken: &mut SpokenText, text: &str, words: &[WordTimestamp], start_ms: u64) {
    let plain = markup::plain(text);
    if !spoken.text.is_empty() && !spoken.text.ends_with(char::is_whitespace) {
        // A text that was edited may have lost the white space at its end.
        spoken.text.push_str("\n\n");
    }
    let base = spoken.text.len();
    let mut end = 0;
    for word in words.iter().filter(|word| !word.text.trim().is_empty()) {
        let Some(found) = plain.get(end..).and_then(|rest| rest.find(word.text.as_str())) else { continue };
        let start = end + found;
        end = start + word.text.len();
        spoken.words.push(SpokenWord {
            range: base + start..base + end,
            start_ms: start_ms + word.start_ms,
            end_ms: start_ms + word.end_ms.max(word.start_ms),
        });
    }
    spoken.text.push_str(&plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start_ms: u64) -> WordTimestamp {
        WordTimestamp { text: text.to_owned(), start_char: 0, end_char: 0, start_ms, end_ms: start_ms + 10 }
    }

    #[test]
    fn chunks_become_one_text_without_markup() {
        let mut spoken = SpokenText::default();
        let first = "Say [Ada](/ˈeɪdə/), [pause 1s]the the.\n\n";
        let words = [word("Say", 0), word("Ada", 20), word("the", 40), word("the", 60)];
        add(&mut spoken, first, &words, 700);
        add(&mut spoken, "Then on.", &[word("Then", 0), word("lost", 5), word("on", 20)], 1_700);
        add(&mut spoken, "End.", &[word("End", 0)], 2_700);
        assert_eq!(spoken.text, "Say Ada, the the.\n\nThen on.\n\nEnd.");
        let words: Vec<(&str, u64, u64)> = spoken
            .words
            .iter()
            .map(|word| (&spoken.text[word.range.clone()], word.start_ms, word.end_ms))
            .collect();
        assert_eq!(
            words,
            [
                ("Say", 700, 710),
                ("Ada", 720, 730),
                ("the", 740, 750),
                ("the", 760, 770),
                ("Then", 1_700, 1_710),
                ("on", 1_720, 1_730),
                ("End", 2_700, 2_710)
            ]
        );
    }
}
