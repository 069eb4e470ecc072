//! The formats of a book in one audio file.

use std::{fmt, str::FromStr};

/// The format of a book in one audio file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BookFormat {
    /// MP3 with ID3 chapters.
    #[default]
    Mp3,
    /// MP4 audio book (AAC) with chapters.
    M4b,
}

impl BookFormat {
    /// All formats.
    pub const ALL: &'static [Self] = &[Self::Mp3, Self::M4b];

    /// The name in the API, also used as file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::M4b => "m4b",
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::M4b => "audio/mp4",
        }
    }

    /// The format with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == name)
    }
}

/// A name that is not one of [`BookFormat::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a book format; there are mp3 and m4b")]
pub struct UnknownBookFormat(pub String);

impl FromStr for BookFormat {
    type Err = UnknownBookFormat;

    fn from_str(word: &str) -> Result<Self, UnknownBookFormat> {
        Self::parse(word).ok_or_else(|| UnknownBookFormat(word.to_owned()))
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
