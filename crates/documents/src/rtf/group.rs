//! The state of a group: what its text is, how its bytes are decoded and whether it is read.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::{text::Format, words::Destination};

/// What a group has to do at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtEnd {
    Nothing,
    EndNote,
    EndTextBox,
    AddStyle,
}

/// The state of a group, which those inside it take over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub destination: Destination,
    pub at_end: AtEnd,
    pub format: Format,
    /// How many characters stand for a Unicode one where that is not known.
    pub fallback: usize,
    pub encoding: &'static Encoding,
    /// Whether bytes are symbols and no letters.
    pub is_symbols: bool,
    pub is_hidden: bool,
    pub is_deleted: bool,
    pub language: Option<&'static str>,
}

impl Group {
    /// The state before the first group.
    pub(super) fn outermost() -> Self {
        Self {
            destination: Destination::Text,
            at_end: AtEnd::Nothing,
            format: Format::default(),
            fallback: 1,
            encoding: WINDOWS_1252,
            is_symbols: false,
            is_hidden: false,
            is_deleted: false,
            language: None,
        }
    }

    pub(super) fn hides_text(&self) -> bool {
        self.is_hidden || self.is_deleted
    }
}

/// A font's encoding; `None` for that of the document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Font {
    pub encoding: Option<&'static Encoding>,
    pub is_symbols: bool,
}
