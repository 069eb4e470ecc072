//! The letters of a page on its side, one by one. The library takes runs of the same words that overlap for one that is
//! drawn twice, and measures those that are turned as if they lay flat: of the rows of a table on its side, which are
//! closer to each other than their cells are long, it drops what is in the row before as well.

use std::collections::{HashMap, HashSet};

use pdf_oxide::{
    PdfDocument,
    layout::{TextChar, TextSpan},
};

use super::{
    page::Fragment,
    rtl,
    span::{Sheet, plain},
};

/// The same letter drawn again this close, in sizes of it, is drawn to look bold.
const AGAIN: f32 = 0.15;

/// How wide a letter is that is in no run, in sizes of it.
const USUAL_WIDTH: f32 = 0.5;

/// The letters of a page as fragments, when its runs lack some of them.
pub(super) fn letters(
    pdf: &PdfDocument,
    index: usize,
    spans: &[TextSpan],
    sheet: Sheet,
) -> Option<Vec<Fragment>> {
    let mut letters = pdf.extract_chars(index).ok()?;
    once(&mut letters);
    let is_seen = |c: &char| !c.is_whitespace();
    let in_runs: usize = spans.iter().map(|span| span.text.chars().filter(is_seen).count()).sum();
    let drawn = letters.iter().filter(|letter| is_seen(&letter.char)).count();
    if drawn <= in_runs {
        return None;
    }
    let widths = widths(spans);
    Some(letters.iter().filter_map(|letter| fragment(letter, &widths, sheet)).collect())
}

/// How wide letters are, in sizes: the library measures single ones across the page, and finds nothing when they are
/// turned. What it drops is drawn elsewhere as well, so that each of its letters is in a run.
fn widths(spans: &[TextSpan]) -> HashMap<char, f32> {
    let mut widths = HashMap::new();
    for span in spans.iter().filter(|span| span.text.chars().count() == span.char_widths.len()) {
        for (c, width) in span.text.chars().zip(&span.char_widths) {
            let width = width / span.font_size.abs().max(0.1);
            if width.is_finite() && width > 0.0 {
                widths.entry(c).or_insert(width);
            }
        }
    }
    widths
}

/// Leaves each letter once that is drawn twice at the same place.
fn once(letters: &mut Vec<TextChar>) {
    let mut seen: HashSet<(char, i64, i64)> = HashSet::with_capacity(letters.len());
    letters.retain(|letter| {
        let step = (AGAIN * letter.font_size.abs()).max(0.01);
        let (x, y) = ((letter.origin_x / step).round() as i64, (letter.origin_y / step).round() as i64);
        let near = |across: i64, up: i64| {
            seen.contains(&(letter.char, x.saturating_add(across), y.saturating_add(up)))
        };
        let again = (-1..=1).any(|across| (-1..=1).any(|up| near(across, up)));
        seen.insert((letter.char, x, y));
        !again
    });
}

/// A letter upright, unless it stands beside the page.
fn fragment(letter: &TextChar, widths: &HashMap<char, f32>, sheet: Sheet) -> Option<Fragment> {
    let (x, y) = (letter.origin_x, letter.origin_y);
    let size = letter.font_size.abs().max(0.1);
    if ![x, y, size].iter().all(|at| at.is_finite()) {
        return None;
    }
    let most = sheet.width.max(sheet.height) + 1.0;
    if !(-1.0..=most).contains(&x) || !(-1.0..=most).contains(&y) {
        return None;
    }
    let (left, base) = match (letter.rotation_degrees.round() as i32).rem_euclid(360) {
        90 => (y, sheet.width - x),
        180 => (sheet.width - x, sheet.height - y),
        270 => (sheet.height - y, x),
        _ => (x, y),
    };
    Some(Fragment {
        text: rtl::plain(&plain(letter.char.encode_utf8(&mut [0; 4]))),
        left,
        right: left + size * widths.get(&letter.char).unwrap_or(&USUAL_WIDTH),
        base,
        size,
        bold: letter.font_weight.is_bold(),
        marked: false,
        pagination: false,
        cells: 1,
    })
}
