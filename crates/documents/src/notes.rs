//! Notes of a document and the ways to read them: not at all, each after the sentence that refers to
//! it, or together at the end. The readers find the notes; this module puts them into the text.

use std::ops::Range;

use crate::{
    Chapter, ChapterRole, Document, Heading, Note, NotesMode,
    chapter_names::{self, NoteWords},
    characters, chunks, language,
};

mod collected;
mod insertion;

pub(crate) use collected::CollectedNotes;
use insertion::Insertion;

impl Document {
    /// The document with its notes in its text, or without them. It has no [`Document::notes`] any
    /// more, and all its ranges and chapters fit its new text. The document must be consistent, as
    /// those that are read are; see [`Document::is_consistent`].
    #[must_use]
    pub fn with_notes(&self, mode: NotesMode) -> Self {
        self.with_notes_in(mode, None)
    }

    /// [`Document::with_notes`] with words such as "Note:" in a language; without one, in the
    /// document's.
    pub(crate) fn with_notes_in(&self, mode: NotesMode, tag: Option<&str>) -> Self {
        let notes: Vec<&Note> =
            self.notes.iter().filter(|note| characters::is_speakable(&note.text)).collect();
        if mode == NotesMode::Skip || notes.is_empty() {
            return Self { notes: Vec::new(), ..self.clone() };
        }
        let own = || language::of_document(self.language.as_deref(), &self.text).map(|found| found.tag);
        let tag = tag.map(str::to_owned).or_else(own);
        let words = chapter_names::note_words(tag.as_deref());
        match mode {
            NotesMode::Inline => self.with_inline_notes(&notes, words, tag.as_deref()),
            _ => self.with_notes_chapter(&notes, words),
        }
    }

    fn with_inline_notes(&self, notes: &[&Note], words: NoteWords, tag: Option<&str>) -> Self {
        let places: Vec<usize> = notes.iter().map(|note| note.at).collect();
        let ends = chunks::sentence_ends(&self.text, &places, tag);
        let mut insertions: Vec<Insertion> = Vec::with_capacity(notes.len());
        for (note, end) in notes.iter().zip(ends) {
            insertions.push(self.inline(note, end, words));
        }
        // Sentences end in the order of their references, but a heading may be moved past.
        insertions.sort_by_key(|insertion| insertion.at);
        insertion::insert(self, &insertions)
    }

    /// A note after the sentence that ends at `end`; after a heading, it is a paragraph.
    fn inline(&self, note: &Note, end: usize, words: NoteWords) -> Insertion {
        let heading = self.headings.partition_point(|heading| heading.range.end < end);
        let heading = self.headings.get(heading).filter(|heading| heading.range.start < end);
        let at = heading.map_or(end, |heading| heading.range.end);
        let unspaced = self.text[..at].ends_with(characters::is_unspaced) && !words.label.ends_with(' ');
        let gap = match heading {
            Some(_) => "\n\n",
            None if unspaced => "",
            None => " ",
        };
        Insertion { at, text: format!("{gap}{}{}", words.label, ended(&note.text)) }
    }

    fn with_notes_chapter(&self, notes: &[&Note], words: NoteWords) -> Self {
        let back = self.chapters.iter().rposition(|chapter| !is_back_matter(chapter.role));
        let index = back.map_or(0, |last| last + 1);
        let at = self.chapters.get(index).map_or(self.text.len(), |chapter| chapter.start);
        let mut chapter = words.title.to_owned();
        for (index, note) in notes.iter().enumerate() {
            chapter.push_str("\n\n");
            chapter.push_str(&(index + 1).to_string());
            chapter.push_str(". ");
            chapter.push_str(&ended(&note.text));
        }
        let mut gap = "";
        if at == self.text.len() {
            // Plain text may end with white space, and a paragraph begins after a blank line.
            let trailing = &self.text[self.text.trim_end().len()..];
            gap = if trailing.matches('\n').count() >= 2 { "" } else { "\n\n" };
        } else {
            chapter.push_str("\n\n");
        }
        let start = at + gap.len();
        let inserted = Insertion { at, text: format!("{gap}{chapter}") };
        let mut document = insertion::insert(self, &[inserted]);
        let title = words.title.to_owned();
        let heading = Heading { range: start..start + title.len(), level: 1 };
        let before = document.headings.partition_point(|heading| heading.range.start < start);
        document.headings.insert(before, heading);
        let role = ChapterRole::Notes;
        document.chapters.insert(index, Chapter { title: Some(title), level: 1, role, start });
        document
    }

    /// Whether all offsets lie inside the text and are in order. Those of documents that this crate
    /// reads do; those that come from elsewhere may not.
    pub fn is_consistent(&self) -> bool {
        let text = &self.text;
        let starts = || self.chapters.iter().map(|chapter| chapter.start);
        starts().next().is_none_or(|first| first == 0)
            && starts().is_sorted_by(|a, b| a < b)
            && starts().all(|at| text.is_char_boundary(at) && (at < text.len() || at == 0))
            && (text.is_empty() || !self.chapters.is_empty())
            && are_apart(text, self.headings.iter().map(|heading| &heading.range))
            && are_apart(text, self.languages.iter().map(|marked| &marked.range))
            && are_apart(text, self.pronounced.iter().map(|stretch| &stretch.range))
            && are_apart(text, self.voices.iter().map(|voiced| &voiced.range))
            && self.pauses.iter().all(|pause| text.is_char_boundary(pause.at))
            && self.pauses.is_sorted_by_key(|pause| pause.at)
            && self.notes.iter().all(|note| text.is_char_boundary(note.at))
            && self.notes.is_sorted_by_key(|note| note.at)
    }
}

/// Whether ranges of a text are in order and do not overlap.
fn are_apart<'a>(text: &str, mut ranges: impl Iterator<Item = &'a Range<usize>>) -> bool {
    let mut end = 0;
    ranges.all(|range| {
        let follows = range.start >= end && range.start < range.end;
        end = range.end;
        follows && text.is_char_boundary(range.start) && text.is_char_boundary(range.end)
    })
}

/// A note's text with a stop at its end, so that the text after it starts a sentence.
fn ended(text: &str) -> String {
    let text = text.trim();
    let bare = text.trim_end_matches(chunks::is_closing);
    let stop = if bare.ends_with(chunks::is_any_stop) {
        ""
    } else if bare.ends_with(characters::is_unspaced) {
        "。"
    } else {
        "."
    };
    format!("{text}{stop}")
}

/// Whether a chapter of notes that is added to a book goes before chapters of this role at its end.
fn is_back_matter(role: ChapterRole) -> bool {
    !role.is_included_by_default() || matches!(role, ChapterRole::Glossary | ChapterRole::Bibliography)
}
