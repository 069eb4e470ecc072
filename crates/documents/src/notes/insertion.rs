//! Inserts pieces into the text of a document and moves everything that points into it.

use std::ops::Range;

use crate::{Document, MarkedLanguage, PauseAt, Pronounced, Voiced};

/// A piece of text and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Insertion {
    /// A byte offset in the text without insertions.
    pub at: usize,
    pub text: String,
}

/// The document with the pieces, which are in order. A piece at the end of a range is not in it, and
/// one inside divides it.
pub(super) fn insert(document: &Document, insertions: &[Insertion]) -> Document {
    let added: usize = insertions.iter().map(|insertion| insertion.text.len()).sum();
    let mut text = String::with_capacity(document.text.len() + added);
    let mut shifts = Shifts { ends: Vec::with_capacity(insertions.len()) };
    let (mut from, mut total) = (0, 0);
    for Insertion { at, text: piece } in insertions {
        text.push_str(&document.text[from..*at]);
        text.push_str(piece);
        from = *at;
        total += piece.len();
        shifts.ends.push((*at, total));
    }
    text.push_str(&document.text[from..]);
    let mut moved = Document { text, notes: Vec::new(), ..without_text(document) };
    for chapter in &mut moved.chapters {
        // A piece between two chapters belongs to the one before it.
        chapter.start = if chapter.start == 0 { 0 } else { shifts.start(chapter.start) };
    }
    for heading in &mut moved.headings {
        heading.range = shifts.start(heading.range.start)..shifts.end(heading.range.end);
    }
    let divided = |marked: &MarkedLanguage| {
        let tag = marked.tag.clone();
        let parts = shifts.divide(&marked.range).into_iter();
        parts.map(move |range| MarkedLanguage { range, tag: tag.clone() }).collect::<Vec<_>>()
    };
    moved.languages = document.languages.iter().flat_map(divided).collect();
    let divided = |voiced: &Voiced| {
        let name = voiced.name.clone();
        let parts = shifts.divide(&voiced.range).into_iter();
        parts.map(move |range| Voiced { range, name: name.clone() }).collect::<Vec<_>>()
    };
    moved.voices = document.voices.iter().flat_map(divided).collect();
    // A note stands before the pause that its sentence ends with.
    let after = |pause: &PauseAt| PauseAt { at: shifts.start(pause.at), pause_ms: pause.pause_ms };
    moved.pauses = document.pauses.iter().map(after).collect();
    // The sounds of a stretch are those of the whole of it.
    let whole = |stretch: &Pronounced| match shifts.divide(&stretch.range).as_slice() {
        [range] => Some(Pronounced { range: range.clone(), ..stretch.clone() }),
        _ => None,
    };
    moved.pronounced = document.pronounced.iter().filter_map(whole).collect();
    moved
}

/// The document without its text, which is large.
fn without_text(document: &Document) -> Document {
    Document {
        title: document.title.clone(),
        author: document.author.clone(),
        copyright: document.copyright.clone(),
        language: document.language.clone(),
        cover: document.cover.clone(),
        chapters: document.chapters.clone(),
        headings: document.headings.clone(),
        lexicons: document.lexicons.clone(),
        ..Document::default()
    }
}

/// How far the insertions move an offset.
struct Shifts {
    /// The places of the insertions in order, and the length of all up to each.
    ends: Vec<(usize, usize)>,
}

impl Shifts {
    /// The new offset of the start of a range: after a piece inserted there.
    fn start(&self, at: usize) -> usize {
        at + self.of_first(self.ends.partition_point(|(place, _)| *place <= at))
    }

    /// The new offset of the end of a range: before a piece inserted there.
    fn end(&self, at: usize) -> usize {
        at + self.of_first(self.ends.partition_point(|(place, _)| *place < at))
    }

    fn of_first(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.ends[last].1)
    }

    /// The parts of a range between the pieces inside it.
    fn divide(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.ends.partition_point(|(place, _)| *place <= range.start);
        let inside = self.ends[first..].iter().map(|(place, _)| *place).take_while(|at| *at < range.end);
        let (mut parts, mut from) = (Vec::new(), range.start);
        for at in inside.chain([range.end]) {
            if at > from {
                parts.push(self.start(from)..self.end(at));
            }
            from = at;
        }
        parts
    }
}
