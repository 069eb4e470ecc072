//! Collects a document's text while its reader walks through the file: paragraphs, headings, line
//! breaks, scene breaks and chapter starts. It collapses white space, drops characters that have no
//! sound and stops at the limit, so that all formats give the same kind of text. Plain text, whose
//! white space is kept, does not use it.

use crate::{
    Cover, Document, Heading, Limits, Unreadable,
    chapters::{self, ChapterStart},
    characters::{self, MAX_MARKS},
};

/// The metadata that a document declares, unchecked; [`Builder::finish`] cleans it up.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub title: Option<String>,
    pub author: Option<String>,
    /// A language tag; dropped if it is not valid.
    pub language: Option<String>,
    pub cover: Option<Cover>,
}

/// How to find the chapters of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChaptersFrom {
    /// At the headings of the level that divides it best.
    Headings,
    /// At the offsets passed to [`Builder::chapter_at`], or at headings if there are none.
    Offsets,
}

#[derive(Debug)]
pub(crate) struct Builder {
    text: String,
    /// The current and the largest allowed number of characters.
    characters: usize,
    limit: usize,
    headings: Vec<Heading>,
    starts: Vec<ChapterStart>,
    /// The level of the open heading, and where its text starts once it has some.
    heading: Option<(u8, Option<usize>)>,
    /// The white space to write before the next character.
    gap: Gap,
    /// The label of the list item that the next text starts: "3.".
    label: Option<String>,
    /// Whether the next text is another cell of the open row.
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
    fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Space => " ",
            Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// Speech recognizes this form of a scene break, and it reads well as text.
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

    /// Ends the open block; the next text starts a paragraph.
    pub(crate) fn paragraph(&mut self) {
        self.end_heading();
        self.gap = Gap::Paragraph;
        self.next_cell = false;
    }

    /// Ends the open block; the next text is a heading of `level` (1 to 6).
    pub(crate) fn heading(&mut self, level: u8) {
        self.paragraph();
        self.heading = Some((level.clamp(1, 6), None));
    }

    /// Adds text to the open block. White space collapses to one space and is dropped at the ends
    /// of the block.
    pub(crate) fn text(&mut self, text: &str) {
        for c in text.chars() {
            self.push(c);
        }
    }

    /// Starts a new line in the open block. Headings stay on one line.
    pub(crate) fn line_break(&mut self) {
        self.gap = self.gap.max(if self.heading.is_some() { Gap::Space } else { Gap::Line });
    }

    pub(crate) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// Starts a list item, with its label ("3.") if the list has labels.
    pub(crate) fn item(&mut self, label: Option<String>) {
        self.paragraph();
        self.label = label;
    }

    /// Starts a cell of a table row. A row is a paragraph, and a comma separates its cells.
    pub(crate) fn cell(&mut self) {
        self.next_cell = true;
    }

    /// Adds a scene break between two paragraphs. It is dropped at the start of the text and next
    /// to another one.
    pub(crate) fn scene_break(&mut self) {
        self.paragraph();
        if !self.text.is_empty() && !self.text.ends_with(SCENE_BREAK) {
            self.text(SCENE_BREAK);
            self.paragraph();
        }
    }

    /// The length of the text so far. [`Builder::chapter_at`] takes it as the position of the text
    /// that follows.
    pub(crate) fn offset(&self) -> usize {
        self.text.len()
    }

    /// The last character of the open block.
    pub(crate) fn last(&self) -> Option<char> {
        if self.at_block_start() { None } else { self.text.chars().next_back() }
    }

    /// Whether the open block has no text yet.
    pub(crate) fn at_block_start(&self) -> bool {
        self.gap == Gap::Paragraph || self.text.is_empty()
    }

    /// Starts a chapter at the first text after `offset`, an earlier result of [`Builder::offset`].
    /// Inside a paragraph, the chapter starts with that paragraph. Offsets may come in any order.
    pub(crate) fn chapter_at(&mut self, offset: usize, title: Option<&str>) {
        self.starts.push(ChapterStart { at: offset, title: title.map(str::to_owned) });
    }

    pub(crate) fn has_headings(&self) -> bool {
        !self.headings.is_empty()
    }

    /// Whether the limit is reached. Further text is ignored, and [`Builder::finish`] returns the
    /// error.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Sets the chapters and shortens titles.
    ///
    /// # Errors
    /// [`Unreadable`] when the text is too long or has nothing to speak.
    pub(crate) fn finish(
        mut self,
        mut metadata: Metadata,
        from: ChaptersFrom,
    ) -> Result<Document, Unreadable> {
        self.end_heading();
        if self.full {
            return Err(Unreadable::text_too_large(self.limit));
        }
        if self.starts.is_empty() || from == ChaptersFrom::Headings {
            self.starts = chapters::at_headings(&self.text, &self.headings);
        }
        if from == ChaptersFrom::Headings {
            metadata.title = self.title(metadata.title);
        }
        assemble(self.text, self.headings, self.starts, metadata)
    }

    /// Chooses the title: the only heading of level 1, if it is the first heading and there is no
    /// given title, or if the given title contains it. A page's title often names the site as well:
    /// "The Lighthouse | Tales".
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
        if self.marks > MAX_MARKS {
            return;
        }
        if std::mem::take(&mut self.next_cell) && !self.at_block_start() {
            // Cells are read like a list of words. A cell that ends with a stop needs no comma.
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
        let gap = if self.text.is_empty() { "" } else { gap.as_str() };
        // Gaps are ASCII, so their bytes are their characters.
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

/// Builds the document from text whose headings and chapter starts are known.
///
/// # Errors
/// [`Unreadable`] when nothing in the text can be spoken.
pub(crate) fn assemble(
    text: String,
    headings: Vec<Heading>,
    starts: Vec<ChapterStart>,
    metadata: Metadata,
) -> Result<Document, Unreadable> {
    if !characters::is_speakable(&text) {
        return Err(Unreadable::no_text());
    }
    let line = |text: Option<String>| text.and_then(|text| characters::one_line(&text, 300));
    let title = line(metadata.title);
    let chapters = chapters::finalize(&text, &headings, starts, title.as_deref());
    Ok(Document {
        title,
        author: line(metadata.author),
        language: metadata.language.as_deref().and_then(language_tag),
        cover: metadata.cover,
        text,
        chapters,
        headings,
    })
}

/// The BCP 47 form of a language tag: `en_US.UTF-8` becomes `en-US`. `None` for text that is not a
/// tag.
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
        // Regions are upper case, scripts are title case, all other subtags are lower case.
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
