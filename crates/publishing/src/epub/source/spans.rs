//! Where elements go around the words of a document.

use std::ops::Range;

use super::document::{Content, Document, Tag, TagKind};

/// Starts and ends are moved over tags at most this often.
const MOVES: usize = 8;

/// Texts that are tried together.
const MOST_TOGETHER: usize = 12;

/// The stretches that elements go around so that they hold the tokens of `group`, in order. There
/// is one if the document's own elements are all inside or all outside of it; else there is one for
/// each stretch of text between tags. None begins before `after`.
pub(super) fn place(
    source: &str,
    document: &Document,
    group: &Range<usize>,
    with_punctuation: bool,
    after: usize,
) -> Vec<Range<usize>> {
    let tokens = &document.tokens;
    let (Some(first), Some(last)) = (tokens[group.clone()].first(), tokens[group.clone()].last()) else {
        return Vec::new();
    };
    let mut range = first.range.start..last.range.end;
    if with_punctuation {
        let before = group.start.checked_sub(1).map_or(0, |before| tokens[before].range.end);
        let next = tokens.get(group.end).map_or(source.len(), |next| next.range.start);
        range = widened(source, document, range, before.max(after)..next);
    }
    if range.start < after {
        return Vec::new();
    }
    match balanced(&document.tags, range.clone()) {
        Some(whole) if whole.start >= after => vec![whole],
        _ => pieces(source, document, &range, group, after),
    }
}

/// Takes the punctuation that touches the stretch, inside `bounds` and the same text.
fn widened(source: &str, document: &Document, range: Range<usize>, bounds: Range<usize>) -> Range<usize> {
    let run_at = |at: usize| {
        let after = document.runs.partition_point(|run| run.start <= at);
        after.checked_sub(1).map(|before| document.runs[before].clone())
    };
    let mut widened = range.clone();
    if let Some(run) = run_at(range.start) {
        let low = run.start.max(bounds.start).min(range.start);
        let before = &source[low..range.start];
        widened.start = before
            .rfind(char::is_whitespace)
            .map_or(low, |at| low + at + before[at..].chars().next().map_or(1, char::len_utf8));
    }
    if let Some(run) = run_at(range.end.saturating_sub(1)) {
        let high = run.end.min(bounds.end).max(range.end);
        let after = &source[range.end..high];
        widened.end = range.end + after.find(char::is_whitespace).unwrap_or(after.len());
    }
    widened
}

/// The stretch, or one that is larger by tags only, if every element that begins in it also ends in
/// it, and all may be in a `span`.
fn balanced(tags: &[Tag], mut range: Range<usize>) -> Option<Range<usize>> {
    for _ in 0..MOVES {
        let first = tags.partition_point(|tag| tag.range.start < range.start);
        let end = tags.partition_point(|tag| tag.range.start < range.end);
        let mut open: Vec<usize> = Vec::new();
        let mut moved = None;
        for (at, tag) in tags.iter().enumerate().take(end).skip(first) {
            match tag.content {
                Content::Phrase | Content::Separate | Content::Text => {}
                Content::Annotation if !open.is_empty() => {}
                Content::Annotation => {
                    // Only with the element that it annotates, if that begins here.
                    let before = first.checked_sub(1).map(|before| &tags[before])?;
                    if before.kind != TagKind::Open || before.range.end != range.start {
                        return None;
                    }
                    moved = Some(before.range.start..range.end);
                    break;
                }
                Content::Block | Content::Frame | Content::Closed => return None,
            }
            match tag.kind {
                TagKind::Empty => {}
                TagKind::Open => open.push(at),
                TagKind::Close => {
                    if open.pop().is_none() {
                        // Its element began before; directly before, or the stretch cannot be one.
                        let partner = &tags[tag.partner].range;
                        if partner.end != range.start {
                            return None;
                        }
                        moved = Some(partner.start..range.end);
                        break;
                    }
                }
            }
        }
        range = match (moved, open.last()) {
            (Some(moved), _) => moved,
            (None, None) => match first.checked_sub(1).map(|before| &tags[before]) {
                // Around such an element, because none may be in it.
                Some(tag) if tag.kind == TagKind::Open && tag.content == Content::Text => {
                    tag.range.start..tags[tag.partner].range.end
                }
                _ => return Some(range),
            },
            (None, Some(open)) => {
                let partner = &tags[tags[*open].partner].range;
                if partner.start != range.end {
                    return None;
                }
                range.start..partner.end
            }
        };
    }
    None
}

/// The texts between tags that have tokens of the group, as many of them together as can be.
fn pieces(
    source: &str,
    document: &Document,
    range: &Range<usize>,
    group: &Range<usize>,
    after: usize,
) -> Vec<Range<usize>> {
    let texts = texts(source, document, range, group);
    let (mut pieces, mut end): (Vec<Range<usize>>, usize) = (Vec::new(), after);
    let mut at = 0;
    while let Some(text) = texts.get(at) {
        let last = texts.len().min(at + MOST_TOGETHER);
        let together = (at..last).rev().find_map(|last| {
            let whole = balanced(&document.tags, text.start..texts[last].end)?;
            (whole.start >= end).then_some((whole, last))
        });
        let Some((piece, last)) = together else {
            at += 1;
            continue;
        };
        at = last + 1;
        end = piece.end;
        pieces.push(piece);
    }
    pieces
}

fn texts(source: &str, document: &Document, range: &Range<usize>, group: &Range<usize>) -> Vec<Range<usize>> {
    let first = document.runs.partition_point(|run| run.end <= range.start);
    let runs = document.runs[first..].iter().take_while(|run| run.start < range.end);
    let tokens = &document.tokens[group.clone()];
    let text = |run: &Range<usize>| {
        let start = run.start.max(range.start);
        let text = &source[start..run.end.min(range.end)];
        let start = start + (text.len() - text.trim_start().len());
        let text = start..start + text.trim().len();
        // A token that goes on over tags begins in one text and ends in another.
        let next = tokens.partition_point(|token| token.range.end <= text.start);
        tokens.get(next).is_some_and(|token| token.range.start < text.end).then_some(text)
    };
    runs.filter_map(text).collect()
}
