//! Cuts spoken text into tokens as the tagger's training data was cut: at spaces, then marks at
//! both ends, then contractions by the pack's table of exceptions, then marks between letters.

use std::{collections::HashMap, ops::Range};

use crate::pack::{Pack, PackError};

/// The table of exceptions in the pack.
pub(super) const FILE: &str = "tokenizer_exceptions.json";

/// Words that begin with an apostrophe, which are in the pack's lexicons but not in its table.
const ELIDED: [&str; 14] = [
    "'tis", "'Tis", "'twas", "'Twas", "'til", "'Til", "'round", "'n'", "'n", "'N'", "'twere", "'twould",
    "'neath", "'tween",
];

/// Written forms that are cut in a special way, with the byte length of each part.
#[derive(Debug)]
pub(super) struct Tokenizer {
    exceptions: HashMap<Box<str>, Box<[u8]>>,
}

impl Tokenizer {
    /// Reads the table from the pack.
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let table: HashMap<String, Vec<String>> =
            serde_json::from_slice(&pack.read(FILE)?).map_err(|error| Pack::unusable(FILE, &error))?;
        let mut exceptions = HashMap::with_capacity(table.len());
        for (form, parts) in table {
            // Cutting by length is correct only if the parts make up the form.
            if parts.concat() != form || parts.iter().any(|part| part.len() > usize::from(u8::MAX)) {
                return Err(Pack::unusable(FILE, &format!("the parts of {form:?} are not the whole")));
            }
            // Emoticons such as `:)` and codes of white space never occur in spoken text.
            if form.chars().any(char::is_alphabetic) {
                exceptions.insert(form.into(), parts.iter().map(|part| part.len() as u8).collect());
            }
        }
        for form in ELIDED {
            exceptions.insert(form.into(), [form.len() as u8].into());
        }
        Ok(Self { exceptions })
    }

    /// The tokens of a text as byte ranges, in order; white space belongs to none.
    pub(super) fn cut(&self, text: &str) -> Vec<Range<usize>> {
        let mut tokens = Vec::new();
        let mut at = 0;
        for chunk in text.split(' ') {
            if !chunk.is_empty() {
                self.cut_chunk(chunk, at, &mut tokens);
            }
            at += chunk.len() + 1;
        }
        tokens
    }

    fn cut_chunk(&self, chunk: &str, base: usize, tokens: &mut Vec<Range<usize>>) {
        let (mut start, mut end) = (0, chunk.len());
        let mut suffixes = Vec::new();
        while start < end {
            let core = &chunk[start..end];
            if self.exceptions.contains_key(core) {
                break;
            }
            if let Some(length) = prefix(core).filter(|&length| length < core.len()) {
                tokens.push(base + start..base + start + length);
                start += length;
            } else if let Some(length) = suffix(core).filter(|&length| length < core.len()) {
                suffixes.push(base + end - length..base + end);
                end -= length;
            } else {
                break;
            }
        }
        self.cut_core(&chunk[start..end], base + start, tokens);
        tokens.extend(suffixes.into_iter().rev());
    }

    fn cut_core(&self, core: &str, base: usize, tokens: &mut Vec<Range<usize>>) {
        if let Some(parts) = self.exceptions.get(core) {
            let mut at = base;
            for &part in parts {
                tokens.push(at..at + usize::from(part));
                at += usize::from(part);
            }
            return;
        }
        let mut from = 0;
        let mut at = 0;
        while let Some(c) = core[at..].chars().next() {
            let length = infix(core, at, c);
            if length == 0 {
                at += c.len_utf8();
                continue;
            }
            if from < at {
                tokens.push(base + from..base + at);
            }
            tokens.push(base + at..base + at + length);
            at += length;
            from = at;
        }
        if from < core.len() {
            tokens.push(base + from..base + core.len());
        }
    }
}

/// The byte length of the mark at the start of a word.
fn prefix(word: &str) -> Option<usize> {
    let first = word.chars().next()?;
    let dots = word.bytes().take_while(|&byte| byte == b'.').count();
    match first {
        '.' if dots > 1 => Some(dots),
        '.' => None,
        _ if first.is_alphanumeric() || first == '-' => None,
        _ => Some(first.len_utf8()),
    }
}

/// The byte length of the mark or possessive ending at the end of a word.
fn suffix(word: &str) -> Option<usize> {
    let last = word.chars().next_back()?;
    let dots = word.bytes().rev().take_while(|&byte| byte == b'.').count();
    if dots > 1 {
        return Some(dots);
    }
    if last == '.' {
        let mut before = word.chars().rev().skip(1);
        let (near, far) = (before.next()?, before.next());
        let ends_word = !near.is_uppercase() || far.is_some_and(char::is_uppercase);
        return (ends_word && near != '.').then_some(1);
    }
    if word.ends_with("'s") || word.ends_with("'S") {
        return Some(2);
    }
    (!last.is_alphanumeric() && last != '-').then_some(last.len_utf8())
}

/// The byte length of the mark that cuts a word in two at `at`, or 0.
fn infix(word: &str, at: usize, mark: char) -> usize {
    if mark.is_alphanumeric() {
        return 0;
    }
    let rest = &word[at..];
    let dots = rest.bytes().take_while(|&byte| byte == b'.').count();
    if mark == '…' {
        return mark.len_utf8();
    }
    if dots > 1 {
        return dots;
    }
    let (Some(before), Some(after)) =
        (word[..at].chars().next_back(), rest[mark.len_utf8()..].chars().next())
    else {
        return 0;
    };
    let cuts = match mark {
        '.' => before.is_lowercase() && after.is_uppercase(),
        ',' | '-' | '–' | '—' | '~' => before.is_alphabetic() && after.is_alphabetic(),
        ':' | '<' | '>' | '=' | '/' => before.is_alphanumeric() && after.is_alphabetic(),
        '(' | ')' | ';' | '!' | '?' => true,
        _ => false,
    };
    if cuts { mark.len_utf8() } else { 0 }
}
