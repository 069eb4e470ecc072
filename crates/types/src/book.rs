//! A material as a book in requests and responses: what its files say of it, and which files there are.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::{
    Field, Name, Timestamp, UnknownName, Wrong, component_fields,
    request::{Nullable, text_schema, whole, word},
    text_enum,
};

/// A name in the description of a book.
pub type BookName = Name<500>;

impl<const MOST: usize> Nullable for Name<MOST> {}

/// What a book is about: up to 4,000 characters in paragraphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description(pub String);

impl Description {
    const MOST: usize = 4_000;
}

impl Field for Description {
    fn property() -> RefOr<Schema> {
        let pattern = concat!(
            r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*",
            r"[^\s\u0000-\u001f\u007f-\u009f]",
            r"[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$"
        );
        text_schema().min_length(Some(1)).max_length(Some(Self::MOST)).pattern(Some(pattern)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let text = String::read(value)?;
        let is_strange = |character: char| character.is_control() && !matches!(character, '\n' | '\r' | '\t');
        let says = text.chars().any(|character| !character.is_whitespace());
        if says && text.chars().nth(Self::MOST).is_none() && !text.contains(is_strange) {
            return Ok(Self(text));
        }
        let most = Self::MOST;
        Err(format!(
            "must be 1 to {most} characters, not only white space and without control characters other than line feeds \
             and tabs"
        )
        .into())
    }
}

impl Nullable for Description {}

/// The year in which a book was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Year(pub u32);

impl Year {
    /// The last one.
    pub const MOST: u32 = 9_999;
}

impl Field for Year {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        let number = number.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)));
        number.minimum(Some(1)).maximum(Some(Self::MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 1..=Self::MOST).map(Self)
    }
}

impl Nullable for Year {
    const OR_NULL: &'static str = "must be a whole number or null";

    fn is_kind(value: &Value) -> bool {
        value.is_number()
    }
}

/// The place of a book in its series, in hundredths: 250 is 2.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeriesIndex(pub u32);

impl SeriesIndex {
    const MOST: f64 = 100_000.0;

    /// As in JSON.
    pub fn as_number(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Field for SeriesIndex {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(Self::MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let index = value.as_f64().filter(|index| (0.0..=Self::MOST).contains(index));
        let index = index.ok_or_else(|| format!("must be a number from 0 to {}", Self::MOST))?;
        let hundredths = (index * 100.0).round();
        // A number of two decimals differs from its double by less; one of three by more.
        if (index * 100.0 - hundredths).abs() > 1e-4 {
            return Err("must have at most two decimals".into());
        }
        Ok(Self(hundredths as u32))
    }
}

impl Nullable for SeriesIndex {
    const OR_NULL: &'static str = "must be a number or null";

    fn is_kind(value: &Value) -> bool {
        value.is_number()
    }
}

/// An International Standard Book Number of 10 or 13 digits. Hyphens and spaces are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isbn(pub String);

impl Isbn {
    /// The number that a text is, if its check digit is right.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|character| !matches!(character, '-' | ' ')).collect();
        let digits = digits.to_ascii_uppercase();
        let (last, first) = digits.split_at_checked(digits.len().checked_sub(1)?).map(|(a, b)| (b, a))?;
        if !first.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let value = |digit: u8| u32::from(digit - b'0');
        let check = match last {
            "X" if digits.len() == 10 => 10,
            other => other.parse().ok().filter(|digit: &u32| *digit < 10)?,
        };
        let is_right = match digits.len() {
            10 => {
                let sum: u32 =
                    (2..=10).rev().zip(first.bytes()).map(|(weight, digit)| weight * value(digit)).sum();
                (sum + check).is_multiple_of(11)
            }
            13 => {
                let sum: u32 = [1, 3]
                    .iter()
                    .cycle()
                    .zip(first.bytes())
                    .map(|(weight, digit)| weight * value(digit))
                    .sum();
                (sum + check).is_multiple_of(10) && (digits.starts_with("978") || digits.starts_with("979"))
            }
            _ => false,
        };
        is_right.then_some(Self(digits))
    }
}

impl Field for Isbn {
    fn property() -> RefOr<Schema> {
        text_schema().min_length(Some(10)).max_length(Some(32)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let text = String::read(value)?;
        let short = text.len() <= 32;
        short.then(|| Self::parse(&text)).flatten().ok_or_else(|| {
            "must be an ISBN of 10 or 13 digits with the right check digit; hyphens and spaces are allowed".into()
        })
    }
}

impl Nullable for Isbn {}

text_enum! {
    /// What becomes of footnotes and endnotes.
    #[derive(Default, ToSchema)]
    NotesMode {
        /// They are left out.
        #[default]
        Skip "skip",
        /// Each is read after the sentence that refers to it.
        Inline "inline",
        /// They are read in a chapter of their own at the end.
        End "end",
    }
}

component_fields! {
    NotesMode: word;
}

text_enum! {
    /// The format of a whole book.
    #[derive(Default, ToSchema)]
    BookFormat {
        /// One MP3 with ID3 chapters.
        #[default]
        Mp3 "mp3",
        /// An MP4 audio book (AAC) with chapters.
        M4b "m4b",
        /// A ZIP with an MP3 for each chapter, the cover and a playlist.
        Zip "zip",
        /// EPUB 3 with Media Overlays: text and sound together.
        Epub "epub",
        /// A ZIP with a DAISY 2.02 talking book.
        Daisy "daisy",
    }
}

impl BookFormat {
    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::M4b => "audio/mp4",
            Self::Zip | Self::Daisy => "application/zip",
            Self::Epub => "application/epub+zip",
        }
    }

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Daisy => "zip",
            other => other.as_str(),
        }
    }
}

text_enum! {
    /// What is marked while an EPUB is read along.
    #[derive(Default, ToSchema)]
    Granularity {
        Word "word",
        #[default]
        Sentence "sentence",
    }
}

text_enum! {
    /// The loudness of a book's files.
    #[derive(Default, ToSchema)]
    BookLoudness {
        /// That of the chunks.
        #[default]
        Standard "standard",
        /// What ACX asks of audio books: RMS, peaks, noise, silence at both ends of a file, 44.1 kHz and 192 kbit/s.
        Acx "acx",
    }
}

/// A file of a whole book. As a text it is its format, with what differs from the defaults: `mp3`, `epub+word`,
/// `zip+acx`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BookFile {
    pub format: BookFormat,
    /// Of an EPUB only.
    pub granularity: Granularity,
    pub loudness: BookLoudness,
}

impl From<BookFormat> for BookFile {
    fn from(format: BookFormat) -> Self {
        Self { format, ..Self::default() }
    }
}

impl fmt::Display for BookFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.as_str())?;
        if self.format == BookFormat::Epub && self.granularity != Granularity::default() {
            write!(f, "+{}", self.granularity)?;
        }
        if self.loudness != BookLoudness::default() {
            write!(f, "+{}", self.loudness)?;
        }
        Ok(())
    }
}

impl FromStr for BookFile {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut words = text.split('+');
        let mut file = Self::from(words.next().unwrap_or_default().parse::<BookFormat>()?);
        for word in words {
            match (word.parse(), word.parse()) {
                (Ok(granularity), _) => file.granularity = granularity,
                (_, Ok(loudness)) => file.loudness = loudness,
                (Err(unknown), _) => return Err(unknown),
            }
        }
        Ok(file)
    }
}

/// The podcast feed of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookFeed {
    /// Its secret URL.
    #[schema(format = "uri")]
    pub url: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A whole-book file that is not made yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Assembling {
    pub status: AssemblingStatus,
    /// How far it is, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub progress: f64,
}

/// The status of a file that is not made yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssemblingStatus {
    /// It waits for its turn, or is being made.
    Assembling,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_books_have_a_check_digit() {
        for right in ["978-0-306-40615-7", "9780306406157", "0-306-40615-2", "080442957X", "0-8044-2957-x"] {
            assert!(Isbn::parse(right).is_some(), "{right}");
        }
        for wrong in
            ["978-0-306-40615-8", "0-306-40615-3", "X804429570", "", "-", "9", "9771234567898", "ééééé"]
        {
            assert_eq!(Isbn::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Isbn::parse("0-8044-2957-x"), Some(Isbn("080442957X".to_owned())));
    }

    #[test]
    fn places_in_a_series_have_two_decimals() {
        assert_eq!(SeriesIndex::read(json!(2.5)).map(|index| index.0).ok(), Some(250));
        assert_eq!(SeriesIndex(250).as_number().to_string(), "2.5");
        for hundredths in [1, 29, 57, 123, 9_999_999, 10_000_000] {
            let written = json!(f64::from(hundredths) / 100.0);
            assert_eq!(SeriesIndex::read(written).map(|index| index.0).ok(), Some(hundredths));
        }
        assert!(SeriesIndex::read(json!(1.234)).is_err());
        assert!(SeriesIndex::read(json!(99_999.001)).is_err());
        assert!(SeriesIndex::read(json!(-1)).is_err());
        assert!(SeriesIndex::read(json!(1e9)).is_err());
    }

    #[test]
    fn files_of_a_book_have_one_text_each() {
        for format in BookFormat::ALL {
            assert_eq!(serde_json::to_value(format).ok(), Some(format.as_str().into()));
            for loudness in BookLoudness::ALL {
                let file = BookFile { loudness: *loudness, ..BookFile::from(*format) };
                assert_eq!(file.to_string().parse(), Ok(file));
            }
        }
        let word = BookFile { granularity: Granularity::Word, ..BookFile::from(BookFormat::Epub) };
        assert_eq!((word.to_string().as_str(), word.to_string().parse()), ("epub+word", Ok(word)));
        assert!("mp3+loud".parse::<BookFile>().is_err());
        assert!("".parse::<BookFile>().is_err());
    }
}
