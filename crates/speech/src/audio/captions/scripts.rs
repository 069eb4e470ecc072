//! The times of the words and marks of a script, with their places in the text as it was sent.

use lectern_types::{MarkTimestamp, SpokenTimestamp, WordTimestamp};

use super::{Spoken, WordTiming, spoken, timestamps};
use crate::script::{MarkAt, Script};

/// The words of a script, with their places in the text as it was sent.
pub fn words_of_script(
    script: &Script,
    sent: &str,
    words: &[WordTiming],
    sample_rate_hz: u32,
) -> Vec<WordTimestamp> {
    if script.is_as_sent() {
        timestamps(&script.text, words, sample_rate_hz)
    } else {
        words_as_sent(script, sent, &spoken(&script.text, words, sample_rate_hz))
    }
}

/// The text as people see it, and words with their places in that.
pub fn as_shown(script: &Script, words: &[WordTiming]) -> (String, Vec<WordTiming>) {
    let Some(segments) = &script.segments else { return (script.text.clone(), words.to_vec()) };
    let mut shown = String::with_capacity(script.text.len());
    let mut starts = Vec::with_capacity(segments.len());
    for segment in segments {
        starts.push(shown.len());
        let of_text = &script.text[segment.range.clone()];
        shown.push_str(if segment.is_exact { of_text } else { &segment.shown });
    }
    let place = |word: &WordTiming| {
        let first = segments.partition_point(|segment| segment.range.end <= word.source.start);
        let end = segments.partition_point(|segment| segment.range.start < word.source.end);
        let edge = |at: usize, byte: usize, inexact: usize| {
            let segment = &segments[at];
            let inside = byte.clamp(segment.range.start, segment.range.end) - segment.range.start;
            starts[at] + if segment.is_exact { inside } else { inexact }
        };
        let last = end.checked_sub(1).filter(|last| *last >= first)?;
        let source =
            edge(first, word.source.start, 0)..edge(last, word.source.end, segments[last].shown.len());
        Some(WordTiming { source, ..word.clone() }).filter(|word| !word.source.is_empty())
    };
    let words = words.iter().filter_map(place).collect();
    (shown, words)
}

/// The words and marks of a script in order of time.
pub fn of_script(
    script: &Script,
    sent: &str,
    words: &[WordTiming],
    sample_rate_hz: u32,
) -> Vec<SpokenTimestamp> {
    let own = spoken(&script.text, words, sample_rate_hz);
    let marks =
        script.marks.iter().map(|mark| MarkTimestamp { mark: mark.name.clone(), at_ms: at_ms(mark, &own) });
    let mut marks = marks.collect::<Vec<_>>();
    marks.sort_by_key(|mark| mark.at_ms);
    let words = words_of_script(script, sent, words, sample_rate_hz);
    let mut all = Vec::with_capacity(words.len() + marks.len());
    let mut marks = marks.into_iter().peekable();
    for word in words {
        while let Some(mark) = marks.next_if(|mark| mark.at_ms <= word.start_ms) {
            all.push(SpokenTimestamp::Mark(mark));
        }
        all.push(SpokenTimestamp::Word(word));
    }
    all.extend(marks.map(SpokenTimestamp::Mark));
    all
}

/// When a mark is reached: with the word after it, or at the end of the word before a pause.
fn at_ms(mark: &MarkAt, words: &[Spoken]) -> u64 {
    let before = words.iter().rev().find(|word| word.source.end <= mark.at);
    let after = words.iter().find(|word| word.source.start >= mark.at);
    match (before, after) {
        (Some(before), _) if mark.before_pause => before.end_ms,
        (_, Some(after)) => after.start_ms,
        (Some(before), None) => before.end_ms,
        (None, None) => 0,
    }
}

/// The words with their places in the text as sent. What several words of the script read stands once.
fn words_as_sent(script: &Script, sent: &str, words: &[Spoken]) -> Vec<WordTimestamp> {
    let mut found: Vec<(std::ops::Range<usize>, String, u64, u64)> = Vec::with_capacity(words.len());
    for word in words {
        let (source, shown) = script.source(word.source.clone());
        if source.is_empty() {
            continue;
        }
        match found.last_mut() {
            Some((last, _, _, end_ms)) if source.start < last.end && source.end > last.start => {
                *end_ms = word.end_ms.max(*end_ms);
            }
            _ => found.push((source, shown.into_owned(), word.start_ms, word.end_ms)),
        }
    }
    let mut characters = Characters { sent, at: 0, count: 0 };
    found
        .into_iter()
        .map(|(source, text, start_ms, end_ms)| WordTimestamp {
            text,
            start_char: characters.until(source.start),
            end_char: characters.until(source.end),
            start_ms,
            end_ms,
        })
        .collect()
}

/// Counts the characters before places, which mostly ascend.
struct Characters<'a> {
    sent: &'a str,
    at: usize,
    count: u32,
}

impl Characters<'_> {
    fn until(&mut self, place: usize) -> u32 {
        let place = self.sent.floor_char_boundary(place);
        if place < self.at {
            (self.at, self.count) = (0, 0);
        }
        self.count += self.sent[self.at..place].chars().count() as u32;
        self.at = place;
        self.count
    }
}
