//! Puts the spoken chunks together: one file with chapters, and captions of all of it.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use lectern_speech::audio::{
    book::{BookChapter, BookCover, BookEncoder, BookFormat, BookOptions, BookPart},
    captions::{BookCaptions, CaptionFormat},
    flac_reader::FlacReader,
};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    chunks::interrupted,
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
    /// Writes the audiobook, under another name until it is whole.
    pub(super) fn write(&self, path: &Path) -> Result<(), CommandError> {
        let part = Part::beside(path);
        let failed = |error: &dyn std::error::Error| cannot_write(path, error);
        let mut file = BufWriter::new(File::create(&part.0).map_err(|error| failed(&error))?);
        let mut book = BookEncoder::new(self.options()?, &mut file).map_err(|error| failed(&error))?;
        for index in 0..self.source.chunks.len() {
            let damaged = |error: &dyn std::fmt::Display| self.damaged(index, error);
            let sound = File::open(self.state.sound(index)).map_err(|error| damaged(&error))?;
            let mut sound = FlacReader::new(BufReader::new(sound)).map_err(|error| damaged(&error))?;
            while let Some(samples) = sound.read().map_err(|error| damaged(&error))? {
                book.push(samples).map_err(|error| failed(&error))?;
            }
            if self.stop.is_cancelled() {
                return Err(interrupted());
            }
        }
        book.finish().map_err(|error| failed(&error))?;
        let file = file.into_inner().map_err(|error| failed(&error))?;
        file.sync_all().map_err(|error| failed(&error))?;
        fs::rename(&part.0, path).map_err(|error| failed(&error))
    }

    /// Writes captions.
    pub(super) fn captions(&self, to: &Captions) -> Result<(), CommandError> {
        let part = Part::beside(&to.path);
        let failed = |error: std::io::Error| cannot_write(&to.path, &error);
        let mut file = BufWriter::new(File::create(&part.0).map_err(failed)?);
        let (mut captions, front) = BookCaptions::new(to.format);
        file.write_all(front.as_bytes()).map_err(failed)?;
        let mut start_ms = 0;
        for index in 0..self.source.chunks.len() {
            let done = self.done(index)?;
            let cues = captions.chunk(self.source.text(index), &done.words, start_ms, done.duration_ms);
            file.write_all(cues.as_bytes()).map_err(failed)?;
            start_ms += done.duration_ms;
        }
        file.flush().map_err(failed)?;
        fs::rename(&part.0, &to.path).map_err(failed)
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

    /// The chapters, with the times that their chunks have.
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

    /// The next run will say it again.
    fn damaged(&self, index: usize, reason: &dyn std::fmt::Display) -> CommandError {
        self.state.forget(index);
        CommandError::Refused(format!(
            "part {index} of what was spoken is damaged ({reason}); the same command says it again"
        ))
    }
}

/// A file of captions, its kind known by its ending.
pub(super) struct Captions {
    path: PathBuf,
    format: CaptionFormat,
}

impl Captions {
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("srt") => CaptionFormat::Srt,
            Some("vtt") => CaptionFormat::Vtt,
            _ => {
                return Err(CommandError::Usage(format!(
                    "--captions {}: the name must end in .srt or .vtt",
                    path.display()
                )));
            }
        };
        Ok(Self { path: path.to_owned(), format })
    }
}

/// A file that is not whole yet; taken away unless it was given its name.
struct Part(PathBuf);

impl Part {
    fn beside(path: &Path) -> Self {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        Self(path.with_file_name(name))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn cannot_write(path: &Path, error: &dyn std::error::Error) -> CommandError {
    CommandError::Refused(format!("cannot write {}: {}", path.display(), super::output::chain(error)))
}
