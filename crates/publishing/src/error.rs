//! The errors of this crate.

use std::io;

/// A reason why a file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The output could not be written.
    #[error("the file cannot be written")]
    Write(#[source] io::Error),
    /// The caller's [`crate::Contents`] failed.
    #[error("the contents of chapter {chapter} cannot be read")]
    Contents {
        /// Its position in [`crate::Book::chapters`].
        chapter: usize,
        /// What the caller reported.
        #[source]
        source: io::Error,
    },
    /// A word is blank, lies outside its chapter's text, cuts a character or begins before the end
    /// of the word before it.
    #[error("word {word} of chapter {chapter} does not fit the text")]
    Word {
        /// The chapter's position in [`crate::Book::chapters`].
        chapter: usize,
        /// The word's position in its chapter.
        word: usize,
    },
    /// The book has no chapters.
    #[error("the book has no chapters")]
    NoChapters,
    /// The book has more chapters than [`crate::Book::MAX_CHAPTERS`].
    #[error("the book has {0} chapters, which is too many")]
    TooManyChapters(usize),
    /// A source EPUB could be opened but a file of it could not be copied.
    #[error("the source publication cannot be read")]
    Source(#[source] io::Error),
}

impl From<io::Error> for PublishError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<zip::result::ZipError> for PublishError {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Write(match error {
            zip::result::ZipError::Io(error) => error,
            other => io::Error::other(other),
        })
    }
}
