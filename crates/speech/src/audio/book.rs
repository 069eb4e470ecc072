//! A whole book as one file: samples in, an MP3 or an M4B with chapters, cover and tags out, in
//! constant memory.
//!
//! The samples of a book's chunks go through one encoder from the first to the last, so there is no
//! seam between chunks and the file's length is that of its samples. The chunks are whole
//! milliseconds long (`crate::recorders`), so the chapter marks fall where the chapters begin.
//! `mp3` and `m4b` are the two formats; how they are laid out and how fast they are made is in
//! `docs/adr/0007-books.md`. Where the samples come from and where the file goes is the caller's
//! business.

#[cfg_attr(not(feature = "aac"), path = "book/aac_missing.rs")]
mod aac;
mod languages;
mod m4b;
mod mp3;
mod mp4;

use std::{
    fmt,
    io::{self, Seek, Write},
};

pub use lectern_types::BookFormat;

use super::{AudioError, clean_title};

/// Whether this build can make a form of book: AAC may be left out.
pub const fn is_available(format: BookFormat) -> bool {
    match format {
        BookFormat::Mp3 => true,
        BookFormat::M4b => cfg!(feature = "aac"),
    }
}

/// A stretch of a book with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookChapter {
    /// Its name; `None`: it is called by its number.
    pub title: Option<String>,
    /// Where it begins, in milliseconds from the start of the book.
    pub start_ms: u64,
    /// Where it ends, in milliseconds from the start of the book.
    pub end_ms: u64,
}

/// A part of a book: a chunk's recording, which may begin a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPart {
    /// Whether a chapter begins with it. One begins with the first part anyway.
    pub starts_chapter: bool,
    /// That chapter's title.
    pub title: Option<String>,
    /// How long it lasts.
    pub duration_ms: u64,
}

impl BookChapter {
    /// The chapters of a book whose parts follow each other without a gap.
    pub fn of_parts(parts: impl IntoIterator<Item = BookPart>) -> Vec<Self> {
        let mut chapters: Vec<Self> = Vec::new();
        let mut start_ms = 0;
        for part in parts {
            let end_ms = start_ms + part.duration_ms;
            match chapters.last_mut().filter(|_| !part.starts_chapter) {
                Some(chapter) => chapter.end_ms = end_ms,
                None => chapters.push(Self { title: part.title, start_ms, end_ms }),
            }
            start_ms = end_ms;
        }
        chapters
    }
}

/// A picture of the book.
#[derive(Clone, PartialEq, Eq)]
pub struct BookCover {
    /// Such as `image/jpeg`. M4B knows JPEG and PNG only and leaves others out.
    pub media_type: String,
    /// The picture's file. More than 16 MiB are left out.
    pub bytes: Vec<u8>,
}

impl BookCover {
    /// Whether players can be expected to show it.
    fn is_harmless(&self) -> bool {
        let fits = |(width, height): (u32, u32)| width.max(height) <= MAX_COVER_SIDE;
        (1..=MAX_COVER_BYTES).contains(&self.bytes.len()) && self.size().is_none_or(fits)
    }

    /// Width and height, as far as a JPEG or PNG says so in its header.
    fn size(&self) -> Option<(u32, u32)> {
        if self.bytes.starts_with(b"\x89PNG") {
            self.bytes.get(12..).filter(|rest| rest.starts_with(b"IHDR"))?;
            let side = |at: usize| Some(u32::from_be_bytes(*self.bytes.get(at..)?.first_chunk()?));
            return Some((side(16)?, side(20)?));
        }
        // A JPEG is a chain of segments: a marker of two bytes, the length, what it holds.
        let mut rest = self.bytes.strip_prefix(b"\xFF\xD8")?;
        loop {
            // Any number of bytes 0xFF may stand before a marker.
            while rest.starts_with(b"\xFF\xFF") {
                rest = &rest[1..];
            }
            let &[0xFF, marker, high, low] = rest.first_chunk()? else { return None };
            let length = usize::from(u16::from_be_bytes([high, low]));
            if matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
                let &[h1, h2, w1, w2] = rest.get(5..)?.first_chunk()?;
                return Some((u16::from_be_bytes([w1, w2]).into(), u16::from_be_bytes([h1, h2]).into()));
            }
            rest = rest.get(2 + length.max(2)..)?;
        }
    }
}

impl fmt::Debug for BookCover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BookCover({}, {} bytes)", self.media_type, self.bytes.len())
    }
}

/// What a book file is made of besides its samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOptions {
    /// The kind of file.
    pub format: BookFormat,
    /// Samples a second, of the samples given and of the file.
    pub sample_rate_hz: u32,
    /// The book's title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// BCP 47.
    pub language: Option<String>,
    /// In order, and together as long as the book: the end of the last one tells how much room the
    /// file's index needs. (Should more or less samples come, the file is still right, with its
    /// index at the end.)
    pub chapters: Vec<BookChapter>,
    /// The picture.
    pub cover: Option<BookCover>,
}

/// A finished book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookDone {
    /// How many samples it has.
    pub samples: u64,
    /// Its length in milliseconds, rounded.
    pub duration_ms: u64,
    /// The file's length.
    pub bytes: u64,
}

/// Why a book could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The codec cannot do it.
    #[error(transparent)]
    Audio(#[from] AudioError),
    /// The file could not be written.
    #[error("the book's file cannot be written")]
    Write(#[from] io::Error),
}

/// Pictures larger than this are left out: players choke on them.
const MAX_COVER_BYTES: usize = 16 << 20;

/// So are those of more pixels a side, whatever their files weigh: half a megabyte can unfold into
/// fourteen gigabytes.
const MAX_COVER_SIDE: u32 = 10_000;

/// A book in the making. The file is written from where `W` stands, which must be its start, and is
/// whole only after [`BookEncoder::finish`].
pub struct BookEncoder<W> {
    sample_rate_hz: u32,
    samples: u64,
    format: Codec<W>,
}

enum Codec<W> {
    Mp3(Box<mp3::Mp3Book<W>>),
    M4b(Box<m4b::M4bBook<W>>),
}

impl<W> fmt::Debug for BookEncoder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BookEncoder").field("samples", &self.samples).finish_non_exhaustive()
    }
}

impl<W: Write + Seek> BookEncoder<W> {
    /// Starts a book.
    ///
    /// # Errors
    /// [`BookError`]; [`AudioError::SampleRate`] when the format cannot carry the rate.
    pub fn new(options: BookOptions, out: W) -> Result<Self, BookError> {
        let options = options.made_sound();
        Ok(Self {
            sample_rate_hz: options.sample_rate_hz,
            samples: 0,
            format: match options.format {
                BookFormat::Mp3 => Codec::Mp3(Box::new(mp3::Mp3Book::new(&options, out)?)),
                BookFormat::M4b => Codec::M4b(Box::new(m4b::M4bBook::new(options, out)?)),
            },
        })
    }

    /// Takes the next samples.
    ///
    /// # Errors
    /// [`BookError`]; the book cannot go on after it.
    pub fn push(&mut self, samples: &[i16]) -> Result<(), BookError> {
        self.samples += samples.len() as u64;
        match &mut self.format {
            Codec::Mp3(book) => book.push(samples),
            Codec::M4b(book) => book.push(samples),
        }
    }

    /// Ends the book: what is still in the encoder, and the index.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn finish(self) -> Result<BookDone, BookError> {
        let bytes = match self.format {
            Codec::Mp3(book) => book.finish()?,
            Codec::M4b(book) => book.finish()?,
        };
        let rate = u64::from(self.sample_rate_hz.max(1));
        let duration_ms = (self.samples * 1000 + rate / 2) / rate;
        Ok(BookDone { samples: self.samples, duration_ms, bytes })
    }
}

impl BookOptions {
    /// Titles that files can hold; chapters in order that begin at the start of the book and where
    /// the one before ends.
    fn made_sound(mut self) -> Self {
        self.title = clean_title(self.title.as_deref());
        self.author = clean_title(self.author.as_deref());
        self.cover = self.cover.filter(BookCover::is_harmless);
        self.chapters.sort_by_key(|chapter| chapter.start_ms);
        let end = self.duration_ms();
        let mut next_start = end;
        for (at, chapter) in self.chapters.iter_mut().enumerate().rev() {
            if at == 0 {
                chapter.start_ms = 0;
            }
            chapter.end_ms = next_start.max(chapter.start_ms);
            next_start = chapter.start_ms;
            let title = clean_title(chapter.title.as_deref());
            chapter.title = Some(title.unwrap_or_else(|| format!("Chapter {}", at + 1)));
        }
        self
    }

    /// How long the book will be, as far as its chapters tell.
    fn duration_ms(&self) -> u64 {
        self.chapters.iter().map(|chapter| chapter.end_ms.max(chapter.start_ms)).max().unwrap_or(0)
    }

    /// The language as the formats want it, ISO 639-2.
    fn language_code(&self) -> Option<&'static str> {
        self.language.as_deref().and_then(languages::iso_639_2)
    }
}
