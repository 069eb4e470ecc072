//! Why a document cannot be read: a reason for programs and a sentence for people.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Unreadable {
    /// The machine-readable reason.
    pub reason: Reason,
    /// A sentence for the person who sent the file.
    pub message: String,
}

/// The reasons, as in `details.reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Empty,
    /// Not a supported kind of document.
    UnknownKind,
    /// Protected by a password or by DRM.
    Encrypted,
    /// All pages are pictures.
    ImageOnly,
    /// The file does not follow its format.
    Damaged,
    /// The file expands beyond the limits.
    TooLarge,
    /// There is nothing to speak, or the fonts of a PDF do not say which letters they show; then
    /// the message names the fonts.
    NoText,
}

impl Reason {
    /// The reason as written in JSON.
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
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    pub(crate) fn empty() -> Self {
        Self::new(Reason::Empty, "The file is empty.")
    }

    pub(crate) fn no_text() -> Self {
        Self::new(Reason::NoText, "The document has no text that can be read aloud.")
    }

    pub(crate) fn expands_too_far() -> Self {
        let message = "The file expands to far more than a document of its kind can contain.";
        Self::new(Reason::TooLarge, message)
    }

    pub(crate) fn too_many_chunks(limit: usize) -> Self {
        let message = format!(
            "The document has too many chapters: it would make more than {limit} parts. Send it in pieces."
        );
        Self::new(Reason::TooLarge, message)
    }

    pub(crate) fn text_too_large(limit_characters: usize) -> Self {
        // Write it as 16,777,216.
        let digits = limit_characters.to_string();
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
        let limit = groups.join(",");
        let message =
            format!("The document has more than {limit} characters, which is the limit. Send it in parts.");
        Self::new(Reason::TooLarge, message)
    }
}
