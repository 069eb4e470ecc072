//! The spoken text while it is being written: words, and for each part the range of the cleaned
//! text that it reads. Nothing here decides how text is read.

use std::ops::Range;

#[derive(Debug)]
struct Span {
    /// The end of the part in the spoken text; it starts where the previous part ends.
    end: usize,
    source: Range<usize>,
    /// Whether it was copied byte for byte, so that a part of it maps to the same part of the
    /// source.
    exact: bool,
    ipa: Option<String>,
}

/// Spoken text and its sources.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// The text so far.
    pub text: String,
    spans: Vec<Span>,
    /// Whether words were spoken that a following letter or digit must not be joined to.
    said: bool,
}

impl Spoken {
    /// Copies a range of the cleaned text unchanged.
    pub(super) fn copy(&mut self, written: &str, source: Range<usize>) {
        let Some(first) = written.chars().next() else { return };
        if first == ' ' {
            self.space(source);
            return;
        }
        if self.said && first.is_alphanumeric() {
            self.space(source.start..source.start);
        }
        self.said = false;
        self.text.push_str(written);
        match self.spans.last_mut() {
            Some(last) if last.exact && last.source.end == source.start => {
                last.end = self.text.len();
                last.source.end = source.end;
            }
            _ => self.spans.push(Span { end: self.text.len(), source, exact: true, ipa: None }),
        }
    }

    /// Writes other words in place of a range of the cleaned text, separated from their neighbors.
    pub(super) fn say(&mut self, words: &str, source: Range<usize>) {
        self.write(words, source, None);
    }

    /// Writes a word with the pronunciation that was given for it.
    pub(super) fn pronounce(&mut self, word: &str, ipa: String, source: Range<usize>) {
        self.write(word, source, Some(ipa));
    }

    /// Whether the text ends with a word whose pronunciation was given.
    pub(super) fn ends_with_pronounced(&self) -> bool {
        self.spans.last().is_some_and(|span| span.ipa.is_some())
    }

    /// Writes a comma, unless the text is empty or ends with a mark.
    pub(super) fn comma(&mut self, source: Range<usize>) {
        while self.text.ends_with(' ') {
            self.trim();
        }
        if self.text.ends_with(|last: char| last.is_alphanumeric() || last == '\'') {
            self.push(",", source);
            self.said = true;
        }
    }

    /// Writes a mark directly after the last word.
    pub(super) fn mark(&mut self, mark: &str, source: Range<usize>) {
        while self.text.ends_with(' ') {
            self.trim();
        }
        self.push(mark, source);
        self.said = true;
    }

    /// Writes a mark that may stand between letters without spaces.
    pub(super) fn glue(&mut self, mark: &str, source: Range<usize>) {
        self.push(mark, source);
        self.said = false;
    }

    /// Writes a space unless there is one.
    pub(super) fn space(&mut self, source: Range<usize>) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.push(" ", source);
        }
        self.said = false;
    }

    /// The range of the cleaned text that a range of the spoken text reads.
    pub(super) fn source(&self, spoken: &Range<usize>) -> Range<usize> {
        let first = self.spans.partition_point(|span| span.end <= spoken.start);
        let mut union: Option<Range<usize>> = None;
        let mut start = if first == 0 { 0 } else { self.spans[first - 1].end };
        for span in &self.spans[first..] {
            if start >= spoken.end {
                break;
            }
            let part = if span.exact {
                let from = span.source.start + spoken.start.saturating_sub(start);
                let to = span.source.end - span.end.saturating_sub(spoken.end);
                from..to
            } else {
                span.source.clone()
            };
            union = Some(
                union.map_or(part.clone(), |so_far| so_far.start.min(part.start)..so_far.end.max(part.end)),
            );
            start = span.end;
        }
        union.unwrap_or(0..0)
    }

    /// The pronunciation given for the word at this position of the spoken text.
    pub(super) fn ipa(&self, at: usize) -> Option<&str> {
        let index = self.spans.partition_point(|span| span.end <= at);
        self.spans.get(index)?.ipa.as_deref()
    }

    /// The end of the pronounced word that starts at this position.
    pub(super) fn pronounced_end(&self, at: usize) -> Option<usize> {
        let index = self.spans.partition_point(|span| span.end <= at);
        let span = self.spans.get(index)?;
        span.ipa.is_some().then_some(span.end)
    }

    fn write(&mut self, words: &str, source: Range<usize>, ipa: Option<String>) {
        if words.is_empty() {
            return;
        }
        if self.text.ends_with(|last: char| last.is_alphanumeric() || ",.;:!?%".contains(last)) {
            self.space(source.start..source.start);
        }
        self.text.push_str(words);
        self.spans.push(Span { end: self.text.len(), source, exact: false, ipa });
        self.said = true;
    }

    fn push(&mut self, mark: &str, source: Range<usize>) {
        self.text.push_str(mark);
        self.spans.push(Span { end: self.text.len(), source, exact: false, ipa: None });
    }

    /// Removes the last character, which is a space.
    fn trim(&mut self) {
        self.text.pop();
        while self.spans.last().is_some_and(|span| {
            let start = self.spans.len().checked_sub(2).map_or(0, |before| self.spans[before].end);
            start >= self.text.len() && span.end > self.text.len()
        }) {
            self.spans.pop();
        }
    }
}
