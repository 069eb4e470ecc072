//! A whole book as one file: samples in, an MP3 or an M4B with chapters, cover and tags out, in
//! constant memory.
//!
//! In a [`BookEncoder`], the samples of a book's chunks go through one encoder from the first to the last, so there is
//! no seam between chunks and the file's length is that of its samples. A [`BookJoiner`] takes chunks that are encoded. The chunks are whole
//! milliseconds long (`crate::recorders`), so the chapter marks fall where the chapters begin.
//! `mp3` and `m4b` are the two formats; `docs/adr/0007-books.md` describes their layout and speed.
//! The caller supplies the samples and the file.

#[cfg_attr(not(feature = "aac"), path = "book/aac_missing.rs")]
mod aac;
mod format;
mod joined;
mod languages;
mod m4b;
mod mp3;
mod mp4;
mod parts;
mod tags;

use std::{
    fmt,
    io::{self, Seek, Write},
};

pub use format::{BookFormat, UnknownBookFormat};
pub use joined::{BookJoiner, ChunkEncoder, is_joinable};
pub use parts::{CodedPart, JoinedBook, PartEncoder};
pub use tags::BookTags;

use super::{AudioError, clean_title};

/// Whether this build supports a book format: AAC may be left out.
pub const fn is_available(format: BookFormat) -> bool {
    match format {
        BookFormat::Mp3 => true,
        BookFormat::M4b => cfg!(feature = "aac"),
    }
}

/// Whether this build makes books of this format from samples at this rate.
pub(crate) fn has_rate(format: BookFormat, sample_rate_hz: u32) -> bool {
    match format {
        BookFormat::Mp3 => super::mp3::frame_samples(sample_rate_hz).is_some(),
        BookFormat::M4b => is_available(format) && m4b::RATES_HZ.contains(&sample_rate_hz),
    }
}

/// A named section of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookChapter {
    /// Its name; `None` for a chapter that is named by its number.
    pub title: Option<String>,
    /// Its start, in milliseconds from the start of the book.
    pub start_ms: u64,
    /// Its end, in milliseconds from the start of the book.
    pub end_ms: u64,
}

/// A part of a book: a chunk's recording, which may begin a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPart {
    /// Whether a chapter begins with this part. The first part always begins one.
    pub starts_chapter: bool,
    /// That chapter's title.
    pub title: Option<String>,
    /// The part's duration.
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
    /// The media type, such as `image/jpeg`. M4B supports only JPEG and PNG; other pictures are
    /// left out.
    pub media_type: String,
    /// The picture's file. Pictures over 16 MiB are left out.
    pub bytes: Vec<u8>,
}

impl BookCover {
    /// Whether players can be expected to display the picture.
    fn is_harmless(&self) -> bool {
        let fits = |(width, height): (u32, u32)| width.max(height) <= MAX_COVER_SIDE;
        (1..=MAX_COVER_BYTES).contains(&self.bytes.len()) && self.size().is_none_or(fits)
    }

    /// Width and height, if the picture is a JPEG or PNG whose header states them.
    fn size(&self) -> Option<(u32, u32)> {
        if self.bytes.starts_with(b"\x89PNG") {
            self.bytes.get(12..).filter(|rest| rest.starts_with(b"IHDR"))?;
            let side = |at: usize| Some(u32::from_be_bytes(*self.bytes.get(at..)?.first_chunk()?));
            return Some((side(16)?, side(20)?));
        }
        // A JPEG is a chain of segments: a marker of two bytes, the length, the content.
        let mut rest = self.bytes.strip_prefix(b"\xFF\xD8")?;
        loop {
            // Any number of bytes 0xFF may precede a marker.
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

/// The parts of a book file other than its samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOptions {
    /// The kind of file.
    pub format: BookFormat,
    /// The sample rate of the input and of the file.
    pub sample_rate_hz: u32,
    /// The title of what the file holds: the book's, or that of one chapter.
    pub title: Option<String>,
    /// The book's title when the file is one chapter of it; `None` when `title` is the book's.
    pub album: Option<String>,
    /// The file's number among the files of the book (from 1), and how many there are.
    pub track: Option<(u32, u32)>,
    /// The author.
    pub author: Option<String>,
    /// BCP 47.
    pub language: Option<String>,
    /// The chapters in order. Together they are as long as the book: the end of the last one
    /// determines how much space the file reserves for its index. (If there are more or fewer
    /// samples, the file is still valid, with its index at the end.)
    pub chapters: Vec<BookChapter>,
    /// The cover picture.
    pub cover: Option<BookCover>,
    /// Further facts about the book.
    pub tags: BookTags,
    /// The bit rate in kbit/s; `None` for the default, 64. MP3 has the rates of layer III; AAC has
    /// all from 16 up to 6 bits for each sample (144 kbit/s at 24 kHz).
    pub bitrate_kbps: Option<u32>,
}

/// A finished book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookDone {
    /// The number of samples.
    pub samples: u64,
    /// Its length in milliseconds, rounded.
    pub duration_ms: u64,
    /// The size of the file.
    pub bytes: u64,
}

impl BookDone {
    fn new(samples: u64, sample_rate_hz: u32, bytes: u64) -> Self {
        let rate = u64::from(sample_rate_hz.max(1));
        Self { samples, duration_ms: (samples * 1000 + rate / 2) / rate, bytes }
    }
}

/// A reason why a book could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The codec failed.
    #[error(transparent)]
    Audio(#[from] AudioError),
    /// The file could not be written.
    #[error("the book's file cannot be written")]
    Write(#[from] io::Error),
}

/// Larger pictures are left out, because players fail on them.
const MAX_COVER_BYTES: usize = 16 << 20;

/// Pictures with more pixels on a side are left out, too, however small their files: half a
/// megabyte can decompress to fourteen gigabytes.
const MAX_COVER_SIDE: u32 = 10_000;

/// A book that is being written. The file is written from the current position of `W`, which must
/// be its start, and is complete only after [`BookEncoder::finish`].
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
    /// [`BookError`]; [`AudioError::SampleRate`] or [`AudioError::AacSampleRate`] when the format
    /// cannot carry the sample rate, and [`AudioError::Bitrate`] or [`AudioError::AacBitrate`] when
    /// it does not have the bit rate.
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
    /// [`BookError`]; the encoder cannot be used after it.
    pub fn push(&mut self, samples: &[i16]) -> Result<(), BookError> {
        self.samples += samples.len() as u64;
        match &mut self.format {
            Codec::Mp3(book) => book.push(samples),
            Codec::M4b(book) => book.push(samples),
        }
    }

    /// Ends the book: encodes the remaining samples and writes the index.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn finish(self) -> Result<BookDone, BookError> {
        let bytes = match self.format {
            Codec::Mp3(book) => book.finish()?,
            Codec::M4b(book) => book.finish()?,
        };
        Ok(BookDone::new(self.samples, self.sample_rate_hz, bytes))
    }
}

impl BookOptions {
    /// Options of a book without title, chapters, cover and tags, at the default bit rate.
    pub fn new(format: BookFormat, sample_rate_hz: u32) -> Self {
        Self {
            format,
            sample_rate_hz,
            title: None,
            album: None,
            track: None,
            author: None,
            language: None,
            chapters: Vec::new(),
            cover: None,
            tags: BookTags::default(),
            bitrate_kbps: None,
        }
    }

    /// Corrects the options: titles that files can hold, and chapters in order, each beginning
    /// where the previous one ends and the first at the start of the book.
    fn made_sound(mut self) -> Self {
        self.title = clean_title(self.title.as_deref());
        self.album = clean_title(self.album.as_deref());
        self.track = self.track.and_then(tags::sound_track);
        self.author = clean_title(self.author.as_deref());
        self.tags = self.tags.made_sound();
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

    /// The book's expected duration, from its chapters.
    fn duration_ms(&self) -> u64 {
        self.chapters.iter().map(|chapter| chapter.end_ms.max(chapter.start_ms)).max().unwrap_or(0)
    }

    /// The language as an ISO 639-2 code, as the formats require.
    fn language_code(&self) -> Option<&'static str> {
        self.language.as_deref().and_then(languages::iso_639_2)
    }
}
