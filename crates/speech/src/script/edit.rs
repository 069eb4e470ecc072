//! A script with the words of lexicons said as they want.

use std::ops::Range;

use super::{MarkAt, Script, Segment, Turn, pronounced, without_markup};
use crate::{
    lexicons::{Heard, Words},
    markup,
    spec::{Course, Delivered, InLanguage, PauseAt},
};

impl Script {
    /// The script with the words of lexicons said as they want. Text that an author gave a pronunciation or
    /// another reading stays as it is.
    #[must_use]
    pub fn with_words(self, words: &Words) -> Self {
        let found = words.find(&self.text);
        let markup: Vec<Range<usize>> = markup::find(&self.text).map(|markup| markup.range).collect();
        let touches = |range: &Range<usize>, others: &[Range<usize>]| {
            let first = others.partition_point(|other| other.end <= range.start);
            others.get(first).is_some_and(|other| other.start < range.end)
        };
        let own_readings: Vec<Range<usize>> =
            self.segments.iter().flatten().filter(|one| !one.is_exact).map(|one| one.range.clone()).collect();
        let is_free = |range: &Range<usize>| !touches(range, &markup) && !touches(range, &own_readings);
        let edits: Vec<(Range<usize>, String)> = found
            .into_iter()
            .filter(|found| is_free(&found.range))
            .map(|found| {
                let read = match found.said {
                    Heard::Phonemes(ipa) => pronounced(&self.text[found.range.clone()], ipa),
                    Heard::Alias(alias) => without_markup(alias),
                };
                (found.range, read)
            })
            .collect();
        if edits.is_empty() { self } else { self.edited(&edits) }
    }

    /// The script with stretches said as their author wants: places in order and apart, and sounds of the
    /// voices' alphabet. Text with markup of its own stays as it is.
    #[must_use]
    pub fn with_pronunciations(self, stretches: &[(Range<usize>, String)]) -> Self {
        let has_markup = |range: &Range<usize>| {
            markup::find(&self.text)
                .any(|found| found.range.start < range.end && range.start < found.range.end)
        };
        let mut edits: Vec<(Range<usize>, String)> = Vec::with_capacity(stretches.len());
        for (range, ipa) in stretches {
            let follows = edits.last().is_none_or(|(last, _)| last.end <= range.start);
            if let Some(words) = self.text.get(range.clone()).filter(|words| follows && !words.is_empty())
                && !has_markup(range)
            {
                edits.push((range.clone(), pronounced(words, ipa)));
            }
        }
        if edits.is_empty() { self } else { self.edited(&edits) }
    }

    /// The script with parts of its text replaced. What people see stays.
    fn edited(self, edits: &[(Range<usize>, String)]) -> Self {
        let mut text = String::with_capacity(self.text.len());
        // Where each edit ends, before and after, so that places can be moved.
        let mut moved: Vec<(Range<usize>, Range<usize>)> = Vec::with_capacity(edits.len());
        let mut from = 0;
        for (range, read) in edits {
            text.push_str(&self.text[from..range.start]);
            let start = text.len();
            text.push_str(read);
            moved.push((range.clone(), start..text.len()));
            from = range.end;
        }
        text.push_str(&self.text[from..]);
        let place = |at: usize| {
            let next = moved.partition_point(|(before, _)| before.end <= at);
            let base = next.checked_sub(1).map_or(at, |last| at - moved[last].0.end + moved[last].1.end);
            match moved.get(next) {
                // A place inside a word that is replaced is at its start.
                Some((before, after)) if before.start < at => after.start,
                _ => base,
            }
        };
        let part = |range: &Range<usize>| place(range.start)..place(range.end);
        let segments = self.segments_of_edits(&moved, &place);
        Self {
            turns: self
                .turns
                .iter()
                .map(|turn| Turn { voice: turn.voice, range: part(&turn.range) })
                .collect(),
            marks: self.marks.iter().map(|mark| MarkAt { at: place(mark.at), ..mark.clone() }).collect(),
            marked: self
                .marked
                .iter()
                .map(|one| InLanguage { range: part(&one.range), language: one.language })
                .collect(),
            deliveries: self
                .deliveries
                .iter()
                .map(|one| Delivered { range: part(&one.range), delivery: one.delivery })
                .collect(),
            courses: self
                .courses
                .iter()
                .map(|one| Course { range: part(&one.range), ..one.clone() })
                .collect(),
            pauses: self
                .pauses
                .iter()
                .map(|one| PauseAt { at: place(one.at), pause_ms: one.pause_ms })
                .collect(),
            has_exact_pauses: self.has_exact_pauses,
            segments: Some(segments),
            text,
        }
    }

    /// What each part reads after some were replaced.
    fn segments_of_edits(
        &self,
        moved: &[(Range<usize>, Range<usize>)],
        place: &impl Fn(usize) -> usize,
    ) -> Vec<Segment> {
        let whole;
        let before = if let Some(segments) = &self.segments {
            segments
        } else {
            whole = self.segments_as_sent();
            &whole
        };
        let mut segments = Vec::with_capacity(before.len() + 2 * moved.len());
        for segment in before {
            if !segment.is_exact {
                let range = place(segment.range.start)..place(segment.range.end);
                segments.push(Segment { range, ..segment.clone() });
                continue;
            }
            let source = |at: usize| segment.source.start + at - segment.range.start;
            let mut from = segment.range.start;
            let first = moved.partition_point(|(before, _)| before.end <= segment.range.start);
            for (old, new) in moved[first..].iter().take_while(|(old, _)| old.start < segment.range.end) {
                let (start, end) = (old.start.max(segment.range.start), old.end.min(segment.range.end));
                if from < start {
                    segments.push(Segment {
                        range: place(from)..place(start),
                        source: source(from)..source(start),
                        ..segment.clone()
                    });
                }
                // A word may lie in several segments; the first one has what is read.
                let shown = self.text[start..end].to_owned();
                let paid = shown.chars().count() as u32;
                let range = if old.start >= segment.range.start { new.clone() } else { new.end..new.end };
                match segments.last_mut() {
                    Some(last) if range.is_empty() => {
                        last.source.end = source(end);
                        last.shown.push_str(&shown);
                        last.paid += paid;
                    }
                    _ => segments.push(Segment {
                        range,
                        source: source(start)..source(end),
                        is_exact: false,
                        shown,
                        paid,
                        voice: segment.voice,
                    }),
                }
                from = end;
            }
            if from < segment.range.end {
                segments.push(Segment {
                    range: place(from)..place(segment.range.end),
                    source: source(from)..source(segment.range.end),
                    ..segment.clone()
                });
            }
        }
        segments
    }

    /// The segments of a text that is as it was sent: its markup reads what it shows.
    fn segments_as_sent(&self) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut put = |range: Range<usize>, shown: Option<String>| {
            if range.is_empty() {
                return;
            }
            let (is_exact, shown) = (shown.is_none(), shown.unwrap_or_default());
            let paid = shown.chars().count() as u32;
            let voice =
                self.turns.iter().find(|turn| turn.range.contains(&range.start)).and_then(|turn| turn.voice);
            segments.push(Segment { source: range.clone(), range, is_exact, shown, paid, voice });
        };
        let mut from = 0;
        for found in markup::find(&self.text) {
            put(from..found.range.start, None);
            let shown = match found.kind {
                markup::Kind::Pause { .. } | markup::Kind::Speaker { .. } => String::new(),
                markup::Kind::Pronunciation { word, .. } => self.text[word].to_owned(),
            };
            put(found.range.clone(), Some(shown));
            from = found.range.end;
        }
        put(from..self.text.len(), None);
        segments
    }
}
