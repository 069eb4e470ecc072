//! Collects a document's text while its reader walks through the file: paragraphs, headings, line
//! breaks, scene breaks and chapter starts. It collapses white space, drops characters that have no
//! sound and stops at the limit, so that all formats give the same kind of text. Plain text, whose
//! white space is kept, does not use it.

use crate::{
    ChapterRole, Cover, Document, Heading, Limits, Unreadable,
    chapters::{self, Outline, RoleRegion},
    characters::{self, MAX_MARKS},
    document::PhonemeAlphabet,
    language::language_tag,
    marked::MarkedLanguages,
    notes::CollectedNotes,
    pauses::PauseAt,
    pronounced::PronouncedStretches,
    roles::{self, BookFacts},
    toc::{self, ChapterStart, TocEntry},
    voiced::VoicedStretches,
};

/// The most pauses that a document may ask for.
const MOST_PAUSES: usize = 10_000;

/// The metadata that a document declares, unchecked; [`Builder::finish`] cleans it up.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub title: Option<String>,
    pub author: Option<String>,
    pub copyright: Option<String>,
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
    outline: Outline,
    /// The parts with a role that are open, and where they began.
    roles: Vec<(usize, ChapterRole)>,
    /// The level of the open heading, and where its text starts once it has some.
    heading: Option<(u8, Option<usize>)>,
    /// The white space to write before the next character.
    gap: Gap,
    /// Whether a space in `gap` may be only the end of a line of the source.
    is_line_end: bool,
    /// Where the text of the source's line begins, with the white space before it.
    line_at: usize,
    /// The label of the list item that the next text starts: "3.".
    label: Option<String>,
    /// Whether the next text is another cell of the open row.
    next_cell: bool,
    marks: usize,
    notes: CollectedNotes,
    /// The text around the note that is being read.
    around_note: Option<Box<Builder>>,
    languages: MarkedLanguages,
    pronounced: PronouncedStretches,
    voices: VoicedStretches,
    /// The pauses that the document asks for.
    pauses: Vec<PauseAt>,
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
            outline: Outline::default(),
            roles: Vec::new(),
            heading: None,
            gap: Gap::None,
            is_line_end: false,
            line_at: 0,
            label: None,
            next_cell: false,
            marks: 0,
            notes: CollectedNotes::default(),
            around_note: None,
            languages: MarkedLanguages::default(),
            pronounced: PronouncedStretches::default(),
            voices: VoicedStretches::default(),
            pauses: Vec::new(),
            full: false,
        }
    }

    /// Ends the open block; the next text starts a paragraph.
    pub(crate) fn paragraph(&mut self) {
        self.end_source_line();
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
        self.end_source_line();
        self.gap = self.gap.max(if self.heading.is_some() { Gap::Space } else { Gap::Line });
    }

    pub(crate) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// Adds the end of a line of the source: a space, but not between Chinese or Japanese characters.
    pub(crate) fn line_end(&mut self) {
        self.space();
        self.is_line_end = true;
    }

    /// Ends a line of a source whose lines are joined, except around one that names a speaker: that is a
    /// line in the text, too.
    pub(crate) fn soft_break(&mut self) {
        if self.end_source_line() { self.line_break() } else { self.line_end() }
    }

    /// Returns whether the line names a speaker.
    fn end_source_line(&mut self) -> bool {
        let start = std::mem::replace(&mut self.line_at, self.text.len());
        let line = self.text.get(start..).unwrap_or_default();
        let is_speaker = self.heading.is_none() && names_speaker(line.trim_start());
        if is_speaker && line.starts_with(' ') {
            self.text.replace_range(start..=start, "\n");
        }
        is_speaker
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

    /// Starts a stretch that the document says to be in a language; [`Builder::end_language`] ends the
    /// innermost one.
    pub(crate) fn begin_language(&mut self, tag: &str) {
        self.languages.begin(tag, &self.text);
    }

    /// Starts a stretch whose pronunciation the document gives; [`Builder::end_pronounced`] ends the innermost
    /// one.
    pub(crate) fn begin_pronounced(&mut self, phonemes: &str, alphabet: PhonemeAlphabet) {
        self.pronounced.begin(phonemes, alphabet, &self.text);
    }

    /// Starts a stretch that somebody says, or the narrator; [`Builder::end_voice`] ends the innermost one.
    pub(crate) fn begin_voice(&mut self, name: Option<&str>) {
        self.voices.begin(name, &self.text);
    }

    pub(crate) fn end_voice(&mut self) {
        self.voices.end(&self.text);
    }

    /// Asks for a pause after the text so far. Of several at one place the longest counts.
    pub(crate) fn pause(&mut self, pause_ms: u32) {
        let at = self.text.trim_end().len();
        if pause_ms == 0 || at == 0 || self.pauses.len() >= MOST_PAUSES {
            return;
        }
        match self.pauses.last_mut().filter(|last| last.at == at) {
            Some(last) => last.pause_ms = last.pause_ms.max(pause_ms),
            None => self.pauses.push(PauseAt { at, pause_ms }),
        }
    }

    pub(crate) fn end_pronounced(&mut self) {
        self.pronounced.end(&self.text);
    }

    pub(crate) fn end_language(&mut self) {
        self.languages.end(&self.text);
    }

    /// Refers to a note at the last word. `key` is any number of the reader's.
    pub(crate) fn refer_to_note(&mut self, key: usize) {
        if self.around_note.is_some() {
            return;
        }
        if self.at_block_start() { self.notes.wait(key) } else { self.notes.refer(key, self.text.len()) }
    }

    /// Whether a note is referred to.
    pub(crate) fn is_referred_to(&self, key: usize) -> bool {
        self.notes.is_referred_to(key)
    }

    /// Adds a note whose text is known.
    pub(crate) fn note(&mut self, key: usize, text: &str) {
        self.begin_note();
        self.text(text);
        self.end_note(key);
    }

    /// Starts a note, which is kept apart from the text; [`Builder::end_note`] ends it. Notes are not
    /// nested.
    pub(crate) fn begin_note(&mut self) {
        let limits =
            Limits { text_characters: self.limit.saturating_sub(self.characters), ..Limits::default() };
        let around = std::mem::replace(self, Self::new(&limits));
        self.around_note = Some(Box::new(around));
    }

    pub(crate) fn end_note(&mut self, key: usize) {
        let Some(around) = self.around_note.take() else { return };
        let note = std::mem::replace(self, *around);
        self.full |= note.full;
        self.characters += note.characters;
        self.notes.add(key, &note.text, self.text.len());
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
        self.outline.starts.push(ChapterStart { at: offset, title: title.map(str::to_owned), level: 1 });
    }

    /// Sets the chapters by a table of contents; see [`toc::chapters`]. Returns how many there are.
    pub(crate) fn chapters_of(&mut self, contents: &[TocEntry]) -> usize {
        let chapters = toc::chapters(contents, self.offset(), None);
        let count = chapters.len();
        self.chapters_at(chapters);
        count
    }

    /// Starts the chapters that a table of contents lists.
    pub(crate) fn chapters_at(&mut self, mut starts: Vec<ChapterStart>) {
        self.outline.is_listed |= !starts.is_empty();
        self.outline.starts.append(&mut starts);
    }

    /// Starts a file or a page, which may have a role of its own at the front or the back.
    pub(crate) fn unit(&mut self) {
        self.outline.units.push(self.text.len());
    }

    /// Starts files or pages at earlier offsets.
    pub(crate) fn units_at(&mut self, offsets: impl IntoIterator<Item = usize>) {
        self.outline.units.extend(offsets);
    }

    /// Starts a part whose role the file gives; [`Builder::end_role`] ends the innermost one.
    pub(crate) fn begin_role(&mut self, role: ChapterRole) {
        self.roles.push((self.text.len(), role));
    }

    pub(crate) fn end_role(&mut self) {
        if let Some((start, role)) = self.roles.pop()
            && start < self.text.len()
        {
            self.outline.regions.push(RoleRegion { range: start..self.text.len(), role });
        }
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
        // A reader that stopped at the limit may have left a note open.
        while self.around_note.is_some() {
            self.end_note(usize::MAX);
        }
        self.end_heading();
        if self.full {
            return Err(Unreadable::text_too_large(self.limit));
        }
        while !self.roles.is_empty() {
            self.end_role();
        }
        if self.outline.starts.is_empty() || from == ChaptersFrom::Headings {
            self.outline.starts = chapters::at_headings(&self.text, &self.headings);
            self.outline.is_listed = false;
        }
        if from == ChaptersFrom::Headings {
            metadata.title = self.title(metadata.title);
        }
        let marked = self.languages.finish(&self.text, metadata.language.as_deref());
        let notes = self.notes.finish(self.text.len());
        let document = assemble(self.text, self.headings, &self.outline, metadata)?;
        let (pronounced, voices) = (self.pronounced.finish(), self.voices.finish());
        Ok(Document { languages: marked, pronounced, voices, pauses: self.pauses, notes, ..document })
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
        if matches!(c, '\n' | '\r') {
            self.line_end();
            return;
        }
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
        let mut gap = std::mem::replace(&mut self.gap, Gap::None);
        let line_end = std::mem::take(&mut self.is_line_end);
        if gap == Gap::Space && line_end && characters::is_unspaced(c) && self.ends_unspaced() {
            gap = Gap::None;
        }
        let gap = if self.text.is_empty() { "" } else { gap.as_str() };
        // Gaps are ASCII, so their bytes are their characters.
        let characters = self.characters + gap.len() + 1;
        if characters > self.limit {
            self.full = true;
            return;
        }
        self.characters = characters;
        self.text.push_str(gap);
        self.notes.place_waiting(self.text.len());
        if let Some((_, start @ None)) = &mut self.heading {
            *start = Some(self.text.len());
        }
        self.text.push(c);
    }

    fn ends_unspaced(&self) -> bool {
        self.text.chars().next_back().is_some_and(characters::is_unspaced)
    }

    fn end_heading(&mut self) {
        if let Some((level, Some(start))) = self.heading.take() {
            self.headings.push(Heading { range: start..self.text.len(), level });
        }
    }
}

/// Whether a line is `[speaker NAME]`. Whether it is markup of the speech, `lectern-speech` decides.
fn names_speaker(line: &str) -> bool {
    let name = line.strip_prefix("[speaker ").and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| !name.trim().is_empty() && !name.contains(['[', ']', '\n']))
}

/// Builds the document from text whose headings and chapter starts are known.
///
/// # Errors
/// [`Unreadable`] when nothing in the text can be spoken.
pub(crate) fn assemble(
    text: String,
    headings: Vec<Heading>,
    outline: &Outline,
    metadata: Metadata,
) -> Result<Document, Unreadable> {
    if !characters::is_speakable(&text) {
        return Err(Unreadable::no_text());
    }
    let line = |text: Option<String>, most| text.and_then(|text| characters::one_line(&text, most));
    let title = line(metadata.title, 300);
    let author = line(metadata.author, 300);
    let facts = BookFacts { title: title.as_deref(), author: author.as_deref(), bytes: text.len() };
    let chapters = chapters::finalize(&text, &headings, outline, facts);
    Ok(Document {
        title,
        author,
        copyright: line(metadata.copyright, 500).or_else(|| roles::stated_rights(&text, &chapters)),
        language: metadata.language.as_deref().and_then(language_tag),
        cover: metadata.cover,
        text,
        chapters,
        headings,
        ..Document::default()
    })
}
