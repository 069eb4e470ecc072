//! Estimates how long Chinese speech lasts, from the characters that are said.

use super::{normalize::is_han, split, spoken};

// In Kokoro a symbol lasts about 55 ms, and a character is four and a half symbols on average.
const SYLLABLE_MS: u64 = 235;
const LETTER_MS: u64 = 60;
const MARK_MS: u64 = 170;

/// The duration of a text without markup at speed 1, in milliseconds, including the pauses between
/// its sentences.
pub(super) fn duration_ms(text: &str) -> u64 {
    let of_text = |spoken: String| -> u64 {
        let ms = |c: char| match c {
            c if is_han(c) => SYLLABLE_MS,
            c if c.is_alphanumeric() => LETTER_MS,
            '，' | '、' | '；' | '：' | '…' | '—' => MARK_MS,
            _ => 0,
        };
        spoken.chars().map(ms).sum()
    };
    split(text, 0..text.len())
        .iter()
        .map(|span| spoken(text, span).map_or(0, |said| of_text(said) + u64::from(span.pause.ms())))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::duration_ms;

    // A reader's pace is 3.5 to 5 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let sentence = "村里的图书馆每天早上九点开门，晚上八点关门。";
        let pace = 20.0 * 1_000.0 / duration_ms(sentence) as f64;
        assert!((3.0..5.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1234567") > duration_ms("一"));
        assert_eq!(duration_ms(""), 0);
    }
}
