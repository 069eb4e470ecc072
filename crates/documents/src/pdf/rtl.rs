//! Handles text from right to left. The library gives the letters of a run in reading order and
//! runs in page order. Letters may be presentation forms, one for each position in a word.

use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::UnicodeNormalization;

/// The direction of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    RightToLeft,
    LeftToRight,
    /// Spaces and signs, which follow their surroundings.
    Neutral,
}

/// The numbers of letters from right to left and from left to right.
pub(super) fn letters(text: &str) -> (usize, usize) {
    let count = |is: fn(BidiClass) -> bool| text.chars().filter(|&c| is(bidi_class(c))).count();
    (
        count(|class| matches!(class, BidiClass::R | BidiClass::AL)),
        count(|class| matches!(class, BidiClass::L | BidiClass::EN | BidiClass::AN)),
    )
}

/// Whether any letter is written from right to left.
pub(super) fn has_rtl(text: &str) -> bool {
    letters(text).0 > 0
}

/// Whether the direction changes between two adjacent texts.
pub(super) fn changes_direction(before: &str, after: &str) -> bool {
    let last = before.chars().next_back().map_or((0, 0), |c| letters(c.encode_utf8(&mut [0; 4])));
    let first = after.chars().next().map_or((0, 0), |c| letters(c.encode_utf8(&mut [0; 4])));
    last.0 > 0 && first.1 > 0 || last.1 > 0 && first.0 > 0
}

pub(super) fn direction(text: &str) -> Direction {
    match letters(text) {
        (0, 0) => Direction::Neutral,
        (to_left, to_right) if to_left > to_right => Direction::RightToLeft,
        _ => Direction::LeftToRight,
    }
}

/// A line is from left to right if less than one letter in this many is from right to left. Such
/// letters are signs that the font names wrongly, and the library does not reverse the line's
/// words.
const MIN_RTL_RATIO: usize = 4;

/// Replaces presentation forms and restores Latin words: the library reverses a whole run if some
/// of its letters are written from right to left.
pub(super) fn normalize(text: &str) -> String {
    let (to_left, to_right) = letters(text);
    if to_left * MIN_RTL_RATIO < to_right || to_left == 0 {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut latin: Vec<char> = Vec::new();
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            latin.push(c);
            continue;
        }
        end_word(&mut latin, &mut plain);
        match c {
            // The compatibility forms of isolated marks include a space, which is dropped.
            '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
                plain.extend(c.nfkc().filter(|c| !c.is_whitespace()));
            }
            _ => plain.push(c),
        }
    }
    end_word(&mut latin, &mut plain);
    plain
}

fn end_word(latin: &mut Vec<char>, plain: &mut String) {
    // A capital letter shows the start of a word.
    if !latin.first().is_some_and(|c| c.is_uppercase()) || latin.last().is_some_and(|c| c.is_uppercase()) {
        latin.reverse();
    }
    plain.extend(latin.drain(..));
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn letters_of_typesetters_become_those_that_everybody_knows() {
        assert_eq!(normalize("اﻟﻌﺮﺑﻴﺔ"), "العربية");
        assert_eq!(normalize("ﷲ"), "الله");
        assert_eq!(normalize("ibibah يبيبَح"), "habibi يبيبَح");
        assert_eq!(normalize("ﬁn"), "ﬁn");
        // The font names a ligature as a letter of Thaana. Seen to fail: "titep-tial iralcގ te
        // rocludé".
        assert_eq!(normalize("petit-lait clariގ et dulcoré"), "petit-lait clariގ et dulcoré");
    }
}
