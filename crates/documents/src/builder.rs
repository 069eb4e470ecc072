//! The text of a document as its reader walks through it: paragraphs, headings, line breaks, scene breaks and the
//! places where chapters start. Collapses white space, drops what has no sound and stops at the limit, so that all
//! kinds come out alike. Plain text, which is kept as it is, has a way of its own.

use crate::{
    Cover, Document, Heading, Limits, Unreadable,
    chapters::{self, Start},
    characters::{self, MARKS_KEPT},
};

/// What a document says about itself, as found; [`Builder::finish`] tidies it.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub title: Option<String>,
    pub author: Option<String>,
    /// A language tag; dropped when it is none.
    pub language: Option<String>,
    pub cover: Option<Cover>,
}

/// Where the chapters of a document start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChaptersFrom {
    /// At its headings of the level that parts it best.
    Headings,
    /// At the places given with [`Builder::chapter_at`]; at its headings when there was none.
    Places,
}

/// Writes a [`Document`]'s text.
#[derive(Debug)]
pub(crate) struct Builder {
    text: String,
    /// How many characters it has, and may have.
    characters: usize,
    limit: usize,
    headings: Vec<Heading>,
    starts: Vec<Start>,
    /// The level of the heading that is open, and where its text starts, once there is some.
    heading: Option<(u8, Option<usize>)>,
    /// What stands between what was written and the next character.
    gap: Gap,
    /// What the list's item that the next text starts is called: "3.".
    label: Option<String>,
    /// Whether the next text is another cell of the row that is open.
    next_cell: bool,
    marks: usize,
    full: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
    Paragraph,
}

impl Gap {
    fn written(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Space => " ",
            Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// How a scene break is written: the speaker knows it, and readers of the text see it.
const SCENE_BREAK: &str = "* * *";

impl Builder {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            text: String::new(),
            characters: 0,
            limit: limits.text_characters,
            headings: Vec::new(),
            starts: Vec::new(),
            heading: None,
            gap: Gap::None,
            label: None,
            next_cell: false,
            marks: 0,
            full: false,
        }
    }

    /// Ends what is open; the next text starts a paragraph.
    pub(crate) fn paragraph(&mut self) {
        self.end_heading();
        self.gap = Gap::Paragraph;
        self.next_cell = false;
    }

    /// Ends what is open; the next text, up to the next block, is a heading of `level` (1 to 6).
    pub(crate) fn heading(&mut self, level: u8) {
        self.paragraph();
        self.heading = Some((level.clamp(1, 6), None));
    }

    /// Text inside the block that is open. White space collapses to one space, and vanishes at the block's ends.
    pub(crate) fn text(&mut self, text: &str) {
        for c in text.chars() {
            self.push(c);
        }
    }

    /// The next text stands on a line of its own, in the same block. Headings stay on one line.
    pub(crate) fn line_break(&mut self) {
        self.gap = self.gap.max(if self.heading.is_some() { Gap::Space } else { Gap::Line });
    }

    /// White space in the block that is open.
    pub(crate) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// The next text starts an item of a list, with its label ("3.") if the list has any.
    pub(crate) fn item(&mut self, label: Option<String>) {
        self.paragraph();
        self.label = label;
    }

    /// The next text is a cell of a table's row (a paragraph): a comma parts it from the cell before.
    pub(crate) fn cell(&mut self) {
        self.next_cell = true;
    }

    /// A change of scene between two paragraphs. Vanishes at the start of a text and next to another.
    pub(crate) fn scene_break(&mut self) {
        self.paragraph();
        if !self.text.is_empty() && !self.text.ends_with(SCENE_BREAK) {
            self.text(SCENE_BREAK);
            self.paragraph();
        }
    }

    /// How much text there is: a place for [`Builder::chapter_at`], which means the first text that follows.
    pub(crate) fn offset(&self) -> usize {
        self.text.len()
    }

    /// The last character of the block that is open.
    pub(crate) fn last(&self) -> Option<char> {
        if self.at_block_start() { None } else { self.text.chars().next_back() }
    }

    /// Whether the block that is open has no text yet.
    pub(crate) fn at_block_start(&self) -> bool {
        self.gap == Gap::Paragraph || self.text.is_empty()
    }

    /// A chapter starts with the first text behind `offset` (a former [`Builder::offset`]); if that is in the middle
    /// of a paragraph, with that paragraph. Places may be given in any order.
    pub(crate) fn chapter_at(&mut self, offset: usize, title: Option<&str>) {
        self.starts.push(Start { at: offset, title: title.map(str::to_owned) });
    }

    /// Whether a heading was written.
    pub(crate) fn has_headings(&self) -> bool {
        !self.headings.is_empty()
    }

    /// Whether the limit was reached: nothing more is taken, and [`Builder::finish`] will say so.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// The document, tidied: chapters set, titles shortened.
    ///
    /// # Errors
    /// [`Unreadable`] when there is too much text, or none that can be said.
    pub(crate) fn finish(mut self, mut about: About, from: ChaptersFrom) -> Result<Document, Unreadable> {
        self.end_heading();
        if self.full {
            return Err(Unreadable::text_too_large(self.limit));
        }
        if self.starts.is_empty() || from == ChaptersFrom::Headings {
            self.starts = chapters::at_headings(&self.text, &self.headings);
        }
        if from == ChaptersFrom::Headings {
            about.title = self.title(about.title);
        }
        assemble(self.text, self.headings, self.starts, about)
    }

    /// The one heading of the highest level is the title, where there is no other or the other says more: a page's
    /// often names its site as well, "The Lighthouse | Tales".
    fn title(&self, given: Option<String>) -> Option<String> {
        let mut highest = self.headings.iter().enumerate().filter(|(_, heading)| heading.level == 1);
        let (Some((index, heading)), None) = (highest.next(), highest.next()) else { return given };
        let heading = &self.text[heading.range.clone()];
        let says_more = given.as_ref().map_or(index == 0, |given| given.contains(heading));
        if says_more { Some(heading.to_owned()) } else { given }
    }

    fn push(&mut self, c: char) {
        if c.is_whitespace() {
            self.space();
            return;
        }
        if characters::is_dropped(c) || self.full {
            return;
        }
        self.marks = if characters::is_mark(c) { self.marks + 1 } else { 0 };
        if self.marks > MARKS_KEPT {
            return;
        }
        if std::mem::take(&mut self.next_cell) && !self.at_block_start() {
            // Lists of cells read like lists of words; what ends with a stop needs no comma.
            if self
                .last()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '”' | '"' | '%' | '\'' | '’'))
            {
                self.gap = Gap::None;
                self.write(',');
            }
            self.gap = Gap::Space;
        }
        if let Some(label) = self.label.take() {
            label.chars().for_each(|c| if c == ' ' { self.space() } else { self.write(c) });
            self.gap = Gap::Space;
        }
        self.write(c);
    }

    fn write(&mut self, c: char) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        let gap = if self.text.is_empty() { "" } else { gap.written() };
        // Gaps are ASCII.
        let characters = self.characters + gap.len() + 1;
        if characters > self.limit {
            self.full = true;
            return;
        }
        self.characters = characters;
        self.text.push_str(gap);
        if let Some((_, start @ None)) = &mut self.heading {
            *start = Some(self.text.len());
        }
        self.text.push(c);
    }

    fn end_heading(&mut self) {
        if let Some((level, Some(start))) = self.heading.take() {
            self.headings.push(Heading { range: start..self.text.len(), level });
        }
    }
}

/// The document of a text whose headings and chapters are known.
///
/// # Errors
/// [`Unreadable`] when nothing in it can be said.
pub(crate) fn assemble(
    text: String,
    headings: Vec<Heading>,
    starts: Vec<Start>,
    about: About,
) -> Result<Document, Unreadable> {
    if !characters::is_speakable(&text) {
        return Err(Unreadable::no_text());
    }
    let line = |text: Option<String>| text.and_then(|text| characters::one_line(&text, 300));
    let title = line(about.title);
    let chapters = chapters::settle(&text, &headings, starts, title.as_deref());
    Ok(Document {
        title,
        author: line(about.author),
        language: about.language.as_deref().and_then(language_tag),
        cover: about.cover,
        text,
        chapters,
        headings,
    })
}

/// A language tag in the form of BCP 47: `en_US.UTF-8` becomes `en-US`. `None` for what is none.
pub(crate) fn language_tag(text: &str) -> Option<String> {
    let text = text.trim().split(['.', ',', ';', ' ']).next()?.replace('_', "-");
    let mut parts = text.split('-');
    let primary = parts.next()?;
    let is_word = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if !is_word(primary, 2..=3) || !primary.bytes().all(|byte| byte.is_ascii_alphabetic()) || primary == "und"
    {
        return None;
    }
    let mut tag = primary.to_ascii_lowercase();
    for part in parts.take(5) {
        if !is_word(part, 1..=8) {
            return None;
        }
        tag.push('-');
        // Regions are written in capitals, scripts with one, all else small.
        match part.len() {
            2 => tag.push_str(&part.to_ascii_uppercase()),
            4 if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                tag.push_str(&part[..1].to_ascii_uppercase());
                tag.push_str(&part[1..].to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(tag)
}
