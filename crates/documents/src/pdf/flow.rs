//! Joins lines into paragraphs and headings, across columns and pages.

use std::collections::{BTreeSet, HashMap};

use super::{
    block::Block,
    fragment::Fragment,
    hyphens::{HYPHENS, Vocabulary},
    note_places::{Footnote, NotePlaces},
};
use crate::{builder::Builder, chapter_names, characters, language};

/// Text at least this much larger than the body text is a heading.
const MIN_HEADING_RATIO: f32 = 1.14;

/// A chapter's first line may be up to this much larger than the text that continues it.
const MAX_FIRST_LINE_RATIO: f32 = 1.5;

const MAX_HEADING_CHARACTERS: usize = 200;

/// The language of a document is that of this much of its beginning.
const LANGUAGE_SAMPLE_BYTES: usize = 60_000;

/// The longest bold line in the size of the body text that is a heading.
const MAX_BOLD_HEADING_CHARACTERS: usize = 90;

/// A row with fewer cells may continue the row above it.
const MIN_ROW_CELLS: usize = 3;

/// A line's page, height and text, and the offset of its paragraph in the text.
#[derive(Debug)]
pub(super) struct LinePosition {
    pub(super) page: usize,
    pub(super) base: f32,
    pub(super) text: String,
    pub(super) offset: usize,
}

/// The style of most lines of a document.
struct BodyStyle {
    size: f32,
    /// The distance of two baselines, relative to the size.
    leading: f32,
    /// Whether most letters are bold; then bold text is not a heading.
    bold: bool,
}

/// A line with its context.
struct Line<'a> {
    fragment: &'a Fragment,
    page: usize,
    /// The left edge of most lines in its block, the block's right edge, and its width.
    edges: (f32, f32, f32),
    first: bool,
    /// Whether it starts a table row.
    row: bool,
}

/// Writes the blocks as one text with its notes and returns the positions of the lines.
pub(super) fn write(blocks: &[Block], notes: &[Footnote], builder: &mut Builder) -> Vec<LinePosition> {
    let body = body_style(blocks);
    let mut vocabulary = Vocabulary::new(language(blocks));
    for line in blocks.iter().flat_map(|block| &block.lines) {
        vocabulary.learn(&line.text);
    }
    let lines: Vec<Line<'_>> = blocks.iter().flat_map(lines).collect();
    let levels = levels(&lines, &body);
    let mut positions = Vec::with_capacity(lines.len());
    let mut text = String::new();
    let mut notes = NotePlaces::new(notes);
    let mut level: Option<u8> = None;
    // The number of lines of the current paragraph.
    let mut length = 0_usize;
    for (index, line) in lines.iter().enumerate() {
        let heading = heading(&lines, index, &body).and_then(|size| levels.get(&size).copied());
        let before = index.checked_sub(1).map(|before| &lines[before]);
        let is_new = before.is_none_or(|before| match (level, heading) {
            (None, None) => starts_paragraph(before, line, length, &body),
            (Some(old), Some(new)) => {
                old != new || line.page != before.page || gap(before, line, &body) > 1.7
            }
            _ => true,
        });
        if is_new {
            flush(&mut text, level, &mut notes, builder);
            notes.leave_pages(line.page, builder);
            (level, length) = (heading, 0);
        }
        length += 1;
        // The current paragraph starts after all text written so far.
        positions.push(LinePosition {
            page: line.page,
            base: line.fragment.base,
            text: line.fragment.text.clone(),
            offset: builder.offset(),
        });
        vocabulary.append(&mut text, bullet(&line.fragment.text, is_new));
        notes.add_line(line.fragment, line.page, &mut text);
        if builder.is_full() {
            break;
        }
    }
    flush(&mut text, level, &mut notes, builder);
    notes.leave_pages(usize::MAX, builder);
    positions
}

/// The language of the lines, which decides about hyphens; a sample is enough.
fn language(blocks: &[Block]) -> Option<&'static str> {
    let mut sample = String::new();
    for line in blocks.iter().flat_map(|block| &block.lines) {
        if sample.len() > LANGUAGE_SAMPLE_BYTES {
            break;
        }
        sample.push_str(&line.text);
        sample.push('\n');
    }
    language::detect(&sample)
}

fn flush(text: &mut String, level: Option<u8>, notes: &mut NotePlaces<'_>, builder: &mut Builder) {
    match level {
        Some(level) => builder.heading(level),
        None => builder.paragraph(),
    }
    notes.write(text, builder);
    builder.paragraph();
    text.clear();
}

/// The text of a list item without its bullet.
fn bullet(text: &str, first: bool) -> &str {
    let trimmed = text.trim_start();
    let bare = trimmed.trim_start_matches(['•', '◦', '▪', '●', '■', '‣', '∙', '·']);
    if first && bare.len() < trimmed.len() { bare } else { text }
}

fn lines(block: &Block) -> impl Iterator<Item = Line<'_>> {
    // Most lines start at this edge; the others are indented or hanging.
    let mut lefts: HashMap<i32, (usize, f32)> = HashMap::new();
    for line in &block.lines {
        let entry = lefts.entry((line.left / 3.0).round() as i32).or_insert((0, line.left));
        entry.0 += 1;
        entry.1 = entry.1.min(line.left);
    }
    let common = lefts.values().max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let left = common.map_or(0.0, |(_, left)| *left);
    let right = block.lines.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max);
    let edges = (left, right, (right - left).max(1.0));
    block.lines.iter().enumerate().map(move |(at, fragment)| Line {
        fragment,
        page: block.page,
        edges,
        first: at == 0,
        row: block.is_table && fragment.cells >= MIN_ROW_CELLS,
    })
}

fn body_style(blocks: &[Block]) -> BodyStyle {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    let (mut bold, mut letters) = (0, 0);
    for line in blocks.iter().flat_map(|block| &block.lines) {
        *sizes.entry(half_points(line.size)).or_default() += line.text.len();
        letters += line.text.len();
        bold += if line.bold { line.text.len() } else { 0 };
    }
    let size = sizes.into_iter().max_by_key(|&(size, letters)| (letters, size));
    let size = size.map_or(10.0, |(size, _)| (size as f32 / 2.0).max(0.5));
    let mut leadings: Vec<f32> = Vec::new();
    for block in blocks {
        for pair in block.lines.windows(2) {
            let leading = (pair[0].base - pair[1].base) / size;
            let of_body = |line: &Fragment| (line.size - size).abs() < 0.06 * size;
            if of_body(&pair[0]) && of_body(&pair[1]) && (0.8..3.0).contains(&leading) {
                leadings.push(leading);
            }
        }
    }
    leadings.sort_by(f32::total_cmp);
    // Most distances are inside paragraphs; those between paragraphs are larger.
    let leading = leadings.get(leadings.len() * 2 / 5).copied().unwrap_or(1.2);
    BodyStyle { size, leading, bold: bold * 2 > letters }
}

/// The distance of two lines, relative to the usual one.
fn gap(before: &Line<'_>, line: &Line<'_>, body: &BodyStyle) -> f32 {
    let size = before.fragment.size.max(line.fragment.size);
    (before.fragment.base - line.fragment.base) / (body.leading * size)
}

/// Whether `line` starts a new paragraph; `length` is the number of lines of the current one.
fn starts_paragraph(before: &Line<'_>, line: &Line<'_>, length: usize, body: &BodyStyle) -> bool {
    let (old, new) = (before.fragment, line.fragment);
    let size = new.size;
    let indented = new.left > line.edges.0 + 0.6 * size && new.left < line.edges.0 + 0.5 * line.edges.2;
    let sentence_ended = old
        .text
        .trim_end()
        .trim_end_matches(['"', '”', '’', '\'', ')', '»', '」', '』', '）', '\u{A0}', '\u{202F}'])
        .ends_with(['.', '!', '?', ':', '…', '。', '！', '？', '：', '।', '॥']);
    let begins = new.text.trim_start().chars().next().is_some_and(|c| !c.is_lowercase());
    let short = old.right < before.edges.1 - 0.15 * before.edges.2;
    // Chinese and Japanese indent with a space that is as wide as a character.
    if new.text.starts_with('\u{3000}') {
        return true;
    }
    let resized = (old.size - new.size).abs() > 0.12 * old.size.max(new.size);
    if continues(before, line) && !has_bullet(&new.text) && !line.row {
        let near = line.first || line.page != before.page || (-0.5..=2.2).contains(&gap(before, line, body));
        if near && old.size.max(size) < MAX_FIRST_LINE_RATIO * old.size.min(size) {
            return false;
        }
    }
    if line.first || line.page != before.page {
        return resized || indented || (sentence_ended && short && begins);
    }
    if line.row {
        return true;
    }
    let gap = gap(before, line, body);
    // A line above the previous one starts another part of the page.
    if resized || !(-0.5..=1.35).contains(&gap) {
        return true;
    }
    let further_in = indented && new.left > old.left + 0.6 * size;
    let further_out =
        new.left < old.left - 0.6 * size && (length > 1 || new.left < line.edges.0 - 0.6 * size);
    further_in || further_out || (sentence_ended && short && begins) || has_bullet(&new.text)
}

/// Whether a sentence continues in the next line: with the rest of a word, or in lower case after a
/// full line.
fn continues(before: &Line<'_>, line: &Line<'_>) -> bool {
    let (old, new) = (before.fragment.text.trim_end(), line.fragment.text.trim_start());
    if !new.starts_with(char::is_lowercase) {
        return false;
    }
    let full = before.fragment.right > before.edges.1 - 0.15 * before.edges.2;
    let cut = old.strip_suffix(HYPHENS).is_some_and(|word| word.ends_with(char::is_alphabetic));
    cut || full && old.ends_with(|c: char| c.is_lowercase() || c == ',')
}

fn has_bullet(text: &str) -> bool {
    text.trim_start().starts_with(['•', '◦', '▪', '●', '■', '‣'])
}

fn half_points(size: f32) -> u32 {
    (size * 2.0).round() as u32
}

/// The size in half points of the heading that the line is part of; 0 for a heading that is only
/// bold.
fn heading(lines: &[Line<'_>], index: usize, body: &BodyStyle) -> Option<u32> {
    let line = &lines[index];
    let text = line.fragment.text.trim();
    let characters = text.chars().count();
    if characters > MAX_HEADING_CHARACTERS || !text.chars().any(char::is_alphabetic) {
        return None;
    }
    let after = lines.get(index + 1);
    if line.fragment.size >= MIN_HEADING_RATIO * body.size {
        // A single large letter is an initial. A line whose sentence continues in the size of the
        // body text is a chapter's first line.
        let first_line = line.fragment.size < MAX_FIRST_LINE_RATIO * body.size
            && after.is_some_and(|after| {
                after.fragment.size < MIN_HEADING_RATIO * body.size && continues(line, after)
            });
        let is_initial = characters <= 2 && !text.starts_with(characters::is_unspaced);
        return (!is_initial && !first_line).then(|| half_points(line.fragment.size));
    }
    let alone = |other: Option<&Line<'_>>, gap: &dyn Fn(&Line<'_>) -> f32| {
        other.is_none_or(|other| other.page != line.page || !(0.0..1.35).contains(&gap(other)))
    };
    let before = index.checked_sub(1).and_then(|before| lines.get(before));
    let above = line.first || alone(before, &|before| gap(before, line, body));
    let below = alone(after, &|after| gap(line, after, body));
    let bold = line.fragment.bold && !body.bold && line.fragment.size >= 0.97 * body.size;
    let unbold_after = after.is_none_or(|after| !after.fragment.bold);
    let ends_open = text.ends_with([',', ';', '-']);
    if bold && characters <= MAX_BOLD_HEADING_CHARACTERS && above && unbold_after && !ends_open {
        return Some(0);
    }
    let named = ["chapter ", "part "].iter().any(|name| text.to_lowercase().starts_with(name))
        || chapter_names::chapter_line(text).is_some();
    (named && characters <= 60 && above && below && !text.ends_with('.')).then_some(0)
}

/// The level of each heading size: the largest is the highest.
fn levels(lines: &[Line<'_>], body: &BodyStyle) -> HashMap<u32, u8> {
    let sizes: BTreeSet<u32> = (0..lines.len()).filter_map(|index| heading(lines, index, body)).collect();
    sizes.into_iter().rev().zip(1_u8..).map(|(size, level)| (size, level.min(6))).collect()
}
