//! The cover of a FictionBook, which is one of its `binary` elements.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::description::Description;
use crate::{Cover, Limits, cover, xml::Element};

/// The base64 text of the cover.
#[derive(Debug)]
pub(super) struct CoverData {
    text: String,
    /// A longer text is dropped.
    max_bytes: u64,
    is_too_large: bool,
}

impl CoverData {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { text: String::new(), max_bytes: limits.part_bytes, is_too_large: false }
    }

    /// Whether a binary is the cover; the first of several counts.
    pub(super) fn is_wanted(&self, binary: &Element<'_>, description: &Description) -> bool {
        let id = binary.attribute("id");
        id.is_some() && id == description.cover_id && self.text.is_empty()
    }

    pub(super) fn text(&mut self, text: &str) {
        self.is_too_large |= (self.text.len() + text.len()) as u64 > self.max_bytes;
        if !self.is_too_large {
            self.text.extend(text.chars().filter(|c| !c.is_whitespace()));
        }
    }

    /// The cover in a form that players can show; `None` if there is none or it is too large.
    pub(super) fn finish(self, limits: &Limits) -> Option<Cover> {
        if self.is_too_large || self.text.is_empty() {
            return None;
        }
        cover::prepare(STANDARD.decode(self.text).ok()?, limits.cover_bytes)
    }
}
