//! The navigation document: the table of contents, as deep as the chapters' levels.

use std::io::{self, Write};

use super::{chapter, package};
use crate::{
    Book, ChapterRole,
    markup::Escaped,
    names::{book_title, chapter_title},
};

pub(super) fn write(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    let title = book_title(book);
    chapter::start(book, &title, "css/style.css", out)?;
    writeln!(
        out,
        "<body>\n<nav epub:type=\"toc\" role=\"doc-toc\" id=\"toc\">\n<h1>{}</h1>",
        Escaped(&title)
    )?;
    let levels = book.levels();
    let mut open = 0;
    for (at, level) in levels.iter().copied().enumerate() {
        match open {
            // One deeper: a list inside the entry before.
            _ if level > open => write!(out, "\n<ol>\n")?,
            _ => {
                for _ in level..open {
                    write!(out, "</li>\n</ol>\n")?;
                }
                writeln!(out, "</li>")?;
            }
        }
        open = level;
        write!(out, "<li><a href=\"{}\">{}</a>", href(at), Escaped(&chapter_title(book, at)))?;
    }
    for _ in 0..open {
        write!(out, "</li>\n</ol>\n")?;
    }
    writeln!(out, "</nav>")?;
    if let Some(start) = book.chapters.iter().position(|chapter| chapter.role == ChapterRole::Body) {
        // The contents are no landmark, because this document is not part of the reading order.
        writeln!(
            out,
            "<nav epub:type=\"landmarks\" id=\"landmarks\" hidden=\"hidden\">\n<ol>\n\
             <li><a epub:type=\"bodymatter\" href=\"{}\">{}</a></li>\n</ol>\n</nav>",
            href(start),
            Escaped(&chapter_title(book, start))
        )?;
    }
    writeln!(out, "</body>\n</html>")
}

fn href(chapter: usize) -> String {
    format!("text/{}.xhtml", package::stem(chapter))
}
