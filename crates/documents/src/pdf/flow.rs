//! Lines to paragraphs and headings, across columns and pages.

use std::collections::{BTreeSet, HashMap};

use super::{
    columns::Block,
    hyphens::{HYPHENS, Words},
    page::Fragment,
};
use crate::builder::Builder;

/// Letters so much larger than the body's make a heading.
const LARGER: f32 = 1.14;

/// The first line of a chapter may be this much larger than what it goes on in.
const LARGER_FIRST: f32 = 1.5;

/// The most characters of a heading.
const HEADING_CHARACTERS: usize = 200;

/// The most characters of a bold line of the body's size that is a heading.
const BOLD_CHARACTERS: usize = 90;

/// What has fewer cells may go on in the row above it.
const ROW_CELLS: usize = 3;

/// Where a line went: its page, its height there, its words, and the offset in the text of its paragraph.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) page: usize,
    pub(super) base: f32,
    pub(super) text: String,
    pub(super) offset: usize,
}

/// What most lines of a document are like.
struct Usual {
    size: f32,
    /// From one line's base to the next, in sizes of its letters.
    leading: f32,
    /// Whether most letters are bold, which then says nothing.
    bold: bool,
}

/// A line with what it is judged by.
struct Line<'a> {
    fragment: &'a Fragment,
    page: usize,
    /// The block's usual left edge, its right edge and its width.
    edges: (f32, f32, f32),
    /// Whether it is the first of its block.
    first: bool,
    /// Whether it begins the row of a table.
    row: bool,
}

/// Writes the blocks as one text.
pub(super) fn write(blocks: &[Block], builder: &mut Builder) -> Vec<Place> {
    let usual = usual(blocks);
    let mut words = Words::default();
    for line in blocks.iter().flat_map(|block| &block.lines) {
        words.learn(&line.text);
    }
    let lines: Vec<Line<'_>> = blocks.iter().flat_map(lines).collect();
    let levels = levels(&lines, &usual);
    let mut places = Vec::with_capacity(lines.len());
    let mut text = String::new();
    let mut level: Option<u8> = None;
    // How many lines the paragraph has.
    let mut length = 0_usize;
    for (index, line) in lines.iter().enumerate() {
        let heading = heading(&lines, index, &usual).and_then(|size| levels.get(&size).copied());
        let before = index.checked_sub(1).map(|before| &lines[before]);
        let parted = before.is_none_or(|before| match (level, heading) {
            (None, None) => parts(before, line, length, &usual),
            (Some(old), Some(new)) => {
                old != new || line.page != before.page || gap(before, line, &usual) > 1.7
            }
            _ => true,
        });
        if parted {
            flush(&mut text, level, builder);
            (level, length) = (heading, 0);
        }
        length += 1;
        // The paragraph that is being gathered starts behind all that was written.
        places.push(Place {
            page: line.page,
            base: line.fragment.base,
            text: line.fragment.text.clone(),
            offset: builder.offset(),
        });
        words.append(&mut text, bullet(&line.fragment.text, parted));
        if builder.is_full() {
            break;
        }
    }
    flush(&mut text, level, builder);
    places
}

fn flush(text: &mut String, level: Option<u8>, builder: &mut Builder) {
    match level {
        Some(level) => builder.heading(level),
        None => builder.paragraph(),
    }
    builder.text(text);
    builder.paragraph();
    text.clear();
}

/// A list's item without its bullet.
fn bullet(text: &str, first: bool) -> &str {
    let trimmed = text.trim_start();
    let bare = trimmed.trim_start_matches(['•', '◦', '▪', '●', '■', '‣', '∙', '·']);
    if first && bare.len() < trimmed.len() { bare } else { text }
}

fn lines(block: &Block) -> impl Iterator<Item = Line<'_>> {
    // The left edge at which most lines begin: the others are indented, or hang out.
    let mut lefts: HashMap<i32, (usize, f32)> = HashMap::new();
    for line in &block.lines {
        let entry = lefts.entry((line.left / 3.0).round() as i32).or_insert((0, line.left));
        entry.0 += 1;
        entry.1 = entry.1.min(line.left);
    }
    let usual = lefts.values().max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let left = usual.map_or(0.0, |(_, left)| *left);
    let right = block.lines.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max);
    let edges = (left, right, (right - left).max(1.0));
    block.lines.iter().enumerate().map(move |(at, fragment)| Line {
        fragment,
        page: block.page,
        edges,
        first: at == 0,
        row: block.is_table && fragment.cells >= ROW_CELLS,
    })
}

fn usual(blocks: &[Block]) -> Usual {
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
    // Lines inside of paragraphs are most, and those between them are further apart.
    let leading = leadings.get(leadings.len() * 2 / 5).copied().unwrap_or(1.2);
    Usual { size, leading, bold: bold * 2 > letters }
}

/// The distance of two lines of a block, 1 being the usual one.
fn gap(before: &Line<'_>, line: &Line<'_>, usual: &Usual) -> f32 {
    let size = before.fragment.size.max(line.fragment.size);
    (before.fragment.base - line.fragment.base) / (usual.leading * size)
}

/// Whether a new paragraph starts with `line`; `length` is how many lines the one before it has.
fn parts(before: &Line<'_>, line: &Line<'_>, length: usize, usual: &Usual) -> bool {
    let (old, new) = (before.fragment, line.fragment);
    let size = new.size;
    let indented = new.left > line.edges.0 + 0.6 * size && new.left < line.edges.0 + 0.5 * line.edges.2;
    let sentence_ended = old
        .text
        .trim_end()
        .trim_end_matches(['"', '”', '’', '\'', ')', '»'])
        .ends_with(['.', '!', '?', ':', '…']);
    let begins = new.text.trim_start().chars().next().is_some_and(|c| !c.is_lowercase());
    let short = old.right < before.edges.1 - 0.15 * before.edges.2;
    let resized = (old.size - new.size).abs() > 0.12 * old.size.max(new.size);
    if goes_on(before, line) && !has_bullet(&new.text) && !line.row {
        let near = line.first || line.page != before.page || (-0.5..=2.2).contains(&gap(before, line, usual));
        if near && old.size.max(size) < LARGER_FIRST * old.size.min(size) {
            return false;
        }
    }
    if line.first || line.page != before.page {
        return resized || indented || (sentence_ended && short && begins);
    }
    if line.row {
        return true;
    }
    let gap = gap(before, line, usual);
    // What stands higher than the line before it begins another part of the page.
    if resized || !(-0.5..=1.35).contains(&gap) {
        return true;
    }
    let further_in = indented && new.left > old.left + 0.6 * size;
    let further_out =
        new.left < old.left - 0.6 * size && (length > 1 || new.left < line.edges.0 - 0.6 * size);
    further_in || further_out || (sentence_ended && short && begins) || has_bullet(&new.text)
}

/// Whether a sentence goes on in the next line: with the rest of a word, or in small letters behind a full line.
fn goes_on(before: &Line<'_>, line: &Line<'_>) -> bool {
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

/// The size in half points of the heading that a line is (part of); 0 for one that is only bold.
fn heading(lines: &[Line<'_>], index: usize, usual: &Usual) -> Option<u32> {
    let line = &lines[index];
    let text = line.fragment.text.trim();
    let characters = text.chars().count();
    if characters > HEADING_CHARACTERS || !text.chars().any(char::is_alphabetic) {
        return None;
    }
    let after = lines.get(index + 1);
    if line.fragment.size >= LARGER * usual.size {
        // A single letter that large begins a chapter's first word, and a line whose sentence goes on in letters of
        // the body's size is the chapter's first line.
        let first_line = line.fragment.size < LARGER_FIRST * usual.size
            && after.is_some_and(|after| after.fragment.size < LARGER * usual.size && goes_on(line, after));
        return (characters > 2 && !first_line).then(|| half_points(line.fragment.size));
    }
    let alone = |other: Option<&Line<'_>>, gap: &dyn Fn(&Line<'_>) -> f32| {
        other.is_none_or(|other| other.page != line.page || !(0.0..1.35).contains(&gap(other)))
    };
    let before = index.checked_sub(1).and_then(|before| lines.get(before));
    let above = line.first || alone(before, &|before| gap(before, line, usual));
    let below = alone(after, &|after| gap(line, after, usual));
    let bold = line.fragment.bold && !usual.bold && line.fragment.size >= 0.97 * usual.size;
    let unbold_after = after.is_none_or(|after| !after.fragment.bold);
    let ends_open = text.ends_with([',', ';', '-']);
    if bold && characters <= BOLD_CHARACTERS && above && unbold_after && !ends_open {
        return Some(0);
    }
    let named = ["chapter ", "prologue", "epilogue", "part "]
        .iter()
        .any(|name| text.to_lowercase().starts_with(name));
    (named && characters <= 60 && above && below && !text.ends_with('.')).then_some(0)
}

/// The level of each size of heading: the largest letters are the highest.
fn levels(lines: &[Line<'_>], usual: &Usual) -> HashMap<u32, u8> {
    let sizes: BTreeSet<u32> = (0..lines.len()).filter_map(|index| heading(lines, index, usual)).collect();
    sizes.into_iter().rev().zip(1_u8..).map(|(size, level)| (size, level.min(6))).collect()
}
