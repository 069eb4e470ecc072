//! A piece of a line with its place on the page, in points from the lower left corner.

use super::rtl;
use crate::characters::is_unspaced;

/// Between two Chinese or Japanese characters, a gap is a space only if it is as wide as a character.
const UNSPACED_GAP: f32 = 0.9;

/// Adjacent words of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fragment {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    /// The height of the baseline.
    pub(super) base: f32,
    /// The size of most letters.
    pub(super) size: f32,
    /// Whether most letters are bold.
    pub(super) bold: bool,
    /// Whether it starts with a small raised number, as a footnote does.
    pub(super) note_number: bool,
    /// What refers to footnotes, or may do so.
    pub(super) marks: Vec<NoteMark>,
    /// Whether the library marks it as a running head or foot. `furniture` drops it, and with it a
    /// line that is mostly marked.
    pub(super) pagination: bool,
    /// The number of parts of a line, separated by wide gaps, that were joined into it.
    pub(super) cells: usize,
}

/// A reference to a footnote.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NoteMark {
    /// Its place in the text.
    pub(super) at: usize,
    /// Its figures or sign.
    pub(super) mark: String,
    /// Whether the text has it, because it may be something else: the library puts raised figures on the baseline,
    /// so that an exponent looks like it. It is a reference where the page has a note with this mark.
    pub(super) is_in_text: bool,
}

impl Fragment {
    pub(super) fn append(&mut self, piece: &Self) {
        if is_note_mark(self, piece) {
            let (at, mark) = (self.text.trim_end().len(), piece.text.trim().to_owned());
            self.marks.push(NoteMark { at, mark, is_in_text: false });
            self.right = self.right.max(piece.right);
            return;
        }
        let gap = (piece.left - self.right).max(self.left - piece.right);
        // Between two words from right to left, the space is at the end of the left one.
        let spaced_left = piece.left < self.left && piece.text.ends_with(char::is_whitespace);
        let spaced = self.text.ends_with(char::is_whitespace) || piece.text.starts_with(char::is_whitespace);
        let unspaced = self.text.ends_with(is_unspaced) && piece.text.starts_with(is_unspaced);
        let min_gap = if unspaced { UNSPACED_GAP } else { 0.12 };
        if (gap > min_gap * self.size.max(piece.size)
            || spaced_left
            || rtl::changes_direction(&self.text, &piece.text))
            && !spaced
        {
            self.text.push(' ');
        }
        self.note_number |= is_raised_number(self, piece);
        let may_refer = !spaced && is_like_note_mark(self, piece);
        // Compare bytes, which is fast: a line may have very many pieces.
        if piece.text.len() > self.text.len() {
            (self.size, self.base, self.bold) = (piece.size, piece.base, piece.bold);
        }
        let start = self.text.len();
        self.marks.extend(moved(&piece.marks, start));
        if may_refer {
            self.marks.push(NoteMark { at: start, mark: piece.text.trim().to_owned(), is_in_text: true });
        }
        self.text.push_str(&piece.text);
        self.left = self.left.min(piece.left);
        self.right = self.right.max(piece.right);
    }
}

/// Groups fragments by line, from top to bottom, each from left to right.
pub(super) fn rows(mut fragments: Vec<Fragment>) -> Vec<Vec<Fragment>> {
    fragments.sort_by(|a, b| b.base.total_cmp(&a.base));
    let mut rows: Vec<Vec<Fragment>> = Vec::new();
    // The baseline and size of the line's largest letters, because note references are raised.
    let mut line = (f32::INFINITY, 0.0_f32);
    for fragment in fragments {
        let distance = (line.0 - fragment.base).abs();
        // Raised figures alone overlap the line that they stand in, which comes after them.
        let is_raised = line.1 < RAISED_SIZE * fragment.size
            && distance < 0.62 * fragment.size
            && rows.last().is_some_and(|row| row.iter().all(|piece| is_mark(piece.text.trim())));
        let near = is_raised || distance < 0.45 * line.1.max(fragment.size).min(2.0 * fragment.size);
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

/// References to footnotes in a text that comes after this many bytes.
pub(super) fn moved(marks: &[NoteMark], bytes: usize) -> impl Iterator<Item = NoteMark> {
    marks.iter().map(move |mark| NoteMark { at: bytes + mark.at, ..mark.clone() })
}

/// Raised figures are at most this large, relative to the text.
const RAISED_SIZE: f32 = 0.82;

/// Whether a piece after a word is a note reference: small, raised, figures or signs.
pub(super) fn is_note_mark(word: &Fragment, piece: &Fragment) -> bool {
    piece.size < RAISED_SIZE * word.size
        && piece.base > word.base + 0.15 * word.size
        && piece.left - word.right < 0.3 * word.size
        && is_mark(piece.text.trim())
}

/// Whether a piece right after a word may be a note reference that the library put on the baseline.
pub(super) fn is_like_note_mark(word: &Fragment, piece: &Fragment) -> bool {
    piece.size < RAISED_SIZE * word.size
        && (piece.base - word.base).abs() <= 0.15 * word.size
        && piece.left - word.right < 0.2 * word.size
        && !word.text.is_empty()
        && is_mark(piece.text.trim())
}

/// Figures or signs, which may be several or in brackets; a hyphen alone divides a word.
fn is_mark(text: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§' | '¶' | '‖');
    text.chars().count() <= 6
        && text.chars().any(is_figure)
        && text.chars().all(|c| is_figure(c) || matches!(c, ',' | '[' | ']' | '–' | '-'))
}

/// Whether a piece before a text is the number of a footnote: small, raised, figures only.
pub(super) fn is_raised_number(piece: &Fragment, text: &Fragment) -> bool {
    let number = piece.text.trim();
    piece.size < 0.82 * text.size
        && piece.base > text.base + 0.1 * text.size
        && (1..=3).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
}
