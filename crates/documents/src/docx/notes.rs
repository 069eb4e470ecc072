//! Reads the foot- and endnotes of a document, which are parts of their own.

use super::part::{self, SKIPPED_ELEMENTS};
use crate::{Unreadable, xml::Event};

/// Notes beyond this number are not read.
const MAX_NOTES: usize = 20_000;

/// The kinds of notes, which are numbered apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteKind {
    Foot,
    End,
}

impl NoteKind {
    /// The kind of a note's or a reference's element.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "footnote" | "footnoteReference" => Some(Self::Foot),
            "endnote" | "endnoteReference" => Some(Self::End),
            _ => None,
        }
    }

    /// The key of the note with an id.
    pub(super) fn key(self, id: usize) -> usize {
        id.saturating_mul(2).saturating_add(usize::from(self == Self::End))
    }
}

/// The notes of a part by their keys. Separators between text and notes are none.
pub(super) fn read(part: &str, depth: usize) -> Result<Vec<(usize, String)>, Unreadable> {
    let mut notes: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut is_text, mut skipped) = (false, false, 0_usize);
    part::read(part, depth, |event| {
        match event {
            Event::Open(element) => {
                let name = element.name();
                skipped += usize::from(SKIPPED_ELEMENTS.contains(&name));
                if let Some(kind) = NoteKind::of(name) {
                    let is_note = element.attribute("type").is_none_or(|kind| kind == "normal");
                    let id = element.attribute("id").and_then(|id| id.parse::<usize>().ok());
                    is_open = is_note && id.is_some();
                    notes.extend(id.filter(|_| is_open).map(|id| (kind.key(id), String::new())));
                }
                is_text = name == "t";
                if matches!(name, "tab" | "br" | "cr" | "p")
                    && let Some((_, text)) = notes.last_mut().filter(|_| is_open)
                {
                    text.push(' ');
                }
            }
            Event::Close(name) => {
                is_text = false;
                skipped -= usize::from(skipped > 0 && SKIPPED_ELEMENTS.contains(&name.as_str()));
                is_open &= !matches!(name.as_str(), "footnote" | "endnote");
            }
            Event::Text(more) => {
                if let Some((_, text)) = notes.last_mut().filter(|_| is_open && is_text && skipped == 0) {
                    text.push_str(&more);
                }
            }
        }
        notes.len() < MAX_NOTES
    })?;
    Ok(notes)
}
