//! How Japanese is cut into sentences.

use crate::front_end::{
    japanese::{kana, written},
    rules::Rules,
};

/// The rules of Japanese.
pub(super) struct Japanese;

/// What follows a closing quote when the sentence goes on: 「行くぞ！」と言った。
const GOES_ON: [&str; 9] = ["と", "って", "など", "の", "を", "が", "に", "という", "だけ"];

/// The letters that end most phrases.
const PARTICLES: &str = "はがをにでともへてばのや";

/// What a paragraph, somebody's words or an item of a list begins with.
const OPENING: [char; 16] =
    ['「', '『', '（', '\u{3000}', '―', '—', '─', '・', '●', '■', '◆', '◇', '○', '※', '★', '☆'];

impl Rules for Japanese {
    fn chapter_words(&self) -> &[&str] {
        &["第", "プロローグ", "エピローグ", "序章", "終章"]
    }

    fn opens_paragraph(&self, line: &str) -> bool {
        line.starts_with(OPENING)
    }

    fn ends_after(&self, head: &str, word: &str, _next: &str) -> bool {
        // The number of an item.
        if head.trim().is_empty() && word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        !matches!(word, "No" | "no" | "Vol" | "vol" | "Mr" | "Mrs" | "Ms" | "Dr" | "St") && letters != 1
    }

    fn goes_on_after_quote(&self, rest: &str) -> bool {
        GOES_ON.iter().any(|word| rest.starts_with(word))
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        let first = text.chars().next().filter(|&c| c > '\u{2000}' && !c.is_alphanumeric())?;
        let run = text.len() - text.trim_start_matches(first).len();
        (run > first.len_utf8()).then_some(run)
    }

    /// Where kana end and kanji or katakana begin, a word begins, too: best after a particle.
    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        let head = text.get(..most)?;
        let (mut best, mut good) = (None, None);
        let mut previous = ' ';
        for (at, c) in head.char_indices() {
            let begins = written::is_kanji(c) || (kana::is_katakana(c) && c != 'ー');
            if begins && kana::is_hiragana(previous) {
                good = Some(at);
                if PARTICLES.contains(previous) {
                    best = Some(at);
                }
            }
            previous = c;
        }
        best.filter(|&best| best > most / 2).or(good)
    }
}
