//! Drops page furniture: running heads and feet, and page numbers.

use std::collections::{HashMap, HashSet};

use super::{
    fragment::{Fragment, rows},
    page::Page,
};
use crate::chapter_names::digit;

/// Heads and feet are within this share of the page's height from an edge.
const MARGIN_RATIO: f32 = 0.16;

/// The number of lines checked at each edge.
const MAX_EDGE_LINES: usize = 3;

/// A head counts as repeated if it recurs within this many pages, because chapters have their own
/// heads.
const PAGE_REACH: usize = 4;

/// Numbers are page numbers if this many pages count up with them.
const MIN_NUMBERED_PAGES: usize = 3;

struct Edge {
    page: usize,
    /// Its height, relative to the page's.
    height: f32,
    /// Its words, with numbers replaced by `#`.
    words: String,
    /// Its first or last number minus the page's index; the same for all page numbers.
    page_offset: Option<i64>,
    size: f32,
    base: f32,
    /// Whether the library marks most of it as a running head or foot.
    pagination: bool,
}

/// Removes the furniture from the pages.
pub(super) fn remove(pages: &mut [Page]) {
    let edges: Vec<Edge> = pages.iter().filter(|page| page.height > 0.0).flat_map(edges).collect();
    let removed = repeated(&edges, pages.len(), body_size(pages));
    for page in pages.iter_mut() {
        let lines = removed.get(&page.index).map_or(&[][..], Vec::as_slice);
        page.fragments.retain(|part| {
            !part.pagination && !lines.iter().any(|base| (base - part.base).abs() < 0.45 * part.size)
        });
    }
}

fn edges(page: &Page) -> Vec<Edge> {
    let lines = rows(page.fragments.clone());
    let count = lines.len();
    let edge = |(at, line): (usize, &Vec<Fragment>)| {
        let largest = line.iter().max_by(|a, b| a.size.total_cmp(&b.size))?;
        let height = line[0].base / page.height;
        if !((at < MAX_EDGE_LINES && height > 1.0 - MARGIN_RATIO)
            || (at + MAX_EDGE_LINES >= count && height < MARGIN_RATIO))
        {
            return None;
        }
        let words: Vec<&str> = line.iter().flat_map(|part| part.text.split_whitespace()).collect();
        let number = |word: Option<&&str>| word.and_then(|word| value(bare(word)));
        let letters = |flagged: bool| -> usize {
            line.iter().filter(|part| part.pagination == flagged).map(|part| part.text.len()).sum()
        };
        Some(Edge {
            page: page.index,
            height,
            page_offset: number(words.first())
                .or_else(|| number(words.last()))
                .map(|number| number.saturating_sub(i64::try_from(page.index).unwrap_or(i64::MAX))),
            words: words.into_iter().map(word).collect::<Vec<_>>().join(" "),
            size: largest.size,
            base: line[0].base,
            pagination: letters(true) >= letters(false),
        })
    };
    lines.iter().enumerate().filter_map(edge).collect()
}

/// The heights of the lines to drop, by page. The heads of a page are compared with those of nearby
/// pages.
fn repeated(edges: &[Edge], pages: usize, body: f32) -> HashMap<usize, Vec<f32>> {
    let mut by_words: HashMap<&str, Vec<&Edge>> = HashMap::new();
    let mut numbers: HashMap<i64, HashSet<usize>> = HashMap::new();
    for edge in edges {
        by_words.entry(&edge.words).or_default().push(edge);
        if let Some(page_offset) = edge.page_offset {
            numbers.entry(page_offset).or_default().insert(edge.page);
        }
    }
    let is_counted = |edge: &Edge| {
        let alike = edge.page_offset.and_then(|page_offset| numbers.get(&page_offset));
        alike.is_some_and(|pages| pages.len() >= MIN_NUMBERED_PAGES)
    };
    let needed = if pages > 3 { 2 } else { 1 };
    let mut removed: HashMap<usize, Vec<f32>> = HashMap::new();
    for alike in by_words.values() {
        for (at, edge) in alike.iter().enumerate() {
            let near = |other: &&&Edge| {
                other.page.abs_diff(edge.page) <= PAGE_REACH
                    && other.page != edge.page
                    && (other.height - edge.height).abs() < 0.015
            };
            let before = alike[..at].iter().rev().take(2 * PAGE_REACH).filter(near).count();
            let after = alike[at + 1..].iter().take(2 * PAGE_REACH).filter(near).count();
            let near = before + after;
            // With a page number, one repetition is enough, because left and right pages have
            // different heads.
            let numbered = edge.words.starts_with("# ") || edge.words.ends_with(" #");
            let needed = if numbered { 1 } else { needed };
            // Chapter headings also repeat at the same height, in larger letters, but their numbers
            // are not page numbers.
            let largest = if is_counted(edge) { 1.6 } else { 1.1 };
            let repeated = near >= needed && edge.size <= largest * body;
            let number = is_page_number(&edge.words) && (near > 0 || pages == 1 || is_counted(edge));
            if number || repeated || edge.pagination {
                removed.entry(edge.page).or_default().push(edge.base);
            }
        }
    }
    removed
}

/// A word as heads are compared: all numbers are equal.
fn word(word: &str) -> String {
    let bare = bare(word);
    let number = !bare.is_empty()
        && (value(bare).is_some()
            || bare.chars().all(|c| digit(c).is_some())
            || bare.len() <= 8 && bare.chars().all(|c| "ivxlcIVXLC".contains(c)));
    if number { "#".to_owned() } else { word.to_lowercase() }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The value of a number in figures of any script, also of `第12页` and `12ページ`.
fn value(word: &str) -> Option<i64> {
    let word = word.strip_prefix('第').unwrap_or(word);
    let word = ["页", "頁", "ページ"].iter().find_map(|unit| word.strip_suffix(unit)).unwrap_or(word);
    let digits: Option<Vec<i64>> = word.chars().take(10).map(|c| digit(c).map(i64::from)).collect();
    let digits = digits.filter(|digits| (1..=9).contains(&digits.len()))?;
    Some(digits.into_iter().fold(0, |value, digit| value * 10 + digit))
}

fn is_page_number(words: &str) -> bool {
    let mut words =
        words.split_whitespace().filter(|word| word.chars().any(|c| c.is_alphanumeric() || c == '#'));
    let rest = match words.next() {
        Some("#") => words.next(),
        Some("page" | "p." | "seite" | "página" | "pagina" | "pág." | "pag." | "पृष्ठ" | "页" | "頁")
            if words.next() == Some("#") =>
        {
            words.next()
        }
        _ => return false,
    };
    match rest {
        None => true,
        Some("of" | "von" | "de" | "sur" | "di" | "/") => words.next() == Some("#") && words.next().is_none(),
        Some(_) => false,
    }
}

pub(super) fn body_size(pages: &[Page]) -> f32 {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for fragment in pages.iter().flat_map(|page| &page.fragments) {
        *sizes.entry((fragment.size * 2.0).round() as u32).or_default() += fragment.text.len();
    }
    let largest_count = sizes.into_iter().max_by_key(|&(size, letters)| (letters, size));
    largest_count.map_or(10.0, |(size, _)| (size as f32 / 2.0).max(0.5))
}
