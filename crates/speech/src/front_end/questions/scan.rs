//! Where questions are in a text: from the start of each to its mark. Quotes, brackets and the ends of
//! sentences bound them.

use std::ops::Range;

use crate::{
    front_end::{clean::Clean, marks},
    markup::Kind as Markup,
};

/// How far before a span its sentence may begin. A longer sentence was cut, and the question word may
/// be in the part before.
const LOOK_BACK: usize = 1_200;

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// It in small letters, with straight apostrophes.
    pub(super) text: String,
    /// Its bytes in the original text.
    pub(super) source: Range<usize>,
    /// Whether a comma, a dash or another mark is before it.
    pub(super) after_break: bool,
}

/// A question, without its mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) words: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(Word),
    /// A comma, a dash, an ellipsis.
    Break,
    /// An end of a sentence other than a question mark.
    End,
    Open(char),
    Close(char),
    /// A question mark, and whether it is part of the span.
    Asks(bool),
}

/// The questions whose marks are in `text[span]`.
pub(super) fn clauses(text: &str, span: Range<usize>) -> Vec<Clause> {
    let start = sentence_start(text, span.start);
    let clean = Clean::new(text, start..span.end);
    let tokens = tokens(&clean, span.start);
    let asks = tokens.iter().enumerate().filter(|(_, token)| **token == Token::Asks(true));
    asks.map(|(at, _)| clause(&tokens, at)).filter(|clause| !clause.words.is_empty()).collect()
}

/// Where the sentence begins that goes on at this byte.
fn sentence_start(text: &str, span_start: usize) -> usize {
    let Some(head) = text.get(..span_start) else { return span_start };
    let before = head.trim_end();
    let gap = &head[before.len()..];
    let ends = |c: char| marks::is_stop(c) || matches!(c, '"' | '”' | '»' | '’' | '\'' | ')' | ']' | '\n');
    if before.ends_with(ends) || before.is_empty() || gap.contains('\n') {
        return span_start;
    }
    let from = head.floor_char_boundary(span_start.saturating_sub(LOOK_BACK));
    // A stop within reach, or nothing: half a sentence says no more than none.
    let reach = &head[from..];
    let stop = reach.char_indices().rev().find(|(at, c)| {
        *c == '\n' || (marks::is_stop(*c) && reach[at + c.len_utf8()..].starts_with(char::is_whitespace))
    });
    match stop {
        Some((at, c)) => from + at + c.len_utf8(),
        None if from == 0 => 0,
        None => span_start,
    }
}

/// The words of the question that the mark at `mark` ends.
fn clause(tokens: &[Token], mark: usize) -> Clause {
    let opening = match tokens.get(mark + 1) {
        Some(Token::Close(')')) => Some('('),
        Some(Token::Close(quote)) => Some(*quote),
        _ => None,
    };
    let starts = |token: &Token| match token {
        Token::Open('¿') | Token::Asks(_) | Token::End => true,
        Token::Open(sign) => opening == Some(*sign),
        _ => false,
    };
    let start = tokens[..mark].iter().rposition(starts).map_or(0, |at| at + 1);
    let mut words: Vec<Word> = Vec::new();
    let mut broken = false;
    for token in &tokens[start..mark] {
        match token {
            Token::Word(word) => {
                words.push(Word { after_break: broken && !words.is_empty(), ..word.clone() });
                broken = false;
            }
            // A quotation is part of its sentence: Did she say "no"?
            Token::Open('"' | '\'') | Token::Close('"' | '\'') => {}
            _ => broken = true,
        }
    }
    Clause { words }
}

fn tokens(clean: &Clean, span_start: usize) -> Vec<Token> {
    let text = clean.text.as_str();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        if let Some(markup) = clean.markup_at(at) {
            match &markup.kind {
                Markup::Pronunciation { word, .. } => tokens.push(word_of(clean, word.clone())),
                Markup::Pause { .. } | Markup::Speaker { .. } => tokens.push(Token::Break),
            }
            at = markup.range.end.max(next);
            continue;
        }
        let before = text[..at].chars().next_back();
        let after = text[next..].chars().next();
        let spaced = before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace);
        match c {
            c if c.is_alphanumeric() => {
                let end = word_end(text, at);
                tokens.push(word_of(clean, at..end));
                at = end;
                continue;
            }
            '?' => {
                let end = next + text[next..].find(|c| c != '?' && c != '!').unwrap_or(text.len() - next);
                // Not the one of an address.
                let ends =
                    !text[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || "=&/%_".contains(c));
                if ends {
                    tokens.push(Token::Asks(clean.origin(&(at..next)).start >= span_start));
                }
                at = end;
                continue;
            }
            // "What!?" is a question.
            '!' if !text[next..].trim_start_matches('!').starts_with('?') => tokens.push(Token::End),
            '¿' | '(' => tokens.push(Token::Open(c)),
            ')' => tokens.push(Token::Close(c)),
            '"' => {
                let opens = !before.is_some_and(is_inner) && after.is_some_and(|c| !c.is_whitespace());
                tokens.push(if opens { Token::Open('"') } else { Token::Close('"') });
            }
            '\'' => match (before.is_some_and(is_inner), after.is_some_and(char::is_alphanumeric)) {
                (false, true) => tokens.push(Token::Open('\'')),
                (true, false) => tokens.push(Token::Close('\'')),
                _ => {}
            },
            '.' if after == Some('.') => tokens.push(Token::Break),
            // Other full stops belong to abbreviations: sentences were cut before.
            '.' if after == Some('"') => tokens.push(Token::End),
            ',' | ';' | ':' | '—' | '–' | '…' => tokens.push(Token::Break),
            '-' if spaced => tokens.push(Token::Break),
            _ => {}
        }
        at = next;
    }
    tokens
}

/// Whether a closing quote may come after it.
fn is_inner(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | '"' | '—')
}

fn word_of(clean: &Clean, range: Range<usize>) -> Token {
    let text = clean.text[range.clone()].to_lowercase();
    Token::Word(Word { text, source: clean.origin(&range), after_break: false })
}

/// The end of the word that starts here: with its apostrophes and hyphens, and a number with its marks.
fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = match c {
            '\'' | '-' | '’' => next.is_some_and(char::is_alphanumeric),
            ',' | '.' | ':' => {
                let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                let abbreviates = c == '.' && next.is_some_and(char::is_alphabetic);
                (digit(text[..start + at].chars().next_back()) && digit(next)) || abbreviates
            }
            c => c.is_alphanumeric(),
        };
        if !joins {
            break;
        }
        end = start + at + c.len_utf8();
    }
    end
}
