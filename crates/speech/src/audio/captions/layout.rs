//! Grouping words into captions that can be read: two lines of 42 columns and 6 s at most, ending
//! where sentences end or the voice pauses, else after a clause. How they fill the lines is
//! `lines`', how long they stay is `timing`'s.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use super::{
    Cue, Spoken, WordTiming,
    lines::{LINE_COLUMNS, Token, columns, dash_break, fits},
    marks::{clean, is_unspaced, may_break, may_not_begin, opening_from, opens, sets_no_spaces},
    sentences::ends_sentence,
    spoken,
    timing::{self, MAX_CUE_MS, PAUSE_MS},
};
use crate::markup::Hidden;

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

/// Cuts the text at white space and gives every piece the times of its words. Unspoken text goes
/// with the word before it. If it is long, captions leave it out.
fn tokens(text: &str, spoken: &[Spoken]) -> Vec<Token> {
    let hidden = Hidden::of(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut prefix = String::new();
    for (index, word) in spoken.iter().enumerate() {
        // Words that go back in the text stand apart, too.
        let body = clean(&hidden.strip(word.source.clone()));
        let apart = word.source.start < at || {
            let gap = hidden.strip(at..word.source.start);
            let gap = without_line_ends(&gap, tokens.last(), &body);
            split_gap(&gap, index == 0, &mut tokens, &mut prefix) || index == 0
        };
        let text = format!("{prefix}{body}");
        let glued = !apart && tokens.last().is_some_and(|last| may_break(&last.text, &text));
        match tokens.last_mut() {
            Some(last) if !apart && !glued => {
                last.text.push_str(&text);
                last.end_ms = last.end_ms.max(word.end_ms);
            }
            _ => {
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

/// A gap without the line ends that are no spaces: those between Chinese or Japanese characters.
fn without_line_ends<'a>(gap: &'a str, before: Option<&Token>, after: &str) -> Cow<'a, str> {
    let is_break = |c: char| matches!(c, '\n' | '\r');
    if !gap.contains(is_break) || gap.contains(|c: char| c.is_whitespace() && !is_break(c)) {
        return Cow::Borrowed(gap);
    }
    let unspaced = before.is_some_and(|before| before.text.ends_with(is_unspaced))
        && after.starts_with(is_unspaced)
        && gap.chars().all(|c| is_break(c) || is_unspaced(c) || opens(c));
    if unspaced { Cow::Owned(gap.replace(is_break, "")) } else { Cow::Borrowed(gap) }
}

/// Adds a token. One that is longer than a line and mostly of a script that sets no spaces is cut
/// between its characters, which share its time: then an engine has timed a whole clause as one word.
fn push(whole: Token, tokens: &mut Vec<Token>) {
    let all = columns(&whole.text);
    let (mut unspaced, mut others) = (0_usize, 0_usize);
    for c in whole.text.chars().filter(|c| c.is_alphanumeric()) {
        *(if sets_no_spaces(c) { &mut unspaced } else { &mut others }) += 1;
    }
    if all <= LINE_COLUMNS || unspaced <= others {
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
        // No mark goes to the next line without the character that it belongs to, and none that opens
        // stays behind.
        let may_begin = grapheme.starts_with(char::is_alphanumeric) && !grapheme.starts_with(may_not_begin)
            || grapheme.starts_with(opens);
        let between =
            grapheme.starts_with(sets_no_spaces) || text.ends_with(|c: char| !c.is_ascii_alphanumeric());
        if width + columns > LINE_COLUMNS / 2 && may_begin && between && !text.ends_with(opens) {
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
/// the last white space on to the word after (`prefix`), what lies between to the word before, but
/// marks that open ("«", "¿") and a dash that begins a speech to the word after. Returns whether there
/// was white space.
fn split_gap(gap: &str, first: bool, tokens: &mut [Token], prefix: &mut String) -> bool {
    prefix.clear();
    let Some(first_space) = gap.find(char::is_whitespace) else {
        match tokens.last_mut() {
            Some(last) if !first => {
                let (own, opening) = gap.split_at(opening_from(gap));
                last.text.push_str(&clean(own));
                prefix.push_str(&clean(opening));
            }
            _ => prefix.push_str(&clean(gap)),
        }
        return false;
    };
    // Before the first word there is none that could take the marks.
    let first_space = if tokens.is_empty() { 0 } else { first_space };
    let (own, opening) = gap[..first_space].split_at(opening_from(&gap[..first_space]));
    let mut pieces: Vec<String> = gap[first_space..].split_whitespace().map(clean).collect();
    let attached = if gap.ends_with(char::is_whitespace) { None } else { pieces.pop() };
    let mut opening: Vec<String> = if opening.is_empty() { Vec::new() } else { vec![clean(opening)] };
    let at = pieces.iter().rposition(|piece| !piece.chars().all(opens)).map_or(0, |last| last + 1);
    opening.extend(pieces.split_off(at));
    if let Some(before) = tokens.last_mut() {
        before.text.push_str(&clean(own));
    }
    // A dash after the end of a sentence begins what somebody says.
    if pieces.last().is_some_and(|last| matches!(last.as_str(), "—" | "–")) {
        let before = pieces.iter().rev().nth(1).or(tokens.last().map(|before| &before.text));
        if before.is_none_or(|before| ends_sentence(before, "")) {
            opening.splice(0..0, pieces.pop());
        }
    }
    let middle = pieces.join(" ");
    if let Some(before) =
        tokens.last_mut().filter(|_| !middle.is_empty() && columns(&middle) <= LINE_COLUMNS / 2)
    {
        before.text.push(' ');
        before.text.push_str(&middle);
    }
    for piece in opening.iter().filter(|piece| columns(piece) <= LINE_COLUMNS / 4) {
        prefix.push_str(piece);
        prefix.push(' ');
    }
    if let Some(piece) = attached.filter(|piece| columns(piece) <= LINE_COLUMNS) {
        prefix.push_str(&piece);
    }
    true
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
