//! Finds the reading order of a page: its lines, column by column. A gutter is a vertical strip
//! that few lines cross. Lines that do (titles, captions) separate the columns above from those
//! below.

use super::{
    block::Block,
    footnotes::FootnoteFilter,
    fragment::{Fragment, is_raised_number, moved, rows},
    furniture::body_size,
    line_order,
    note_places::Footnote,
    page::Page,
    tables::{is_table, separates_tables},
};

/// The minimum width of a gutter, relative to the size of the body text.
const MIN_GUTTER: f32 = 0.8;

/// The number of steps in which a page is searched from left to right.
const SEARCH_STEPS: usize = 400;

/// The largest depth of columns inside columns.
const MAX_DEPTH: usize = 3;

/// The minimum average length of a column's lines. Shorter lines belong to a table.
const MIN_LINE_CHARACTERS: usize = 12;

#[derive(Debug, Clone, Copy)]
struct Gutter {
    left: f32,
    right: f32,
}

/// The blocks of all pages in reading order, and the footnotes, which are in none.
pub(super) fn blocks(pages: &[Page]) -> (Vec<Block>, Vec<Footnote>) {
    let body = body_size(pages);
    let found: Vec<Option<Gutter>> = pages.iter().map(|page| gutter(&page.fragments, body)).collect();
    let common = common_gutter(&found);
    let mut footnotes = FootnoteFilter::new(body);
    let mut blocks = Vec::new();
    for (page, gutter) in pages.iter().zip(found) {
        // The last page of a chapter may be too short to show its gutter.
        let gutter = gutter.or_else(|| common.filter(|common| fits(&page.fragments, *common)));
        let mut found = Vec::new();
        split(page, page.fragments.clone(), gutter, body, 0, &mut found);
        footnotes.remove(&mut found, page);
        blocks.extend(found);
    }
    (blocks, footnotes.finish())
}

/// The most common gutter, if at least every third page has one.
fn common_gutter(found: &[Option<Gutter>]) -> Option<Gutter> {
    let middle = |gutter: &Gutter| f32::midpoint(gutter.left, gutter.right);
    let mut gutters: Vec<Gutter> = found.iter().flatten().copied().collect();
    if gutters.len() * 3 < found.len() || gutters.len() < 2 {
        return None;
    }
    gutters.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    Some(gutters[gutters.len() / 2])
}

/// Whether a gutter of other pages fits this one: only lines across the whole page cross it.
fn fits(fragments: &[Fragment], gutter: Gutter) -> bool {
    let right = fragments.iter().filter(|part| part.left >= gutter.left).count();
    let crossing = fragments.iter().filter(|part| crosses(part, gutter)).count();
    right > 0 && crossing * 4 <= fragments.len() && !is_table(fragments)
}

fn split(
    page: &Page,
    fragments: Vec<Fragment>,
    gutter: Option<Gutter>,
    body: f32,
    depth: usize,
    blocks: &mut Vec<Block>,
) {
    let Some(gutter) = gutter.filter(|_| depth < MAX_DEPTH) else {
        let is_table = is_table(&fragments);
        let mut lines: Vec<Fragment> = rows(fragments).into_iter().filter_map(line).collect();
        if line_order::is_rtl(&lines) {
            // Text from right to left is mirrored, so that its paragraphs look like all others.
            for line in &mut lines {
                (line.left, line.right) = (-line.right, -line.left);
            }
        }
        if !lines.is_empty() {
            blocks.push(Block { page: page.index, lines, is_table });
        }
        return;
    };
    let (mut left, mut right): (Vec<Fragment>, Vec<Fragment>) = (Vec::new(), Vec::new());
    let mut across: Vec<Fragment> = Vec::new();
    let columns = |left: &mut Vec<Fragment>, right: &mut Vec<Fragment>, blocks: &mut Vec<Block>| {
        let columns =
            if line_order::is_rtl(left.iter().chain(&*right)) { [right, left] } else { [left, right] };
        for column in columns {
            let column = std::mem::take(column);
            let inner = gutter_inside(&column, body);
            split(page, column, inner, body, depth + 1, blocks);
        }
    };
    for row in rows(fragments) {
        if row.iter().any(|part| crosses(part, gutter)) {
            columns(&mut left, &mut right, blocks);
            across.extend(row);
            continue;
        }
        split(page, std::mem::take(&mut across), None, body, depth + 1, blocks);
        let middle = f32::midpoint(gutter.left, gutter.right);
        let (of_left, of_right): (Vec<_>, Vec<_>) =
            row.into_iter().partition(|part| f32::midpoint(part.left, part.right) < middle);
        left.extend(of_left);
        right.extend(of_right);
    }
    columns(&mut left, &mut right, blocks);
    split(page, across, None, body, depth + 1, blocks);
}

fn gutter_inside(column: &[Fragment], body: f32) -> Option<Gutter> {
    if column.is_empty() { None } else { gutter(column, body) }
}

/// The widest strip that separates the fragments into columns.
fn gutter(fragments: &[Fragment], body: f32) -> Option<Gutter> {
    let left = fragments.iter().map(|part| part.left).fold(f32::INFINITY, f32::min);
    let right = fragments.iter().map(|part| part.right).fold(f32::NEG_INFINITY, f32::max);
    let step = (right - left) / SEARCH_STEPS as f32;
    if !step.is_finite() || step <= 0.0 || fragments.len() < 6 {
        return None;
    }
    // The number of fragments over each step, from their starts and ends.
    let mut change = vec![0_i32; SEARCH_STEPS + 2];
    let at = |x: f32| (((x - left) / step).round().max(0.0) as usize).min(SEARCH_STEPS);
    for part in fragments {
        change[at(part.left)] += 1;
        change[at(part.right)] -= 1;
    }
    let mut covered = 0;
    let cover: Vec<i32> = change[..SEARCH_STEPS]
        .iter()
        .map(|change| {
            covered += change;
            covered
        })
        .collect();
    let largest_count = cover.iter().copied().max()?;
    let free = |count: i32| count * 6 <= largest_count;
    let is_table = is_table(fragments);
    let mut best: Option<Gutter> = None;
    let mut start = None;
    for (step_at, &count) in cover.iter().enumerate() {
        match (free(count), start) {
            (true, None) => start = Some(step_at),
            (false, Some(from)) => {
                let strip = Gutter { left: left + from as f32 * step, right: left + step_at as f32 * step };
                let wide = strip.right - strip.left;
                if from > 0
                    && wide >= MIN_GUTTER * body
                    && best.is_none_or(|best| wide > best.right - best.left)
                    && separates_columns(fragments, strip)
                    && (!is_table || separates_tables(fragments, strip.left, strip.right))
                {
                    best = Some(strip);
                }
                start = None;
            }
            _ => {}
        }
    }
    best
}

/// Whether there are columns on both sides of a strip: several lines of words at the same heights.
fn separates_columns(fragments: &[Fragment], strip: Gutter) -> bool {
    let side = |is_on_page: &dyn Fn(&Fragment) -> bool| {
        let parts: Vec<&Fragment> = fragments.iter().filter(|part| is_on_page(part)).collect();
        let mut heights: Vec<i32> = parts.iter().map(|part| (part.base / 2.0).round() as i32).collect();
        heights.sort_unstable();
        heights.dedup();
        let characters: usize = parts.iter().map(|part| part.text.chars().count()).sum();
        let top = parts.iter().map(|part| part.base).fold(f32::NEG_INFINITY, f32::max);
        let bottom = parts.iter().map(|part| part.base).fold(f32::INFINITY, f32::min);
        (heights.len(), characters / heights.len().max(1), top, bottom)
    };
    let slack = 0.5;
    let (left, left_words, left_top, left_bottom) = side(&|part| part.right <= strip.left + slack);
    let (right, right_words, right_top, right_bottom) = side(&|part| part.left >= strip.right - slack);
    let overlap = left_top.min(right_top) - left_bottom.max(right_bottom);
    left.min(right) >= 3
        && left.min(right) * 5 >= left.max(right)
        && left_words.min(right_words) >= MIN_LINE_CHARACTERS
        && overlap > 0.0
}

fn crosses(part: &Fragment, gutter: Gutter) -> bool {
    let middle = f32::midpoint(gutter.left, gutter.right);
    part.left < middle - 1.0 && part.right > middle + 1.0
}

/// Joins the fragments of a line. A large initial stays close to the rest of its word.
fn line(row: Vec<Fragment>) -> Option<Fragment> {
    line_order::order(row).into_iter().reduce(|mut line, part| {
        let spaced = line.text.ends_with(char::is_whitespace) || part.text.starts_with(char::is_whitespace);
        if !spaced {
            line.text.push(' ');
        }
        line.note_number |= is_raised_number(&line, &part);
        line.cells += part.cells;
        if part.text.len() > line.text.len() {
            (line.size, line.base, line.bold) = (part.size, part.base, part.bold);
        }
        let start = line.text.len();
        line.marks.extend(moved(&part.marks, start));
        line.text.push_str(&part.text);
        line.left = line.left.min(part.left);
        line.right = line.right.max(part.right);
        line
    })
}
