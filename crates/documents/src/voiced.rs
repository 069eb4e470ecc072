//! Stretches of a text that its document gives to somebody by name: collected while the text is written, and cut with it.

use std::ops::Range;

use crate::{document::Voiced, marked::trimmed};

/// The most stretches of a document: more are not kept, so that a hostile file does not grow.
const MOST: usize = 10_000;

/// The stretches of a text that is being written.
#[derive(Debug, Default)]
pub(crate) struct VoicedStretches {
    found: Vec<Voiced>,
    /// The open ones, the innermost last; `None` for the narrator's.
    open: Vec<Option<String>>,
    /// Where the innermost one began, or began again.
    start: usize,
}

impl VoicedStretches {
    /// A stretch begins at the end of the text.
    pub(crate) fn begin(&mut self, name: Option<&str>, text: &str) {
        self.keep(text);
        self.open.push(name.map(str::to_owned));
    }

    /// The innermost stretch ends at the end of the text.
    pub(crate) fn end(&mut self, text: &str) {
        self.keep(text);
        self.open.pop();
    }

    /// The stretches.
    pub(crate) fn finish(self) -> Vec<Voiced> {
        self.found
    }

    fn keep(&mut self, text: &str) {
        let start = std::mem::replace(&mut self.start, text.len());
        let Some(Some(name)) = self.open.last() else { return };
        let Some(range) = trimmed(text, start..text.len()).filter(|_| self.found.len() < MOST) else {
            return;
        };
        self.found.push(Voiced { range, name: name.clone() });
    }
}

/// The stretches inside a part of the text, counted from its start. `voices` are in order.
pub(crate) fn within(voices: &[Voiced], text: &str, part: &Range<usize>) -> Vec<Voiced> {
    let first = voices.partition_point(|stretch| stretch.range.end <= part.start);
    let inside = voices[first..].iter().take_while(|stretch| stretch.range.start < part.end);
    let cut = inside.filter_map(|stretch| {
        let (start, end) = (stretch.range.start.max(part.start), stretch.range.end.min(part.end));
        let range = trimmed(text, start..end)?;
        Some(Voiced { range: range.start - part.start..range.end - part.start, name: stretch.name.clone() })
    });
    cut.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_name_counts_and_the_narrator_may_be_one() {
        let (mut voices, mut text) = (VoicedStretches::default(), "He said ".to_owned());
        let mut say = |part: &str, name: Option<Option<&str>>| {
            match name {
                Some(name) => voices.begin(name, &text),
                None => voices.end(&text),
            }
            text += part;
        };
        say("one ", Some(Some("Ines")));
        say("two ", Some(None));
        say("three ", Some(Some("Tom")));
        say("four ", None);
        say("five", None);
        say(" six", None);
        let found = voices.finish();
        let said: Vec<_> = found.iter().map(|one| (&text[one.range.clone()], one.name.as_str())).collect();
        assert_eq!(said, [("one", "Ines"), ("three", "Tom"), ("five", "Ines")]);
        let cut = within(&found, &text, &(9..22));
        let said: Vec<_> = cut.iter().map(|one| (&text[9..][one.range.clone()], one.name.as_str())).collect();
        assert_eq!(said, [("ne", "Ines"), ("three", "Tom")]);
    }
}
