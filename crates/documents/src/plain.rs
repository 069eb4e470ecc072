//! Reads plain text. It is kept as it is except for carriage returns, control characters and byte
//! order marks. Chapters are found by their lines.

use crate::{
    Document, Limits, Unreadable,
    builder::{self, Metadata},
    characters::{self, MAX_MARKS},
    decoding,
};

mod chapter_lines;

/// Runs of white space longer than this are cut: they must be shorter than a chunk, so that no
/// chunk is empty.
const MAX_SPACES: usize = 400;

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let text = normalized(&decoding::plain(bytes), limits.text_characters)?;
    let metadata = metadata(&text);
    let (headings, starts) = chapter_lines::find(&text);
    builder::assemble(text, headings, starts, metadata)
}

/// Normalizes line ends to line feeds and form feeds to paragraph breaks, and drops characters
/// without sound.
fn normalized(text: &str, limit: usize) -> Result<String, Unreadable> {
    let mut normalized = String::with_capacity(text.len().min(limit));
    let (mut marks, mut spaces, mut characters) = (0, SpaceRun::default(), 0_usize);
    let mut after_return = false;
    for c in text.chars() {
        let line_feed_of_pair = std::mem::replace(&mut after_return, c == '\r') && c == '\n';
        if line_feed_of_pair {
            continue;
        }
        let c = match c {
            '\r' | '\u{85}' | '\u{2028}' => '\n',
            '\u{C}' | '\u{2029}' => {
                spaces.push('\n', &mut normalized);
                '\n'
            }
            c => c,
        };
        if characters::is_dropped(c) {
            continue;
        }
        if c.is_whitespace() {
            marks = 0;
            let length = normalized.len();
            spaces.push(c, &mut normalized);
            characters += usize::from(normalized.len() > length);
            continue;
        }
        marks = if characters::is_mark(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            continue;
        }
        spaces.end(&mut normalized);
        normalized.push(c);
        characters += 1;
        if characters > limit {
            return Err(Unreadable::text_too_large(limit));
        }
    }
    Ok(normalized)
}

/// A run of white space.
#[derive(Default)]
struct SpaceRun {
    characters: usize,
    lines_dropped: bool,
}

impl SpaceRun {
    fn push(&mut self, c: char, text: &mut String) {
        self.characters += 1;
        if self.characters <= MAX_SPACES {
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

/// The metadata in the header of a Project Gutenberg text; other plain texts have none.
fn metadata(text: &str) -> Metadata {
    let mut metadata = Metadata::default();
    let head = &text[..text.floor_char_boundary(4_000)];
    if !head.contains("Project Gutenberg") {
        return metadata;
    }
    for line in head.lines() {
        if let Some(title) = line.strip_prefix("Title:") {
            metadata.title.get_or_insert_with(|| title.trim().to_owned());
        } else if let Some(author) = line.strip_prefix("Author:") {
            metadata.author.get_or_insert_with(|| author.trim().to_owned());
        } else if let Some(language) = line.strip_prefix("Language:") {
            metadata.language =
                LANGUAGES.iter().find(|(name, _)| *name == language.trim()).map(|(_, tag)| (*tag).to_owned());
        }
    }
    metadata
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
