//! The roles of a book's documents, from EPUB 2's guide and EPUB 3's landmarks. Both may name a
//! document any number of times; the first role counts.

use std::collections::HashMap;

use super::href::Target;
use crate::roles::{TypedRole, of_types};

/// Documents beyond this number are ignored.
const MAX_DOCUMENTS: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct DocumentRoles(HashMap<String, TypedRole>);

impl DocumentRoles {
    /// Adds the role of a document. A target inside a document says nothing about the whole document.
    pub(super) fn add(&mut self, target: Target, types: &str) {
        if let Some(role) = of_types(types)
            && target.fragment.is_none()
            && self.0.len() < MAX_DOCUMENTS
        {
            self.0.entry(target.path).or_insert(role);
        }
    }

    pub(super) fn of(&self, path: &str) -> Option<TypedRole> {
        self.0.get(path).copied()
    }
}
