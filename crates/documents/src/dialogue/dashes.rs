//! Speech after a dash at the start of a paragraph, as French, Spanish and Italian books print it.

use std::ops::Range;

use super::{
    lexicon::{Dashes, Lexicon},
    marks::Span,
    tags,
    words::Words,
};

/// The spoken stretches of a paragraph that begins with a dash, the dash included.
pub(super) fn spans(paragraph: &str, lexicon: &Lexicon) -> Vec<Span> {
    let start = paragraph.len() - paragraph.trim_start().len();
    // Plain texts of old print a dash as two hyphens.
    let dash = match paragraph[start..].chars().next() {
        Some(c) if is_dash(c) => c.len_utf8(),
        _ if paragraph[start..].starts_with("--") => 2,
        _ => return Vec::new(),
    };
    let body = start + dash;
    if !paragraph[body..].contains(char::is_alphanumeric) {
        return Vec::new();
    }
    let cuts = match lexicon.dashes {
        Dashes::None => return Vec::new(),
        Dashes::Enclosing => enclosed(paragraph, body),
        Dashes::Opening => tagged(paragraph, body..paragraph.len(), lexicon),
    };
    cut(paragraph, start..paragraph.len(), cuts)
}

/// Takes the tags out of a quote that holds them: `« Oui, dit Inès, mais non. »`
pub(super) fn without_tags(paragraph: &str, span: Span, lexicon: &Lexicon) -> Vec<Span> {
    let cuts = tagged(paragraph, span.range.clone(), lexicon);
    if cuts.is_empty() {
        return vec![span];
    }
    let mut spans = cut(paragraph, span.range, cuts);
    if let Some(last) = spans.last_mut() {
        last.closed = span.closed;
    }
    spans
}

/// Cuts narration out of a stretch. Each pair says where a quote ends and where the next one begins.
fn cut(paragraph: &str, stretch: Range<usize>, cuts: Vec<(usize, usize)>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = stretch.start;
    for (to, next) in cuts {
        push(&mut spans, paragraph, from, to);
        from = next;
    }
    push(&mut spans, paragraph, from, stretch.end);
    spans
}

fn push(spans: &mut Vec<Span>, paragraph: &str, from: usize, to: usize) {
    let part = &paragraph[from..to];
    if part.contains(char::is_alphanumeric) {
        // `—dijo Inés—, pero no`: the comma is the narration's.
        let inner =
            part.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.'));
        let start = from + part.len() - inner.len();
        spans.push(Span { range: start..from + part.trim_end().len(), closed: true });
    }
}

/// Narration stands between two dashes: `—Sí —dijo Inés—, pero no.`
fn enclosed(paragraph: &str, body: usize) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut narration: Option<usize> = None;
    let mut before = ' ';
    for (at, c) in paragraph[body..].char_indices() {
        if is_dash(c) {
            let next = paragraph[body + at + c.len_utf8()..].trim_start().chars().next().unwrap_or(' ');
            let (at, end) = (body + at, body + at + c.len_utf8());
            match narration {
                None if before.is_whitespace() && next.is_lowercase() => narration = Some(at),
                Some(from) => {
                    cuts.push((from, end));
                    narration = None;
                }
                None => {}
            }
        }
        before = c;
    }
    if let Some(from) = narration {
        cuts.push((from, paragraph.len()));
    }
    cuts
}

/// Narration begins with a tag after a comma or a stop: `— Oui, dit Inès, mais non.`
fn tagged(paragraph: &str, stretch: Range<usize>, lexicon: &Lexicon) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut from = stretch.start;
    while let Some(at) = paragraph[from..stretch.end].find([',', '!', '?', '…']).map(|at| from + at) {
        let end = at + paragraph[at..].chars().next().map_or(1, char::len_utf8);
        // A tag is short: this bounds what is read after each comma.
        let limit = paragraph.floor_char_boundary((end + 120).min(stretch.end));
        let rest = &paragraph[end..limit];
        let words = Words::of(rest);
        let is_tag = words.words.first().is_some_and(|word| {
            word.follows_closely() && !word.is_capitalized() && tags::is_inverted(&words, lexicon)
        });
        from = end;
        if is_tag {
            let stop = rest.find([',', '.', '!', '?', ';', ':']).map_or(stretch.end, |stop| end + stop + 1);
            cuts.push((end, stop));
            from = stop;
        }
    }
    cuts
}

fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | '―')
}
