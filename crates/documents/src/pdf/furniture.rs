//! What is on pages only because they are pages: running heads and feet, page numbers, and
//! footnotes.

use std::collections::HashMap;

use super::page::{Fragment, Page, rows};

/// Heads and feet stand within this part of a page's height from its edge.
const MARGIN: f32 = 0.16;

/// So many lines from the edge are looked at.
const LINES: usize = 3;

/// A head is one when it comes again within so many pages: chapters have heads of their own.
const REACH: usize = 4;

/// A line near the edge of a page.
struct Edge {
    page: usize,
    /// Its height on the page, as a part of the page's.
    height: f32,
    /// Its words, with every number replaced.
    words: String,
    size: f32,
    base: f32,
}

/// Takes it from the pages.
pub(super) fn remove(pages: &mut [Page]) {
    let body = body_size(pages);
    let mut edges: Vec<Edge> = Vec::new();
    for page in pages.iter().filter(|page| page.height > 0.0) {
        let lines = rows(page.fragments.clone());
        let count = lines.len();
        for (at, line) in lines.iter().enumerate() {
            let (base, size) = (line[0].base, line.iter().map(|part| part.size).fold(0.0, f32::max));
            let height = base / page.height;
            let outer = (at < LINES && height > 1.0 - MARGIN) || (at + LINES >= count && height < MARGIN);
            if outer {
                let words: Vec<String> =
                    line.iter().flat_map(|part| part.text.split_whitespace()).map(word).collect();
                edges.push(Edge { page: page.index, height, words: words.join(" "), size, base });
            }
        }
    }
    // A head of one page is compared with those of the pages around it.
    let mut by_words: HashMap<&str, Vec<&Edge>> = HashMap::new();
    for edge in &edges {
        by_words.entry(&edge.words).or_default().push(edge);
    }
    let needed = if pages.len() > 3 { 2 } else { 1 };
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
            let number = is_page_number(&edge.words);
            // Chapters begin at the same height, too, in larger letters.
            // With a page's number in it once again is enough: heads of left and of right pages differ.
            let numbered = edge.words.starts_with("# ") || edge.words.ends_with(" #");
            let needed = if numbered { 1 } else { needed };
            let repeated = before + after >= needed && edge.size <= 1.1 * body;
            if number && (before + after > 0 || pages.len() == 1) || repeated {
                gone.entry(edge.page).or_default().push(edge.base);
            }
        }
    }
    for page in pages.iter_mut() {
        if let Some(lines) = gone.get(&page.index) {
            page.fragments
                .retain(|part| !lines.iter().any(|base| (base - part.base).abs() < 0.45 * part.size));
        }
    }
}

/// A word as heads are compared: numbers are alike.
fn word(word: &str) -> String {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let number = !bare.is_empty()
        && (bare.chars().all(|c| c.is_ascii_digit())
            || bare.len() <= 8 && bare.chars().all(|c| "ivxlcIVXLC".contains(c)));
    if number { "#".to_owned() } else { word.to_lowercase() }
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

/// Takes footnotes from the end of a column: small lines in the lower half of a page, of which the first begins with a
/// mark. `is_all` says that there is nothing else on the page, which then is no page of notes.
pub(super) fn remove_notes(lines: &mut Vec<Fragment>, body: f32, page_height: f32, is_all: bool) {
    let small = |line: &Fragment| line.size < 0.92 * body;
    let from = lines.iter().rposition(|line| !small(line)).map_or(0, |last| last + 1);
    let starts_with_mark = |line: &Fragment| {
        let text = line.text.trim_start();
        let rest =
            text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§'));
        (1..=3).contains(&(text.len() - rest.len())) && rest.chars().any(char::is_alphabetic)
    };
    let first =
        lines.iter().skip(from).position(|line| line.base < 0.5 * page_height && starts_with_mark(line));
    if let Some(first) = first
        && (from > 0 || !is_all)
    {
        lines.truncate(from + first);
    }
}
