//! Collects the fragments of a page.

use std::collections::HashMap;

use pdf_oxide::{PdfDocument, extractors::text::ArtifactType, layout::TextSpan};

use super::{
    fonts::FontUsage,
    fragment::{Fragment, is_like_note_mark, is_note_mark, rows},
    initials, line_order, nesting,
    pictures::{self, Pictures},
    rotated,
    span::{PageGeometry, fragment, span_rotation},
    vertical,
};

/// A page with fewer characters has no real text: a stamp, or the page number of a scan.
pub(super) const MIN_PAGE_CHARACTERS: usize = 12;

/// Only this much of a font's name is compared.
const FONT_NAME_BYTES: usize = 200;

#[derive(Debug)]
pub(super) struct Page {
    /// Counted from 0.
    pub(super) index: usize,
    pub(super) height: f32,
    pub(super) fragments: Vec<Fragment>,
    /// Filled only for pages with hardly any text.
    pub(super) pictures: Pictures,
    /// The use of each font.
    pub(super) fonts: HashMap<String, FontUsage>,
}

impl Page {
    pub(super) fn empty(index: usize) -> Self {
        Self {
            index,
            height: 0.0,
            fragments: Vec::new(),
            pictures: Pictures::default(),
            fonts: HashMap::new(),
        }
    }

    /// The length of its text in bytes.
    pub(super) fn characters(&self) -> usize {
        self.fragments.iter().filter(|part| !part.pagination).map(|part| part.text.len()).sum()
    }
}

/// The page at an index, given its operators; `None` if it cannot be read.
pub(super) fn gather(pdf: &PdfDocument, index: usize, contents: &[u8]) -> Option<Page> {
    let (left, bottom, right, top) = pdf.get_page_visible_box(index).ok()?;
    if nesting::nests_too_deeply(contents) {
        return None;
    }
    let spans = pdf.extract_spans(index).ok()?;
    let rotation = pdf.get_page_rotation(index).unwrap_or(0).rem_euclid(360);
    let geometry = PageGeometry { width: (right - left).abs(), height: (top - bottom).abs(), rotation };
    let letters = |is_upright: bool| -> usize {
        spans.iter().filter(|span| (span_rotation(span) == 0) == is_upright).map(|span| span.text.len()).sum()
    };
    // On an upright page, rotated text is in the margin or a stamp across the page.
    let is_rotated = letters(true) < letters(false);
    let is_page_text = |span: &&TextSpan| {
        !span.text.trim().is_empty()
            && matches!(span.artifact_type, None | Some(ArtifactType::Pagination(_)))
            && span.font_size.is_finite()
            && [span.bbox.x, span.bbox.y, span.bbox.width, span.bbox.height].iter().all(|at| at.is_finite())
            && is_on_page(span, geometry)
            && (is_rotated || span_rotation(span) == 0)
    };
    let pieces = spans.iter().filter(is_page_text).map(|span| fragment(span, geometry, is_rotated));
    let letters = if is_rotated { rotated::letters(pdf, index, &spans, geometry) } else { None };
    let vertical = if is_rotated { None } else { vertical::letters(pdf, index, &spans, geometry) };
    let is_turned = vertical.is_some() || (is_rotated && rotation != 180);
    let mut fragments = join(vertical.or(letters).unwrap_or_else(|| pieces.collect()));
    initials::attach(&mut fragments);
    let height = if is_turned { geometry.width } else { geometry.height };
    let mut fonts: HashMap<String, FontUsage> = HashMap::new();
    for span in &spans {
        let name = &span.font_name[..span.font_name.floor_char_boundary(FONT_NAME_BYTES)];
        match fonts.get_mut(name) {
            Some(usage) => usage.add(span),
            None => fonts.entry(name.to_owned()).or_default().add(span),
        }
    }
    let mut page = Page { index, height, fragments, pictures: Pictures::default(), fonts };
    if page.characters() < MIN_PAGE_CHARACTERS {
        page.pictures =
            pictures::of(pdf, &pdf.get_page(index).ok()?, contents, geometry.width * geometry.height);
    }
    Some(page)
}

/// Whether a run is on its page. A rotated page is measured in either orientation.
fn is_on_page(span: &TextSpan, geometry: PageGeometry) -> bool {
    let middle = (span.bbox.x + span.bbox.width / 2.0, span.bbox.y + span.bbox.height / 2.0);
    let page_limit = geometry.width.max(geometry.height) + 1.0;
    (-1.0..=page_limit).contains(&middle.0) && (-1.0..=page_limit).contains(&middle.1)
}

/// Joins pieces of a line that have no gap as wide as a gutter.
fn join(mut pieces: Vec<Fragment>) -> Vec<Fragment> {
    pieces.sort_by(|a, b| b.base.total_cmp(&a.base).then(a.left.total_cmp(&b.left)));
    let mut fragments: Vec<Fragment> = Vec::with_capacity(pieces.len());
    for row in rows(pieces) {
        let mut open: Vec<Fragment> = Vec::new();
        // The span of the pieces that are open so far.
        let mut end: Option<Fragment> = None;
        for piece in row {
            match &mut end {
                Some(end) if is_next(end, &piece) => end.append(&piece),
                _ => {
                    fragments.extend(joined(std::mem::take(&mut open)));
                    end = Some(piece.clone());
                }
            }
            open.push(piece);
        }
        fragments.extend(joined(open));
    }
    fragments.retain(|fragment| !fragment.text.trim().is_empty());
    fragments
}

/// Joins adjacent pieces in reading order.
fn joined(pieces: Vec<Fragment>) -> Option<Fragment> {
    line_order::order(pieces).into_iter().reduce(|mut open, piece| {
        open.append(&piece);
        open
    })
}

fn is_next(open: &Fragment, piece: &Fragment) -> bool {
    let gap = piece.left - open.right;
    let size = open.size.max(piece.size);
    // An initial belongs to the next word; `initials` joins it.
    let is_adjacent =
        gap < 0.6 * size && gap > -2.0 * size && open.size.max(piece.size) < 1.8 * open.size.min(piece.size);
    let refers = is_note_mark(open, piece) || is_like_note_mark(open, piece);
    open.pagination == piece.pagination && (is_adjacent || refers)
}

#[cfg(test)]
mod tests {
    use super::{Fragment, join};

    /// Seen to fail: the words were joined, "»اعلممن".
    #[test]
    fn the_space_that_ends_the_left_run_parts_words_from_right_to_left() {
        let piece = |(text, left, right): (&str, f32, f32)| Fragment {
            text: text.to_owned(),
            left,
            right,
            base: 700.0,
            size: 10.0,
            bold: false,
            note_number: false,
            marks: Vec::new(),
            pagination: false,
            cells: 1,
        };
        let line = join([("من ", 124.8, 279.0), ("»اعلم", 277.8, 453.6)].map(piece).to_vec());
        let texts: Vec<&str> = line.iter().map(|part| part.text.trim()).collect();
        assert_eq!(texts, ["»اعلم من"]);
    }
}
