//! Reads the letters of a rotated page one by one. The library takes overlapping runs with the same
//! words for one run drawn twice, and measures rotated runs as if they were upright. In a rotated
//! table, whose rows are closer than its cells are long, it therefore drops cells that repeat those
//! of the row before.

use std::collections::{HashMap, HashSet};

use pdf_oxide::{
    PdfDocument,
    layout::{TextChar, TextSpan},
};

use super::{
    fragment::Fragment,
    rtl,
    span::{PageGeometry, expand_ligatures},
};

/// A letter drawn twice within this share of its size only looks bold.
const OVERPRINT_DISTANCE: f32 = 0.15;

/// The relative width of a letter that is in no run.
const DEFAULT_WIDTH: f32 = 0.5;

/// The letters of a page as fragments, if the runs lack some of them.
pub(super) fn letters(
    pdf: &PdfDocument,
    index: usize,
    spans: &[TextSpan],
    geometry: PageGeometry,
) -> Option<Vec<Fragment>> {
    let mut letters = pdf.extract_chars(index).ok()?;
    remove_overprints(&mut letters);
    let is_seen = |c: &char| !c.is_whitespace();
    let in_runs: usize = spans.iter().map(|span| span.text.chars().filter(is_seen).count()).sum();
    let drawn = letters.iter().filter(|letter| is_seen(&letter.char)).count();
    if drawn <= in_runs {
        return None;
    }
    let widths = widths(spans);
    Some(letters.iter().filter_map(|letter| fragment(letter, &widths, geometry)).collect())
}

/// The relative widths of letters, from runs: the library does not measure single rotated letters.
/// Each dropped letter also occurs in another run.
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

/// Removes letters drawn again at the same position.
fn remove_overprints(letters: &mut Vec<TextChar>) {
    let mut seen: HashSet<(char, i64, i64)> = HashSet::with_capacity(letters.len());
    letters.retain(|letter| {
        let step = (OVERPRINT_DISTANCE * letter.font_size.abs()).max(0.01);
        let (x, y) = ((letter.origin_x / step).round() as i64, (letter.origin_y / step).round() as i64);
        let near = |across: i64, up: i64| {
            seen.contains(&(letter.char, x.saturating_add(across), y.saturating_add(up)))
        };
        let is_repeat = (-1..=1).any(|across| (-1..=1).any(|up| near(across, up)));
        seen.insert((letter.char, x, y));
        !is_repeat
    });
}

/// Turns a letter upright; `None` if it is off the page.
fn fragment(letter: &TextChar, widths: &HashMap<char, f32>, geometry: PageGeometry) -> Option<Fragment> {
    let (x, y) = (letter.origin_x, letter.origin_y);
    let size = letter.font_size.abs().max(0.1);
    if ![x, y, size].iter().all(|at| at.is_finite()) {
        return None;
    }
    let page_limit = geometry.width.max(geometry.height) + 1.0;
    if !(-1.0..=page_limit).contains(&x) || !(-1.0..=page_limit).contains(&y) {
        return None;
    }
    let (left, base) = match (letter.rotation_degrees.round() as i32).rem_euclid(360) {
        90 => (y, geometry.width - x),
        180 => (geometry.width - x, geometry.height - y),
        270 => (geometry.height - y, x),
        _ => (x, y),
    };
    Some(Fragment {
        text: rtl::normalize(&expand_ligatures(letter.char.encode_utf8(&mut [0; 4]))),
        left,
        right: left + size * widths.get(&letter.char).unwrap_or(&DEFAULT_WIDTH),
        base,
        size,
        bold: letter.font_weight.is_bold(),
        note_number: false,
        marks: Vec::new(),
        pagination: false,
        cells: 1,
    })
}
