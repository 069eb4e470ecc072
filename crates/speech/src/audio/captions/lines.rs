//! The lines of a caption: how wide words are, and where the second line begins.
//!
//! A column is the width of a Latin letter; a Chinese character takes two. Where a script sets no
//! spaces, a line may end after any word.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The most columns of a line.
pub(super) const LINE_COLUMNS: usize = 42;

/// What no line may be broken in: what stands between two spaces, or one word of a script that sets
/// none, with the times of the words in it.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub text: String,
    /// Its width.
    pub columns: usize,
    /// No space stands between it and the token before.
    pub glued: bool,
    pub start_ms: u64,
    pub end_ms: u64,
}

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.graphemes(true).map(|grapheme| grapheme.width().min(2)).sum()
}

/// How many columns tokens take on one line.
pub(super) fn columns_of(tokens: &[Token]) -> usize {
    let spaces = tokens.iter().skip(1).filter(|token| !token.glued).count();
    tokens.iter().map(|token| token.columns).sum::<usize>() + spaces
}

/// Where words joined by dashes may go on to the next line: after the dash, both lines short
/// enough. Addresses may not.
pub(super) fn dash_break(text: &str) -> Option<usize> {
    if text.contains("://") || text.contains("www.") || text.contains('/') {
        return None;
    }
    let short = |part: &str| columns(part) <= LINE_COLUMNS;
    let ends = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '—' | '–' | '-' | '…'))
        .map(|(at, c)| at + c.len_utf8());
    ends.filter(|&at| at < text.len() && short(&text[..at]) && short(&text[at..])).max()
}

/// Whether tokens and one more go on two lines.
pub(super) fn fits(tokens: &[Token], token: &Token) -> bool {
    let extents = tokens.iter().chain([token]).map(Extent::of).collect::<Vec<_>>();
    best_break(&extents).is_some()
}

/// Whether tokens go on two lines.
pub(super) fn fit(tokens: &[Token]) -> bool {
    best_break(&tokens.iter().map(Extent::of).collect::<Vec<_>>()).is_some()
}

/// The room that a token takes on a line.
struct Extent {
    columns: usize,
    /// The column of the space before it, unless it begins a line.
    space: usize,
}

impl Extent {
    fn of(token: &Token) -> Self {
        Self { columns: token.columns, space: usize::from(!token.glued) }
    }
}

/// How many tokens go on the first line; all of them where one line is enough. `None` when two are
/// not enough.
fn best_break(extents: &[Extent]) -> Option<usize> {
    let after_first =
        |(index, extent): (usize, &Extent)| extent.columns + if index > 0 { extent.space } else { 0 };
    let total: usize = extents.iter().enumerate().map(after_first).sum();
    if total <= LINE_COLUMNS {
        return Some(extents.len());
    }
    let mut first = 0;
    let mut best = None;
    for (index, pair) in extents.windows(2).enumerate() {
        first += after_first((index, &pair[0]));
        let longer = first.max(total - first - pair[1].space);
        if longer <= LINE_COLUMNS && best.is_none_or(|(least, _)| longer < least) {
            best = Some((longer, index + 1));
        }
    }
    best.map(|(_, index)| index)
}

/// The lines of a caption.
pub(super) fn lines(tokens: &[Token]) -> Vec<String> {
    let extents: Vec<Extent> = tokens.iter().map(Extent::of).collect();
    match best_break(&extents) {
        Some(count) if count < tokens.len() => vec![join(&tokens[..count]), join(&tokens[count..])],
        Some(_) => vec![join(tokens)],
        // One token of two lines: words with dashes between.
        None => {
            let text = join(tokens);
            match dash_break(&text) {
                Some(at) => vec![text[..at].to_owned(), text[at..].to_owned()],
                None => vec![text],
            }
        }
    }
}

/// Tokens on one line.
fn join(tokens: &[Token]) -> String {
    let mut line = String::new();
    for token in tokens {
        if !line.is_empty() && !token.glued {
            line.push(' ');
        }
        line.push_str(&token.text);
    }
    line
}
