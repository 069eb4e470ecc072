//! The bodies of notes and comments, which follow the text. A section that the text refers to is a
//! note; the others are a chapter of notes.

use std::collections::HashMap;

use super::Body;
use crate::{ChapterRole, builder::Builder, xml::Element};

/// Ids beyond this number are not known.
const MAX_IDS: usize = 20_000;

/// The longest title of a body that is kept, in bytes.
const MAX_TITLE_BYTES: usize = 400;

#[derive(Debug, Default)]
pub(super) struct NoteBodies {
    /// The keys of notes by their ids.
    keys: HashMap<String, usize>,
    /// The number of open sections, and of those around the note that is being read.
    sections: usize,
    note: Option<(usize, usize)>,
    /// Whether a title is open, and the title of the body.
    in_title: bool,
    title: String,
    /// Whether a chapter of notes that nothing refers to has begun.
    is_chapter: bool,
}

impl NoteBodies {
    fn key(&mut self, id: &str) -> Option<usize> {
        if !self.keys.contains_key(id) && self.keys.len() >= MAX_IDS {
            return None;
        }
        let next = self.keys.len();
        Some(*self.keys.entry(id.to_owned()).or_insert(next))
    }

    pub(super) fn refer(&mut self, element: &Element<'_>, builder: &mut Builder) {
        let target = element.attribute("href");
        let id = target.as_deref().and_then(|target| target.strip_prefix('#'));
        if let Some(key) = id.and_then(|id| self.key(id)) {
            builder.refer_to_note(key);
        }
    }

    pub(super) fn open(&mut self, element: &Element<'_>, body: &mut Body) {
        match element.name() {
            "section" => {
                self.sections += 1;
                let key = element.attribute("id").and_then(|id| self.key(&id));
                let key = key.filter(|key| self.note.is_none() && body.builder.is_referred_to(*key));
                if let Some(key) = key {
                    body.builder.begin_note();
                    self.note = Some((key, self.sections));
                } else if self.note.is_none() {
                    self.begin_chapter(body);
                    body.builder.paragraph();
                }
            }
            "title" => self.in_title = true,
            _ if self.in_title => {}
            _ => body.open(element),
        }
    }

    pub(super) fn close(&mut self, name: &str, body: &mut Body) {
        match name {
            "section" => {
                if let Some((key, _)) = self.note.take_if(|(_, sections)| *sections == self.sections) {
                    body.builder.end_note(key);
                }
                self.sections = self.sections.saturating_sub(1);
                if self.note.is_none() {
                    body.builder.paragraph();
                }
            }
            "title" => {
                self.in_title = false;
                body.builder.paragraph();
            }
            _ if self.in_title => {}
            _ => body.close(name),
        }
    }

    pub(super) fn text(&mut self, text: &str, body: &mut Body) {
        if !self.in_title {
            body.builder.text(text);
        } else if self.sections == 0 && self.title.len() < MAX_TITLE_BYTES {
            self.title.push_str(text);
        } else if self.note.is_none() {
            body.builder.text(text);
        }
    }

    fn begin_chapter(&mut self, body: &mut Body) {
        if std::mem::replace(&mut self.is_chapter, true) {
            return;
        }
        body.builder.begin_role(ChapterRole::Notes);
        if !self.title.trim().is_empty() {
            body.builder.heading(1);
            body.builder.text(&self.title);
        }
    }

    /// Ends a body.
    pub(super) fn finish(&mut self, body: &mut Body) {
        if let Some((key, _)) = self.note.take() {
            body.builder.end_note(key);
        }
        if std::mem::take(&mut self.is_chapter) {
            body.builder.paragraph();
            body.builder.end_role();
        }
        (self.sections, self.in_title) = (0, false);
        self.title.clear();
    }
}
