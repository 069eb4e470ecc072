//! A text as voices say it: one text in this crate's markup, whatever it was sent as, with who says which
//! stretch, and how.
//!
//! `edit` has the words of lexicons said as they want, `speakers` finds the lines that name who speaks.

mod edit;
mod speakers;

pub use speakers::speakers;

use std::{borrow::Cow, ops::Range};

use crate::{
    markup,
    phonemes::is_pronunciation,
    spec::{Course, Delivered, InLanguage, NarrationSpec, PauseAt},
};

/// What keeps brackets that were sent as text from being read as markup: nothing that is seen or said.
pub(crate) const JOINER: char = '\u{2060}';

/// A text as it is said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// The text that front ends read, in this crate's own markup.
    pub text: String,
    /// Who says what, in order; neighbors have different voices.
    pub turns: Vec<Turn>,
    /// The places with a name, in order.
    pub marks: Vec<MarkAt>,
    /// The stretches in a language of their own, in order and apart.
    pub marked: Vec<InLanguage>,
    /// The stretches with a delivery of their own, in order and apart.
    pub deliveries: Vec<Delivered>,
    /// The stretches with a course of the pitch or a length; inner ones stand behind outer ones.
    pub courses: Vec<Course>,
    /// Where sentences and paragraphs end.
    pub pauses: Vec<PauseAt>,
    /// Whether pauses last as long as the text says, or at least as long.
    pub has_exact_pauses: bool,
    /// What each part of the text reads; `None` when it is the text as sent.
    pub(crate) segments: Option<Vec<Segment>>,
}

/// A stretch of a script that one voice says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Index of the voice among those that the text names; `None` for the text's own.
    pub voice: Option<usize>,
    /// Its bytes in [`Script::text`].
    pub range: Range<usize>,
}

/// A place with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkAt {
    /// The name.
    pub name: String,
    /// The byte of [`Script::text`] before which it stands.
    pub at: usize,
    /// Whether a pause follows before the next word: the place is then at the end of the word before.
    pub before_pause: bool,
}

/// A part of a script and what it reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment {
    /// Its bytes in the script.
    pub(crate) range: Range<usize>,
    /// Its bytes in the text as sent.
    pub(crate) source: Range<usize>,
    /// Whether it is the same characters, so that a part of it reads the same part of the source.
    pub(crate) is_exact: bool,
    /// What people see, where that is not the same.
    pub(crate) shown: String,
    /// The characters that are paid.
    pub(crate) paid: u32,
    /// The voice at whose price.
    pub(crate) voice: Option<usize>,
}

impl Script {
    /// A text without elements.
    pub fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        let turn = Turn { voice: None, range: 0..text.len() };
        Self { text, turns: vec![turn], ..Self::default() }
    }

    /// A spec with what the script says about one voice's turns.
    #[must_use]
    pub fn spec(&self, voice: Option<usize>, spec: NarrationSpec) -> NarrationSpec {
        let own = self.turns.iter().filter(|turn| turn.voice == voice).map(|turn| turn.range.clone());
        let is_whole = |turn: &Turn| turn.voice == voice && turn.range == (0..self.text.len());
        let stretches = if self.turns.iter().any(is_whole) { Vec::new() } else { own.collect() };
        NarrationSpec {
            stretches: stretches.into(),
            marked: self.marked.as_slice().into(),
            deliveries: self.deliveries.as_slice().into(),
            courses: self.courses.as_slice().into(),
            pauses: self.pauses.as_slice().into(),
            exact_pauses: self.has_exact_pauses,
            ..spec
        }
    }

    /// The paid characters of a part of the script.
    pub fn paid(&self, part: Range<usize>) -> usize {
        let Some(segments) = &self.segments else {
            return self.text.get(part).map_or(0, markup::characters);
        };
        overlapping(segments, &part)
            .map(|segment| {
                let inside = part.start.max(segment.range.start)..part.end.min(segment.range.end);
                if segment.is_exact {
                    self.text.get(inside).map_or(0, |text| text.chars().count())
                } else if segment.range.end <= part.end {
                    segment.paid as usize
                } else {
                    0
                }
            })
            .sum()
    }

    /// The paid characters of each voice, that of the text itself first.
    pub fn paid_by_voice(&self, voices: usize) -> Vec<usize> {
        let named = (0..voices).map(Some);
        std::iter::once(None).chain(named).map(|voice| self.paid_by(voice, self.text.len())).collect()
    }

    /// The paid characters up to a byte that one voice says.
    pub fn paid_by(&self, voice: Option<usize>, end: usize) -> usize {
        let end = self.whole_markup(end);
        if let Some(segments) = &self.segments {
            let own = segments.iter().filter(|segment| segment.voice == voice && segment.range.start < end);
            return own.map(|segment| self.paid(segment.range.start..segment.range.end.min(end))).sum();
        }
        let own = self.turns.iter().filter(|turn| turn.voice == voice && turn.range.start < end);
        own.map(|turn| self.paid(turn.range.start..turn.range.end.min(end))).sum()
    }

    /// The paid characters up to a byte.
    pub fn paid_until(&self, end: usize) -> usize {
        let end = self.whole_markup(end);
        if self.segments.is_some() {
            return self.paid(0..end);
        }
        let said = self.turns.iter().filter(|turn| turn.range.start < end);
        said.map(|turn| self.paid(turn.range.start..turn.range.end.min(end))).sum()
    }

    /// A place inside markup counts all of it.
    fn whole_markup(&self, at: usize) -> usize {
        let start = markup::outside(&self.text, self.text.floor_char_boundary(at));
        let around =
            markup::starting_at(&self.text, start).filter(|markup| start < at && at < markup.range.end);
        around.map_or(at.min(self.text.len()), |markup| markup.range.end)
    }

    /// The bytes of the text as sent that a part of the script reads, and what people see there.
    pub fn source(&self, part: Range<usize>) -> (Range<usize>, Cow<'_, str>) {
        let Some(segments) = &self.segments else {
            return (part.clone(), markup::Hidden::of(&self.text).strip(part));
        };
        let mut source: Option<Range<usize>> = None;
        let mut shown = String::new();
        for segment in overlapping(segments, &part).filter(|segment| !segment.source.is_empty()) {
            let read = if segment.is_exact {
                let inside = part.start.max(segment.range.start)..part.end.min(segment.range.end);
                shown.push_str(&self.text[inside.clone()]);
                let offset = segment.source.start;
                offset + inside.start - segment.range.start..offset + inside.end - segment.range.start
            } else {
                shown.push_str(&segment.shown);
                segment.source.clone()
            };
            source = Some(match source {
                None => read,
                Some(before) => before.start.min(read.start)..before.end.max(read.end),
            });
        }
        (source.unwrap_or(0..0), Cow::Owned(shown))
    }

    /// The text as people see it, without elements.
    pub fn shown(&self) -> Cow<'_, str> {
        match &self.segments {
            None => Cow::Borrowed(&self.text),
            Some(_) => self.source(0..self.text.len()).1,
        }
    }

    /// The same with those marks only that stand in this part of the text.
    #[must_use]
    pub fn with_marks_in(&self, part: &Range<usize>) -> Self {
        let marks = self.marks.iter().filter(|mark| part.contains(&mark.at)).cloned().collect();
        Self { marks, ..self.clone() }
    }

    /// Whether the script is the text as it was sent.
    pub fn is_as_sent(&self) -> bool {
        self.segments.is_none()
    }
}

/// The segments that share a byte with a part, in order.
fn overlapping<'a>(segments: &'a [Segment], part: &Range<usize>) -> impl Iterator<Item = &'a Segment> {
    let first = segments.partition_point(|segment| segment.range.end <= part.start);
    let end = part.end;
    segments[first..].iter().take_while(move |segment| segment.range.start < end)
}

/// Text in one line whose brackets are no markup.
pub(crate) fn without_markup(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    if text.contains('[') {
        text.replace('[', &format!("[{JOINER}")).replace("](", &format!("]{JOINER}("))
    } else {
        text
    }
}

/// A word with its pronunciation in this crate's markup.
pub(crate) fn pronounced(text: &str, ipa: &str) -> String {
    let word: String =
        text.chars().map(|c| if matches!(c, '[' | ']' | '\n' | '\r') { ' ' } else { c }).collect();
    // Markup needs a letter, and a sign that tells a pronunciation from an address: a stress after the
    // last vowel says nothing else.
    let word = if word.contains(char::is_alphanumeric) { word } else { "x".to_owned() };
    let sign = if is_pronunciation(ipa) { "" } else { "'" };
    format!("[{word}](/{ipa}{sign}/)")
}
