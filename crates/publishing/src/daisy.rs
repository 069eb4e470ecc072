//! A talking book by the DAISY 2.02 specification, with the full text.
//!
//! The specification is a profile of XHTML 1.0 and SMIL 1.0. A player starts at `ncc.html`, the
//! navigation control centre, whose headings lead into one SMIL file a chapter; that plays a
//! sentence of `cNNNN.html` and of `cNNNN.mp3` at a time. All files are in one folder and have
//! short names in ASCII, because old players need them.

mod center;
mod chapter;

use std::io::{self, Seek, Write};

use crate::{
    Book, Contents, PublishError,
    archive::Archive,
    clips::{self, Clip},
    contents,
    markup::{Escaped, Seconds, clock, is_right_to_left, language},
    names::{book_title, chapter_title},
    sentences::Layout,
};

/// The program that made the book, as `ncc:generator` states it.
const GENERATOR: &str = "Lectern";

/// Writes the book as a ZIP from the current position of `out`, which must be its start, and gives
/// `out` back. Sentences are what a player follows.
///
/// # Errors
/// [`PublishError`].
pub fn write<W: Write + Seek>(book: &Book, contents: &mut dyn Contents, out: W) -> Result<W, PublishError> {
    book.check()?;
    let mut archive = Archive::new(out, book.modified);
    let mut elapsed_ms = 0;
    let mut kilobytes = 0;
    for at in 0..book.chapters.len() {
        kilobytes += write_chapter(book, contents, at, elapsed_ms, &mut archive)?.div_ceil(1024);
        elapsed_ms += book.chapters[at].duration_ms;
    }
    archive.text("master.smil", |out| center::write_master(book, out))?;
    archive.text("ncc.html", |out| center::write(book, kilobytes, out))?;
    archive.finish()
}

/// Writes a chapter's files and gives the size of its audio and text.
fn write_chapter<W: Write + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    at: usize,
    elapsed_ms: u64,
    archive: &mut Archive<W>,
) -> Result<u64, PublishError> {
    let spoken = contents::text(contents, at)?;
    let layout = Layout::of(&spoken.text, &spoken.words, &language(book.language.as_deref()));
    let duration_ms = book.chapters[at].duration_ms;
    let starts = layout.sentences.iter().filter(|sentence| !sentence.words.is_empty());
    let starts = starts.map(|sentence| spoken.words[sentence.words.start].start_ms);
    let mut clips = clips::of_starts(starts, duration_ms).into_iter();
    let clips: Vec<Option<Clip>> = layout
        .sentences
        .iter()
        .map(|sentence| if sentence.words.is_empty() { None } else { clips.next().flatten() })
        .collect();
    let page = chapter::Page { book, at, text: &spoken.text, layout: &layout, clips: &clips };
    let stem = stem(at);
    archive.text(&format!("{stem}.html"), |out| page.write_text(out))?;
    archive.text(&format!("{stem}.smil"), |out| page.write_smil(elapsed_ms, out))?;
    let audio = if duration_ms > 0 {
        archive.audio(&format!("{stem}.mp3"), contents, at, book.chapters[at].audio_bytes)?
    } else {
        0
    };
    Ok(audio + spoken.text.len() as u64)
}

/// The name of a chapter's files without the extension.
fn stem(chapter: usize) -> String {
    format!("c{:04}", chapter + 1)
}

/// The id of a chapter's heading, in its text and in its SMIL.
const HEADING: &str = "h1";

/// The start of a page, up to the end of its title. The grammar of the navigation control centre has no
/// directions.
fn write_head(book: &Book, title: &str, is_center: bool, out: &mut dyn Write) -> io::Result<()> {
    let language = language(book.language.as_deref());
    let direction = if is_right_to_left(&language) && !is_center { " dir=\"rtl\"" } else { "" };
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \
         \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"{language}\" xml:lang=\"{language}\"{direction}>\n\
         <head>\n<title>{}</title>\n\
         <meta http-equiv=\"Content-type\" content=\"text/html; charset=utf-8\" />",
        Escaped(title)
    )
}

fn write_meta(name: &str, content: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<meta name=\"{name}\" content=\"{}\" />", Escaped(content))
}
