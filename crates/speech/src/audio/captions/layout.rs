//! Grouping words into captions that can be read: two lines of 42 columns and 6 s at most, ending
//! where sentences end or the voice pauses, else after a clause. How they fill the lines is
//! `lines`', how long they stay is `timing`'s.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use super::{
    Cue, Spoken, WordTiming,
    lines::{LINE_COLUMNS, Token, columns, dash_break, fits},
    spoken,
    timing::{self, MAX_CUE_MS, PAUSE_MS},
};
use crate::markup::Hidden;

/// Ends with a full stop and no sentence, mostly.
const ABBREVIATIONS: [&str; 16] = [
    "Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Mt.", "Rev.", "Gen.", "Col.", "Capt.", "Lt.", "vs.", "No.",
    "e.g.", "i.e.",
];

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
        // The carried-over text may be too long together with a long token.
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

/// Whether a character is of a script that sets no spaces between words: East Asian ones, which are
/// wide, and those from Thai to Khmer.
fn sets_no_spaces(c: char) -> bool {
    (c.is_alphanumeric() && c.width() == Some(2))
        || matches!(c, '\u{E01}'..='\u{EDF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

/// Cuts the text at white space and gives every piece the times of its words. Unspoken text goes
/// with the word before it. If it is long, captions leave it out.
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
        let glued = !apart && body.starts_with(sets_no_spaces);
        match tokens.last_mut() {
            Some(last) if !apart && !glued => {
                last.text.push_str(&prefix);
                last.text.push_str(&body);
                last.end_ms = last.end_ms.max(word.end_ms);
            }
            _ => {
                let text = format!("{prefix}{body}");
                let whole = Token { text, columns: 0, glued, start_ms: word.start_ms, end_ms: word.end_ms };
                push(whole, &mut tokens);
            }
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

/// Adds a token. One that is longer than a line and of a script that sets no spaces is cut between
/// its characters, which share its time: then an engine has timed a whole clause as one word.
fn push(whole: Token, tokens: &mut Vec<Token>) {
    let all = columns(&whole.text);
    if all <= LINE_COLUMNS || !whole.text.chars().all(|c| sets_no_spaces(c) || !c.is_alphanumeric()) {
        tokens.push(whole);
        return;
    }
    let lasts_ms = whole.end_ms.saturating_sub(whole.start_ms);
    let at_ms = |before: usize| {
        let share = u128::from(lasts_ms) * before as u128 / all as u128;
        whole.start_ms.saturating_add(u64::try_from(share).unwrap_or(lasts_ms))
    };
    let (mut text, mut before, mut glued) = (String::new(), 0, whole.glued);
    let mut width = 0;
    for grapheme in whole.text.graphemes(true) {
        let columns = columns(grapheme);
        // No mark goes to the next line without the character that it belongs to.
        if width + columns > LINE_COLUMNS / 2 && grapheme.starts_with(char::is_alphanumeric) {
            let (start_ms, end_ms) = (at_ms(before), at_ms(before + width));
            tokens.push(Token { text: std::mem::take(&mut text), columns: 0, glued, start_ms, end_ms });
            (before, width, glued) = (before + width, 0, true);
        }
        text.push_str(grapheme);
        width += columns;
    }
    tokens.push(Token { text, columns: 0, glued, start_ms: at_ms(before), end_ms: whole.end_ms });
}

/// A token stays whole on one line. Of a longer one, usually an address, only the beginning is
/// shown. A token of several words joined by dashes takes two lines.
fn shorten(token: &mut Token) {
    token.columns = columns(&token.text);
    // The length first: `dash_break` counts both halves for each dash.
    if token.columns <= LINE_COLUMNS
        || (token.columns <= 2 * LINE_COLUMNS && dash_break(&token.text).is_some())
    {
        return;
    }
    let mut room = LINE_COLUMNS - 1;
    let fits = |grapheme: &&str| {
        let left = room.checked_sub(columns(grapheme));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let kept: String = token.text.graphemes(true).take_while(fits).collect();
    // After a whole part of the address, if that is not much shorter.
    let parts = kept.rfind(['/', '-', '—', '–', '.', '_', '=', '&', '?']).filter(|&at| at > kept.len() / 2);
    let end = parts.map_or(kept.len(), |at| kept.ceil_char_boundary(at + 1));
    kept[..end].clone_into(&mut token.text);
    token.text.push('…');
    token.columns = columns(&token.text);
}

/// Shares what stands between two words out: up to the first white space to the word before, from
/// the last white space on to the word after (`prefix`), what lies between to the word before.
/// Returns whether there was white space.
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
        if !middle.is_empty() && columns(&middle) <= LINE_COLUMNS / 2 {
            before.text.push(' ');
            before.text.push_str(&middle);
        }
    }
    if let Some(piece) = last_piece.filter(|piece| columns(piece) <= LINE_COLUMNS) {
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
        Some('。' | '！' | '？' | '｡' | '।') => true,
        Some('.') => {
            let bare = body.trim_start_matches(|c: char| !c.is_alphanumeric());
            // A single letter with a full stop is an initial.
            let initial = bare.chars().count() == 2 && bare.starts_with(char::is_uppercase) && bare != "I.";
            !goes_on && !initial && !ABBREVIATIONS.contains(&bare)
        }
        _ => false,
    }
}

/// Where to cut tokens that are too many: after the last clause in their second half, or after all
/// of them.
fn clause_end(tokens: &[Token]) -> usize {
    let closes = |token: &Token| token.text.ends_with([',', ';', ':', '—', '–', '、', '，', '；', '：']);
    (tokens.len() / 2 + 1..=tokens.len())
        .rev()
        .find(|&end| end > 0 && tokens.get(end - 1).is_some_and(closes))
        .unwrap_or(tokens.len())
}

fn flush(tokens: &mut Vec<Token>, cues: &mut Vec<Vec<Token>>) {
    if !tokens.is_empty() {
        cues.push(std::mem::take(tokens));
    }
}
