//! Lines gathered into paragraphs, headings, list items and scene breaks.

use std::ops::Range;

use super::{Pause, marks, rules::Rules};
use crate::markup;

/// A heading has at most this many characters.
const HEADING: usize = 90;

/// A line that was broken to fit a page has at least this many characters.
const WRAPPED: usize = 45;

/// Lines that belong together.
pub(super) struct Block {
    pub(super) range: Range<usize>,
    /// The pause after it.
    pub(super) pause: Pause,
    pub(super) heading: bool,
    pub(super) scene_break: bool,
}

/// The blocks of a text, in order.
pub(super) fn blocks(text: &str, rules: &dyn Rules) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    let mut lines = lines(text).peekable();
    while let Some(range) = lines.next() {
        let line = &text[range.clone()];
        if is_blank(line) {
            open = false;
            continue;
        }
        if is_scene_break(line) {
            // A rule right below a line of text underlines a heading.
            let underlines = open && line.trim().starts_with(['=', '-']);
            match blocks.last_mut() {
                Some(above) if underlines => (above.pause, above.heading) = (Pause::Heading, true),
                _ => blocks.push(Block { range, pause: Pause::Section, heading: false, scene_break: true }),
            }
            open = false;
            continue;
        }
        let hashed = marks::is_hashed_heading(line);
        // In the middle of a wrapped paragraph a line may begin with a dash or a number by chance.
        let wrapped = open && blocks.last().is_some_and(|above| goes_on(&text[above.range.clone()]));
        let item = (marks::starts_item(line) || rules.opens_paragraph(line)) && !wrapped;
        if open && !hashed && !item {
            if let Some(block) = blocks.last_mut() {
                block.range.end = range.end;
            }
            continue;
        }
        if open
            && item
            && let Some(above) = blocks.last_mut()
        {
            above.pause = Pause::Sentence;
        }
        let blank_follows = lines.peek().is_some_and(|next| is_blank(&text[next.clone()]));
        let heading = hashed || (blank_follows && !item && is_heading(line, rules.chapter_words()));
        let pause = if heading { Pause::Heading } else { Pause::Paragraph };
        blocks.push(Block { range, pause, heading, scene_break: false });
        open = !hashed;
    }
    // The last line of a text is not a heading.
    if let Some(last) = blocks.last_mut()
        && last.heading
        && blocks_are_one(last, text)
    {
        last.pause = Pause::Paragraph;
    }
    blocks
}

fn blocks_are_one(last: &Block, text: &str) -> bool {
    !marks::is_hashed_heading(&text[last.range.clone()]) && is_blank(&text[last.range.end..])
}

/// Whether a paragraph's text so far, which is not a list item, stops in the middle of a sentence.
fn goes_on(text: &str) -> bool {
    let end = text.trim_end().trim_end_matches(['"', '”', '’', '\'', ')', '*', '_', ']']);
    let last_line = end.rsplit('\n').next().unwrap_or_default();
    let full = last_line.chars().take(WRAPPED).count() == WRAPPED;
    full && !marks::starts_item(text)
        && end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '—' | '–'))
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let ends = |c: char| matches!(c, '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(ends).unwrap_or(rest.len());
        let start = at;
        at += length + rest[length..].chars().next().map_or(0, char::len_utf8);
        Some(start..start + length)
    })
}

/// Whether nothing on a line is for the eye or the ear but a pause.
pub(super) fn is_blank(line: &str) -> bool {
    let blank =
        |line: &str| line.chars().all(|c| c.is_whitespace() || c.is_control() || marks::is_invisible(c));
    blank(line) || blank(&line[markup::leading_pauses(line)..])
}

/// `* * *`, `---`, `⁂` and their like on a line of their own.
pub(super) fn is_scene_break(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next() else { return false };
    match first {
        '⁂' | '❦' | '☙' | '❧' | '◇' | '◆' => marks.all(|mark| mark == first),
        '*' | '-' | '_' | '~' | '=' | '#' | '—' | '–' | '•' | '+' | '·' | '＊' | '※' | '★' | '☆' =>
        {
            let mut count = 1;
            marks.all(|mark| {
                count += 1;
                mark == first
            }) && (count >= 3 || (first == '#' && count == 1))
        }
        _ => false,
    }
}

/// A short line that ends without a stop, or a chapter's number.
pub(super) fn is_heading(line: &str, chapter_words: &[&str]) -> bool {
    let line = line.trim();
    let short = line.chars().take(HEADING + 1).count() <= HEADING;
    let Some(last) = line.trim_end_matches(['"', '”', '’', '\'', ')', '*', '_', ']']).chars().next_back()
    else {
        return false;
    };
    let stopped = matches!(
        last,
        '.' | '!' | '?' | '…' | ':' | ';' | ',' | '—' | '-' | '。' | '．' | '！' | '？' | '।' | '॥'
    );
    let chapter = chapter_words.iter().any(|word| line.starts_with(word));
    let chapter_number = chapter && line.chars().take(21).count() <= 20 && last == '.';
    short && line.chars().any(char::is_alphanumeric) && (!stopped || chapter_number)
}
