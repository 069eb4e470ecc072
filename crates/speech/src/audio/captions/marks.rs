//! Marks at the ends of lines: which may not begin one, which may not end one, and where scripts
//! without spaces may be broken. The characters are those of the Japanese rules for line breaking (JIS
//! X 4051) and of Chinese practice (GB/T 15834).

use unicode_width::UnicodeWidthChar as _;

/// Whether a character is of a script that sets no spaces between words: East Asian ones, which are
/// wide, and those from Thai to Khmer.
pub(super) fn sets_no_spaces(c: char) -> bool {
    (c.is_alphanumeric() && c.width() == Some(2))
        || matches!(c, '\u{E01}'..='\u{EDF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

/// Whether a character is Chinese or Japanese, or one of their marks: a line end in the text between
/// two of them is no space. Korean sets spaces.
pub(super) fn is_unspaced(c: char) -> bool {
    c.width() == Some(2)
        && matches!(c, '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a mark opens what follows: no line ends with it.
pub(super) fn opens(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '«'
            | '‹'
            | '“'
            | '‘'
            | '„'
            | '‚'
            | '¿'
            | '¡'
            | '「'
            | '『'
            | '（'
            | '［'
            | '｛'
            | '【'
            | '〔'
            | '〈'
            | '《'
            | '〖'
            | '｢'
            | '〝'
    )
}

/// Whether no line begins with a character: closing marks, small kana, signs of length and repetition.
pub(super) fn may_not_begin(c: char) -> bool {
    "、。，．・：；？！）］｝〕〉》」』】〗｣〟’”»›ー々ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ～〜…‥‼⁇⁈⁉％%℃।॥.,:;!?)]}"
        .contains(c)
}

/// Whether a line may end between two words without a space between them, and the second begin one.
pub(super) fn may_break(before: &str, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else { return false };
    if may_not_begin(next) || opens(last) {
        return false;
    }
    let Some(first_letter) = after.chars().find(|c| c.is_alphanumeric()) else { return false };
    let last_letter = before.chars().rev().find(|c| c.is_alphanumeric());
    // A figure stays with the word that it counts: 3月, 2024年.
    if matches!(last, '0'..='9' | '０'..='９') && sets_no_spaces(first_letter) {
        return false;
    }
    sets_no_spaces(first_letter) || last_letter.is_some_and(sets_no_spaces)
}

/// Without control characters and line breaks, and with one space for any white space. Between
/// Chinese or Japanese characters, a line break is no space.
pub(super) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    // Whether white space came, and whether it was only line breaks.
    let (mut space, mut only_breaks) = (false, true);
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            only_breaks &= matches!(c, '\n' | '\r');
            continue;
        }
        if c.is_control() {
            continue;
        }
        let joined = only_breaks && is_unspaced(c) && cleaned.ends_with(is_unspaced);
        if space && !cleaned.is_empty() && !joined {
            cleaned.push(' ');
        }
        (space, only_breaks) = (false, true);
        cleaned.push(c);
    }
    cleaned
}

/// The end of what belongs to the text before a gap without spaces: opening marks at its end belong to
/// the text after it.
pub(super) fn opening_from(gap: &str) -> usize {
    gap.trim_end_matches(opens).len()
}
