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
    between(text, knots(words), 0, duration_ms)
}

/// A text that is told piece by piece, as it is spoken.
#[derive(Debug, Default)]
pub struct Progress {
    /// What was not spoken yet.
    text: String,
    /// Where it begins, in characters of the whole text.
    start_char: usize,
    /// When the last character ended.
    ends_ms: u64,
}

impl Progress {
    /// Adds to the end of the text.
    pub fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The characters up to the end of these words, which are the next ones; `None` without words.
    pub fn up_to(&mut self, words: &[SpokenTimestamp]) -> Option<CharacterAlignment> {
        let start_char = self.start_char;
        let here: Vec<Knot> =
            knots(words).map(|knot| Knot { at: knot.at.saturating_sub(start_char), ..knot }).collect();
        let last = *here.last()?;
        let end = self.text.char_indices().nth(last.at).map_or(self.text.len(), |(at, _)| at);
        let text: String = self.text.drain(..end).collect();
        self.start_char += last.at;
        let (from_ms, until_ms) = (self.ends_ms, last.ms.max(self.ends_ms));
        self.ends_ms = until_ms;
        Some(between(&text, here.into_iter(), from_ms, until_ms))
    }

    /// The characters after the last word, in audio that ends here; `None` when there are none.
    pub fn rest(&mut self, until_ms: u64) -> Option<CharacterAlignment> {
        let text = std::mem::take(&mut self.text);
        let until_ms = until_ms.max(self.ends_ms);
        (!text.is_empty()).then(|| between(&text, std::iter::empty(), self.ends_ms, until_ms))
    }
}

/// The alignment of a text that is spoken between these times.
fn between(text: &str, knots: impl Iterator<Item = Knot>, from_ms: u64, until_ms: u64) -> CharacterAlignment {
    let characters: Vec<String> = text.chars().map(String::from).collect();
    let mut starts = Vec::with_capacity(characters.len());
    let mut ends = Vec::with_capacity(characters.len());
    let mut from = Knot { at: 0, ms: from_ms };
    for knot in knots.chain([Knot { at: characters.len(), ms: until_ms }]) {
        // Times and places never go back, and neither ends after the whole does.
        let to = Knot {
            at: knot.at.clamp(from.at, characters.len()),
            ms: knot.ms.clamp(from.ms, until_ms.max(from.ms)),
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
pub(super) mod tests {
    use lectern_types::WordTimestamp;

    use super::*;

    pub(in crate::elevenlabs) fn word(
        text: &str,
        start_char: u32,
        start_ms: u64,
        end_ms: u64,
    ) -> SpokenTimestamp {
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

    #[test]
    fn pieces_together_are_the_whole() {
        let words = [word("Ab.", 0, 100, 300), word("cd", 4, 500, 700)];
        let mut progress = Progress::default();
        progress.add("Ab. c");
        progress.add("d\n");
        let first = progress.up_to(&words[..1]).unwrap();
        assert_eq!(progress.up_to(&[]), None);
        let second = progress.up_to(&words[1..]).unwrap();
        let last = progress.rest(900).unwrap();
        assert_eq!(progress.rest(900), None);
        let whole = of("Ab. cd\n", &words, 900);
        let parts = [first, second, last];
        let joined =
            |list: fn(&CharacterAlignment) -> Vec<f64>| parts.iter().flat_map(list).collect::<Vec<_>>();
        assert_eq!(
            joined(|part| part.character_start_times_seconds.clone()),
            whole.character_start_times_seconds
        );
        assert_eq!(
            joined(|part| part.character_end_times_seconds.clone()),
            whole.character_end_times_seconds
        );
        assert_eq!(parts.iter().flat_map(|part| part.characters.clone()).collect::<String>(), "Ab. cd\n");
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
