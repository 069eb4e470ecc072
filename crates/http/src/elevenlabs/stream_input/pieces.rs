//! When each character of a piece of audio is spoken, counted from the beginning of the piece.

use lectern_types::{SpokenTimestamp, elevenlabs::CharacterAlignment};
use serde::Serialize;

use super::super::alignment::Progress;

/// The characters of a piece of audio.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PieceAlignment {
    chars: Vec<String>,
    /// In milliseconds.
    char_start_times_ms: Vec<u64>,
    char_durations_ms: Vec<u64>,
}

/// The text that was sent, and what of it was spoken.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    progress: Progress,
    /// The words of the audio that comes next.
    words: Vec<SpokenTimestamp>,
    /// How much audio there was, in milliseconds.
    reached_ms: u64,
}

impl Pieces {
    /// Notes a text that was sent.
    pub(super) fn sent(&mut self, text: &str) {
        self.progress.add(text);
    }

    /// Notes the words of the audio that comes next.
    pub(super) fn words(&mut self, words: &[SpokenTimestamp]) {
        self.words.extend_from_slice(words);
    }

    /// The characters after the last word; `None` when there are none.
    pub(super) fn rest(&mut self) -> Option<PieceAlignment> {
        self.progress.rest(self.reached_ms).map(|alignment| from(alignment, self.reached_ms))
    }

    /// The characters of audio that ends here in the stream; `None` when it goes on with those told before.
    pub(super) fn audio(&mut self, until_ms: u64) -> Option<PieceAlignment> {
        let from_ms = std::mem::replace(&mut self.reached_ms, until_ms);
        let alignment = self.progress.up_to(&std::mem::take(&mut self.words))?;
        Some(from(alignment, from_ms))
    }
}

/// An alignment whose times count from here.
fn from(alignment: CharacterAlignment, from_ms: u64) -> PieceAlignment {
    let ms = |seconds: f64| ((seconds * 1000.0).round() as u64).saturating_sub(from_ms);
    let starts: Vec<u64> = alignment.character_start_times_seconds.into_iter().map(ms).collect();
    let ends = alignment.character_end_times_seconds.into_iter().map(ms);
    let char_durations_ms = starts.iter().zip(ends).map(|(start, end)| end.saturating_sub(*start)).collect();
    PieceAlignment { chars: alignment.characters, char_start_times_ms: starts, char_durations_ms }
}

#[cfg(test)]
mod tests {
    use super::{super::super::alignment::tests::word, *};

    #[test]
    fn each_character_stands_in_one_piece_with_its_times_there() {
        let mut pieces = Pieces::default();
        pieces.sent("Ab. Cé");
        pieces.sent(" d.");
        pieces.words(&[word("Ab.", 0, 0, 300)]);
        let first = pieces.audio(400).unwrap();
        assert_eq!(first.chars.concat(), "Ab.");
        assert_eq!(first.char_start_times_ms, [0, 100, 200]);
        assert_eq!(first.char_durations_ms, [100, 100, 100]);
        // The rest of the sentence's audio has no words of its own.
        assert_eq!(pieces.audio(500), None);
        pieces.words(&[word("Cé", 4, 600, 700), word("d.", 7, 800, 900)]);
        let second = pieces.audio(1_000).unwrap();
        assert_eq!(second.chars.concat(), " Cé d.");
        assert_eq!(second.char_start_times_ms, [0, 100, 150, 200, 300, 350]);
        assert_eq!(second.char_durations_ms.iter().sum::<u64>(), 400);
        assert_eq!(pieces.rest(), None);
        pieces.sent("!");
        assert_eq!(pieces.rest().unwrap().chars, ["!"]);
    }

    #[test]
    fn words_beyond_the_text_do_no_harm() {
        let mut pieces = Pieces::default();
        pieces.sent("a");
        pieces.words(&[word("abc", 0, 0, 300)]);
        assert_eq!(pieces.audio(300).unwrap().chars, ["a"]);
        pieces.words(&[word("x", 1, 300, 400)]);
        assert_eq!(pieces.audio(400).unwrap().chars.len(), 0);
    }
}
