//! The kinds of documents that can be read, and their names. How a kind is found is in `detection`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The kinds of documents that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Text in any common encoding.
    PlainText,
    /// Text that clearly is Markdown.
    Markdown,
    /// HTML or XHTML.
    Html,
    /// EPUB 2 or 3.
    Epub,
    /// PDF.
    Pdf,
    /// Word's XML format.
    Docx,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::PlainText, Self::Markdown, Self::Html, Self::Epub, Self::Pdf, Self::Docx];

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::PlainText => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Epub => "application/epub+zip",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// The kind whose media type this is.
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.media_type() == media_type)
    }

    /// The kind in a word, as command lines write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlainText => "plain_text",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Epub => "epub",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownKind)
    }
}

/// A word that names no kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a kind is one of plain_text, markdown, html, epub, pdf, docx")]
pub struct UnknownKind;
