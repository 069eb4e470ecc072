//! The navigation control centre (`ncc.html`) and the list of SMIL files (`master.smil`).

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::{
    Book, Escaped, GENERATOR, HEADING, book_title, chapter_title, clock, language, stem, write_head,
    write_meta,
};
use crate::markup::one_line;

/// Writes `ncc.html`. `kilobytes` is the size of the other files.
pub(super) fn write(book: &Book, kilobytes: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = book_title(book);
    write_head(book, &title, true, out)?;
    write_metadata(book, kilobytes, out)?;
    writeln!(out, "</head>\n<body>")?;
    // The first heading is the book's title, by rule, and of this class.
    let heading = |level: u8, class: &str, id: &str, chapter: usize, text: &str, out: &mut dyn Write| {
        writeln!(
            out,
            "<h{level}{class} id=\"{id}\"><a href=\"{}.smil#{HEADING}\">{}</a></h{level}>",
            stem(chapter),
            Escaped(text)
        )
    };
    heading(1, " class=\"title\"", "title", 0, &title, out)?;
    for (at, level) in book.levels().into_iter().enumerate() {
        heading(level, " class=\"section\"", &stem(at), at, &chapter_title(book, at), out)?;
    }
    writeln!(out, "</body>\n</html>")
}

fn write_metadata(book: &Book, kilobytes: u64, out: &mut dyn Write) -> io::Result<()> {
    let date = book.modified.to_zoned(TimeZone::UTC).date().to_string();
    let chapters = book.chapters.len();
    let spoken = book.chapters.iter().filter(|chapter| chapter.duration_ms > 0).count();
    // Text and SMIL of each chapter, audio where there is any, this file and the list of SMIL files.
    let files = 2 * chapters + spoken + 2;
    let depth = book.levels().into_iter().max().unwrap_or(1);
    let named = |value: &Option<String>| one_line(value.as_deref());
    // These four are required, so that a book without an author or publisher says so.
    write_meta("dc:title", &book_title(book), out)?;
    write_meta("dc:creator", &named(&book.author).unwrap_or_else(|| "Unknown".to_owned()), out)?;
    write_meta("dc:publisher", &named(&book.publisher).unwrap_or_else(|| "Unknown".to_owned()), out)?;
    write_meta("dc:language", &language(book.language.as_deref()), out)?;
    write_meta("dc:date", &date, out)?;
    write_meta("dc:format", "Daisy 2.02", out)?;
    write_meta("dc:identifier", &book.identifier.to_string(), out)?;
    if let Some(description) = named(&book.description) {
        write_meta("dc:description", &description, out)?;
    }
    if let Some(rights) = named(&book.copyright) {
        write_meta("dc:rights", &rights, out)?;
    }
    if let Some(narrator) = named(&book.narrator) {
        write_meta("ncc:narrator", &narrator, out)?;
    }
    if let Some(year) = book.year {
        write_meta("ncc:sourceDate", &format!("{year:04}"), out)?;
    }
    for (name, value) in [
        ("ncc:charset", "utf-8"),
        ("ncc:generator", GENERATOR),
        ("ncc:multimediaType", "audioFullText"),
        ("ncc:setInfo", "1 of 1"),
        ("ncc:pageFront", "0"),
        ("ncc:pageNormal", "0"),
        ("ncc:pageSpecial", "0"),
        ("ncc:maxPageNormal", "0"),
        ("ncc:footnotes", "0"),
        ("ncc:prodNotes", "0"),
        ("ncc:sidebars", "0"),
    ] {
        write_meta(name, value, out)?;
    }
    write_meta("ncc:producedDate", &date, out)?;
    write_meta("ncc:depth", &depth.to_string(), out)?;
    write_meta("ncc:files", &files.to_string(), out)?;
    write_meta("ncc:kByteSize", &kilobytes.to_string(), out)?;
    // The title is an entry of its own.
    write_meta("ncc:tocItems", &(chapters + 1).to_string(), out)?;
    write_meta("ncc:totalTime", &clock(book.duration_ms(), 2), out)
}

pub(super) fn write_master(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE smil PUBLIC \"-//W3C//DTD SMIL 1.0//EN\" \"http://www.w3.org/TR/REC-smil/SMIL10.dtd\">\n\
         <smil>\n<head>"
    )?;
    write_meta("dc:format", "Daisy 2.02", out)?;
    write_meta("dc:identifier", &book.identifier.to_string(), out)?;
    write_meta("dc:title", &book_title(book), out)?;
    write_meta("ncc:generator", GENERATOR, out)?;
    write_meta("ncc:timeInThisSmil", &clock(book.duration_ms(), 2), out)?;
    writeln!(out, "<layout>\n<region id=\"txtView\" />\n</layout>\n</head>\n<body>")?;
    for at in 0..book.chapters.len() {
        let title = chapter_title(book, at);
        writeln!(out, "<ref title=\"{}\" src=\"{}.smil\" id=\"r{}\" />", Escaped(&title), stem(at), at + 1)?;
    }
    writeln!(out, "</body>\n</smil>")
}
