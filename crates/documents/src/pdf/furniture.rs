//! What is on pages only because they are pages: running heads and feet, and page numbers.

use std::collections::{HashMap, HashSet};

use super::page::{Fragment, Page, rows};

/// Heads and feet stand within this part of a page's height from its edge.
const MARGIN: f32 = 0.16;

/// So many lines from the edge are looked at.
const LINES: usize = 3;

/// A head is one when it comes again within so many pages: chapters have heads of their own.
const REACH: usize = 4;

/// Numbers are the pages' when they count this many of them.
const NUMBERED: usize = 3;

/// A line near the edge of a page.
struct Edge {
    page: usize,
    /// Its height on the page, as a part of the page's.
    height: f32,
    /// Its words, with every number replaced.
    words: String,
    /// How much the number that begins or ends it is above the page's index: the same for all numbers of pages.
    ahead: Option<i64>,
    size: f32,
    base: f32,
    /// Whether the library takes most of it for a running head or foot.
    pagination: bool,
}

/// Takes it from the pages.
pub(super) fn remove(pages: &mut [Page]) {
    let edges: Vec<Edge> = pages.iter().filter(|page| page.height > 0.0).flat_map(edges).collect();
    let gone = repeated(&edges, pages.len(), body_size(pages));
    for page in pages.iter_mut() {
        let lines = gone.get(&page.index).map_or(&[][..], Vec::as_slice);
        page.fragments.retain(|part| {
            !part.pagination && !lines.iter().any(|base| (base - part.base).abs() < 0.45 * part.size)
        });
    }
}

/// The lines near the edges of a page.
fn edges(page: &Page) -> Vec<Edge> {
    let lines = rows(page.fragments.clone());
    let count = lines.len();
    let edge = |(at, line): (usize, &Vec<Fragment>)| {
        let largest = line.iter().max_by(|a, b| a.size.total_cmp(&b.size))?;
        let height = line[0].base / page.height;
        if !((at < LINES && height > 1.0 - MARGIN) || (at + LINES >= count && height < MARGIN)) {
            return None;
        }
        let words: Vec<&str> = line.iter().flat_map(|part| part.text.split_whitespace()).collect();
        let number = |word: Option<&&str>| word.and_then(|word| bare(word).parse::<i64>().ok());
        let letters = |flagged: bool| -> usize {
            line.iter().filter(|part| part.pagination == flagged).map(|part| part.text.len()).sum()
        };
        Some(Edge {
            page: page.index,
            height,
            ahead: number(words.first())
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

/// The heights of the lines to leave out, by page: heads of one page are compared with those of the pages around it.
fn repeated(edges: &[Edge], pages: usize, body: f32) -> HashMap<usize, Vec<f32>> {
    let mut by_words: HashMap<&str, Vec<&Edge>> = HashMap::new();
    let mut numbers: HashMap<i64, HashSet<usize>> = HashMap::new();
    for edge in edges {
        by_words.entry(&edge.words).or_default().push(edge);
        if let Some(ahead) = edge.ahead {
            numbers.entry(ahead).or_default().insert(edge.page);
        }
    }
    let is_counted = |edge: &Edge| {
        let alike = edge.ahead.and_then(|ahead| numbers.get(&ahead));
        alike.is_some_and(|pages| pages.len() >= NUMBERED)
    };
    let needed = if pages > 3 { 2 } else { 1 };
    let mut gone: HashMap<usize, Vec<f32>> = HashMap::new();
    for alike in by_words.values() {
        for (at, edge) in alike.iter().enumerate() {
            let near = |other: &&&Edge| {
                other.page.abs_diff(edge.page) <= REACH
                    && other.page != edge.page
                    && (other.height - edge.height).abs() < 0.015
            };
            let before = alike[..at].iter().rev().take(2 * REACH).filter(near).count();
            let after = alike[at + 1..].iter().take(2 * REACH).filter(near).count();
            let near = before + after;
            // With a page's number in it once again is enough: heads of left and of right pages differ.
            let numbered = edge.words.starts_with("# ") || edge.words.ends_with(" #");
            let needed = if numbered { 1 } else { needed };
            // Chapters begin at the same height, too, in larger letters; but their numbers are not the pages'.
            let largest = if is_counted(edge) { 1.6 } else { 1.1 };
            let repeated = near >= needed && edge.size <= largest * body;
            let number = is_page_number(&edge.words) && (near > 0 || pages == 1 || is_counted(edge));
            if number || repeated || edge.pagination {
                gone.entry(edge.page).or_default().push(edge.base);
            }
        }
    }
    gone
}

/// A word as heads are compared: numbers are alike.
fn word(word: &str) -> String {
    let bare = bare(word);
    let number = !bare.is_empty()
        && (bare.chars().all(|c| c.is_ascii_digit())
            || bare.len() <= 8 && bare.chars().all(|c| "ivxlcIVXLC".contains(c)));
    if number { "#".to_owned() } else { word.to_lowercase() }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_page_number(words: &str) -> bool {
    let mut words =
        words.split_whitespace().filter(|word| word.chars().any(|c| c.is_alphanumeric() || c == '#'));
    let rest = match words.next() {
        Some("#") => words.next(),
        Some("page" | "p." | "seite" | "página" | "pagina") if words.next() == Some("#") => words.next(),
        _ => return false,
    };
    match rest {
        None => true,
        Some("of" | "von" | "de" | "sur" | "di" | "/") => words.next() == Some("#") && words.next().is_none(),
        Some(_) => false,
    }
}

/// The size of most letters.
pub(super) fn body_size(pages: &[Page]) -> f32 {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for fragment in pages.iter().flat_map(|page| &page.fragments) {
        *sizes.entry((fragment.size * 2.0).round() as u32).or_default() += fragment.text.len();
    }
    let most = sizes.into_iter().max_by_key(|&(size, letters)| (letters, size));
    most.map_or(10.0, |(size, _)| (size as f32 / 2.0).max(0.5))
}
