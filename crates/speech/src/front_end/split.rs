//! Sentences: where a text may be cut so that each piece is said in one breath. Lines and
//! paragraphs first (headings, list items, scene breaks), then full stops that end something, then,
//! in what is still too long, clauses and phrases. Nothing is reworded here. Everything is one pass
//! over the text, with bounded looks to either side.

use std::ops::Range;

use super::{
    Pause, Span,
    blocks::{blocks, is_blank, is_heading, is_scene_break},
    marks,
    rules::Rules,
    stops::{self, Verdict},
};
use crate::markup;

/// A sentence that costs more characters than this is cut; no span is longer, but for a word with
/// its pronunciation.
pub(super) const WISHED: usize = 350;

/// From this many digits in a row on, each is read alone, and costs as much as the word it becomes.
const FLOOD: usize = 12;
const DIGIT_COST: usize = 5;

/// How many blank lines there may be before a scene break.
const LINES_AHEAD: usize = 8;

/// Cuts `text[stretch]` into spans, in order. What stands around the stretch decides the pauses at
/// its ends.
pub(super) fn split(text: &str, stretch: Range<usize>, rules: &dyn Rules) -> Vec<Span> {
    let Some(inner) = text.get(stretch.clone()) else { return Vec::new() };
    let mut spans = split_whole(inner, rules);
    if inner.len() < text.len() {
        for span in &mut spans {
            span.range = span.range.start + stretch.start..span.range.end + stretch.start;
            span.pause = pause_after(text, &span.range, rules);
        }
    }
    spans
}

fn split_whole(text: &str, rules: &dyn Rules) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for block in blocks(text, rules) {
        let first = spans.len();
        if block.scene_break {
            if let Some(last) = spans.last_mut() {
                last.pause = Pause::Section;
            }
            continue;
        }
        for sentence in sentences(text, block.range.clone(), block.heading, rules) {
            cut_long(text, sentence, rules, &mut spans);
        }
        if let Some(last) = spans[first..].last_mut() {
            last.pause = block.pause;
        }
    }
    spans
}

/// The pause after a span of a text.
fn pause_after(text: &str, range: &Range<usize>, rules: &dyn Rules) -> Pause {
    let rest = &text[range.end..];
    // Requested pauses at the start are skipped.
    let asked = markup::leading_pauses(rest);
    let rest =
        if rest[..asked].contains('[') && !rest[..asked].contains('\n') { &rest[asked..] } else { rest };
    let mut lines = rest.split('\n');
    let (here, next) = (lines.next(), lines.next());
    let next_text =
        next.filter(|next| !is_blank(next)).or_else(|| lines.take(LINES_AHEAD).find(|line| !is_blank(line)));
    if here.is_some_and(|rest_of_line| !is_blank(rest_of_line)) {
        return pause_inside_line(&text[range.clone()]);
    }
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let is_whole_line = is_blank(&text[line_start..range.start]) || text[line_start..].starts_with('#');
    match next {
        _ if next_text.is_some_and(is_scene_break) => Pause::Section,
        Some(next) if !is_blank(next) => {
            if is_whole_line && text[line_start..].starts_with('#') {
                Pause::Heading
            } else {
                Pause::Sentence
            }
        }
        Some(_) if is_whole_line && is_heading(&text[line_start..range.end], rules.chapter_words()) => {
            Pause::Heading
        }
        _ => Pause::Paragraph,
    }
}

/// The pause after a piece in the middle of its line.
fn pause_inside_line(piece: &str) -> Pause {
    let closes = |c: char| {
        matches!(
            c,
            '"' | '”'
                | '’'
                | '\''
                | ')'
                | ']'
                | '}'
                | '»'
                | '*'
                | '_'
                | '」'
                | '』'
                | '）'
                | '】'
                | '》'
                | '〉'
        )
    };
    let mut said = piece.trim_end_matches(|c: char| closes(c) || marks::is_footnote_sign(c));
    // A footnote's number in brackets.
    if piece.ends_with(']')
        && let Some((before, number)) = said.rsplit_once('[')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        said = before.trim_end_matches(closes);
    }
    match said.chars().next_back() {
        Some(last) if marks::is_stop(last) => Pause::Sentence,
        Some(',' | ';' | ':' | '—' | '–' | '，' | '、' | '；' | '：') => Pause::Clause,
        _ if piece.ends_with(')') => Pause::Clause,
        _ => Pause::Phrase,
    }
}

/// The sentences of a block.
fn sentences(text: &str, block: Range<usize>, heading: bool, rules: &dyn Rules) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = block.start;
    let mut at = block.start;
    while let Some(offset) = text[at..block.end].find(marks::is_stop) {
        let stop = at + offset;
        let run = marks::run(&text[stop..block.end]);
        let end = stop + run;
        match stops::verdict(text, start..block.end, stop, end, rules) {
            // "[St. Mary](/…/)" is one word.
            Verdict::Ends(end) if end < block.end && markup::outside(text, end) < end => {
                at = end;
            }
            Verdict::Ends(end) if !heading || is_blank(&text[end..block.end]) => {
                sentences.push(start..end);
                start = end;
                at = end;
            }
            _ => at = end,
        }
    }
    sentences.push(start..block.end);
    sentences
}

/// Cuts a sentence at clauses and phrases until each piece is short enough, and keeps those that
/// have something to say.
fn cut_long(text: &str, sentence: Range<usize>, rules: &dyn Rules, spans: &mut Vec<Span>) {
    let mut keep = |range: Range<usize>, is_last: bool| {
        let range = trimmed(text, range);
        if text[range.clone()].chars().any(marks::may_be_said) {
            let pause = if is_last { Pause::Sentence } else { pause_inside_line(&text[range.clone()]) };
            spans.push(Span { range, pause });
        }
    };
    let mut rest = trimmed(text, sentence);
    while let Some(cut) = cut(&text[rest.clone()], rules) {
        keep(rest.start..rest.start + cut, false);
        rest.start += cut;
    }
    keep(rest, true);
}

/// Where to cut a text that is too long: after the last strong mark that fits, else comma, else
/// before a phrase, else at a space, else between two characters that belong to different letters.
/// Never inside markup.
fn cut(text: &str, rules: &dyn Rules) -> Option<usize> {
    let at = cut_anywhere(text, rules)?;
    let at = match markup::outside(text, at) {
        // Markup that is longer than a piece stays whole.
        0 => markup::starting_at(text, 0).map_or(at, |markup| markup.range.end),
        outside => outside,
    };
    (at < text.len()).then_some(at)
}

fn cut_anywhere(text: &str, rules: &dyn Rules) -> Option<usize> {
    if text.len() <= WISHED / DIGIT_COST {
        return None;
    }
    let (mut cost, mut count, mut digits) = (0, 0, 0);
    let (mut strong, mut weak, mut space, mut letter) = (0, 0, 0, 0);
    let mut previous = ' ';
    let mut chars = text.char_indices().peekable();
    // A run of one sign is said once, however long it is.
    let mut run_end = 0;
    while let Some((at, c)) = chars.next() {
        if at < run_end {
            previous = c;
            continue;
        }
        if let Some(bytes) = rules.repeated_sign(&text[at..]) {
            run_end = at + bytes;
        }
        let after_space = previous.is_whitespace();
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        cost += if digits > FLOOD { DIGIT_COST } else { 1 };
        count += 1;
        if !marks::belongs_to_previous(previous, c) {
            letter = at;
        }
        if cost > WISHED {
            let third = count / 3;
            let marks = [strong, weak].into_iter().find(|&cut| cut > third);
            let spaces = || (space > third).then(|| rules.phrase(text, at).unwrap_or(space));
            // Some languages need no spaces.
            let phrase = || rules.phrase(text, at).filter(|&cut| cut > third);
            let letter = || (letter > third).then_some(letter);
            return marks.or_else(spaces).or_else(phrase).or_else(letter).or(Some(at));
        }
        if after_space && !c.is_whitespace() {
            space = at;
        }
        let before_space = chars.peek().is_some_and(|(_, next)| next.is_whitespace());
        let after = at + c.len_utf8();
        match c {
            '—' | '；' | '：' | '。' | '！' | '？' => strong = after,
            ';' | ':' | '.' | '!' | '?' | '…' if before_space => strong = after,
            ',' | ')' if before_space => weak = after,
            '，' | '、' => weak = after,
            _ => {}
        }
        previous = c;
    }
    None
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let skip = |c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}';
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start_matches(skip).len());
    start..start.max(range.start + inner.trim_end_matches(skip).len())
}
