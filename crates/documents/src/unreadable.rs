//! Why a document cannot be read: a reason for programs and a sentence for people.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Unreadable {
    /// The reason, for programs.
    pub reason: Reason,
    /// A sentence for whoever sent the file.
    pub message: String,
}

/// The reasons, as they stand in `details.reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No bytes at all.
    Empty,
    /// None of the kinds that can be read.
    UnknownKind,
    /// A password or a publisher's lock stands before the text.
    Encrypted,
    /// Pages that are pictures only.
    ImageOnly,
    /// Not what its kind promises.
    Damaged,
    /// It unfolds into more than is read.
    TooLarge,
    /// Nothing in it can be read aloud. A PDF whose fonts do not say which letters they show has this reason as well,
    /// and a message that names the fonts.
    NoText,
}

impl Reason {
    /// The reason as it is written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::UnknownKind => "unknown_kind",
            Self::Encrypted => "encrypted",
            Self::ImageOnly => "image_only",
            Self::Damaged => "damaged",
            Self::TooLarge => "too_large",
            Self::NoText => "no_text",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Unreadable {
    /// A reason with its sentence.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    pub(crate) fn empty() -> Self {
        Self::new(Reason::Empty, "The file is empty.")
    }

    pub(crate) fn no_text() -> Self {
        Self::new(Reason::NoText, "There is no text in the document that could be read aloud.")
    }

    pub(crate) fn too_many_chunks(limit: usize) -> Self {
        let message = format!(
            "The document falls into more parts than are converted at once ({limit}): it has too many chapters. Send it \
             in parts."
        );
        Self::new(Reason::TooLarge, message)
    }

    pub(crate) fn text_too_large(limit_characters: usize) -> Self {
        // As people write it: 16,777,216.
        let digits = limit_characters.to_string();
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
        let limit = groups.join(",");
        let message = format!(
            "The document holds more text than is read at once ({limit} characters). Send it in parts."
        );
        Self::new(Reason::TooLarge, message)
    }
}
