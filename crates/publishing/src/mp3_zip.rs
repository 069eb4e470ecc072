//! A ZIP with one MP3 a chapter, the cover and a playlist.

use std::{
    fmt::Write as _,
    io::{Read, Seek, Write},
    ops::Range,
};

use zip::ZipArchive;

use crate::{
    Book, Contents, PublishError,
    archive::Archive,
    markup::one_line,
    names::{book_title, chapter_title, cover_extension, file_name},
};

/// Writes the ZIP from the current position of `out`, which must be its start, and gives `out` back.
///
/// It has `001 - Title.mp3` for each chapter as the caller tagged it, `cover.jpg` or `cover.png`,
/// and `playlist.m3u8`. Names are safe on Windows, macOS and Linux. Nothing is compressed.
///
/// # Errors
/// [`PublishError`].
pub fn write<W: Write + Seek>(book: &Book, contents: &mut dyn Contents, out: W) -> Result<W, PublishError> {
    book.check()?;
    let mut archive = Archive::new(out, book.modified);
    archive.stored("playlist.m3u8", playlist(book).as_bytes())?;
    if let Some(cover) = &book.cover
        && let Some(extension) = cover_extension(cover)
    {
        archive.stored(&format!("cover.{extension}"), &cover.bytes)?;
    }
    for (at, chapter) in book.chapters.iter().enumerate() {
        archive.audio(&name(book, at), contents, at, chapter.audio_bytes)?;
    }
    archive.finish()
}

fn name(book: &Book, chapter: usize) -> String {
    file_name(chapter + 1, book.chapters.len(), &chapter_title(book, chapter))
}

/// An extended M3U playlist. Its lines begin with `#` or are file names, which begin with a digit.
fn playlist(book: &Book) -> String {
    let mut list = format!("#EXTM3U\n#PLAYLIST:{}\n", book_title(book));
    let author = one_line(book.author.as_deref());
    for (at, chapter) in book.chapters.iter().enumerate() {
        let seconds = (chapter.duration_ms + 500) / 1000;
        let title = chapter_title(book, at);
        // Players cut the line at the first " - " into artist and title.
        let artist = author.as_deref().map(|author| author.replace(" - ", ", ") + " - ").unwrap_or_default();
        let _ = writeln!(list, "#EXTINF:{seconds},{artist}{title}\n{}", name(book, at));
    }
    list
}

/// Where the chapters' MP3 lie in a ZIP that [`write()`] made, in order: their bytes.
///
/// # Errors
/// [`PublishError`].
pub fn places<R: Read + Seek>(zip: R) -> Result<Vec<Range<u64>>, PublishError> {
    let mut archive = ZipArchive::new(zip)?;
    let mut places = Vec::new();
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at)?;
        if entry.name()?.ends_with(".mp3")
            && let Some(start) = entry.data_start()
        {
            places.push(start..start + entry.compressed_size());
        }
    }
    Ok(places)
}
