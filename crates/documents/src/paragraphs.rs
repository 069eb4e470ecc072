//! Finds paragraphs: runs of lines without a blank line between them.

use std::ops::Range;

/// The paragraphs of a text in order, without surrounding white space and never empty.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut paragraph: Option<Range<usize>> = None;
        while at < text.len() {
            let line = at..text[at..].find('\n').map_or(text.len(), |length| at + length);
            at = (line.end + 1).min(text.len());
            let trimmed = trimmed(text, line);
            match (&mut paragraph, trimmed.is_empty()) {
                (None, true) => {}
                (None, false) => paragraph = Some(trimmed),
                (Some(open), false) => open.end = trimmed.end,
                (Some(_), true) => break,
            }
        }
        paragraph
    })
}

/// A range without surrounding white space.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start.max(range.start + inner.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs_and_white_space_belongs_to_none() {
        let text = "\n \n  One,\n still one. \n\t\nTwo.\n\n\n";
        let found: Vec<&str> = paragraphs(text).map(|range| &text[range]).collect();
        assert_eq!(found, ["One,\n still one.", "Two."]);
        assert_eq!(paragraphs(" \n\n ").count(), 0);
    }
}
