//! The book as a ZIP with an MP3 for each chapter, as EPUB or as DAISY.

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek},
};

use jiff::Timestamp;
use lectern_publishing::{
    Book as Publication, Contents, Cover, PublishError, SpokenText, daisy,
    epub::{self, Granularity as Marked},
    mp3_zip,
};
use lectern_service::services::materials::spoken_text;
use lectern_speech::audio::book::BookOptions;
use lectern_types::{BookFormat, Granularity};
use sha2::{Digest as _, Sha256};

use super::{
    CommandError,
    book::{Book, Chapter, Failure, Sound},
    destination::Destination,
};

/// The most bytes that the cover may take in the files of all chapters together.
const MOST_COVER_BYTES: usize = 64 << 20;

/// Writes the book to the file.
pub(super) fn write(book: &Book<'_>, file: &mut Destination) -> Result<(), Failure> {
    let mut chapters = FromState { sound: book.sound()?, chapters: book.chapters(), book, failure: None };
    let about = about(&chapters)?;
    let granularity = match book.file.granularity {
        Granularity::Word => Marked::Word,
        Granularity::Sentence => Marked::Sentence,
    };
    let source = book.source.epub.as_deref().filter(|_| book.file.format == BookFormat::Epub);
    let written = match (book.file.format, source) {
        (BookFormat::Daisy, _) => daisy::write(&about, &mut chapters, file).map(drop),
        (BookFormat::Epub, Some(source)) => {
            epub::write_with_source(&about, &mut chapters, granularity, Cursor::new(source), file).map(drop)
        }
        (BookFormat::Epub, None) => epub::write(&about, &mut chapters, granularity, file).map(drop),
        _ => mp3_zip::write(&about, &mut chapters, file).map(drop),
    };
    written.map_err(|error| match (chapters.failure.take(), error) {
        (Some(failure), _) => failure,
        (None, PublishError::Write(error)) => Failure::Writing(Box::new(error)),
        (None, error) => Failure::Other(CommandError::from_error(error)),
    })
}

/// What a publication says of the book.
fn about(from: &FromState<'_>) -> Result<Publication, CommandError> {
    let FromState { book, sound, chapters, .. } = from;
    let mut described = Vec::with_capacity(chapters.len());
    for chapter in chapters {
        let mut audio_bytes = 0;
        for index in chapter.chunks.clone() {
            audio_bytes += book.done(index)?.bytes;
        }
        described.push(lectern_publishing::Chapter {
            title: chapter.title.clone(),
            level: chapter.level,
            role: chapter.role,
            duration_ms: sound.duration_ms(&chapter.chunks),
            audio_bytes,
        });
    }
    let options = book.options();
    let source = book.source;
    // That of the file, so that the same book and seed give the same file.
    let changed = source.modified.map_or_else(|| book.state.begun(), Ok);
    let modified = changed.ok().and_then(|time| Timestamp::try_from(time).ok()).unwrap_or_default();
    // The same for every reading of this text.
    let digest = Sha256::digest(source.document.text.as_bytes());
    let mut identifier = [0; 16];
    identifier.copy_from_slice(&digest[..16]);
    Ok(Publication {
        title: options.title.unwrap_or_default(),
        author: options.author,
        narrator: options.tags.narrator,
        publisher: options.tags.publisher,
        year: book.year,
        language: options.language,
        description: None,
        series: None,
        series_index: None,
        isbn: None,
        copyright: options.tags.copyright,
        identifier: uuid::Builder::from_custom_bytes(identifier).into_uuid(),
        modified,
        cover: options.cover.map(|cover| Cover { media_type: cover.media_type, bytes: cover.bytes }),
        chapters: described,
    })
}

/// The chapters of the book, from the state.
struct FromState<'a> {
    book: &'a Book<'a>,
    sound: Sound,
    chapters: Vec<Chapter>,
    /// Why the contents could not be given.
    failure: Option<Failure>,
}

impl FromState<'_> {
    fn spoken(&self, chapter: &Chapter) -> Result<SpokenText, CommandError> {
        let mut spoken = SpokenText::default();
        for index in chapter.chunks.clone() {
            let start_ms = self.sound.start_ms(chapter.chunks.start, index);
            spoken_text::add(
                &mut spoken,
                self.book.source.text(index),
                &self.book.done(index)?.words,
                start_ms,
            );
        }
        Ok(spoken)
    }

    fn file(&self, at: usize) -> Result<File, Failure> {
        let (chapter, count) = (&self.chapters[at], self.chapters.len());
        let whole = self.book.options();
        let title = chapter.title.clone().unwrap_or_else(|| format!("Chapter {}", at + 1));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let options = BookOptions {
            cover: whole.cover.filter(|cover| cover.bytes.len() * count <= MOST_COVER_BYTES),
            album: whole.title,
            title: Some(title),
            track: Some((number(at + 1), number(count))),
            ..whole
        };
        let kept =
            |source| Failure::Other(CommandError::Io { what: "a chapter cannot be kept".to_owned(), source });
        let mut file = self.book.state.unnamed().map_err(kept)?;
        match self.book.join(&self.sound, chapter.chunks.clone(), options, io::BufWriter::new(&mut file)) {
            Err(Failure::Writing(error)) => Err(kept(io::Error::other(error))),
            joined => joined,
        }?;
        file.rewind().map_err(kept)?;
        Ok(file)
    }

    /// Keeps a failure for the caller.
    fn failed(&mut self, failure: impl Into<Failure>) -> io::Error {
        self.failure = Some(failure.into());
        io::Error::other("the chapter is not there")
    }
}

impl Contents for FromState<'_> {
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText> {
        self.spoken(&self.chapters[chapter]).map_err(|error| self.failed(error))
    }

    fn omitted(&mut self, chapter: usize) -> io::Result<String> {
        let source = self.book.source;
        let chunk = |at: Option<usize>| at.and_then(|at| source.chunks.get(at)).map(|chunk| &chunk.range);
        let before = chapter.checked_sub(1).and_then(|before| self.chapters.get(before));
        let start = chunk(before.map(|before| before.chunks.end - 1)).map_or(0, |range| range.end);
        let next = chunk(self.chapters.get(chapter).map(|next| next.chunks.start));
        let end = next.map_or(source.document.text.len(), |range| range.start);
        Ok(source.document.text.get(start..end).unwrap_or_default().to_owned())
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        match self.file(chapter) {
            Ok(file) => Ok(Box::new(file)),
            Err(failure) => Err(self.failed(failure)),
        }
    }
}
