//! How long English lasts when it is spoken, by its letters once numbers, signs and emoji are words.
//! The figures are those of the embedded voice at speed 1.

use super::text::spoken_roughly;

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

/// How long a text without markup lasts, in milliseconds, the pauses between its sentences counted.
pub(super) fn duration_ms(text: &str) -> u64 {
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
