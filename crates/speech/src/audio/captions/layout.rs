//! Grouping words into captions that can be read: two lines of 42 characters and 6 s at most, ending where sentences
//! end or the voice pauses, else after a clause. How long they stay is `timing`'s.

use super::{Cue, Spoken, WordTiming, spoken, timing};
use crate::markup::Hidden;

pub(super) const LINE_CHARS: usize = 42;
pub(super) const MAX_CUE_MS: u64 = 6_000;
/// A pause this long ends a caption.
pub(super) const PAUSE_MS: u64 = 700;

/// Ends with a full stop and no sentence, mostly.
const ABBREVIATIONS: [&str; 16] = [
    "Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Mt.", "Rev.", "Gen.", "Col.", "Capt.", "Lt.", "vs.", "No.",
    "e.g.", "i.e.",
];

/// What stands between two spaces, with the times of the words in it.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub text: String,
    pub chars: usize,
    pub start_ms: u64,
    pub end_ms: u64,
}

/// Groups words into captions, in order of time, none overlapping the next.
pub fn cues(text: &str, words: &[WordTiming], sample_rate_hz: u32) -> Vec<Cue> {
    cues_of(text, &spoken(text, words, sample_rate_hz))
}

/// [`cues`] of words whose times are known in milliseconds.
pub(super) fn cues_of(text: &str, spoken: &[Spoken]) -> Vec<Cue> {
    let tokens = tokens(text, spoken);
    let mut cues: Vec<Vec<Token>> = Vec::new();
    let mut current: Vec<Token> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if let (Some(first), Some(last)) = (current.first(), current.last()) {
            let pauses = token.start_ms.saturating_sub(last.end_ms) >= PAUSE_MS;
            let sentence = ends_sentence(&tokens[index - 1].text, &token.text);
            let long = token.end_ms.saturating_sub(first.start_ms) > MAX_CUE_MS;
            if pauses || sentence {
                flush(&mut current, &mut cues);
            } else if long || !fits(&current, token) {
                let carried = current.split_off(clause_end(&current));
                flush(&mut current, &mut cues);
                current = carried;
            }
        }
        // What was carried over may be too long together with a long token.
        if current.first().is_some_and(|first| {
            token.end_ms.saturating_sub(first.start_ms) > MAX_CUE_MS || !fits(&current, token)
        }) {
            flush(&mut current, &mut cues);
        }
        current.push(token.clone());
    }
    flush(&mut current, &mut cues);
    timing::timed(cues)
}

/// Cuts the text at white space and gives every piece the times of its words. What is not spoken goes with the word
/// before it, unless it is long: then captions leave it out.
fn tokens(text: &str, spoken: &[Spoken]) -> Vec<Token> {
    let hidden = Hidden::of(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut prefix = String::new();
    for (index, word) in spoken.iter().enumerate() {
        // Words that go back in the text stand apart, too.
        let apart = word.source.start < at
            || split_gap(&hidden.strip(at..word.source.start), index == 0, &mut tokens, &mut prefix)
            || index == 0;
        let body = clean(&hidden.strip(word.source.clone()));
        match tokens.last_mut() {
            Some(last) if !apart => {
                last.text.push_str(&prefix);
                last.text.push_str(&body);
                last.end_ms = last.end_ms.max(word.end_ms);
            }
            _ => tokens.push(Token {
                text: format!("{prefix}{body}"),
                chars: 0,
                start_ms: word.start_ms,
                end_ms: word.end_ms,
            }),
        }
        prefix.clear();
        at = word.source.end;
    }
    if !tokens.is_empty() {
        split_gap(&hidden.strip(at..text.len()), false, &mut tokens, &mut prefix);
        if let Some(last) = tokens.last_mut().filter(|_| !prefix.is_empty()) {
            last.text.push(' ');
            last.text.push_str(&prefix);
        }
    }
    for token in &mut tokens {
        shorten(token);
    }
    tokens
}

/// A token goes on one line whole: a longer one, which is an address mostly, is shown by its beginning. One of several words
/// with dashes between goes on two lines. Text without spaces loses words here; no engine times such text yet.
fn shorten(token: &mut Token) {
    token.chars = token.text.chars().count();
    // The length first: `dash_break` counts both halves for each dash.
    if token.chars <= LINE_CHARS || (token.chars <= 2 * LINE_CHARS && dash_break(&token.text).is_some()) {
        return;
    }
    let kept: String = token.text.chars().take(LINE_CHARS - 1).collect();
    // After a whole part of the address, if that is not much shorter.
    let parts = kept.rfind(['/', '-', '—', '–', '.', '_', '=', '&', '?']).filter(|&at| at > kept.len() / 2);
    let end = parts.map_or(kept.len(), |at| kept.ceil_char_boundary(at + 1));
    kept[..end].clone_into(&mut token.text);
    token.text.push('…');
    token.chars = token.text.chars().count();
}

/// Where words joined by dashes may go on to the next line: behind the dash, both lines short enough. Addresses may not.
fn dash_break(text: &str) -> Option<usize> {
    if text.contains("://") || text.contains("www.") || text.contains('/') {
        return None;
    }
    let short = |part: &str| part.chars().count() <= LINE_CHARS;
    let ends = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '—' | '–' | '-' | '…'))
        .map(|(at, c)| at + c.len_utf8());
    ends.filter(|&at| at < text.len() && short(&text[..at]) && short(&text[at..])).max()
}

/// Shares what stands between two words out: up to the first white space to the word before, from the last white space
/// on to the word after (`prefix`), what lies between to the word before. Returns whether there was white space.
fn split_gap(gap: &str, first: bool, tokens: &mut [Token], prefix: &mut String) -> bool {
    prefix.clear();
    let Some(first_space) = gap.find(char::is_whitespace) else {
        match tokens.last_mut() {
            Some(last) if !first => last.text.push_str(&clean(gap)),
            _ => prefix.push_str(&clean(gap)),
        }
        return false;
    };
    let pieces: Vec<String> = gap[first_space..].split_whitespace().map(clean).collect();
    let ends_in_space = gap.ends_with(char::is_whitespace);
    let (middle, last_piece) = match pieces.split_last() {
        Some((last, middle)) if !ends_in_space => (middle, Some(last)),
        _ => (&pieces[..], None),
    };
    let middle = middle.join(" ");
    if let Some(before) = tokens.last_mut() {
        before.text.push_str(&clean(&gap[..first_space]));
        if !middle.is_empty() && middle.chars().count() <= LINE_CHARS / 2 {
            before.text.push(' ');
            before.text.push_str(&middle);
        }
    }
    if let Some(piece) = last_piece.filter(|piece| piece.chars().count() <= LINE_CHARS) {
        prefix.push_str(piece);
    }
    true
}

/// Without control characters and line breaks.
fn clean(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().filter(|c| !c.is_control()).collect()
}

fn ends_sentence(text: &str, next: &str) -> bool {
    let closers = ['"', '\'', '”', '’', ')', ']', '»', '*', '_'];
    let body = text.trim_end_matches(closers);
    let goes_on = next.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
    match body.chars().next_back() {
        Some('!' | '?' | '…') => !goes_on,
        Some('.') => {
            let bare = body.trim_start_matches(|c: char| !c.is_alphanumeric());
            // A single letter with a full stop is an initial.
            let initial = bare.chars().count() == 2 && bare.starts_with(char::is_uppercase) && bare != "I.";
            !goes_on && !initial && !ABBREVIATIONS.contains(&bare)
        }
        _ => false,
    }
}

/// Where to cut tokens that are too many: after the last clause in their second half, or after all of them.
fn clause_end(tokens: &[Token]) -> usize {
    let closes = |token: &Token| token.text.ends_with([',', ';', ':', '—', '–']);
    (tokens.len() / 2 + 1..=tokens.len())
        .rev()
        .find(|&end| end > 0 && tokens.get(end - 1).is_some_and(closes))
        .unwrap_or(tokens.len())
}

fn fits(tokens: &[Token], token: &Token) -> bool {
    let mut chars: Vec<usize> = tokens.iter().map(|token| token.chars).collect();
    chars.push(token.chars);
    best_break(&chars).is_some()
}

/// Whether tokens go on two lines.
pub(super) fn fit(tokens: &[Token]) -> bool {
    best_break(&tokens.iter().map(|token| token.chars).collect::<Vec<_>>()).is_some()
}

/// How many tokens go on the first line; all of them where one line is enough. `None` when two are not enough.
fn best_break(chars: &[usize]) -> Option<usize> {
    let total = chars.iter().sum::<usize>() + chars.len().saturating_sub(1);
    if total <= LINE_CHARS {
        return Some(chars.len());
    }
    let mut first = 0;
    let mut best = None;
    for (index, &count) in chars.iter().enumerate().take(chars.len().saturating_sub(1)) {
        first += count + usize::from(index > 0);
        let longer = first.max(total - first - 1);
        if longer <= LINE_CHARS && best.is_none_or(|(least, _)| longer < least) {
            best = Some((longer, index + 1));
        }
    }
    best.map(|(_, index)| index)
}

fn flush(tokens: &mut Vec<Token>, cues: &mut Vec<Vec<Token>>) {
    if !tokens.is_empty() {
        cues.push(std::mem::take(tokens));
    }
}

/// The lines of a caption.
pub(super) fn lines(tokens: &[Token]) -> Vec<String> {
    let join =
        |tokens: &[Token]| tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
    let chars: Vec<usize> = tokens.iter().map(|token| token.chars).collect();
    match best_break(&chars) {
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
