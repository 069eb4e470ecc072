//! Finds what stands between quotation marks, paragraph by paragraph. It does not know who speaks,
//! nor whether anybody does.

use std::ops::Range;

use super::lexicon::Lexicon;

/// A quoted stretch of one paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// Its bytes in the paragraph, with its marks.
    pub range: Range<usize>,
    /// Whether a mark closes it. If not, it extends to the end of the paragraph.
    pub closed: bool,
}

/// How often a text closes quotes with double and with single marks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MarkCount {
    double: usize,
    single: usize,
}

impl MarkCount {
    pub(super) fn add(&mut self, text: &str) {
        let mut before = ' ';
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            let ends = characters.peek().is_none_or(|next| !next.is_alphanumeric());
            if is_stop(before) && ends {
                match c {
                    '”' | '"' => self.double += 1,
                    '’' | '\'' => self.single += 1,
                    _ => {}
                }
            }
            before = c;
        }
    }

    /// Whether single marks are the outer ones, as in many British books.
    pub(super) fn is_single(self) -> bool {
        self.single > self.double
    }
}

/// The quoted stretches of a paragraph, in order and apart.
pub(super) fn spans(paragraph: &str, lexicon: &Lexicon, single: bool) -> Vec<Span> {
    if single && lexicon.single { in_single(paragraph) } else { in_pairs(paragraph, lexicon) }
}

/// Whether a paragraph begins with an opening mark.
pub(super) fn starts_quoted(paragraph: &str, lexicon: &Lexicon, single: bool) -> bool {
    let first = paragraph.trim_start().chars().next();
    first.is_some_and(|c| {
        if single && lexicon.single {
            matches!(c, '‘' | '\'')
        } else {
            lexicon.marks.iter().any(|(open, _)| *open == c)
        }
    })
}

fn in_pairs(paragraph: &str, lexicon: &Lexicon) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open: Option<(usize, &[char])> = None;
    let mut before = None;
    let mut characters = paragraph.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        let may_open = before.is_none_or(opens_after) && next.is_some_and(|next| !next.is_whitespace());
        match open {
            Some((from, closers)) if closers.contains(&c) => {
                if c == '"' && may_open && paragraph[from..].starts_with('"') {
                    // The mark before was never closed.
                    spans.push(Span { range: from..trimmed(paragraph, from, at), closed: false });
                    open = Some((at, closers));
                } else {
                    spans.push(Span { range: from..at + c.len_utf8(), closed: true });
                    open = None;
                }
            }
            Some(_) => {}
            None => {
                if let Some((_, closers)) = lexicon.marks.iter().find(|(mark, _)| *mark == c)
                    && (c != '"' || may_open)
                {
                    open = Some((at, closers));
                }
            }
        }
        before = Some(c);
    }
    if let Some((from, _)) = open {
        spans.push(Span { range: from..trimmed(paragraph, from, paragraph.len()), closed: false });
    }
    spans
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Close,
    /// After a letter: it closes, or it is an apostrophe.
    Unclear,
}

fn in_single(paragraph: &str) -> Vec<Span> {
    let marks = single_marks(paragraph);
    // For each mark, the next one whose meaning is clear.
    let mut next_clear = vec![None; marks.len()];
    let mut clear = None;
    for (index, &(_, _, mark)) in marks.iter().enumerate().rev() {
        next_clear[index] = clear;
        if mark != Mark::Unclear {
            clear = Some(mark);
        }
    }
    let mut spans = Vec::new();
    let mut open: Option<usize> = None;
    for (index, &(at, length, mark)) in marks.iter().enumerate() {
        match (open, mark) {
            (None, Mark::Open) => open = Some(at),
            (Some(from), Mark::Close) => {
                spans.push(Span { range: from..at + length, closed: true });
                open = None;
            }
            // "the boys' room,' he said": the last mark closes, so this one is an apostrophe.
            (Some(from), Mark::Unclear) if next_clear[index] != Some(Mark::Close) => {
                spans.push(Span { range: from..at + length, closed: true });
                open = None;
            }
            _ => {}
        }
    }
    if let Some(from) = open {
        spans.push(Span { range: from..trimmed(paragraph, from, paragraph.len()), closed: false });
    }
    spans
}

fn single_marks(paragraph: &str) -> Vec<(usize, usize, Mark)> {
    let mut marks = Vec::new();
    let mut before = None;
    let mut characters = paragraph.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        if matches!(c, '‘' | '’' | '\'') {
            let length = c.len_utf8();
            let after_word = before.is_some_and(char::is_alphanumeric);
            let before_word = next.is_some_and(char::is_alphanumeric);
            let opens = before.is_none_or(opens_after) && next.is_some_and(|next| !next.is_whitespace());
            if c != '’' && opens {
                if before.is_none() || !is_elision(&paragraph[at + length..]) {
                    marks.push((at, length, Mark::Open));
                }
            } else if c != '‘' && !before_word {
                let mark = if after_word { Mark::Unclear } else { Mark::Close };
                if !before.is_none_or(char::is_whitespace) {
                    marks.push((at, length, mark));
                }
            }
        }
        before = Some(c);
    }
    marks
}

/// Words that begin with an apostrophe.
fn is_elision(rest: &str) -> bool {
    const ELISIONS: &[&str] = &[
        "tis", "twas", "twere", "twill", "twould", "em", "til", "till", "cause", "bout", "round", "n", "ere",
        "im", "er", "ome", "phone", "bus", "s", "cos", "tisn", "twixt", "neath", "gainst", "ud", "d", "ll",
    ];
    let word: String = rest.chars().take(8).take_while(|c| c.is_alphanumeric()).collect();
    ELISIONS.contains(&word.to_lowercase().as_str()) || word.starts_with(|c: char| c.is_ascii_digit())
}

fn trimmed(paragraph: &str, from: usize, to: usize) -> usize {
    from + paragraph[from..to].trim_end().len()
}

/// Whether an opening mark may follow.
fn opens_after(c: char) -> bool {
    c.is_whitespace() || matches!(c, '—' | '–' | '-' | '―' | '(' | '[' | '{' | '“' | '‘' | '"' | '\'' | '…')
}

/// Punctuation inside a quote before its closing mark.
pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?' | '…' | '—' | '–' | '-' | ';' | ':')
}
