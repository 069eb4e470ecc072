//! The texts, words and audio of a book's chapters, which are asked for one chapter at a time.

use std::{
    io::{self, Read},
    ops::Range,
};

use crate::PublishError;

/// Where the contents of the chapters come from. `chapter` is a position in
/// [`crate::Book::chapters`].
pub trait Contents {
    /// A chapter's text and words. It may be asked for more than once.
    ///
    /// # Errors
    /// Any error ends the work and is passed on.
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText>;

    /// The text of the document's chapters before this one, and after the one before it, that are not in
    /// the book; `chapter` may be the number of chapters, for what is after the last. It tells which
    /// documents of a source have nothing that is in the book.
    ///
    /// # Errors
    /// Any error ends the work and is passed on.
    fn omitted(&mut self, _chapter: usize) -> io::Result<String> {
        Ok(String::new())
    }

    /// A chapter's MP3, from its first byte to its end. It is asked for at most once, in order.
    ///
    /// # Errors
    /// Any error ends the work and is passed on.
    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>>;
}

/// A chapter as it was read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpokenText {
    /// Paragraphs separated by blank lines.
    pub text: String,
    /// The spoken words in order; they do not overlap. Text between them was not spoken.
    pub words: Vec<SpokenWord>,
}

/// A word and its time in the chapter's audio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenWord {
    /// Its bytes in [`SpokenText::text`].
    pub range: Range<usize>,
    /// Its start in the chapter's audio.
    pub start_ms: u64,
    /// Its end in the chapter's audio.
    pub end_ms: u64,
}

/// A chapter's text, checked: each word is a part of the text with more than white space, after the one
/// before it.
pub(crate) fn text(contents: &mut dyn Contents, chapter: usize) -> Result<SpokenText, PublishError> {
    let spoken = contents.text(chapter).map_err(|source| PublishError::Contents { chapter, source })?;
    let mut end = 0;
    for (word, SpokenWord { range, .. }) in spoken.words.iter().enumerate() {
        let is_blank = spoken.text.get(range.clone()).is_none_or(|word| word.trim().is_empty());
        if range.start < end || is_blank {
            return Err(PublishError::Word { chapter, word });
        }
        end = range.end;
    }
    Ok(spoken)
}
