//! Footnotes at the ends of columns, which are not read.

use super::{
    columns::Block,
    furniture::body_size,
    page::{Fragment, Page},
};

/// Letters smaller than this part of the body's may be a footnote's.
const SMALLER: f32 = 0.92;

/// Sizes of letters that differ by no more than this part are the same.
const ALIKE: f32 = 0.03;

/// Takes footnotes from columns, in the order in which these are read.
#[derive(Debug)]
pub(super) struct Notes {
    /// The size of the document's body.
    body: f32,
    /// The size of the notes that ended the column before this one: the last may go on here.
    open: Option<f32>,
}

impl Notes {
    pub(super) fn new(body: f32) -> Self {
        Self { body, open: None }
    }

    /// Takes them from the blocks of a page.
    pub(super) fn remove(&mut self, blocks: &mut Vec<Block>, page: &Page) {
        // A column of a page that is set small as a whole begins no note with each number.
        let local = body_size(std::slice::from_ref(page)).min(self.body);
        let is_all = blocks.len() == 1;
        for block in blocks.iter_mut() {
            let kept = self.start(&block.lines, local, page.height, is_all);
            self.open = kept.and_then(|kept| block.lines.get(kept)).map(|note| note.size);
            block.lines.truncate(kept.unwrap_or(usize::MAX));
        }
        blocks.retain(|block| !block.lines.is_empty());
    }

    /// The first line of a block that belongs to notes: they are its last lines, smaller than the body and in the
    /// lower half of the page. `is_all` says that there is nothing else on the page, which then is no page of notes.
    fn start(&self, lines: &[Fragment], local: f32, height: f32, is_all: bool) -> Option<usize> {
        let from = lines.iter().rposition(|line| line.size >= SMALLER * self.body).map_or(0, |last| last + 1);
        let small = lines.get(from..)?;
        if from == 0 && is_all {
            return None;
        }
        let right = lines.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max);
        let width = right - lines.iter().map(|line| line.left).fold(f32::INFINITY, f32::min);
        let begins = |at: usize| {
            let line = &small[at];
            let ended = |before: &Fragment| {
                before.text.trim_end().ends_with(['.', '!', '?', ')', '”'])
                    && before.right < right - 0.1 * width
            };
            line.base < 0.5 * height
                && (line.marked
                    || has_sign(&line.text)
                    || has_number(&line.text)
                        && line.size < SMALLER * local
                        && (at == 0 || ended(&small[at - 1])))
        };
        let first = (0..small.len()).find(|&at| begins(at));
        let continued = self.open.is_some_and(|size| {
            small.first().is_some_and(|line| line.base < 0.5 * height)
                && small.iter().all(|line| (line.size - size).abs() < ALIKE * size)
        });
        match first {
            Some(_) if continued => Some(from),
            None if continued && from > 0 => Some(from),
            _ => first.map(|first| from + first),
        }
    }
}

/// Whether a line begins with a sign that marks notes.
fn has_sign(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(['*', '†', '‡', '§']);
    rest.len() < text.len() && text.len() - rest.len() <= 3 && rest.chars().any(char::is_alphabetic)
}

/// Whether a line begins with a number that may be a note's.
fn has_number(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=3).contains(&(text.len() - rest.len())) && rest.chars().any(char::is_alphabetic)
}
