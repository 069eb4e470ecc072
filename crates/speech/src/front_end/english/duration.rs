//! Estimates the duration of English speech from its letters, after numbers, signs and emoji have
//! become words. The figures are those of the embedded voice at speed 1.

use super::text::spoken_roughly;

// Fitted to the embedded voice's durations for the texts of `bench/texts`, and for digits,
// addresses, emoji and signs.

/// A letter of a word.
const LETTER_MS: u64 = 51;

/// A word, in addition to its letters.
const WORD_MS: u64 = 50;

/// A letter that is read by its name.
const NAMED_LETTER_MS: u64 = 225;

/// A letter of a script in which a letter is a syllable or a word.
const SYLLABLE_MS: u64 = 200;

/// A comma or a similar mark.
const MARK_MS: u64 = 130;

/// Words of up to this many capitals count as initialisms; longer ones are read as words.
const INITIALS: u64 = 3;

/// Words without vowels are spelled out up to this length; longer ones are mumbled.
const UNSPEAKABLE: u64 = 12;
const MUMBLED_LETTER_MS: u64 = 116;

/// The duration of a text without markup, in milliseconds, including the pauses between its
/// sentences.
pub(super) fn duration_ms(text: &str) -> u64 {
    spoken_roughly(text).map(|(spoken, pause)| speech_ms(&spoken) + u64::from(pause.ms())).sum()
}

/// The names of digits. In a number that is spelled out, several follow each other and are spoken
/// separately.
const DIGITS: [&str; 11] =
    ["zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// A digit next to another digit, and each of its syllables.
const DIGIT_MS: u64 = 110;
const DIGIT_SYLLABLE_MS: u64 = 166;

/// The names of signs. In an address that is spelled out, several follow each other.
const SIGNS: [&str; 4] = ["dot", "slash", "dash", "colon"];

/// The additional time for the name of a sign next to the name of another sign or a digit.
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
