//! Names: those of files inside a publication, and those of chapters without a title.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{Book, Cover, markup::one_line};

/// File systems allow 255 bytes; more than this no player shows.
const MAX_FILE_NAME_BYTES: usize = 100;

/// A chapter's title, or "Chapter N" by its position.
pub(crate) fn chapter_title(book: &Book, chapter: usize) -> String {
    let title = book.chapters.get(chapter).and_then(|chapter| one_line(chapter.title.as_deref()));
    title.unwrap_or_else(|| format!("Chapter {}", chapter + 1))
}

/// The book's title.
pub(crate) fn book_title(book: &Book) -> String {
    one_line(Some(&book.title)).unwrap_or_else(|| "Untitled".to_owned())
}

/// The file extension of a cover that players can show.
pub(crate) fn cover_extension(cover: &Cover) -> Option<&'static str> {
    match &*cover.media_type {
        _ if cover.bytes.is_empty() => None,
        "image/jpeg" => Some("jpg"),
        "image/png" => Some("png"),
        _ => None,
    }
}

/// A name such as `007 - The Title.mp3` that every file system takes. It is unique, because the
/// number is.
pub(crate) fn file_name(number: usize, of: usize, title: &str) -> String {
    let width = of.to_string().len().max(3);
    let extension = ".mp3";
    let mut name = format!("{number:0width$} - ");
    let room = MAX_FILE_NAME_BYTES - extension.len();
    for c in title.nfc() {
        match c {
            '/' | '\\' | '|' | ':' => name.push('-'),
            '"' => name.push('\''),
            '<' | '>' | '*' | '?' => {}
            c if c.is_control() || is_invisible(c) => {}
            c if c.is_whitespace() => name.push(' '),
            c => name.push(c),
        }
        if name.len() > room {
            cut(&mut name, room);
            break;
        }
    }
    // Windows drops spaces and full stops at the end of a name; some of its programs drop them
    // before the extension, too.
    let length = name.trim_end_matches([' ', '.', '-']).len();
    name.truncate(length);
    name + extension
}

/// Shortens a name without separating a letter from its marks.
fn cut(name: &mut String, room: usize) {
    let mut end = name.floor_char_boundary(room);
    while name[end..].chars().next().is_some_and(is_combining_mark) {
        end = name.floor_char_boundary(end.saturating_sub(1));
    }
    name.truncate(end);
}

/// Characters that make one name look like another: directions, joiners, byte order marks and
/// private use.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..)
}
