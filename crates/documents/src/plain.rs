//! Plain text: kept as it is, but for what no text holds: carriage returns, control characters, byte order marks. Its
//! chapters are found by their lines.

use crate::{
    Document, Limits, Unreadable,
    builder::{self, About},
    characters::{self, MARKS_KEPT},
    decoding,
};

mod chapter_lines;

/// White space in a row is kept up to so many characters: less than a chunk, so that none is empty.
const WHITE_KEPT: usize = 400;

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let text = tidied(&decoding::plain(bytes), limits.text_characters)?;
    let about = about(&text);
    let (headings, starts) = chapter_lines::find(&text);
    builder::assemble(text, headings, starts, about)
}

/// The text with line feeds only, form feeds as paragraph breaks, and without what has no sound.
fn tidied(text: &str, limit: usize) -> Result<String, Unreadable> {
    let mut tidied = String::with_capacity(text.len().min(limit));
    let (mut marks, mut white, mut characters) = (0, White::default(), 0_usize);
    let mut after_return = false;
    for c in text.chars() {
        let line_feed_of_pair = std::mem::replace(&mut after_return, c == '\r') && c == '\n';
        if line_feed_of_pair {
            continue;
        }
        let c = match c {
            '\r' | '\u{85}' | '\u{2028}' => '\n',
            '\u{C}' | '\u{2029}' => {
                white.push('\n', &mut tidied);
                '\n'
            }
            c => c,
        };
        if characters::is_dropped(c) {
            continue;
        }
        if c.is_whitespace() {
            marks = 0;
            let length = tidied.len();
            white.push(c, &mut tidied);
            characters += usize::from(tidied.len() > length);
            continue;
        }
        marks = if characters::is_mark(c) { marks + 1 } else { 0 };
        if marks > MARKS_KEPT {
            continue;
        }
        white.end(&mut tidied);
        tidied.push(c);
        characters += 1;
        if characters > limit {
            return Err(Unreadable::text_too_large(limit));
        }
    }
    Ok(tidied)
}

/// White space in a row.
#[derive(Default)]
struct White {
    characters: usize,
    lines_dropped: bool,
}

impl White {
    fn push(&mut self, c: char, text: &mut String) {
        self.characters += 1;
        if self.characters <= WHITE_KEPT {
            text.push(c);
        } else {
            self.lines_dropped |= c == '\n';
        }
    }

    fn end(&mut self, text: &mut String) {
        if self.lines_dropped {
            text.push_str("\n\n");
        }
        *self = Self::default();
    }
}

/// What the head of a text from Project Gutenberg says; other plain texts have no such head.
fn about(text: &str) -> About {
    let mut about = About::default();
    let head = &text[..text.floor_char_boundary(4_000)];
    if !head.contains("Project Gutenberg") {
        return about;
    }
    for line in head.lines() {
        if let Some(title) = line.strip_prefix("Title:") {
            about.title.get_or_insert_with(|| title.trim().to_owned());
        } else if let Some(author) = line.strip_prefix("Author:") {
            about.author.get_or_insert_with(|| author.trim().to_owned());
        } else if let Some(language) = line.strip_prefix("Language:") {
            about.language =
                LANGUAGES.iter().find(|(name, _)| *name == language.trim()).map(|(_, tag)| (*tag).to_owned());
        }
    }
    about
}

const LANGUAGES: &[(&str, &str)] = &[
    ("English", "en"),
    ("French", "fr"),
    ("German", "de"),
    ("Spanish", "es"),
    ("Italian", "it"),
    ("Portuguese", "pt"),
    ("Dutch", "nl"),
    ("Chinese", "zh"),
    ("Japanese", "ja"),
    ("Russian", "ru"),
    ("Latin", "la"),
];
