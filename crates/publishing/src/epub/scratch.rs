//! An EPUB from the chapters' texts alone: one document, one overlay and one MP3 for each chapter.

use std::io::{Seek, Write};

use super::{Granularity, chapter, navigation, overlay, package};
use crate::{
    Book, Contents, PublishError,
    archive::Archive,
    clips::{self, Clip},
    contents, markup,
    names::cover_extension,
    sentences::Layout,
};

const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"#;

const STYLE: &str = "\
h1, h2, h3, h4, h5, h6 { text-align: center; margin: 2em 0 1em; }
p { margin: 0 0 0.7em; }
p.subtitle { text-align: center; }
";

pub(super) fn write<W: Write + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    granularity: Granularity,
    out: W,
) -> Result<W, PublishError> {
    book.check()?;
    let mut archive = Archive::new(out, book.modified);
    archive.stored("mimetype", b"application/epub+zip")?;
    archive.text("META-INF/container.xml", |out| out.write_all(CONTAINER.as_bytes()))?;
    archive.text("EPUB/package.opf", |out| package::write(book, out))?;
    archive.text("EPUB/nav.xhtml", |out| navigation::write(book, out))?;
    archive.text("EPUB/css/style.css", |out| write!(out, "{STYLE}{}", overlay::STYLE))?;
    if let Some(cover) = &book.cover
        && let Some(extension) = cover_extension(cover)
    {
        archive.stored(&format!("EPUB/images/cover.{extension}"), &cover.bytes)?;
    }
    for at in 0..book.chapters.len() {
        write_chapter(book, contents, granularity, at, &mut archive)?;
    }
    archive.finish()
}

fn write_chapter<W: Write + Seek>(
    book: &Book,
    contents: &mut dyn Contents,
    granularity: Granularity,
    at: usize,
    archive: &mut Archive<W>,
) -> Result<(), PublishError> {
    let spoken = contents::text(contents, at)?;
    let layout = Layout::of(&spoken.text, &spoken.words, &markup::language(book.language.as_deref()));
    let page = chapter::Page { book, chapter: at, spoken: &spoken, layout: &layout, granularity };
    let name = package::stem(at);
    archive.text(&format!("EPUB/text/{name}.xhtml"), |out| page.write(out))?;
    let facts = &book.chapters[at];
    if facts.duration_ms == 0 {
        return Ok(());
    }
    let clips = page_clips(&page, facts.duration_ms);
    let document = format!("../text/{name}.xhtml");
    let audio = format!("../audio/{name}.mp3");
    archive.text(&format!("EPUB/overlays/{name}.smil"), |out| {
        let mut overlay = overlay::Writer::start(out, &document)?;
        if clips.iter().all(Option::is_none) {
            // Nothing can be followed, but the audio belongs to the page.
            let whole = Clip { begin_ms: 0, end_ms: facts.duration_ms };
            overlay.par(&document, chapter::WHOLE, &audio, whole)?;
        }
        for (number, paragraph) in layout.paragraphs.iter().enumerate() {
            let units = page.units(paragraph);
            if units.clone().any(|unit| clips[unit].is_some()) {
                overlay.open(&document, &chapter::paragraph_id(number))?;
                for unit in units {
                    if let Some(clip) = clips[unit] {
                        overlay.par(&document, &page.unit_id(unit), &audio, clip)?;
                    }
                }
                overlay.close()?;
            }
        }
        overlay.finish()
    })?;
    archive.audio(&format!("EPUB/audio/{name}.mp3"), contents, at, facts.audio_bytes)?;
    Ok(())
}

/// The clips of the page's words or sentences. A sentence without words has none.
fn page_clips(page: &chapter::Page<'_>, duration_ms: u64) -> Vec<Option<Clip>> {
    let words = &page.spoken.words;
    match page.granularity {
        Granularity::Word => clips::of_starts(words.iter().map(|word| word.start_ms), duration_ms),
        Granularity::Sentence => {
            let spoken = |words: &std::ops::Range<usize>| !words.is_empty();
            let sentences = || page.layout.sentences.iter().map(|sentence| sentence.words.clone());
            let starts = sentences().filter(spoken).map(|range| words[range.start].start_ms);
            let mut clips = clips::of_starts(starts, duration_ms).into_iter();
            sentences().map(|range| if spoken(&range) { clips.next().flatten() } else { None }).collect()
        }
    }
}
