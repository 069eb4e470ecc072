//! Reads plain text. It is kept as it is except for carriage returns, control characters and byte
//! order marks. Chapters are found by their lines.

use crate::{
    ChapterRole, Document, Limits, Unreadable,
    builder::{self, Metadata},
    chapter_names,
    chapters::{Outline, RoleRegion},
    characters::{self, MAX_MARKS},
    decoding, paragraphs,
    toc::ChapterStart,
};

mod chapter_lines;
mod gutenberg;

/// Runs of white space longer than this are cut: they must be shorter than a chunk, so that no
/// chunk is empty.
const MAX_SPACES: usize = 400;

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let text = normalized(&decoding::plain(bytes), limits.text_characters)?;
    let metadata = metadata(&text);
    let (headings, starts) = chapter_lines::find(&text);
    let licences = gutenberg::regions(&text).into_iter();
    let regions: Vec<RoleRegion> =
        licences.map(|range| RoleRegion { range, role: ChapterRole::Licence }).collect();
    let regions = contents(&text, &starts, regions);
    // The licence has numbered sections, which are no chapters.
    let starts =
        starts.into_iter().filter(|start| !regions.iter().any(|region| region.range.contains(&start.at)));
    let outline = Outline { starts: starts.collect(), regions, ..Outline::default() };
    builder::assemble(text, headings, &outline, metadata)
}

/// Adds the list of contents before the first chapter, if its heading says so.
fn contents(text: &str, starts: &[ChapterStart], mut regions: Vec<RoleRegion>) -> Vec<RoleRegion> {
    let from = regions.first().filter(|region| region.range.start == 0).map_or(0, |region| region.range.end);
    let outside = |start: &&ChapterStart| !regions.iter().any(|region| region.range.contains(&start.at));
    let Some(first) = starts.iter().find(outside).map(|start| start.at).filter(|first| *first > from) else {
        return regions;
    };
    let heading = paragraphs::paragraphs(&text[from..first]).find(|paragraph| {
        let line = text[from..first][paragraph.clone()].lines().next().unwrap_or_default();
        chapter_names::is_contents(line)
    });
    if let Some(heading) = heading {
        regions.push(RoleRegion { range: from + heading.start..first, role: ChapterRole::Toc });
    }
    regions
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
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.trim_end() {
            "Title" | "Titre" | "Titel" | "Título" | "Titulo" | "Titolo" => {
                metadata.title.get_or_insert_with(|| value.to_owned());
            }
            "Author" | "Auteur" | "Autor" | "Autore" => {
                metadata.author.get_or_insert_with(|| value.to_owned());
            }
            "Language" | "Langue" | "Sprache" | "Lengua" | "Idioma" | "Lingua" | "Língua" => {
                let known = LANGUAGES.iter().find(|(names, _)| names.contains(&value));
                metadata.language = known.map(|(_, tag)| (*tag).to_owned());
            }
            _ => {}
        }
    }
    metadata
}

/// Names of languages in such a header.
const LANGUAGES: &[(&[&str], &str)] = &[
    (&["English", "Anglais", "Englisch", "Inglés", "Inglese", "Inglês"], "en"),
    (&["French", "Français", "Französisch", "Francés", "Francese", "Francês"], "fr"),
    (&["German", "Deutsch", "Allemand", "Alemán"], "de"),
    (&["Spanish", "Español", "Espagnol", "Spanisch", "Castellano"], "es"),
    (&["Italian", "Italiano", "Italien", "Italienisch"], "it"),
    (&["Portuguese", "Português", "Portugais", "Portugués"], "pt"),
    (&["Dutch"], "nl"),
    (&["Chinese", "中文"], "zh"),
    (&["Japanese", "日本語"], "ja"),
    (&["Hindi", "हिन्दी"], "hi"),
    (&["Catalan"], "ca"),
    (&["Russian"], "ru"),
    (&["Latin"], "la"),
];
