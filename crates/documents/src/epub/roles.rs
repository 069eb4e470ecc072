//! The roles of a book's documents, from EPUB 2's guide and EPUB 3's landmarks. Both may name a
//! document any number of times.

use std::collections::HashMap;

use super::href::Target;

/// Documents beyond this number are ignored.
const MAX_DOCUMENTS: usize = 20_000;

/// The roles that matter for listening.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct DocumentRole {
    pub(super) cover: bool,
    /// A list of contents, of illustrations, of pages and so on.
    pub(super) list: bool,
    pub(super) notes: bool,
}

impl DocumentRole {
    /// The roles that any of the types name, ignoring case.
    fn parse(types: &str) -> Self {
        let mut all = Self::default();
        for kind in types.split_whitespace() {
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

#[derive(Debug, Default)]
pub(super) struct DocumentRoles(HashMap<String, DocumentRole>);

impl DocumentRoles {
    /// Adds roles of a document. A target inside a document says nothing about the whole document.
    pub(super) fn add(&mut self, target: Target, types: &str) {
        let role = DocumentRole::parse(types);
        if role == DocumentRole::default() || target.fragment.is_some() {
            return;
        }
        if self.0.len() < MAX_DOCUMENTS || self.0.contains_key(&target.path) {
            let known = self.0.entry(target.path).or_default();
            *known = known.and(role);
        }
    }

    pub(super) fn of(&self, path: &str) -> DocumentRole {
        self.0.get(path).copied().unwrap_or_default()
    }
}
