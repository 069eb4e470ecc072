//! Assembles the spoken chunks: one file with chapters, and captions for the whole book.

use std::{
    fs::File,
    io::{BufReader, Write as _},
    path::Path,
};

use lectern_speech::audio::{
    book::{BookChapter, BookCover, BookEncoder, BookError, BookFormat, BookOptions, BookPart},
    captions::{BookCaptions, CaptionFormat},
    flac_reader::FlacReader,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    destination::{Destination, Target},
    source::Source,
    state::{Done, State},
};

/// A book whose chunks are all spoken.
pub(super) struct Book<'a> {
    pub(super) source: &'a Source,
    pub(super) state: &'a State,
    pub(super) format: BookFormat,
    pub(super) language: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) author: Option<&'a str>,
    pub(super) sample_rate_hz: u32,
    pub(super) stop: &'a CancellationToken,
}

impl Book<'_> {
    pub(super) fn write(&self, target: Target) -> Result<(), CommandError> {
        let mut file = target.create()?;
        match self.encode(&mut file) {
            Ok(()) => file.finish(),
            Err(Failure::Writing(error)) => Err(file.failure(&error)),
            Err(Failure::Other(error)) => Err(error),
        }
    }

    fn encode(&self, file: &mut Destination) -> Result<(), Failure> {
        let mut book = BookEncoder::new(self.options()?, file)?;
        for index in 0..self.source.chunks.len() {
            let damaged = |error: &dyn std::fmt::Display| self.damaged(index, error);
            let sound = File::open(self.state.sound(index)).map_err(|error| damaged(&error))?;
            let mut sound = FlacReader::new(BufReader::new(sound)).map_err(|error| damaged(&error))?;
            while let Some(samples) = sound.read().map_err(|error| damaged(&error))? {
                book.push(samples)?;
            }
            if self.stop.is_cancelled() {
                return Err(self.state.interrupted().into());
            }
        }
        book.finish()?;
        Ok(())
    }

    pub(super) fn captions(&self, to: Captions) -> Result<(), CommandError> {
        let mut file = to.target.create()?;
        let (mut captions, front) = BookCaptions::new(to.format);
        file.write_all(front.as_bytes()).map_err(|error| file.failure(&error))?;
        let mut start_ms = 0;
        for index in 0..self.source.chunks.len() {
            let done = self.done(index)?;
            let cues = captions.chunk(self.source.text(index), &done.words, start_ms, done.duration_ms);
            file.write_all(cues.as_bytes()).map_err(|error| file.failure(&error))?;
            start_ms += done.duration_ms;
        }
        file.finish()
    }

    fn options(&self) -> Result<BookOptions, CommandError> {
        let document = &self.source.document;
        let own_title = document.title.as_deref().or(self.source.name.as_deref());
        let cover = document.cover.as_ref();
        Ok(BookOptions {
            format: self.format,
            sample_rate_hz: self.sample_rate_hz,
            title: self.title.or(own_title).map(str::to_owned),
            author: self.author.or(document.author.as_deref()).map(str::to_owned),
            language: Some(self.language.to_owned()),
            chapters: self.chapters()?,
            cover: cover
                .map(|cover| BookCover { media_type: cover.media_type.clone(), bytes: cover.bytes.clone() }),
        })
    }

    /// The chapters, with times that follow from their chunks.
    fn chapters(&self) -> Result<Vec<BookChapter>, CommandError> {
        let parts = self.source.chunks.iter().enumerate().map(|(index, chunk)| {
            let duration_ms = self.done(index)?.duration_ms;
            Ok(BookPart { starts_chapter: chunk.starts_chapter, title: chunk.title.clone(), duration_ms })
        });
        Ok(BookChapter::of_parts(parts.collect::<Result<Vec<_>, CommandError>>()?))
    }

    fn done(&self, index: usize) -> Result<Done, CommandError> {
        self.state.done(index).ok_or_else(|| self.damaged(index, &"it is gone"))
    }

    /// Discards a damaged chunk; the next run speaks it again.
    fn damaged(&self, index: usize, reason: &dyn std::fmt::Display) -> CommandError {
        self.state.forget(index);
        CommandError::Refused(format!(
            "part {index} of what was spoken is damaged ({reason}); the same command says it again"
        ))
    }
}

enum Failure {
    /// A failure to write the destination.
    Writing(BookError),
    Other(CommandError),
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Self {
        Self::Writing(error)
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        Self::Other(error)
    }
}

/// A captions file; its extension decides the format.
pub(super) struct Captions {
    target: Target,
    format: CaptionFormat,
}

impl Captions {
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        let target = Target::at(path)?;
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("srt") => CaptionFormat::Srt,
            Some("vtt") => CaptionFormat::Vtt,
            None if target.file().is_none() => CaptionFormat::Vtt,
            _ => {
                return Err(CommandError::Usage(format!(
                    "--captions {}: the name must end in .srt or .vtt",
                    path.display()
                )));
            }
        };
        Ok(Self { target, format })
    }

    pub(super) fn are_for_standard_output(&self) -> bool {
        self.target.is_standard_output()
    }
}
