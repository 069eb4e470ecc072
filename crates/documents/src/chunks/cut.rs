//! The end of the next chunk.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::{Cut, blocks::Blocks, sentences};

/// So many bytes before the end are searched for a sentence's end first: all of a chunk seldom has to be.
const SENTENCE_WINDOW: usize = 1_200;

/// So many bytes behind the end are looked at: enough for what decides whether a sentence, a word or a letter ends
/// there. All that a chunk costs lies between its start and here, however long what follows is.
const AHEAD: usize = 64;

/// Where a chunk of `rest.start` on, a chapter's rest, ends: at most `cap` characters further. `last` is where the
/// chapter's last character that is no white space starts.
pub(super) fn next(
    text: &str,
    rest: Range<usize>,
    last: usize,
    cap: usize,
    blocks: &Blocks,
    language: &str,
) -> (usize, Cut) {
    let own = &text[rest.clone()];
    let Some((limit, _)) = own.char_indices().nth(cap) else { return (rest.end, Cut::Chapter) };
    // Both what is cut off and what is left must hold more than white space.
    let first = own[..limit].find(|c: char| !c.is_whitespace()).unwrap_or(limit);
    let room = Room { text: own, first, most: limit.min(last.saturating_sub(rest.start)) };
    if room.most <= first {
        return (rest.start + limit, Cut::Word);
    }
    let most = rest.start + room.most;
    // A mark that belongs to the space before it, in broken text, would be cut off from it.
    let whole = |end: &usize| room.is_whole(end - rest.start);
    if let Some(end) = blocks.ends(rest.start + first, most).find(whole) {
        return (end, Cut::Paragraph);
    }
    if let Some(end) = room.sentence(language) {
        return (rest.start + end, Cut::Sentence);
    }
    (rest.start + room.word(), Cut::Word)
}

/// Where a cut may fall: behind `first`, up to `most`.
struct Room<'a> {
    text: &'a str,
    first: usize,
    most: usize,
}

impl Room<'_> {
    /// The end of what is looked at.
    fn reach(&self) -> usize {
        self.text.ceil_char_boundary((self.most + AHEAD).min(self.text.len()))
    }

    /// Whether a cut at a byte leaves letters whole.
    fn is_whole(&self, at: usize) -> bool {
        at > self.first
            && at <= self.most
            && GraphemeCursor::new(at, self.text.len(), true).is_boundary(self.text, 0).unwrap_or(false)
    }

    /// The last end of a sentence, white space behind it included; better one that is sure than the very last.
    fn sentence(&self, language: &str) -> Option<usize> {
        let near = self.text.floor_char_boundary(self.most.saturating_sub(SENTENCE_WINDOW));
        // From the start of a word on, so that no sentence seems to start inside one.
        let near = self.text[near..self.most].find(char::is_whitespace).map_or(near, |space| near + space);
        self.sentence_from(near.max(self.first), language)
            .or_else(|| (near > self.first).then(|| self.sentence_from(self.first, language)).flatten())
    }

    fn sentence_from(&self, start: usize, language: &str) -> Option<usize> {
        // A little of what follows, so that the end of a sentence at the very end of the room is seen.
        let window = &self.text[start..self.reach()];
        let mut unsure = None;
        let found: Vec<usize> = if sentences::would_be_slow(window) {
            self.stops(start).collect()
        } else {
            let sentences = sentencex::get_sentence_boundaries(language, window).into_iter();
            sentences.map(|sentence| self.behind_space(start + sentence.end_byte.min(window.len()))).collect()
        };
        let mut ends: Vec<usize> = found
            .into_iter()
            .chain(self.full_width_stops(start))
            .filter(|&end| self.is_whole(end) && self.is_apart(end))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        for end in ends.into_iter().rev() {
            if self.is_sure(end) {
                return Some(end);
            }
            unsure = unsure.or_else(|| self.is_stopped(end).then_some(end));
        }
        unsure
    }

    /// The places behind stops, what closes them and white space: ends of sentences as far as nothing else is looked
    /// at.
    fn stops(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut at = start;
        std::iter::from_fn(move || {
            let window = &self.text[at..self.most];
            let (stop, c) = window.char_indices().find(|(_, c)| is_stop(*c))?;
            let behind = at + stop + c.len_utf8();
            let run = self.text[behind..self.reach()].find(|c| !is_closing(c) && !is_stop(c));
            at = run.map_or(self.reach(), |length| behind + length).min(self.most);
            Some(self.behind_space(at))
        })
    }

    /// Ends of sentences in scripts that write no spaces, whatever the language of the document.
    fn full_width_stops(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut at = start;
        std::iter::from_fn(move || {
            let window = &self.text[at..self.most];
            let (stop, c) = window.char_indices().find(|(_, c)| is_full_width_stop(*c))?;
            let behind = at + stop + c.len_utf8();
            // A run of stops and what closes them is one end, and is walked once.
            let run = self.text[behind..self.reach()].find(|c| !is_closing(c) && !is_full_width_stop(c));
            at = run.map_or(self.reach(), |length| behind + length);
            let end = self.behind_space(at);
            at = at.min(self.most);
            Some(end)
        })
    }

    /// The first place that no white space follows; some place behind the room if there is none in reach.
    fn behind_space(&self, at: usize) -> usize {
        let rest = &self.text[at..self.reach()];
        at + rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
    }

    /// Whether a place is behind white space, or in a script that needs none: "example.Com" holds no sentence's end.
    fn is_apart(&self, at: usize) -> bool {
        let before = &self.text[..at];
        before.ends_with(char::is_whitespace)
            || before.trim_end_matches(is_closing).ends_with(is_full_width_stop)
    }

    /// Whether the text before a place ends with a stop.
    fn is_stopped(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end().trim_end_matches(is_closing);
        before.ends_with(|c: char| is_stop(c) || is_full_width_stop(c))
    }

    /// Whether a sentence surely ends before a place: not behind "10 a.m.", "J." or "Co.", not before a small letter.
    fn is_sure(&self, at: usize) -> bool {
        if !self.is_stopped(at) || self.text[at..].starts_with(char::is_lowercase) {
            return false;
        }
        let before = self.text[..at].trim_end().trim_end_matches(is_closing);
        let Some(before) = before.strip_suffix('.') else { return true };
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
        let named = letters < 4 && word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
        letters >= 2 && !named && !word.contains('.')
    }

    /// The last end of a clause, if that is not far from the end, else of a word, else of a letter.
    fn word(&self) -> usize {
        let near = self.most - (self.most - self.first) / 3;
        let (mut clause, mut word) = (None, None);
        let mut behind = self.text[self.most..].chars().next();
        for (at, c) in self.text[self.first..self.most].char_indices().rev() {
            let at = self.first + at + c.len_utf8();
            if c.is_whitespace() && behind.is_some_and(|behind| !behind.is_whitespace()) && self.is_whole(at)
            {
                word = word.or(Some(at));
                let before = self.text[..at].trim_end().trim_end_matches(is_closing);
                if before.ends_with([',', ';', ':', '—', '–', '…']) {
                    clause = Some(at);
                }
            }
            if clause.is_some() || (word.is_some() && at < near) {
                break;
            }
            behind = Some(c);
        }
        clause.filter(|&at| at >= near).or(word).unwrap_or_else(|| self.inside_a_word())
    }

    /// Where there is no space: behind a mark, between what Unicode calls words, or between letters.
    fn inside_a_word(&self) -> usize {
        let window = &self.text[self.first..self.most];
        let space = self.text[self.most..].starts_with(char::is_whitespace);
        if space && self.is_whole(self.most) {
            // A stretch of white space that is longer than what is left of the chunk.
            return self.most;
        }
        let marks = window.char_indices().rev().find(|(at, c)| {
            matches!(c, '，' | '、' | '；' | '：' | '—' | '・')
                && self.is_whole(self.first + at + c.len_utf8())
        });
        if let Some((at, c)) = marks {
            return self.first + at + c.len_utf8();
        }
        let window = &self.text[self.first..self.reach()];
        let latest = |ends: Vec<usize>| {
            let ends = ends.into_iter().rev().map(|at| self.first + at);
            // From the last on: what is whole is found by looking back, far among flags.
            ends.filter(|&at| at <= self.most).find(|&at| self.is_whole(at))
        };
        latest(window.split_word_bound_indices().map(|(at, _)| at).collect())
            .or_else(|| latest(window.grapheme_indices(true).map(|(at, _)| at).collect()))
            .unwrap_or(self.most)
    }
}

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '॥' | '։' | '።')
}

fn is_full_width_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡')
}

/// What closes a sentence behind its stop.
fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '*'
            | '_'
    )
}
