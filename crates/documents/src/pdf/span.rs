//! What the library says of a run of letters, as a fragment of a line: turned upright, with the spaces between its
//! words.

use pdf_oxide::layout::TextSpan;

use super::{page::Fragment, rtl};

/// Letters of a run without spaces that stand further apart than this part of their size begin a word.
const WORD_GAP: f32 = 0.15;

/// Marks where a word may be cut.
const SOFT_HYPHEN: char = '\u{AD}';

/// How a page is shown: its size in points as it lies in the file, and how far it is turned, in degrees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) turned: i32,
}

/// How far a run's letters are turned, in degrees.
pub(super) fn turn(span: &TextSpan) -> i32 {
    (span.rotation_degrees.round() as i32).rem_euclid(360)
}

/// A run as a fragment. `upright` says that the page's turned runs are its text, which is to be read.
pub(super) fn fragment(span: &TextSpan, sheet: Sheet, upright: bool) -> Fragment {
    let (left, base, width) = place(span, sheet, upright);
    Fragment {
        text: rtl::plain(&plain(&spaced(span))),
        left,
        right: left + width.max(0.0),
        base,
        size: span.font_size.abs().max(0.1),
        bold: span.font_weight.is_bold(),
        marked: false,
        pagination: span.artifact_type.is_some(),
        cells: 1,
    }
}

/// Where a run begins, and its length.
fn place(span: &TextSpan, sheet: Sheet, upright: bool) -> (f32, f32, f32) {
    let run = &span.bbox;
    match (turn(span), sheet.turned) {
        // The library turned the run's box with the page; what was its length is its height.
        (90, 90) => (run.x, run.y + run.height, run.height),
        (270, 270) => (run.x + run.width, run.y, run.height),
        (90, 0) if upright => (run.y, sheet.width - run.x, run.width),
        (270, 0) if upright => (sheet.height - run.y, run.x, run.width),
        (180, 0) if upright => (sheet.width - run.x, sheet.height - run.y, run.width),
        _ => (run.x, run.y, run.width),
    }
}

/// A run's text. Where words are parted by moving on instead of by a space, the library may not see it.
fn spaced(span: &TextSpan) -> String {
    let (starts, widths) = (&span.char_x_offsets, &span.char_widths);
    let count = span.text.chars().count();
    if count < 3
        || starts.len() != count
        || widths.len() != count
        || span.text.contains(char::is_whitespace)
        || turn(span) != 0
        || starts.windows(2).any(|pair| pair[1] < pair[0])
        || rtl::has_any(&span.text)
    {
        return span.text.clone();
    }
    let gaps: Vec<f32> = (1..count).map(|at| starts[at] - starts[at - 1] - widths[at - 1]).collect();
    let mut sorted = gaps.clone();
    sorted.sort_by(f32::total_cmp);
    // Letters may be set apart; words then are twice as far.
    let usual = sorted[sorted.len() / 2].max(0.0);
    let least = WORD_GAP * span.font_size.abs() + 2.0 * usual;
    let mut text = String::with_capacity(span.text.len() + 16);
    for (at, letter) in span.text.chars().enumerate() {
        // A soft hyphen is not shown within a line, though room may be left for it.
        let is_cut = at > 0 && (letter == SOFT_HYPHEN || text.ends_with(SOFT_HYPHEN));
        if at > 0 && gaps[at - 1] > least && !is_cut {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

/// Without ligatures, and without the signs of fonts whose meaning is nobody's.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{FB00}' => plain.push_str("ff"),
            '\u{FB01}' => plain.push_str("fi"),
            '\u{FB02}' => plain.push_str("fl"),
            '\u{FB03}' => plain.push_str("ffi"),
            '\u{FB04}' => plain.push_str("ffl"),
            '\u{FB05}' | '\u{FB06}' => plain.push_str("st"),
            '\u{E000}'..='\u{F8FF}' | '\u{FFFD}' => {}
            other => plain.push(other),
        }
    }
    plain
}
