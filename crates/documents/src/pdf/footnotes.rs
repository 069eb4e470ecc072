//! Takes footnotes from the ends of columns.

use super::{
    block::Block, fragment::Fragment, furniture::body_size, hyphens::HYPHENS, note_places::Footnote,
    page::Page,
};

/// Text at most this large, relative to the body text, may be a footnote.
const MAX_SIZE_RATIO: f32 = 0.92;

/// Sizes that differ by at most this share are equal.
const SIZE_TOLERANCE: f32 = 0.03;

/// Footnotes beyond this number are dropped.
const MAX_NOTES: usize = 20_000;

/// Removes footnotes from columns in reading order.
#[derive(Debug)]
pub(super) struct FootnoteFilter {
    /// The size of the document's body text.
    body: f32,
    /// The size of the notes at the end of the previous column, which may continue here.
    continuing: Option<f32>,
    notes: Vec<Footnote>,
}

impl FootnoteFilter {
    pub(super) fn new(body: f32) -> Self {
        Self { body, continuing: None, notes: Vec::new() }
    }

    /// Removes the footnotes from the blocks of a page.
    pub(super) fn remove(&mut self, blocks: &mut Vec<Block>, page: &Page) {
        // On a page that is all in small type, a number does not start a note.
        let local = body_size(std::slice::from_ref(page)).min(self.body);
        let is_all = blocks.len() == 1;
        for block in blocks.iter_mut() {
            let kept = self.start(&block.lines, local, page.height, is_all);
            self.continuing = kept.and_then(|kept| block.lines.get(kept)).map(|note| note.size);
            let notes = kept.and_then(|kept| block.lines.get(kept..)).unwrap_or_default();
            for line in notes {
                self.add(line, page.index);
            }
            block.lines.truncate(kept.unwrap_or(usize::MAX));
        }
        blocks.retain(|block| !block.lines.is_empty());
    }

    /// The footnotes in the order of pages.
    pub(super) fn finish(self) -> Vec<Footnote> {
        self.notes
    }

    /// Adds a line, which starts a note or continues the last one.
    fn add(&mut self, line: &Fragment, page: usize) {
        let text = line.text.trim();
        let ended = self.notes.last().is_none_or(|last| ends_sentence(&last.text) || last.page != page);
        let starts = line.note_number || has_sign(text) || has_number(text) && ended;
        if starts || self.notes.is_empty() {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || SIGNS.contains(&c));
            let mark = if starts { text[..text.len() - rest.len()].to_owned() } else { String::new() };
            let rest = if starts { rest.trim_start_matches(['.', ')', ']', ' ']) } else { text };
            if self.notes.len() < MAX_NOTES {
                self.notes.push(Footnote { page, mark, text: rest.to_owned() });
            }
        } else if let Some(last) = self.notes.last_mut() {
            let is_cut = last.text.ends_with(HYPHENS) && text.starts_with(char::is_lowercase);
            if is_cut {
                last.text.pop();
            } else {
                last.text.push(' ');
            }
            last.text.push_str(text);
        }
    }

    /// The index of a block's first note line. Notes are its last lines, smaller than the body text
    /// and in the lower half of the page. With `is_all` the block is the whole page, which is then
    /// not a page of notes.
    fn start(&self, lines: &[Fragment], local: f32, height: f32, is_all: bool) -> Option<usize> {
        let from =
            lines.iter().rposition(|line| line.size >= MAX_SIZE_RATIO * self.body).map_or(0, |last| last + 1);
        let small = lines.get(from..)?;
        if from == 0 && is_all {
            return None;
        }
        let right = lines.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max);
        let width = right - lines.iter().map(|line| line.left).fold(f32::INFINITY, f32::min);
        let begins = |at: usize| {
            let line = &small[at];
            let ended = |before: &Fragment| ends_sentence(&before.text) && before.right < right - 0.1 * width;
            line.base < 0.5 * height
                && (line.note_number
                    || has_sign(&line.text)
                    || has_number(&line.text)
                        && line.size < MAX_SIZE_RATIO * local
                        && (at == 0 || ended(&small[at - 1])))
        };
        let first = (0..small.len()).find(|&at| begins(at));
        let continued = self.continuing.is_some_and(|size| {
            small.first().is_some_and(|line| line.base < 0.5 * height)
                && small.iter().all(|line| (line.size - size).abs() < SIZE_TOLERANCE * size)
        });
        match first {
            Some(_) if continued => Some(from),
            None if continued && from > 0 => Some(from),
            _ => first.map(|first| from + first),
        }
    }
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ')', '”', '»', '。', '！', '？', '）', '」', '।'])
}

/// The signs of notes without numbers.
const SIGNS: [char; 6] = ['*', '†', '‡', '§', '¶', '‖'];

/// Whether a line starts with a note sign.
fn has_sign(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(SIGNS);
    let signs = text[..text.len() - rest.len()].chars().count();
    (1..=3).contains(&signs) && rest.chars().any(char::is_alphabetic)
}

/// Whether a line starts with a number that may be a note's.
fn has_number(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=3).contains(&(text.len() - rest.len())) && rest.chars().any(char::is_alphabetic)
}
