//! An EPUB with audio and overlays added to the files that the book was made from.
//!
//! Every file stays byte for byte as it is, except the documents that are read aloud, the package, the
//! lists of contents and the cover. Those change at the places where something is added or where the
//! book says something else: its metadata, its chapters' titles, and which chapters it has. The spoken words are found in the
//! documents by their letters alone ([`alignment`]), because the text that was read aloud went
//! through the extraction of text and maybe through an editor.

mod alignment;
mod container;
mod cover;
mod document;
mod metadata;
mod notes;
mod package;
mod plan;
mod selection;
mod spans;
mod toc;
mod tokens;
mod tree;
mod writer;

use std::io::{Read, Seek, Write};

use super::{FromScratch, Granularity, SourceOutcome, scratch};
use crate::{Book, Contents, PublishError};
use container::Container;
use plan::{Plan, SpokenWords};
use toc::Toc;

/// With fewer of the spoken words found than this, the source is another text.
const MIN_FOUND_PERCENT: usize = 70;

pub(super) fn write<W: Write + Seek, R: Read + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    granularity: Granularity,
    source: R,
    out: W,
) -> Result<(W, SourceOutcome), PublishError> {
    book.check()?;
    let mut spoken = SpokenWords::of(book, contents, granularity)?;
    let spoken_words = spoken.words();
    let mut found_words = 0;
    let opened = Container::open(source).and_then(|mut container| {
        let lists = Toc::all(&mut container);
        let plan = Plan::of(&mut container, &mut spoken, &Toc::wanted(&lists));
        found_words = plan.found_words;
        if found_words * 100 >= spoken_words * MIN_FOUND_PERCENT && found_words > 0 {
            Ok((container, plan, lists))
        } else {
            Err(FromScratch::OtherText)
        }
    });
    let outcome = |from_scratch| SourceOutcome { from_scratch, spoken_words, found_words };
    match opened {
        Ok((container, plan, lists)) => {
            let source = writer::Source { container, spoken: &spoken, plan: &plan, lists };
            let out = source.write(book, contents, granularity, out)?;
            Ok((out, outcome(None)))
        }
        Err(reason) => {
            drop(spoken);
            Ok((scratch::write(book, contents, granularity, out)?, outcome(Some(reason))))
        }
    }
}
