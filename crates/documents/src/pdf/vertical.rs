//! Turns pages of vertical text: columns from right to left become lines from top to bottom, and the
//! rest of the reader sees a page like any other.

use pdf_oxide::{
    PdfDocument,
    layout::{TextChar, TextSpan},
};

use super::{
    fragment::Fragment,
    span::{PageGeometry, expand_ligatures},
};
use crate::characters::is_unspaced;

/// Horizontal text this close to the upper or lower edge, relative to the page's height, is a running
/// head or the page's number.
const MARGIN_RATIO: f32 = 0.12;

/// A page without a vertical font is vertical if most of its characters stand alone, at least this many
/// have one close above them, and hardly any have one close beside them.
const MIN_STACKED: usize = 20;

/// The letters of a vertical page as fragments; `None` if the page is not vertical.
pub(super) fn letters(
    pdf: &PdfDocument,
    index: usize,
    spans: &[TextSpan],
    geometry: PageGeometry,
) -> Option<Vec<Fragment>> {
    if !is_vertical(spans) {
        return None;
    }
    let letters = pdf.extract_chars(index).ok()?;
    let heads: Vec<&TextSpan> = spans.iter().filter(|span| is_head(span, geometry)).collect();
    let of_page = letters.iter().filter(|letter| !heads.iter().any(|head| holds(head, letter)));
    Some(of_page.filter_map(|letter| fragment(letter, geometry)).collect())
}

/// Whether most of the text is set in a vertical font, or letter by letter down the page.
fn is_vertical(spans: &[TextSpan]) -> bool {
    let (mut all, mut vertical) = (0, 0);
    for span in spans {
        all += span.text.len();
        vertical += if span.wmode == 1 { span.text.len() } else { 0 };
    }
    if vertical > 0 {
        return vertical * 2 > all;
    }
    let is_alone = |span: &&TextSpan| {
        let mut characters = span.text.trim().chars();
        characters.next().is_some_and(is_unspaced) && characters.next().is_none()
    };
    let alone: Vec<&TextSpan> = spans.iter().filter(is_alone).collect();
    if alone.len() * 2 <= spans.len() {
        return false;
    }
    let stacked = neighbors(&alone, |span| (span.bbox.x, span.bbox.y));
    let beside = neighbors(&alone, |span| (span.bbox.y, span.bbox.x));
    stacked >= MIN_STACKED && stacked > 3 * beside
}

/// How many characters have another one close to them along a line. `place` is the distance of a
/// character's line from the edge, and its place on the line.
fn neighbors(characters: &[&TextSpan], place: impl Fn(&TextSpan) -> (f32, f32)) -> usize {
    let mut places: Vec<(i64, f32, f32)> = characters
        .iter()
        .map(|span| {
            let size = span.font_size.abs().max(0.1);
            let (line, at) = place(span);
            ((line / (0.3 * size)).round() as i64, at, size)
        })
        .collect();
    places.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let is_close = |pair: &&[(i64, f32, f32)]| {
        pair[0].0 == pair[1].0 && (0.5..1.4).contains(&((pair[1].1 - pair[0].1) / pair[0].2))
    };
    places.windows(2).filter(is_close).count()
}

fn is_head(span: &TextSpan, geometry: PageGeometry) -> bool {
    let middle = span.bbox.y + span.bbox.height / 2.0;
    let margin = MARGIN_RATIO * geometry.height;
    span.wmode == 0 && span.text.chars().count() > 1 && (middle < margin || middle > geometry.height - margin)
        || span.wmode == 0 && middle < margin && span.text.trim().chars().all(|c| c.is_ascii_digit())
}

fn holds(span: &TextSpan, letter: &TextChar) -> bool {
    let size = span.font_size.abs();
    let across = (span.bbox.x - 0.5 * size)..(span.bbox.x + span.bbox.width + 0.5 * size);
    let up = (span.bbox.y - 0.5 * size)..(span.bbox.y + span.bbox.height + 0.5 * size);
    across.contains(&letter.origin_x) && up.contains(&letter.origin_y)
}

/// A letter on the turned page; `None` if it is off the page.
fn fragment(letter: &TextChar, geometry: PageGeometry) -> Option<Fragment> {
    let (x, y) = (letter.origin_x, letter.origin_y);
    let size = letter.font_size.abs().max(0.1);
    if ![x, y, size].iter().all(|at| at.is_finite()) {
        return None;
    }
    let page_limit = geometry.width.max(geometry.height) + 1.0;
    if !(-1.0..=page_limit).contains(&x) || !(-1.0..=page_limit).contains(&y) {
        return None;
    }
    let left = geometry.height - y;
    Some(Fragment {
        text: expand_ligatures(letter.char.encode_utf8(&mut [0; 4])),
        left,
        right: left + size,
        base: x,
        size,
        bold: letter.font_weight.is_bold(),
        note_number: false,
        marks: Vec::new(),
        pagination: false,
        cells: 1,
    })
}
