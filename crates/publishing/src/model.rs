//! A spoken book as the caller describes it: facts about the book and its chapters. Texts and audio
//! come through [`crate::Contents`].

use std::fmt;

use jiff::Timestamp;
use lectern_types::ChapterRole;
use uuid::Uuid;

use crate::PublishError;

/// Facts about a spoken book.
#[derive(Debug, Clone)]
pub struct Book {
    /// The title. A blank one is written as "Untitled".
    pub title: String,
    /// The author.
    pub author: Option<String>,
    /// Who reads.
    pub narrator: Option<String>,
    /// The publisher.
    pub publisher: Option<String>,
    /// The year of publication.
    pub year: Option<u16>,
    /// A BCP 47 tag. A missing or malformed one is written as `und`.
    pub language: Option<String>,
    /// A few sentences about the book.
    pub description: Option<String>,
    /// The name of the series that the book belongs to.
    pub series: Option<String>,
    /// The book's position in that series, such as "2" or "1.5".
    pub series_index: Option<String>,
    /// The ISBN, with or without hyphens. A malformed one is left out.
    pub isbn: Option<String>,
    /// The copyright statement.
    pub copyright: Option<String>,
    /// What identifies the publication; the same for later versions of it.
    pub identifier: Uuid,
    /// When the book last changed. Every date inside the files is this one.
    pub modified: Timestamp,
    /// The cover.
    pub cover: Option<Cover>,
    /// The chapters in reading order, at least one and at most [`Book::MAX_CHAPTERS`].
    pub chapters: Vec<Chapter>,
}

/// A cover picture.
#[derive(Clone)]
pub struct Cover {
    /// `image/jpeg` or `image/png`. Others are left out.
    pub media_type: String,
    /// The picture's file.
    pub bytes: Vec<u8>,
}

/// Facts about a chapter.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// Its title. A chapter without one is named by its position.
    pub title: Option<String>,
    /// Its level in the table of contents, from 1, the highest, to 6. Levels that skip one are
    /// raised.
    pub level: u8,
    pub role: ChapterRole,
    /// The length of its audio.
    pub duration_ms: u64,
    /// The size of its MP3.
    pub audio_bytes: u64,
}

impl Book {
    /// More chapters than a book has; readers list all of them in one page.
    pub const MAX_CHAPTERS: usize = 10_000;

    pub(crate) fn check(&self) -> Result<(), PublishError> {
        match self.chapters.len() {
            0 => Err(PublishError::NoChapters),
            1..=Self::MAX_CHAPTERS => Ok(()),
            many => Err(PublishError::TooManyChapters(many)),
        }
    }

    /// The chapters' levels from 1 to 6, none more than one deeper than the one before it.
    pub(crate) fn levels(&self) -> Vec<u8> {
        let mut last = 0;
        let level = |chapter: &Chapter| {
            last = chapter.level.clamp(1, (last + 1).min(6));
            last
        };
        self.chapters.iter().map(level).collect()
    }

    /// The length of the audio of all chapters.
    pub(crate) fn duration_ms(&self) -> u64 {
        self.chapters.iter().fold(0, |sum, chapter| sum.saturating_add(chapter.duration_ms))
    }
}

impl fmt::Debug for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cover({}, {} bytes)", self.media_type, self.bytes.len())
    }
}
