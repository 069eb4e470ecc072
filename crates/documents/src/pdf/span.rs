//! Turns a run of letters from the library into an upright fragment with spaces between its words.

use pdf_oxide::layout::TextSpan;
use unicode_normalization::UnicodeNormalization as _;

use super::{fragment::Fragment, rtl};
use crate::characters::is_unspaced;

/// In a run without spaces, a gap of more than this share of the size separates words.
const WORD_GAP: f32 = 0.15;

/// Marks where a word may be hyphenated.
const SOFT_HYPHEN: char = '\u{AD}';

/// The size of a page in points as stored, and its rotation in degrees.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageGeometry {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) rotation: i32,
}

/// The rotation of a run in degrees.
pub(super) fn span_rotation(span: &TextSpan) -> i32 {
    (span.rotation_degrees.round() as i32).rem_euclid(360)
}

/// Turns a run into a fragment. With `upright`, the page's rotated runs are its text.
pub(super) fn fragment(span: &TextSpan, geometry: PageGeometry, upright: bool) -> Fragment {
    let (left, base, width) = place(span, geometry, upright);
    Fragment {
        text: rtl::normalize(&expand_ligatures(&spaced(span))),
        left,
        right: left + width.max(0.0),
        base,
        size: span.font_size.abs().max(0.1),
        bold: span.font_weight.is_bold(),
        note_number: false,
        marks: Vec::new(),
        pagination: span.artifact_type.is_some(),
        cells: 1,
    }
}

/// The start and the length of a run.
fn place(span: &TextSpan, geometry: PageGeometry, upright: bool) -> (f32, f32, f32) {
    let run = &span.bbox;
    match (span_rotation(span), geometry.rotation) {
        // The library rotated the run's box with the page, so its length is now its height.
        (90, 90) => (run.x, run.y + run.height, run.height),
        (270, 270) => (run.x + run.width, run.y, run.height),
        (90, 0) if upright => (run.y, geometry.width - run.x, run.width),
        (270, 0) if upright => (geometry.height - run.y, run.x, run.width),
        (180, 0) if upright => (geometry.width - run.x, geometry.height - run.y, run.width),
        _ => (run.x, run.y, run.width),
    }
}

/// The text of a run, with spaces where words are separated only by their position.
fn spaced(span: &TextSpan) -> String {
    let (starts, widths) = (&span.char_x_offsets, &span.char_widths);
    let count = span.text.chars().count();
    if count < 3
        || starts.len() != count
        || widths.len() != count
        || span.text.contains(char::is_whitespace)
        || span_rotation(span) != 0
        || starts.windows(2).any(|pair| pair[1] < pair[0])
        || rtl::has_rtl(&span.text)
    {
        return span.text.clone();
    }
    let gaps: Vec<f32> = (1..count).map(|at| starts[at] - starts[at - 1] - widths[at - 1]).collect();
    let mut sorted = gaps.clone();
    sorted.sort_by(f32::total_cmp);
    // Spaced-out letters have wider gaps, and their words twice as wide ones.
    let typical = sorted[sorted.len() / 2].max(0.0);
    let min_gap = WORD_GAP * span.font_size.abs() + 2.0 * typical;
    let mut text = String::with_capacity(span.text.len() + 16);
    for (at, letter) in span.text.chars().enumerate() {
        // A soft hyphen inside a line is not shown but may take room.
        let is_cut = at > 0 && (letter == SOFT_HYPHEN || text.ends_with(SOFT_HYPHEN));
        // Chinese and Japanese have wide gaps around marks, and signs belong to the letter before them.
        let is_joined = is_dependent_sign(letter) || (is_unspaced(letter) && text.ends_with(is_unspaced));
        if at > 0 && gaps[at - 1] > min_gap && !is_cut && !is_joined {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

/// Whether a character is a vowel sign or another mark of Devanagari, which stands with a letter.
fn is_dependent_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{903}' | '\u{93A}'..='\u{93C}' | '\u{93E}'..='\u{94F}' | '\u{955}'..='\u{957}' | '\u{962}' | '\u{963}')
}

/// Expands ligatures, replaces radicals and vertical forms by the usual characters, and drops
/// private-use characters.
pub(super) fn expand_ligatures(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{FB00}' => plain.push_str("ff"),
            '\u{FB01}' => plain.push_str("fi"),
            '\u{FB02}' => plain.push_str("fl"),
            '\u{FB03}' => plain.push_str("ffi"),
            '\u{FB04}' => plain.push_str("ffl"),
            '\u{FB05}' | '\u{FB06}' => plain.push_str("st"),
            // Fonts name many a Chinese character by the radical that looks like it.
            '\u{2E80}'..='\u{2FD5}' | '\u{FE10}'..='\u{FE18}' | '\u{FE30}'..='\u{FE44}' => {
                plain.extend(character.nfkc());
            }
            '\u{E000}'..='\u{F8FF}' | '\u{FFFD}' => {}
            other => plain.push(other),
        }
    }
    plain
}
