//! Whether a run of stops ends a sentence, as far as all languages agree. Abbreviations are the
//! language's own ([`Rules::ends_after`]).

use std::ops::Range;

use super::{marks, rules::Rules};

/// The effect of a run of full stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The sentence continues.
    GoesOn,
    /// The sentence ends here, after quotes and brackets.
    Ends(usize),
}

/// How far to look for the word before a stop.
const LOOK: usize = 40;

/// Judges the stops at `stop..end` of the sentence that starts where `sentence` starts.
pub(super) fn verdict(
    text: &str,
    sentence: Range<usize>,
    stop: usize,
    end: usize,
    rules: &dyn Rules,
) -> Verdict {
    let stops = &text[stop..end];
    let block_end = sentence.end;
    let close = end + marks::closers(&text[end..block_end]);
    let rest = &text[close..block_end];
    // A wide point within a number.
    if stops == "．" && rest.starts_with(|c: char| c.is_numeric()) {
        return Verdict::GoesOn;
    }
    let quoted = text[end..close].ends_with(['」', '』', '）', '”']);
    if quoted && rules.goes_on_after_quote(rest) {
        return Verdict::GoesOn;
    }
    if stops.chars().any(|c| !matches!(c, '.' | '!' | '?' | '…')) {
        return Verdict::Ends(close);
    }
    let Some(next) = rest.chars().next() else { return Verdict::Ends(block_end) };
    if !next.is_whitespace() {
        // Where words are written without spaces, sentences are, too.
        let before = text[sentence.start..stop].chars().next_back();
        let ideographic = |c: char| matches!(c, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}');
        let ends =
            !stops.contains('…') && stops != ".." && ideographic(next) && before.is_some_and(ideographic);
        return if ends { Verdict::Ends(close) } else { Verdict::GoesOn };
    }
    let next =
        rest.trim_start().trim_start_matches(['"', '“', '‘', '\'', '(', '[', '*', '_', '«', '„', '¿', '¡']);
    let Some(first) = next.chars().next() else { return Verdict::Ends(block_end) };
    // No sentence begins with these: "5! = 120".
    let is_inside = matches!(first, '—' | '–' | ',' | ';' | ':' | ')' | '=' | '≈' | '×' | '÷');
    if first.is_lowercase() || is_inside || marks::is_stop(first) {
        return Verdict::GoesOn;
    }
    if stops != "." || text[end..close].contains(['"', '”', '»']) {
        return Verdict::Ends(close);
    }
    let before = word_before(text, sentence.start, stop);
    let head = &text[sentence.start..stop - before.len()];
    if rules.ends_after(head, before, next) { Verdict::Ends(close) } else { Verdict::GoesOn }
}

/// The word right before a stop, back to a space or an opening mark, at most `LOOK` characters.
fn word_before(text: &str, from: usize, stop: usize) -> &str {
    let head = &text[from..stop];
    let opens =
        |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '‘' | '—' | '–' | '/' | '*' | '_');
    let mut start = head.len();
    for (at, c) in head.char_indices().rev().take(LOOK) {
        if opens(c) {
            break;
        }
        start = at;
    }
    &head[start..]
}
