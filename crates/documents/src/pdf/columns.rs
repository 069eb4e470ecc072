//! The order of reading: lines of a page, column after column. A gutter is a strip down the page that few lines cross;
//! those that do (titles, pictures' captions) part what stands above them from what stands below.

use super::{
    furniture::body_size,
    notes::Notes,
    page::{Fragment, Page, is_raised_number, rows},
    rtl,
    tables::{is_table, parts_tables},
};

/// A part of a page with lines below each other, in the order in which it is read.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) page: usize,
    /// Never empty.
    pub(super) lines: Vec<Fragment>,
    /// Whether the lines are a table's.
    pub(super) is_table: bool,
}

/// A gutter at least this wide parts columns, in sizes of the body's letters.
const GUTTER: f32 = 0.8;

/// The number of steps in which a page is searched from left to right.
const STEPS: usize = 400;

/// Columns inside of columns: a page has few.
const DEPTH: usize = 3;

/// The fewest characters that the lines of a column have on average. Shorter lines are a table's.
const CHARACTERS: usize = 12;

/// A gutter.
#[derive(Debug, Clone, Copy)]
struct Gutter {
    left: f32,
    right: f32,
}

/// What is read, in order.
pub(super) fn blocks(pages: &[Page]) -> Vec<Block> {
    let body = body_size(pages);
    let found: Vec<Option<Gutter>> = pages.iter().map(|page| gutter(&page.fragments, body)).collect();
    let usual = usual(&found);
    let mut notes = Notes::new(body);
    let mut blocks = Vec::new();
    for (page, gutter) in pages.iter().zip(found) {
        // The last page of a chapter may have too little on it to tell.
        let gutter = gutter.or_else(|| usual.filter(|usual| fits(&page.fragments, *usual)));
        let mut found = Vec::new();
        split(page, page.fragments.clone(), gutter, body, 0, &mut found);
        notes.remove(&mut found, page);
        blocks.extend(found);
    }
    blocks
}

/// The gutter that most pages have, when it is at least every third.
fn usual(found: &[Option<Gutter>]) -> Option<Gutter> {
    let middle = |gutter: &Gutter| f32::midpoint(gutter.left, gutter.right);
    let mut gutters: Vec<Gutter> = found.iter().flatten().copied().collect();
    if gutters.len() * 3 < found.len() || gutters.len() < 2 {
        return None;
    }
    gutters.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    Some(gutters[gutters.len() / 2])
}

/// Whether nothing but whole lines across the page crosses a gutter found on other pages.
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
    let Some(gutter) = gutter.filter(|_| depth < DEPTH) else {
        let is_table = is_table(&fragments);
        let mut lines: Vec<Fragment> = rows(fragments).into_iter().filter_map(line).collect();
        if rtl::is_rtl(&lines) {
            // Paragraphs begin at the right: looked at in a mirror they are like all others.
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
        let columns = if rtl::is_rtl(left.iter().chain(&*right)) { [right, left] } else { [left, right] };
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

/// The widest strip that parts these fragments into columns.
fn gutter(fragments: &[Fragment], body: f32) -> Option<Gutter> {
    let left = fragments.iter().map(|part| part.left).fold(f32::INFINITY, f32::min);
    let right = fragments.iter().map(|part| part.right).fold(f32::NEG_INFINITY, f32::max);
    let step = (right - left) / STEPS as f32;
    if !step.is_finite() || step <= 0.0 || fragments.len() < 6 {
        return None;
    }
    // How many fragments stand over each step: a sum of where they begin and end.
    let mut change = vec![0_i32; STEPS + 2];
    let at = |x: f32| (((x - left) / step).round().max(0.0) as usize).min(STEPS);
    for part in fragments {
        change[at(part.left)] += 1;
        change[at(part.right)] -= 1;
    }
    let mut covered = 0;
    let cover: Vec<i32> = change[..STEPS]
        .iter()
        .map(|change| {
            covered += change;
            covered
        })
        .collect();
    let most = cover.iter().copied().max()?;
    let free = |count: i32| count * 6 <= most;
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
                    && wide >= GUTTER * body
                    && best.is_none_or(|best| wide > best.right - best.left)
                    && parts_columns(fragments, strip)
                    && (!is_table || parts_tables(fragments, strip.left, strip.right))
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

/// Whether there are columns on both sides of a strip: several lines of words, beside each other.
fn parts_columns(fragments: &[Fragment], strip: Gutter) -> bool {
    let side = |is_on: &dyn Fn(&Fragment) -> bool| {
        let parts: Vec<&Fragment> = fragments.iter().filter(|part| is_on(part)).collect();
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
        && left_words.min(right_words) >= CHARACTERS
        && overlap > 0.0
}

fn crosses(part: &Fragment, gutter: Gutter) -> bool {
    let middle = f32::midpoint(gutter.left, gutter.right);
    part.left < middle - 1.0 && part.right > middle + 1.0
}

/// The fragments of one line as one. A first letter over several lines stands close to the rest of its word.
fn line(row: Vec<Fragment>) -> Option<Fragment> {
    rtl::order(row).into_iter().reduce(|mut line, part| {
        let spaced = line.text.ends_with(char::is_whitespace) || part.text.starts_with(char::is_whitespace);
        if !spaced {
            line.text.push(' ');
        }
        line.marked |= is_raised_number(&line, &part);
        line.cells += part.cells;
        if part.text.len() > line.text.len() {
            (line.size, line.base, line.bold) = (part.size, part.base, part.bold);
        }
        line.text.push_str(&part.text);
        line.left = line.left.min(part.left);
        line.right = line.right.max(part.right);
        line
    })
}
