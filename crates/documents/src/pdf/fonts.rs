//! The text of a page by font.

use pdf_oxide::layout::TextSpan;

/// A font with fewer characters on a page, spaces aside, is not judged.
const MIN_FONT_CHARACTERS: usize = 50;

/// The text of a page in one font.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FontUsage {
    letters: usize,
    controls: usize,
    characters: usize,
    /// The length of its lines relative to their size. Glyphs without a character count as well.
    pub(super) length: f64,
}

impl FontUsage {
    pub(super) fn add(&mut self, span: &TextSpan) {
        for c in span.text.chars().filter(|&c| c.is_control() || !c.is_whitespace()) {
            self.characters += 1;
            self.letters += usize::from(c.is_alphabetic());
            self.controls += usize::from(c.is_control());
        }
        let length = span.bbox.width.max(span.bbox.height) / span.font_size.abs().max(0.1);
        self.length += if length.is_finite() { f64::from(length.max(0.0)) } else { 0.0 };
    }

    /// Whether the characters are glyph numbers. Fonts of old programs have a few, such as
    /// ligatures, among letters.
    pub(super) fn is_glyph_numbers(&self) -> bool {
        self.characters >= MIN_FONT_CHARACTERS
            && self.controls * 10 >= self.characters
            && self.letters * 4 < self.characters
    }
}
