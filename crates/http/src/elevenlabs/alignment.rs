//! When each character is spoken, from when each word is. Within a word the characters are evenly
//! spread; what stands between two words takes the time between them.

use lectern_types::{SpokenTimestamp, elevenlabs::CharacterAlignment};

/// A place of the text, in characters, and when it is reached.
#[derive(Debug, Clone, Copy)]
struct Knot {
    at: usize,
    ms: u64,
}

/// The alignment of a text with audio of this length.
pub fn of(text: &str, words: &[SpokenTimestamp], duration_ms: u64) -> CharacterAlignment {
    let characters: Vec<String> = text.chars().map(String::from).collect();
    let mut starts = Vec::with_capacity(characters.len());
    let mut ends = Vec::with_capacity(characters.len());
    let mut from = Knot { at: 0, ms: 0 };
    for knot in knots(words).chain([Knot { at: characters.len(), ms: duration_ms }]) {
        // Times and places never go back, and neither ends after the whole does.
        let to = Knot {
            at: knot.at.clamp(from.at, characters.len()),
            ms: knot.ms.clamp(from.ms, duration_ms.max(from.ms)),
        };
        for character in from.at..to.at {
            starts.push(seconds(from, to, character));
            ends.push(seconds(from, to, character + 1));
        }
        from = to;
    }
    CharacterAlignment {
        characters,
        character_start_times_seconds: starts,
        character_end_times_seconds: ends,
    }
}

fn knots(words: &[SpokenTimestamp]) -> impl Iterator<Item = Knot> + '_ {
    let ends = |word: &SpokenTimestamp| match word {
        SpokenTimestamp::Word(word) => Some([
            Knot { at: word.start_char as usize, ms: word.start_ms },
            Knot { at: word.end_char as usize, ms: word.end_ms },
        ]),
        SpokenTimestamp::Mark(_) => None,
    };
    words.iter().filter_map(ends).flatten()
}

/// When a place between two knots is reached, to the millisecond.
fn seconds(from: Knot, to: Knot, at: usize) -> f64 {
    let share = (at - from.at) as f64 / (to.at - from.at) as f64;
    (from.ms as f64 + share * (to.ms - from.ms) as f64).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use lectern_types::WordTimestamp;

    use super::*;

    fn word(text: &str, start_char: u32, start_ms: u64, end_ms: u64) -> SpokenTimestamp {
        let end_char = start_char + text.chars().count() as u32;
        SpokenTimestamp::Word(WordTimestamp { text: text.to_owned(), start_char, end_char, start_ms, end_ms })
    }

    #[test]
    fn characters_share_the_time_of_their_word_and_gaps_that_between() {
        let found = of("Ab c.", &[word("Ab", 0, 100, 300), word("c", 3, 400, 500)], 800);
        assert_eq!(found.characters, ["A", "b", " ", "c", "."]);
        assert_eq!(found.character_start_times_seconds, [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(found.character_end_times_seconds, [0.2, 0.3, 0.4, 0.5, 0.8]);
    }

    #[test]
    fn a_text_without_words_takes_the_whole_time() {
        let found = of("é!", &[], 1_000);
        assert_eq!(found.characters, ["é", "!"]);
        assert_eq!(found.character_start_times_seconds, [0.0, 0.5]);
        assert_eq!(found.character_end_times_seconds, [0.5, 1.0]);
        assert_eq!(of("", &[], 5), CharacterAlignment::default());
    }

    // Not seen to fail yet: without the clamps, times go back and the subtraction overflows.
    #[test]
    fn words_out_of_order_or_beyond_the_text_never_turn_time_back() {
        let found = of("ab cd", &[word("ab", 0, 500, 400), word("cdefgh", 3, 300, 9_000)], 1_000);
        assert_eq!(found.character_start_times_seconds.len(), 5);
        assert!(found.character_start_times_seconds.is_sorted());
        assert!(found.character_end_times_seconds.iter().all(|end| *end <= 1.0));
    }
}
