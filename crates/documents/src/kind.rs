//! The supported kinds of documents and their names; `detection` finds the kind of a file.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A supported kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Text in any common encoding.
    PlainText,
    /// Text that is clearly Markdown.
    Markdown,
    /// HTML or XHTML.
    Html,
    /// HTML of the web, of which only the article is read. Content never tells it from [`Kind::Html`]: it is known by where
    /// a page came from.
    WebPage,
    /// EPUB 2 or 3.
    Epub,
    /// FictionBook 2.
    Fb2,
    /// PDF.
    Pdf,
    /// Word's XML format.
    Docx,
    /// `OpenDocument` text, also as one flat XML file.
    Odt,
    /// Rich Text Format.
    Rtf,
    /// A Kindle book: MOBI, KF8 (AZW3) or a file with both.
    Kindle,
    /// A picture of a page. Its text is recognized by programs, not by this crate.
    Png,
    /// The same.
    Jpeg,
    /// Pictures of one page or several.
    Tiff,
    /// A ZIP archive of pictures of pages.
    PictureZip,
}

impl Kind {
    pub const ALL: [Self; 15] = [
        Self::PlainText,
        Self::Markdown,
        Self::Html,
        Self::WebPage,
        Self::Epub,
        Self::Fb2,
        Self::Pdf,
        Self::Docx,
        Self::Odt,
        Self::Rtf,
        Self::Kindle,
        Self::Png,
        Self::Jpeg,
        Self::Tiff,
        Self::PictureZip,
    ];

    pub fn media_type(self) -> &'static str {
        match self {
            Self::PlainText => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html | Self::WebPage => "text/html",
            Self::Epub => "application/epub+zip",
            Self::Fb2 => "application/x-fictionbook+xml",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Odt => "application/vnd.oasis.opendocument.text",
            Self::Rtf => "application/rtf",
            Self::Kindle => "application/x-mobipocket-ebook",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Tiff => "image/tiff",
            Self::PictureZip => "application/zip",
        }
    }

    /// Whether it is one picture or several, without text.
    pub fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Jpeg | Self::Tiff | Self::PictureZip)
    }

    /// The kind of a stored file; [`Kind::Html`] for any page.
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.media_type() == media_type)
    }

    /// The name used on command lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlainText => "plain_text",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::WebPage => "web_page",
            Self::Epub => "epub",
            Self::Fb2 => "fb2",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Odt => "odt",
            Self::Rtf => "rtf",
            Self::Kindle => "kindle",
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Tiff => "tiff",
            Self::PictureZip => "picture_zip",
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

/// The error for a name that is not a kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a kind is one of plain_text, markdown, html, web_page, epub, fb2, pdf, docx, odt, rtf, kindle, png, jpeg, \
     tiff, picture_zip"
)]
pub struct UnknownKind;
