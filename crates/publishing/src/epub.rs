//! EPUB 3 with Media Overlays: text that readers highlight while they play its audio.

mod chapter;
mod navigation;
mod overlay;
mod package;
mod scratch;
mod source;

pub(crate) use chapter::title_paragraphs;

use std::io::{Read, Seek, Write};

use crate::{Book, Contents, PublishError};

/// What is highlighted at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// Each word.
    Word,
    /// Each sentence.
    Sentence,
}

/// What [`write_with_source`] made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceOutcome {
    /// Why the book was made from scratch; `None` when the source's own files were kept.
    pub from_scratch: Option<FromScratch>,
    /// The spoken words of the book.
    pub spoken_words: usize,
    /// The spoken words that were found in the source's documents.
    pub found_words: usize,
}

/// Why a source EPUB could not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FromScratch {
    /// The file is not a ZIP container with a package document that can be read, or is not UTF-8.
    Unreadable,
    /// The package is not of version 3.
    OlderVersion,
    /// It has Media Overlays of its own.
    HasOverlays,
    /// Text documents are encrypted, or the publication is signed.
    Protected,
    /// It has more or larger files than this crate reads.
    TooLarge,
    /// Too few of the spoken words stand in its documents, or not in this order.
    OtherText,
}

/// Writes the book from its chapters' texts, from the current position of `out`, which must be its
/// start, and gives `out` back.
///
/// # Errors
/// [`PublishError`].
pub fn write<W: Write + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    granularity: Granularity,
    out: W,
) -> Result<W, PublishError> {
    scratch::write(book, contents, granularity, out)
}

/// Writes the book as a copy of the EPUB that it was made from, with audio and overlays added, or
/// from scratch as [`write()`] does when that is not possible.
///
/// # Errors
/// [`PublishError`]. A source that cannot be used is no error, except one that turns out to be
/// damaged when its files are copied ([`PublishError::Source`]); [`write()`] is possible then.
pub fn write_with_source<W: Write + Seek, R: Read + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    granularity: Granularity,
    source: R,
    out: W,
) -> Result<(W, SourceOutcome), PublishError> {
    source::write(book, contents, granularity, source, out)
}
