//! What stands on one page: fragments of lines with their places, in points from the lower left corner.

use pdf_oxide::{PdfDocument, layout::TextSpan};

use super::{initials, nesting};

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// Counted from 0.
    pub(super) index: usize,
    pub(super) height: f32,
    /// In no order.
    pub(super) fragments: Vec<Fragment>,
    pub(super) has_picture: bool,
}

/// Words next to each other on a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fragment {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    /// The height of the line that the letters stand on.
    pub(super) base: f32,
    /// The size of most of its letters.
    pub(super) size: f32,
    /// Whether most of them are bold.
    pub(super) bold: bool,
}

impl Page {
    /// A page that could not be read.
    pub(super) fn empty(index: usize) -> Self {
        Self { index, height: 0.0, fragments: Vec::new(), has_picture: false }
    }

    /// How much text is on it.
    pub(super) fn characters(&self) -> usize {
        self.fragments.iter().map(|fragment| fragment.text.len()).sum()
    }
}

/// The page of this index; `None` when it cannot be read.
pub(super) fn gather(pdf: &PdfDocument, index: usize) -> Option<Page> {
    let (left, bottom, right, top) = pdf.get_page_visible_box(index).ok()?;
    if pdf.get_page_content_data(index).is_ok_and(|contents| nesting::nests(&contents)) {
        return None;
    }
    let spans = pdf.extract_spans(index).ok()?;
    let (width, height) = ((right - left).abs(), (top - bottom).abs());
    let upright: usize =
        spans.iter().filter(|span| span.rotation_degrees == 0.0).map(|span| span.text.len()).sum();
    let all: usize = spans.iter().map(|span| span.text.len()).sum();
    let on_page = |span: &TextSpan| {
        let middle = (span.bbox.x + span.bbox.width / 2.0, span.bbox.y + span.bbox.height / 2.0);
        // Turned pages are measured both ways round.
        let most = width.max(height) + 1.0;
        (-1.0..=most).contains(&middle.0) && (-1.0..=most).contains(&middle.1)
    };
    let pieces = spans.into_iter().filter(|span| {
        let told = !span.text.trim().is_empty()
            && span.artifact_type.is_none()
            && span.font_size.is_finite()
            && span.bbox.x.is_finite()
            && span.bbox.y.is_finite()
            && span.bbox.width.is_finite();
        // What is turned on a page that is not stands in the margin, or across the page as a stamp.
        told && on_page(span) && (span.rotation_degrees == 0.0 || upright * 2 < all)
    });
    let mut fragments = join(pieces.map(Fragment::from).collect());
    initials::attach(&mut fragments);
    let has_picture = fragments.is_empty() && has_picture(pdf, index);
    Some(Page { index, height, fragments, has_picture })
}

impl From<TextSpan> for Fragment {
    fn from(span: TextSpan) -> Self {
        Self {
            text: plain(&span.text),
            left: span.bbox.x,
            right: span.bbox.x + span.bbox.width.max(0.0),
            base: span.bbox.y,
            size: span.font_size.abs().max(0.1),
            bold: span.font_weight.is_bold(),
        }
    }
}

/// Without ligatures, and without the signs of fonts whose meaning is nobody's.
fn plain(text: &str) -> String {
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

/// Joins what stands on the same line without a gap that could part columns.
fn join(mut pieces: Vec<Fragment>) -> Vec<Fragment> {
    pieces.sort_by(|a, b| b.base.total_cmp(&a.base).then(a.left.total_cmp(&b.left)));
    let mut fragments: Vec<Fragment> = Vec::with_capacity(pieces.len());
    for row in rows(pieces) {
        let mut last: Option<Fragment> = None;
        for piece in row {
            match &mut last {
                Some(open) if is_next(open, &piece) => open.append(&piece),
                _ => fragments.extend(last.replace(piece)),
            }
        }
        fragments.extend(last);
    }
    fragments.retain(|fragment| !fragment.text.trim().is_empty());
    fragments
}

/// Fragments that share a line, lines from top to bottom, each from left to right.
pub(super) fn rows(mut fragments: Vec<Fragment>) -> Vec<Vec<Fragment>> {
    fragments.sort_by(|a, b| b.base.total_cmp(&a.base));
    let mut rows: Vec<Vec<Fragment>> = Vec::new();
    // The line's height and size: those of its largest letters, as marks of notes stand above it.
    let mut line = (f32::INFINITY, 0.0_f32);
    for fragment in fragments {
        let near = (line.0 - fragment.base).abs() < 0.45 * line.1.max(fragment.size).min(2.0 * fragment.size);
        match rows.last_mut() {
            Some(row) if near => {
                if fragment.size > line.1 {
                    line = (fragment.base, fragment.size);
                }
                row.push(fragment);
            }
            _ => {
                line = (fragment.base, fragment.size);
                rows.push(vec![fragment]);
            }
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    rows
}

fn is_next(open: &Fragment, piece: &Fragment) -> bool {
    let gap = piece.left - open.right;
    let size = open.size.max(piece.size);
    // A first letter over several lines belongs to the word behind it, which `flow` finds.
    gap < 0.6 * size && gap > -2.0 * size && open.size.max(piece.size) < 1.8 * open.size.min(piece.size)
        || is_note_mark(open, piece)
}

/// Whether a piece behind a word is the mark of a note: small, raised, figures or signs.
fn is_note_mark(word: &Fragment, piece: &Fragment) -> bool {
    let mark = piece.text.trim();
    piece.size < 0.82 * word.size
        && piece.base > word.base + 0.15 * word.size
        && piece.left - word.right < 0.3 * word.size
        && mark.chars().count() <= 6
        && mark
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, ',' | '*' | '†' | '‡' | '§' | '[' | ']' | '–' | '-'))
}

impl Fragment {
    fn append(&mut self, piece: &Self) {
        if is_note_mark(self, piece) {
            self.right = self.right.max(piece.right);
            return;
        }
        let gap = piece.left - self.right;
        let spaced = self.text.ends_with(char::is_whitespace) || piece.text.starts_with(char::is_whitespace);
        if gap > 0.12 * self.size.max(piece.size) && !spaced {
            self.text.push(' ');
        }
        // Bytes, not characters: a line may be made of very many pieces.
        if piece.text.len() > self.text.len() {
            (self.size, self.base, self.bold) = (piece.size, piece.base, piece.bold);
        }
        self.text.push_str(&piece.text);
        self.right = self.right.max(piece.right);
    }
}

/// Whether a page shows a picture.
fn has_picture(pdf: &PdfDocument, index: usize) -> bool {
    pdf.page_image_handles(index).is_ok_and(|pictures| !pictures.is_empty())
}
