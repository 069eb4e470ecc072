//! Finds the header and the licence of a Project Gutenberg text.

use std::ops::Range;

/// The header ends within this many bytes.
const HEADER_BYTES: usize = 30_000;

/// The licence at the end is not longer.
const LICENCE_BYTES: usize = 40_000;

/// The longest line that marks the end of the header or the start of the licence.
const MAX_MARK_BYTES: usize = 300;

/// The header with the names of those who made the text, and the licence.
pub(super) fn regions(text: &str) -> Vec<Range<usize>> {
    let head = &text[..text.floor_char_boundary(HEADER_BYTES)];
    if !head[..head.floor_char_boundary(2_000)].contains("Gutenberg") {
        return Vec::new();
    }
    let mut regions = Vec::new();
    let header = lines(head, 0).find(|line| is_start(&head[line.clone()]));
    if let Some(line) = header {
        regions.push(0..credits_end(text, line.end));
    }
    let least = text.ceil_char_boundary(text.len().saturating_sub(LICENCE_BYTES));
    let from = regions.last().map_or(0, |region| region.end).max(least);
    let licence = lines(&text[from..], from).find(|line| is_end(&text[line.clone()]));
    if let Some(line) = licence {
        regions.push(line.start..text.len());
    }
    regions
}

/// The lines of a text that begins at an offset.
fn lines(text: &str, offset: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = offset;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end().len()
    })
}

fn is_start(line: &str) -> bool {
    line.len() < MAX_MARK_BYTES
        && (line.starts_with("***") && line.contains("START OF TH") && line.contains("GUTENBERG")
            || line.starts_with("*END*THE SMALL PRINT")
            || line.starts_with("*END THE SMALL PRINT"))
}

fn is_end(line: &str) -> bool {
    let lower = line.get(..line.floor_char_boundary(MAX_MARK_BYTES)).unwrap_or_default().to_lowercase();
    let lower = lower.trim_start_matches(['*', ' ']);
    lower.contains("gutenberg")
        && ["end of the project", "end of this project", "end of project", "end of the text"]
            .iter()
            .any(|mark| lower.starts_with(mark))
}

/// The end of the paragraph that says who made the text, after the header.
fn credits_end(text: &str, header: usize) -> usize {
    let rest = &text[header..];
    let credits = header + rest.len() - rest.trim_start().len();
    let lower = text[credits..text.floor_char_boundary(credits + 40)].to_lowercase();
    let marks = [
        "produced by",
        "e-text prepared by",
        "etext prepared by",
        "this etext was",
        "transcribed from",
        "scanned by",
    ];
    if !marks.iter().any(|mark| lower.starts_with(mark)) {
        return header;
    }
    text[credits..].find("\n\n").map_or(text.len(), |end| credits + end)
}

#[cfg(test)]
mod tests {
    use super::regions;

    #[test]
    fn the_header_and_the_licence_are_found_and_nothing_else() {
        let text = "The Project Gutenberg EBook of Lamps\n\n*** START OF THIS PROJECT GUTENBERG EBOOK LAMPS ***\n\n\
            Produced by A. Reader\nand others\n\nLAMPS\n\nThe end of Project Gutenberg was far.\n\n\
            End of Project Gutenberg's Lamps\n\n*** START: FULL LICENSE ***\n";
        let found: Vec<&str> = regions(text).into_iter().map(|range| &text[range]).collect();
        assert!(found[0].ends_with("and others") && found[1].starts_with("End of Project Gutenberg's Lamps"));
        assert_eq!(found.len(), 2);
        assert!(regions("A tale of Gutenberg.\n\nHe printed.\n").is_empty());
    }
}
