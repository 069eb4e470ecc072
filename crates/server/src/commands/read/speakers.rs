//! Who speaks in a book besides the narrator: the speakers that `--speaker` and `--cast` name.

use std::ops::Range;

use lectern_documents::language;
use lectern_service::{config::Config, services::materials::speakers::Speakers};
use lectern_speech::language::Language;

use super::{
    CommandError,
    cast::{CastVoice, Roles},
    source::Source,
};

/// Who speaks in a book besides the narrator.
#[derive(Default)]
pub(super) struct Cast {
    pub(super) voices: Vec<CastVoice>,
    /// Places in the book's text and in `voices`, in order and apart.
    stretches: Vec<(Range<usize>, usize)>,
}

impl Cast {
    /// The cast of a book that is read in `spoken`: its speakers are those that it names on lines of their own, or
    /// those that its dialogue is attributed to.
    pub(super) fn of(
        roles: &Roles,
        source: &Source,
        spoken: Language,
        config: &Config,
    ) -> Result<Self, CommandError> {
        if roles.0.is_empty() {
            return Ok(Self::default());
        }
        let text = &source.document.text;
        let own = language::of_document(source.document.language.as_deref(), text);
        let tag = own.map_or_else(|| spoken.to_string(), |own| own.tag);
        let speakers = Speakers::of(text, Some(&tag), &source.document.voices);
        let names: Vec<&str> = speakers.names().collect();
        let voices = roles.voices(&names, "book", spoken, config)?;
        let stretches = speakers.stretches().filter_map(|(range, name)| Some((range, roles.position(name)?)));
        Ok(Self { voices, stretches: stretches.collect() })
    }

    /// The stretches inside a chunk, with places in its text.
    pub(super) fn inside(&self, chunk: &Range<usize>) -> Vec<(Range<usize>, usize)> {
        let first = self.stretches.partition_point(|(range, _)| range.end <= chunk.start);
        let inside = self.stretches[first..].iter().take_while(|(range, _)| range.start < chunk.end);
        let cut = |(range, voice): &(Range<usize>, usize)| {
            let (start, end) = (range.start.max(chunk.start), range.end.min(chunk.end));
            (start - chunk.start..end - chunk.start, *voice)
        };
        inside.map(cut).collect()
    }
}
