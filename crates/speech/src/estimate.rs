//! How long a text will last when it is spoken, without speaking it and without a voice pack: what
//! the front end of its language says of the words, and the pauses and pronunciations of the markup.

use crate::{
    front_end,
    language::Language,
    markup::{self, Kind},
};

/// The longest audio that a request may ask for, by its estimate.
pub const LONGEST_MS: u64 = 30 * 60 * 1000;

/// A symbol of a given pronunciation, beyond the letters of its word.
const SYMBOL_MS: u64 = 70;

/// Characters of prose in a second of speech at speed 1.
pub const CHARACTERS_A_SECOND: f64 = 15.0;

/// As how many characters of prose a text counts for those who speak it: by how long it lasts, since
/// digits and addresses take several times longer than words. Its pauses cost nothing.
pub fn prose_characters(text: &str, language: Option<Language>) -> f64 {
    let spoken_ms = estimate_ms(text, language).saturating_sub(markup::pauses_ms(text));
    spoken_ms as f64 * CHARACTERS_A_SECOND / 1000.0
}

/// How long a text in this language lasts at speed 1, in milliseconds, its pauses counted. Where the
/// language is not known, or no front end reads it, the first of all front ends is asked.
pub fn estimate_ms(text: &str, language: Option<Language>) -> u64 {
    let stretch_ms = front_end::duration_of(language);
    let mut from = 0;
    let mut total = 0;
    for found in markup::find(text) {
        match found.kind {
            Kind::Pause { ms } => {
                total += stretch_ms(&text[from..found.range.start]) + u64::from(ms);
                from = found.range.end;
            }
            Kind::Speaker { .. } => {
                total += stretch_ms(&text[from..found.range.start]);
                from = found.range.end;
            }
            Kind::Pronunciation { word, ipa } => {
                let more = text[ipa].chars().count().saturating_sub(text[word].chars().count());
                total += more as u64 * SYMBOL_MS;
            }
        }
    }
    total + stretch_ms(&text[from..])
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    // Negative control: with pronunciations not counted, it was 3 s.
    #[test]
    fn a_long_pronunciation_of_a_short_word_lasts() {
        let text = format!("[a](/{}/) ", "ˈɑnəm".repeat(18)).repeat(16);
        let seconds = estimate_ms(&text, None) / 1000;
        assert!((80..140).contains(&seconds), "{seconds} s");
        // What says a word as it is written costs no more than the word.
        let plain = estimate_ms("Say data and go.", None);
        assert!(estimate_ms("Say [data](/dˈAtə/) and go.", None) <= plain + 2 * SYMBOL_MS);
    }

    /// Every request is estimated. `bench/estimate` has the figures; this test detects a cost that
    /// is not linear.
    #[test]
    fn no_text_takes_long_to_estimate() {
        for flood in [
            "The lamp was lit, and the keeper went down to the sea. ",
            "[",
            "<http",
            "x@",
            "1-",
            "7",
            "😂🚀",
            "👩\u{200D}",
            "[a](/ə/)'s ",
            "[pause 0s]",
            "a. ",
        ] {
            let text: String = flood.chars().cycle().take(5_000).collect();
            let begun = Instant::now();
            estimate_ms(&text, None);
            assert!(begun.elapsed() < Duration::from_millis(500), "{flood}: {:?}", begun.elapsed());
        }
    }
}
