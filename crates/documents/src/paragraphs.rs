//! Finds paragraphs: runs of lines without a blank line between them. Chinese and Japanese texts
//! often have no blank lines: there a paragraph starts with an ideographic space, and the line of a
//! chapter is a paragraph of its own.

use std::ops::Range;

use crate::chapter_names;

/// The space that indents a paragraph in Chinese and Japanese.
const IDEOGRAPHIC_SPACE: char = '\u{3000}';

/// The paragraphs of a text in order, without surrounding white space and never empty.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut paragraph: Option<Range<usize>> = None;
        while at < text.len() {
            let line = at..text[at..].find('\n').map_or(text.len(), |length| at + length);
            let next = (line.end + 1).min(text.len());
            let indented = text[line.clone()].starts_with(IDEOGRAPHIC_SPACE);
            let trimmed = trimmed(text, line);
            let heading = chapter_names::is_sure_east_asian(&text[trimmed.clone()]);
            match (&mut paragraph, trimmed.is_empty()) {
                (None, true) => at = next,
                (None, false) => {
                    at = next;
                    paragraph = Some(trimmed);
                    if heading {
                        break;
                    }
                }
                (Some(_), false) if indented || heading => break,
                (Some(open), false) => {
                    at = next;
                    open.end = trimmed.end;
                }
                (Some(_), true) => {
                    at = next;
                    break;
                }
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

    #[test]
    fn an_ideographic_space_and_a_chapter_line_part_paragraphs() {
        let text = "第一章　故乡\n　　我冒了严寒，\n回到故乡去。\n　　时候既然是深冬；\n第二章　风波\n　　临河的土场上。\n第三章说的是别的事，\n下一行。";
        let found: Vec<&str> = paragraphs(text).map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [
                "第一章　故乡",
                "我冒了严寒，\n回到故乡去。",
                "时候既然是深冬；",
                "第二章　风波",
                "临河的土场上。\n第三章说的是别的事，\n下一行。"
            ]
        );
    }
}
