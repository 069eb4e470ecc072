//! Finds the end of the next chunk.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::{
    blocks::Blocks,
    sentences,
    stops::{continues_quotation, is_closing, is_full_width_stop, is_stop},
};
use crate::characters;

/// A sentence end is first looked for in this many bytes before the limit, because the whole chunk
/// rarely has to be searched.
const SENTENCE_WINDOW: usize = 1_200;

/// How many bytes after the limit are read: enough to decide whether a sentence, a word or a letter
/// ends there. This bounds the cost of a chunk, however long the following text is.
const LOOKAHEAD_BYTES: usize = 64;

/// Where a chunk ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Chapter,
    Paragraph,
    Sentence,
    /// Inside a sentence.
    Word,
}

/// The end of a chunk that starts at `remaining.start`, at most `cap` characters later; `remaining`
/// is the rest of the chapter. `last` is the start of the chapter's last character other than white
/// space. Without `blocks`, it ends at a sentence even where a paragraph ends before.
pub(super) fn next(
    text: &str,
    remaining: Range<usize>,
    last: usize,
    cap: usize,
    blocks: Option<&Blocks>,
    language: &str,
) -> (usize, Cut) {
    let own = &text[remaining.clone()];
    let Some((limit, _)) = own.char_indices().nth(cap) else { return (remaining.end, Cut::Chapter) };
    // Both the chunk and the remaining text must contain more than white space.
    let first = own[..limit].find(|c: char| !c.is_whitespace()).unwrap_or(limit);
    let range = CutRange { text: own, first, max: limit.min(last.saturating_sub(remaining.start)) };
    if range.max <= first {
        return (remaining.start + limit, Cut::Word);
    }
    let max = remaining.start + range.max;
    // In broken text, a mark may combine with the space before it and must not be cut off.
    let whole = |end: &usize| range.can_cut_at(end - remaining.start);
    let paragraph = blocks.and_then(|blocks| blocks.ends(remaining.start + first, max).find(whole));
    if let Some(end) = paragraph {
        return (end, Cut::Paragraph);
    }
    if let Some(end) = range.sentence(language) {
        return (remaining.start + end, Cut::Sentence);
    }
    (remaining.start + range.word(), Cut::Word)
}

/// A cut may fall after `first` and up to `max`.
struct CutRange<'a> {
    text: &'a str,
    first: usize,
    max: usize,
}

impl CutRange<'_> {
    /// The end of the text that is read.
    fn lookahead_end(&self) -> usize {
        self.text.ceil_char_boundary((self.max + LOOKAHEAD_BYTES).min(self.text.len()))
    }

    /// Whether a cut at this byte is allowed and splits no grapheme.
    fn can_cut_at(&self, at: usize) -> bool {
        at > self.first
            && at <= self.max
            && GraphemeCursor::new(at, self.text.len(), true).is_boundary(self.text, 0).unwrap_or(false)
    }

    /// The end of the last sentence, with the white space after it. A certain end is preferred to
    /// the last one.
    fn sentence(&self, language: &str) -> Option<usize> {
        let near = self.text.floor_char_boundary(self.max.saturating_sub(SENTENCE_WINDOW));
        // Start at a word, so that no sentence seems to start inside one.
        let near = self.text[near..self.max].find(char::is_whitespace).map_or(near, |space| near + space);
        self.sentence_from(near.max(self.first), language)
            .or_else(|| (near > self.first).then(|| self.sentence_from(self.first, language)).flatten())
    }

    fn sentence_from(&self, start: usize, language: &str) -> Option<usize> {
        // Include a little of the following text to recognize a sentence that ends exactly at the
        // limit.
        let window = &self.text[start..self.lookahead_end()];
        let mut unsure = None;
        let found: Vec<usize> = if sentences::would_be_slow(window) {
            self.stops(start).collect()
        } else {
            let sentences = sentencex::get_sentence_boundaries(language, window).into_iter();
            sentences.map(|sentence| self.skip_space(start + sentence.end_byte.min(window.len()))).collect()
        };
        let mut ends: Vec<usize> = found
            .into_iter()
            .chain(self.full_width_stops(start))
            .map(|end| self.past_closing(end))
            .filter(|&end| self.can_cut_at(end) && self.follows_space(end))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        for end in ends.into_iter().rev() {
            if self.is_certain(end) {
                return Some(end);
            }
            unsure = unsure.or_else(|| self.ends_with_stop(end).then_some(end));
        }
        unsure
    }

    /// Positions after stops, closing marks and white space: candidate sentence ends that ignore
    /// all other context.
    fn stops(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut at = start;
        std::iter::from_fn(move || {
            let window = &self.text[at..self.max];
            let (stop, c) = window.char_indices().find(|(_, c)| is_stop(*c))?;
            let after = at + stop + c.len_utf8();
            let run = self.text[after..self.lookahead_end()].find(|c| !is_closing(c) && !is_stop(c));
            at = run.map_or(self.lookahead_end(), |length| after + length).min(self.max);
            Some(self.skip_space(at))
        })
    }

    /// Sentence ends in scripts without spaces, whatever the document's language.
    fn full_width_stops(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut at = start;
        std::iter::from_fn(move || {
            let window = &self.text[at..self.max];
            let (stop, c) = window.char_indices().find(|(_, c)| is_full_width_stop(*c))?;
            let after = at + stop + c.len_utf8();
            // A run of stops and closing marks is one end; walk it once.
            let run =
                self.text[after..self.lookahead_end()].find(|c| !is_closing(c) && !is_full_width_stop(c));
            at = run.map_or(self.lookahead_end(), |length| after + length);
            let end = self.skip_space(at);
            at = at.min(self.max);
            Some(end)
        })
    }

    /// The first position that is not followed by white space; a position beyond the limit if there
    /// is none in reach.
    fn skip_space(&self, at: usize) -> usize {
        let remaining = &self.text[at..self.lookahead_end()];
        at + remaining.find(|c: char| !c.is_whitespace()).unwrap_or(remaining.len())
    }

    /// The position after a French closing quotation mark, which stands after a space. In German the
    /// same mark opens, without a space after it.
    fn past_closing(&self, at: usize) -> usize {
        let end = self.lookahead_end();
        match self.text.get(at..end).and_then(|rest| rest.strip_prefix(['»', '›'])) {
            Some(after) if after.is_empty() || after.starts_with(char::is_whitespace) => {
                self.skip_space(end - after.len())
            }
            _ => at,
        }
    }

    /// Whether a position follows white space or is in a script that needs none: "example.Com" does
    /// not end a sentence.
    fn follows_space(&self, at: usize) -> bool {
        let before = &self.text[..at];
        before.ends_with(char::is_whitespace)
            || before.trim_end_matches(is_closing).ends_with(is_full_width_stop)
    }

    /// Whether the text before a position ends with a stop.
    fn ends_with_stop(&self, at: usize) -> bool {
        let before =
            self.text[..at].trim_end().trim_end_matches(|c| is_closing(c) || is_space_in_quotation(c));
        before.ends_with(|c: char| is_stop(c) || is_full_width_stop(c))
    }

    /// Whether a sentence certainly ends before a position: not after "10 a.m.", "J." or "Co.", and
    /// not before a lower-case letter, also after a dash ("« Oui ! — dit-il"), nor where a sentence
    /// goes on after a quotation in Japanese.
    fn is_certain(&self, at: usize) -> bool {
        let after = &self.text[at..self.lookahead_end().max(at)];
        let opened =
            after.trim_start_matches(|c: char| matches!(c, '—' | '–' | '-' | '«') || c.is_whitespace());
        if !self.ends_with_stop(at) || opened.starts_with(char::is_lowercase) {
            return false;
        }
        let trimmed = self.text[..at].trim_end();
        let before = trimmed.trim_end_matches(|c| is_closing(c) || is_space_in_quotation(c));
        if before.len() < trimmed.len() && trimmed.len() == at && continues_quotation(after) {
            return false;
        }
        let Some(before) = before.strip_suffix('.') else { return true };
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
        let named = letters < 4 && word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
        letters >= 2 && !named && !word.contains('.')
    }

    /// The end of the last clause if that is near the limit, else of the last word, else of the
    /// last letter. A space far away counts only in a script that sets them between all words.
    fn word(&self) -> usize {
        let near = self.max - (self.max - self.first) / 3;
        let (mut clause, mut word) = (None, None);
        let mut after = self.text[self.max..].chars().next();
        for (at, c) in self.text[self.first..self.max].char_indices().rev() {
            let at = self.first + at + c.len_utf8();
            if c.is_whitespace() && after.is_some_and(|after| !after.is_whitespace()) && self.can_cut_at(at) {
                word = word.or(Some(at));
                let before = self.text[..at].trim_end().trim_end_matches(is_closing);
                if before.ends_with([',', ';', ':', '—', '–', '…']) {
                    clause = Some(at);
                }
            }
            if clause.is_some() || (word.is_some() && at < near) {
                break;
            }
            after = Some(c);
        }
        let spaced = !self.text[..self.max].ends_with(is_unspaced);
        clause
            .filter(|&at| at >= near)
            .or(word.filter(|&at| spaced || at >= near))
            .unwrap_or_else(|| self.cut_inside_word())
    }

    /// A cut in text without spaces: after a mark, between Unicode words, or between letters.
    fn cut_inside_word(&self) -> usize {
        let window = &self.text[self.first..self.max];
        let space = self.text[self.max..].starts_with(char::is_whitespace);
        if space && self.can_cut_at(self.max) {
            // White space longer than the rest of the chunk.
            return self.max;
        }
        let marks = window.char_indices().rev().find(|(at, c)| {
            matches!(c, '，' | '、' | '；' | '：' | '—' | '・' | '。' | '！' | '？' | '」' | '』')
                && self.can_cut_at(self.first + at + c.len_utf8())
        });
        if let Some((at, c)) = marks {
            return self.first + at + c.len_utf8();
        }
        let window = &self.text[self.first..self.lookahead_end()];
        let latest = |ends: Vec<usize>| {
            let ends = ends.into_iter().rev().map(|at| self.first + at);
            // Search from the last candidate: the check looks back, which is slow among flag emoji.
            ends.filter(|&at| at <= self.max).find(|&at| self.can_cut_at(at))
        };
        latest(window.split_word_bound_indices().map(|(at, _)| at).collect())
            .or_else(|| latest(window.grapheme_indices(true).map(|(at, _)| at).collect()))
            .unwrap_or(self.max)
    }
}

/// Whether a character is of a script without spaces between words: Chinese, Japanese, Thai.
fn is_unspaced(c: char) -> bool {
    characters::is_unspaced(c) || matches!(c, '\u{E00}'..='\u{E7F}')
}

/// The spaces that French sets inside quotation marks.
fn is_space_in_quotation(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{202F}')
}
