//! How long a text will last when it is spoken, without speaking it: by its letters once numbers,
//! signs and emoji are words, and by its pauses. No voice pack is needed; the figures are those of
//! the embedded voice at speed 1.

use crate::{
    front_end::english::text::spoken_roughly,
    markup::{self, Kind},
};

/// The longest audio that a request may ask for, by its estimate.
pub const LONGEST_MS: u64 = 30 * 60 * 1000;

// Fitted to what the embedded voice makes of the texts of `bench/texts`, and of digits, addresses,
// emoji and signs.

/// A letter of a word.
const LETTER_MS: u64 = 51;

/// A word, besides its letters.
const WORD_MS: u64 = 50;

/// A letter that is said by its name.
const NAMED_LETTER_MS: u64 = 225;

/// A letter of a script that writes syllables or whole words with one.
const SYLLABLE_MS: u64 = 200;

/// A comma and its like.
const MARK_MS: u64 = 130;

/// Words of this many capitals and fewer are taken for initials; longer ones are said as words.
const INITIALS: u64 = 3;

/// Words without vowels are said by the names of their letters up to this length; longer ones are
/// mumbled.
const UNSPEAKABLE: u64 = 12;
const MUMBLED_LETTER_MS: u64 = 116;

/// A symbol of a pronunciation that was given, beyond the letters of its word.
const SYMBOL_MS: u64 = 70;

/// How long a text lasts at speed 1, in milliseconds, its pauses counted.
pub fn estimate_ms(text: &str) -> u64 {
    let mut from = 0;
    let mut total = 0;
    for found in markup::find(text) {
        match found.kind {
            Kind::Pause { ms } => {
                total += stretch_ms(&text[from..found.range.start]) + u64::from(ms);
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

fn stretch_ms(text: &str) -> u64 {
    spoken_roughly(text).map(|(spoken, pause)| speech_ms(&spoken) + u64::from(pause.ms())).sum()
}

/// The names of digits, which stand in rows when figures are spelled out and are said apart then.
const DIGITS: [&str; 11] =
    ["zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// A digit next to another, and each of its syllables.
const DIGIT_MS: u64 = 110;
const DIGIT_SYLLABLE_MS: u64 = 166;

/// The names of signs, which stand in rows when addresses are spelled out.
const SIGNS: [&str; 4] = ["dot", "slash", "dash", "colon"];

/// More for the name of a sign next to another name of a sign or a digit.
const SIGN_MS: u64 = 170;

fn speech_ms(spoken: &str) -> u64 {
    let mut in_row = false;
    let mut total = 0;
    for word in spoken.split([' ', '-']) {
        let plain = word.trim_end_matches([',', '.']);
        let (digit, sign) = (DIGITS.contains(&plain), SIGNS.contains(&plain));
        total += match (digit, sign) {
            (true, _) if in_row => {
                let syllables = if matches!(plain, "zero" | "seven") { 2 } else { 1 };
                DIGIT_MS + syllables * DIGIT_SYLLABLE_MS + word_ms(&word[plain.len()..])
            }
            (_, true) if in_row => word_ms(word) + SIGN_MS,
            _ => word_ms(word),
        };
        in_row = digit || sign;
    }
    total
}

fn word_ms(word: &str) -> u64 {
    let (mut letters, mut syllables, mut named, mut marks) = (0, 0, 0, 0);
    for c in word.chars() {
        if c.is_ascii_digit()
            || matches!(c, '\u{3040}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{20000}'..='\u{3FFFF}')
        {
            syllables += 1;
        } else if c.is_alphabetic() {
            letters += 1;
            named += u64::from(c.is_uppercase());
        } else if matches!(c, ',' | ';' | ':' | '—' | '–' | '(' | ')') {
            marks += 1;
        }
    }
    let is_article = matches!(word, "a" | "A" | "I");
    let vowels = word.contains(|c: char| !c.is_ascii() || "aeiouyAEIOUY".contains(c));
    let initials = (named == letters && letters <= INITIALS || !vowels) && !is_article;
    let said = match letters {
        0 => 0,
        _ if !vowels && letters > UNSPEAKABLE => letters * MUMBLED_LETTER_MS,
        _ if initials => letters * NAMED_LETTER_MS,
        _ => WORD_MS + letters * LETTER_MS,
    };
    said + syllables * SYLLABLE_MS + marks * MARK_MS
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    // Negative control: with pronunciations not counted, it was 3 s.
    #[test]
    fn a_long_pronunciation_of_a_short_word_lasts() {
        let text = format!("[a](/{}/) ", "ˈɑnəm".repeat(18)).repeat(16);
        let seconds = estimate_ms(&text) / 1000;
        assert!((80..140).contains(&seconds), "{seconds} s");
        // What says a word as it is written costs no more than the word.
        let plain = estimate_ms("Say data and go.");
        assert!(estimate_ms("Say [data](/dˈAtə/) and go.") <= plain + 2 * SYMBOL_MS);
    }

    /// Every request is estimated. `bench/estimate` has the figures; this sees what is not linear.
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
            estimate_ms(&text);
            assert!(begun.elapsed() < Duration::from_millis(500), "{flood}: {:?}", begun.elapsed());
        }
    }
}
