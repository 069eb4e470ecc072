//! The package document of a book that is made from scratch: metadata, list of files, order.

use std::io::{self, Write};

use super::overlay;
use crate::{
    Book,
    markup::{Escaped, Seconds, is_right_to_left, language, one_line},
    names::{book_title, cover_extension},
};

/// The name of a chapter's files without the extension.
pub(super) fn stem(chapter: usize) -> String {
    format!("c{:04}", chapter + 1)
}

pub(super) fn write(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    let language = language(book.language.as_deref());
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"pub-id\" \
         xml:lang=\"{language}\">\n<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
    )?;
    write_description(book, &language, out)?;
    write_accessibility(book, out)?;
    write_media(book, out)?;
    writeln!(out, "</metadata>")?;
    write_files(book, out)?;
    let direction = if is_right_to_left(&language) { " page-progression-direction=\"rtl\"" } else { "" };
    writeln!(out, "<spine{direction}>")?;
    for at in 0..book.chapters.len() {
        writeln!(out, "<itemref idref=\"{}\"/>", stem(at))?;
    }
    writeln!(out, "</spine>\n</package>")
}

fn write_description(book: &Book, language: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<dc:identifier id=\"pub-id\">urn:uuid:{}</dc:identifier>", book.identifier)?;
    if let Some(isbn) = book.isbn.as_deref().and_then(isbn) {
        writeln!(out, "<dc:identifier id=\"isbn\">urn:isbn:{isbn}</dc:identifier>")?;
    }
    writeln!(out, "<dc:title id=\"title\">{}</dc:title>", Escaped(&book_title(book)))?;
    writeln!(out, "<dc:language>{language}</dc:language>")?;
    let element = |name: &str, value: Option<&str>, out: &mut dyn Write| match one_line(value) {
        Some(value) => {
            writeln!(out, "<{name}>{}</{}>", Escaped(&value), &name[..name.find(' ').unwrap_or(name.len())])
        }
        None => Ok(()),
    };
    let has = |value: &Option<String>| one_line(value.as_deref()).is_some();
    element("dc:creator id=\"author\"", book.author.as_deref(), out)?;
    if has(&book.author) {
        write_role("author", "aut", out)?;
    }
    element("dc:contributor id=\"narrator\"", book.narrator.as_deref(), out)?;
    if has(&book.narrator) {
        write_role("narrator", "nrt", out)?;
    }
    element("dc:publisher", book.publisher.as_deref(), out)?;
    if let Some(year) = book.year.filter(|year| *year > 0) {
        writeln!(out, "<dc:date>{year:04}</dc:date>")?;
    }
    element("dc:description", book.description.as_deref(), out)?;
    element("dc:rights", book.copyright.as_deref(), out)?;
    if has(&book.series) {
        element("meta property=\"belongs-to-collection\" id=\"series\"", book.series.as_deref(), out)?;
        writeln!(out, "<meta refines=\"#series\" property=\"collection-type\">series</meta>")?;
        if let Some(position) = book.series_index.as_deref().map(str::trim).filter(|index| is_position(index))
        {
            writeln!(out, "<meta refines=\"#series\" property=\"group-position\">{position}</meta>")?;
        }
    }
    writeln!(out, "<meta property=\"dcterms:modified\">{}</meta>", modified(book))
}

fn write_role(id: &str, role: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<meta refines=\"#{id}\" property=\"role\" scheme=\"marc:relators\">{role}</meta>")
}

/// What a reader with a disability can expect, by the vocabulary of schema.org.
fn write_accessibility(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    let mut meta = |name: &str, value: &str| writeln!(out, "<meta property=\"schema:{name}\">{value}</meta>");
    meta("accessMode", "textual")?;
    meta("accessModeSufficient", "textual")?;
    if book.duration_ms() > 0 {
        meta("accessMode", "auditory")?;
        meta("accessModeSufficient", "auditory")?;
        meta("accessibilityFeature", "synchronizedAudioText")?;
    }
    for feature in ["tableOfContents", "readingOrder", "structuralNavigation", "displayTransformability"] {
        meta("accessibilityFeature", feature)?;
    }
    meta("accessibilityHazard", "none")
}

fn write_media(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    if book.duration_ms() == 0 {
        return Ok(());
    }
    for (at, chapter) in book.chapters.iter().enumerate().filter(|(_, chapter)| chapter.duration_ms > 0) {
        let (stem, duration) = (stem(at), Seconds(chapter.duration_ms));
        writeln!(out, "<meta property=\"media:duration\" refines=\"#o{stem}\">{duration}</meta>")?;
    }
    writeln!(out, "<meta property=\"media:duration\">{}</meta>", Seconds(book.duration_ms()))?;
    if let Some(narrator) = one_line(book.narrator.as_deref()) {
        writeln!(out, "<meta property=\"media:narrator\">{}</meta>", Escaped(&narrator))?;
    }
    writeln!(out, "<meta property=\"media:active-class\">{}</meta>", overlay::ACTIVE)?;
    writeln!(out, "<meta property=\"media:playback-active-class\">{}</meta>", overlay::PLAYING)
}

fn write_files(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<manifest>\n\
         <item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
         <item id=\"style\" href=\"css/style.css\" media-type=\"text/css\"/>"
    )?;
    if let Some(cover) = &book.cover
        && let Some(extension) = cover_extension(cover)
    {
        writeln!(
            out,
            "<item id=\"cover\" href=\"images/cover.{extension}\" media-type=\"{}\" properties=\"cover-image\"/>",
            cover.media_type
        )?;
    }
    for (at, chapter) in book.chapters.iter().enumerate() {
        let stem = stem(at);
        let overlay =
            if chapter.duration_ms > 0 { format!(" media-overlay=\"o{stem}\"") } else { String::new() };
        writeln!(
            out,
            "<item id=\"{stem}\" href=\"text/{stem}.xhtml\" media-type=\"application/xhtml+xml\"{overlay}/>"
        )?;
        if chapter.duration_ms > 0 {
            writeln!(
                out,
                "<item id=\"o{stem}\" href=\"overlays/{stem}.smil\" media-type=\"application/smil+xml\"/>\n\
                 <item id=\"a{stem}\" href=\"audio/{stem}.mp3\" media-type=\"audio/mpeg\"/>"
            )?;
        }
    }
    writeln!(out, "</manifest>")
}

/// When the book last changed, as the package states it.
pub(super) fn modified(book: &Book) -> String {
    let seconds = jiff::Timestamp::from_second(book.modified.as_second()).unwrap_or(book.modified);
    seconds.to_string()
}

/// The digits of an ISBN whose check digit is right.
pub(super) fn isbn(isbn: &str) -> Option<String> {
    let digits: String = isbn.chars().filter(|c| !matches!(c, '-' | ' ' | '–')).collect();
    let value = |(at, c): (usize, char)| match c {
        'X' | 'x' if at == 9 => Some(10),
        c => c.to_digit(10),
    };
    let values: Vec<u32> = digits.chars().enumerate().map(value).collect::<Option<_>>()?;
    let is_right = match values.len() {
        10 => values.iter().zip((1..=10).rev()).map(|(value, weight)| value * weight).sum::<u32>() % 11 == 0,
        13 => {
            !digits.contains(['X', 'x'])
                && values
                    .iter()
                    .zip([1, 3].into_iter().cycle())
                    .map(|(value, weight)| value * weight)
                    .sum::<u32>()
                    % 10
                    == 0
        }
        _ => false,
    };
    is_right.then(|| digits.to_ascii_uppercase())
}

/// Whether a position in a series consists of numbers, such as "2" or "1.5".
pub(super) fn is_position(index: &str) -> bool {
    index
        .split('.')
        .all(|part| (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
}
