//! Joins the spoken chunks: one audio file with chapters, or the audio of each chapter for `publication`; and captions
//! for the whole book.

use std::{
    fs::File,
    io::{Read as _, Seek, Write},
    ops::Range,
    path::Path,
};

use lectern_documents::{ChapterRole, Cover};
use lectern_service::services::materials::cover;
use lectern_speech::audio::{
    AudioError,
    book::{
        BookChapter, BookCover, BookError, BookFormat as Codec, BookOptions, BookTags, CodedPart, JoinedBook,
    },
    captions::{BookCaptions, CaptionFormat},
};
use lectern_types::BookFile;
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    destination::{Destination, Target},
    encoding::Encoding,
    source::Source,
    state::{Done, State},
};

/// A book whose chunks are all spoken.
pub(super) struct Book<'a> {
    pub(super) source: &'a Source,
    pub(super) state: &'a State,
    pub(super) file: BookFile,
    pub(super) encoding: &'a Encoding,
    pub(super) language: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) author: Option<&'a str>,
    pub(super) narrator: &'a str,
    pub(super) publisher: Option<&'a str>,
    pub(super) copyright: Option<&'a str>,
    pub(super) year: Option<u16>,
    pub(super) stop: &'a CancellationToken,
}

/// A chapter that is read.
pub(super) struct Chapter {
    pub(super) title: Option<String>,
    pub(super) level: u8,
    pub(super) role: ChapterRole,
    pub(super) chunks: Range<usize>,
}

/// A file's audio: room tone if it has any, and chunks between.
pub(super) struct Sound {
    pub(super) room_tone: Option<[(CodedPart, u64); 2]>,
    /// The samples of each chunk.
    lengths: Vec<u64>,
    sample_rate_hz: u32,
}

impl Sound {
    fn head(&self) -> u64 {
        self.room_tone.as_ref().map_or(0, |[(_, head), _]| *head)
    }

    /// The start of a chunk in a file that begins with the chunk `first`.
    pub(super) fn start_ms(&self, first: usize, chunk: usize) -> u64 {
        self.ms(self.head() + self.lengths[first..chunk].iter().sum::<u64>())
    }

    fn samples(&self, chunks: &Range<usize>) -> u64 {
        let tail = self.room_tone.as_ref().map_or(0, |[_, (_, tail)]| *tail);
        self.head() + self.lengths[chunks.clone()].iter().sum::<u64>() + tail
    }

    /// The length of a file with these chunks.
    pub(super) fn duration_ms(&self, chunks: &Range<usize>) -> u64 {
        self.ms(self.samples(chunks))
    }

    fn ms(&self, samples: u64) -> u64 {
        let rate = u64::from(self.sample_rate_hz.max(1));
        (samples * 1000 + rate / 2) / rate
    }
}

impl Book<'_> {
    /// Makes the file of a target by one of the ways to make it.
    pub(super) fn write(
        &self,
        target: Target,
        make: impl FnOnce(&Self, &mut Destination) -> Result<(), Failure>,
    ) -> Result<(), CommandError> {
        let mut file = target.create()?;
        match make(self, &mut file) {
            Ok(()) => file.finish(),
            Err(Failure::Writing(error)) => Err(file.failure(&*error)),
            Err(Failure::Other(error)) => Err(error),
        }
    }

    /// Writes the whole book as one audio file.
    pub(super) fn audio(&self, file: &mut Destination) -> Result<(), Failure> {
        let sound = self.sound()?;
        let all = 0..self.source.chunks.len();
        let mut chapters: Vec<BookChapter> = Vec::new();
        for chapter in self.chapters() {
            let start_ms = if chapters.is_empty() { 0 } else { sound.start_ms(0, chapter.chunks.start) };
            let end_ms = sound.start_ms(0, chapter.chunks.end);
            chapters.push(BookChapter { title: chapter.title, start_ms, end_ms });
        }
        if let Some(last) = chapters.last_mut() {
            last.end_ms = sound.duration_ms(&all);
        }
        self.join(&sound, all, BookOptions { chapters, ..self.options() }, file)
    }

    /// Writes chunks as one audio file.
    pub(super) fn join(
        &self,
        sound: &Sound,
        chunks: Range<usize>,
        options: BookOptions,
        out: impl Write + Seek,
    ) -> Result<(), Failure> {
        let mut book = JoinedBook::new(&self.encoding.encoder, options, sound.samples(&chunks), out)?;
        if let Some([(head, samples), _]) = &sound.room_tone {
            book.push(head, *samples)?;
        }
        for index in chunks {
            let frames = self.state.frames(index).map_err(|error| self.damaged(index, &error))?;
            match book.push(&CodedPart::from_bytes(frames), sound.lengths[index]) {
                Err(BookError::Audio(error)) => return Err(self.damaged(index, &error).into()),
                pushed => pushed?,
            }
            if self.stop.is_cancelled() {
                return Err(self.state.interrupted().into());
            }
        }
        if let Some([_, (tail, samples)]) = &sound.room_tone {
            book.push(tail, *samples)?;
        }
        book.finish()?;
        Ok(())
    }

    pub(super) fn captions(&self, to: Captions) -> Result<(), CommandError> {
        let sound = self.sound()?;
        let mut file = to.target.create()?;
        let (mut captions, front) = BookCaptions::new(to.format);
        file.write_all(front.as_bytes()).map_err(|error| file.failure(&error))?;
        for index in 0..self.source.chunks.len() {
            let done = self.done(index)?;
            let start_ms = sound.start_ms(0, index);
            let duration_ms = sound.start_ms(0, index + 1) - start_ms;
            let cues = captions.chunk(self.source.text(index), &done.words, start_ms, duration_ms);
            file.write_all(cues.as_bytes()).map_err(|error| file.failure(&error))?;
        }
        file.finish()
    }

    /// Title, author, cover and tags, of the whole book.
    pub(super) fn options(&self) -> BookOptions {
        let document = &self.source.document;
        let own_title = document.title.as_deref().or(self.source.name.as_deref());
        let cover = document.cover.as_ref();
        BookOptions {
            title: self.title.or(own_title).map(str::to_owned),
            author: self.author.or(document.author.as_deref()).map(str::to_owned),
            language: Some(self.language.to_owned()),
            tags: BookTags {
                narrator: Some(self.narrator.to_owned()),
                publisher: self.publisher.map(str::to_owned),
                year: self.year.map(u32::from),
                copyright: self.copyright.or(document.copyright.as_deref()).map(str::to_owned),
                ..BookTags::default()
            },
            cover: cover
                .map(|cover| BookCover { media_type: cover.media_type.clone(), bytes: cover.bytes.clone() }),
            ..BookOptions::new(Codec::Mp3, self.encoding.sample_rate_hz)
        }
    }

    /// The chapters that are read.
    pub(super) fn chapters(&self) -> Vec<Chapter> {
        let mut chapters: Vec<Chapter> = Vec::new();
        for (index, chunk) in self.source.chunks.iter().enumerate() {
            if let Some(chapter) = chapters.last_mut().filter(|_| !chunk.starts_chapter) {
                chapter.chunks.end = index + 1;
                continue;
            }
            let about = self.source.document.chapters.get(chunk.chapter as usize);
            chapters.push(Chapter {
                title: chunk.title.clone(),
                level: about.map_or(1, |about| about.level),
                role: about.map_or(ChapterRole::Body, |about| about.role),
                chunks: index..index + 1,
            });
        }
        chapters
    }

    pub(super) fn sound(&self) -> Result<Sound, CommandError> {
        let lengths = (0..self.source.chunks.len()).map(|index| Ok(self.done(index)?.samples));
        Ok(Sound {
            lengths: lengths.collect::<Result<_, CommandError>>()?,
            room_tone: self.encoding.room_tone().map_err(CommandError::from_error)?,
            sample_rate_hz: self.encoding.sample_rate_hz,
        })
    }

    pub(super) fn done(&self, index: usize) -> Result<Done, CommandError> {
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

/// The picture of a file as a cover, by the API's rules.
pub(super) fn cover(path: &Path) -> Result<Cover, CommandError> {
    let refused =
        |why: &dyn std::fmt::Display| CommandError::Refused(format!("--cover {}: {why}", path.display()));
    let bytes = File::open(path).and_then(|file| {
        let mut bytes = Vec::new();
        file.take(cover::MOST_BYTES + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = bytes.map_err(|error| refused(&error))?;
    if bytes.len() as u64 > cover::MOST_BYTES {
        return Err(refused(&format_args!("it has more than {} MiB", cover::MOST_BYTES >> 20)));
    }
    Cover::of_picture(bytes, cover::KEPT_BYTES).ok_or_else(|| {
        refused(&"it must be a JPEG or PNG picture that is not damaged and has at most 40 million pixels")
    })
}

pub(super) enum Failure {
    /// A failure to write the destination.
    Writing(Box<dyn std::error::Error + Send + Sync>),
    Other(CommandError),
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Self {
        Self::Writing(Box::new(error))
    }
}

impl From<AudioError> for Failure {
    fn from(error: AudioError) -> Self {
        Self::Other(CommandError::from_error(error))
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
