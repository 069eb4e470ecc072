//! What stands on one page: fragments of lines with their places, in points from the lower left corner.

use std::collections::HashMap;

use pdf_oxide::{PdfDocument, extractors::text::ArtifactType, layout::TextSpan};

use super::{
    initials, nesting,
    pictures::{self, Pictures},
    rtl,
    span::{Sheet, fragment, turn},
    turned,
    undecoded::Set,
};

/// A page with fewer characters than this says nothing: a stamp, a page number of a scanned book.
pub(super) const CHARACTERS_OF_A_PAGE: usize = 12;

/// Fonts whose names are alike up to here count as one.
const FONT_NAME_BYTES: usize = 200;

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// Counted from 0.
    pub(super) index: usize,
    pub(super) height: f32,
    /// In no order.
    pub(super) fragments: Vec<Fragment>,
    /// Looked for on pages with hardly any text.
    pub(super) pictures: Pictures,
    /// What is set in each of its fonts.
    pub(super) fonts: HashMap<String, Set>,
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
    /// Whether it begins with a small raised number, as a footnote does.
    pub(super) marked: bool,
    /// Whether the library takes it for a running head or foot: `furniture` drops it, and what else is on its line
    /// counts as one where most of the line is.
    pub(super) pagination: bool,
    /// How many parts of a line with wide gaps between them it is made of.
    pub(super) cells: usize,
}

impl Page {
    /// A page that could not be read.
    pub(super) fn empty(index: usize) -> Self {
        Self {
            index,
            height: 0.0,
            fragments: Vec::new(),
            pictures: Pictures::default(),
            fonts: HashMap::new(),
        }
    }

    /// How much text is on it.
    pub(super) fn characters(&self) -> usize {
        self.fragments.iter().filter(|part| !part.pagination).map(|part| part.text.len()).sum()
    }
}

/// The page of this index, with these operators; `None` when it cannot be read.
pub(super) fn gather(pdf: &PdfDocument, index: usize, contents: &[u8]) -> Option<Page> {
    let (left, bottom, right, top) = pdf.get_page_visible_box(index).ok()?;
    if nesting::nests(contents) {
        return None;
    }
    let spans = pdf.extract_spans(index).ok()?;
    let turned = pdf.get_page_rotation(index).unwrap_or(0).rem_euclid(360);
    let sheet = Sheet { width: (right - left).abs(), height: (top - bottom).abs(), turned };
    let letters = |is_upright: bool| -> usize {
        spans.iter().filter(|span| (turn(span) == 0) == is_upright).map(|span| span.text.len()).sum()
    };
    // What is turned on a page that is not stands in the margin, or across the page as a stamp.
    let is_turned = letters(true) < letters(false);
    let is_told = |span: &&TextSpan| {
        !span.text.trim().is_empty()
            && matches!(span.artifact_type, None | Some(ArtifactType::Pagination(_)))
            && span.font_size.is_finite()
            && [span.bbox.x, span.bbox.y, span.bbox.width, span.bbox.height].iter().all(|at| at.is_finite())
            && is_on(span, sheet)
            && (is_turned || turn(span) == 0)
    };
    let pieces = spans.iter().filter(is_told).map(|span| fragment(span, sheet, is_turned));
    let letters = if is_turned { turned::letters(pdf, index, &spans, sheet) } else { None };
    let mut fragments = join(letters.unwrap_or_else(|| pieces.collect()));
    initials::attach(&mut fragments);
    let height = if is_turned && turned != 180 { sheet.width } else { sheet.height };
    let mut fonts: HashMap<String, Set> = HashMap::new();
    for span in &spans {
        let name = &span.font_name[..span.font_name.floor_char_boundary(FONT_NAME_BYTES)];
        match fonts.get_mut(name) {
            Some(set) => set.add(span),
            None => fonts.entry(name.to_owned()).or_default().add(span),
        }
    }
    let mut page = Page { index, height, fragments, pictures: Pictures::default(), fonts };
    if page.characters() < CHARACTERS_OF_A_PAGE {
        page.pictures = pictures::of(pdf, &pdf.get_page(index).ok()?, contents, sheet.width * sheet.height);
    }
    Some(page)
}

/// Whether a run stands on its page. Turned pages are measured both ways round.
fn is_on(span: &TextSpan, sheet: Sheet) -> bool {
    let middle = (span.bbox.x + span.bbox.width / 2.0, span.bbox.y + span.bbox.height / 2.0);
    let most = sheet.width.max(sheet.height) + 1.0;
    (-1.0..=most).contains(&middle.0) && (-1.0..=most).contains(&middle.1)
}

/// Joins what stands on the same line without a gap that could part columns.
fn join(mut pieces: Vec<Fragment>) -> Vec<Fragment> {
    pieces.sort_by(|a, b| b.base.total_cmp(&a.base).then(a.left.total_cmp(&b.left)));
    let mut fragments: Vec<Fragment> = Vec::with_capacity(pieces.len());
    for row in rows(pieces) {
        let mut open: Vec<Fragment> = Vec::new();
        // How far to the right what is open reaches, as one.
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

/// Pieces next to each other as one, in the order in which they are read.
fn joined(pieces: Vec<Fragment>) -> Option<Fragment> {
    rtl::order(pieces).into_iter().reduce(|mut open, piece| {
        open.append(&piece);
        open
    })
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
    let beside =
        gap < 0.6 * size && gap > -2.0 * size && open.size.max(piece.size) < 1.8 * open.size.min(piece.size);
    open.pagination == piece.pagination && (beside || is_note_mark(open, piece))
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

/// Whether a piece before a text is the number of the footnote that it begins: small, raised, figures only.
pub(super) fn is_raised_number(piece: &Fragment, text: &Fragment) -> bool {
    let number = piece.text.trim();
    piece.size < 0.82 * text.size
        && piece.base > text.base + 0.1 * text.size
        && (1..=3).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

impl Fragment {
    fn append(&mut self, piece: &Self) {
        if is_note_mark(self, piece) {
            self.right = self.right.max(piece.right);
            return;
        }
        let gap = (piece.left - self.right).max(self.left - piece.right);
        // The space between two words from right to left is the last that stands in the left one.
        let spaced_left = piece.left < self.left && piece.text.ends_with(char::is_whitespace);
        let spaced = self.text.ends_with(char::is_whitespace) || piece.text.starts_with(char::is_whitespace);
        if (gap > 0.12 * self.size.max(piece.size) || spaced_left || rtl::turns(&self.text, &piece.text))
            && !spaced
        {
            self.text.push(' ');
        }
        self.marked |= is_raised_number(self, piece);
        // Bytes, not characters: a line may be made of very many pieces.
        if piece.text.len() > self.text.len() {
            (self.size, self.base, self.bold) = (piece.size, piece.base, piece.bold);
        }
        self.text.push_str(&piece.text);
        self.left = self.left.min(piece.left);
        self.right = self.right.max(piece.right);
    }
}

#[cfg(test)]
mod tests {
    use super::{Fragment, join};

    /// Before: "»اعلممن".
    #[test]
    fn the_space_that_ends_the_left_run_parts_words_from_right_to_left() {
        let piece = |(text, left, right): (&str, f32, f32)| Fragment {
            text: text.to_owned(),
            left,
            right,
            base: 700.0,
            size: 10.0,
            bold: false,
            marked: false,
            pagination: false,
            cells: 1,
        };
        let line = join([("من ", 124.8, 279.0), ("»اعلم", 277.8, 453.6)].map(piece).to_vec());
        let texts: Vec<&str> = line.iter().map(|part| part.text.trim()).collect();
        assert_eq!(texts, ["»اعلم من"]);
    }
}
