//! What a book says that its documents are for, in EPUB 2's guide and EPUB 3's landmarks: both may say it of one
//! document any number of times.

use std::collections::HashMap;

use super::href::Target;

/// Documents beyond this many are not remembered.
const DOCUMENTS: usize = 20_000;

/// What a document is for, as far as it matters to whoever listens.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) cover: bool,
    /// A list of contents, of pictures, of pages and the like.
    pub(super) list: bool,
    pub(super) notes: bool,
}

impl Use {
    /// What any of the words says, in upper or lower case.
    fn said(kinds: &str) -> Self {
        let mut all = Self::default();
        for kind in kinds.split_whitespace() {
            let is_one = |names: &[&str]| names.iter().any(|name| kind.eq_ignore_ascii_case(name));
            all = all.and(Self {
                cover: is_one(&["cover"]),
                list: is_one(&["toc", "loi", "lot", "loa", "lov", "page-list"]),
                notes: is_one(&["notes", "footnotes", "endnotes", "rearnotes"]),
            });
        }
        all
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            cover: self.cover || other.cover,
            list: self.list || other.list,
            notes: self.notes || other.notes,
        }
    }
}

/// What documents are for.
#[derive(Debug, Default)]
pub(super) struct Uses(HashMap<String, Use>);

impl Uses {
    /// Remembers that a document is of some kinds. A part of a document says nothing of the whole.
    pub(super) fn add(&mut self, target: Target, kinds: &str) {
        let said = Use::said(kinds);
        if said == Use::default() || target.fragment.is_some() {
            return;
        }
        if self.0.len() < DOCUMENTS || self.0.contains_key(&target.path) {
            let known = self.0.entry(target.path).or_default();
            *known = known.and(said);
        }
    }

    /// What a document is for.
    pub(super) fn of(&self, path: &str) -> Use {
        self.0.get(path).copied().unwrap_or_default()
    }
}
