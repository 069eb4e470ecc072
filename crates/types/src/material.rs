//! Materials in requests and responses: books and other long texts, divided into chunks.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type, schema::ArrayBuilder},
};

use crate::{
    AudioFormat, BookName, Credits, Description, EreaderId, ErrorCode, Field, Isbn, LexiconIds, MaterialId,
    Name, Named, NotesMode, OrNull, SeriesIndex, Timestamp, WordTimestamp, Wrong, Year,
    kinds::Ereader,
    language::LanguageTag,
    request,
    request::{distinct, text_schema},
    text_fields,
};

/// The title of a material.
pub type Title = Name<500>;

/// The status of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaterialStatus {
    /// The text is being extracted and divided into chunks.
    Processing,
    /// The chunks are ready, and none is queued.
    Ready,
    /// The document could not be read; `failure` tells why.
    Failed,
    /// Chunks are queued or being converted.
    Converting,
    /// Every chunk of the chapters that belong to the book has audio.
    Completed,
    /// Some chunks failed, and none is queued; they can be converted again.
    PartiallyFailed,
    /// The material was deleted. Only the response to the deletion has this status.
    Deleted,
}

impl MaterialStatus {
    /// All statuses.
    pub const ALL: &'static [Self] = &[
        Self::Processing,
        Self::Ready,
        Self::Failed,
        Self::Converting,
        Self::Completed,
        Self::PartiallyFailed,
        Self::Deleted,
    ];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
            Self::Converting => "converting",
            Self::Completed => "completed",
            Self::PartiallyFailed => "partially_failed",
            Self::Deleted => "deleted",
        }
    }

    /// The status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == name)
    }
}

/// The status of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChunkStatus {
    /// No conversion was requested.
    Pending,
    /// Credits are held, and the chunk waits for a worker.
    Queued,
    /// The chunk is being converted.
    Converting,
    /// The chunk has audio.
    Completed,
    /// The chunk could not be converted; its held credits were released.
    Failed,
}

impl ChunkStatus {
    /// All statuses.
    pub const ALL: &'static [Self] =
        &[Self::Pending, Self::Queued, Self::Converting, Self::Completed, Self::Failed];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Queued => "queued",
            Self::Converting => "converting",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// The status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == name)
    }
}

/// The source of a material's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LanguageSource {
    /// The document declares it.
    Declared,
    /// It was detected from the text.
    Detected,
    /// A request set it, at the upload or later.
    Given,
}

impl LanguageSource {
    /// All sources.
    pub const ALL: &'static [Self] = &[Self::Declared, Self::Detected, Self::Given];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Detected => "detected",
            Self::Given => "given",
        }
    }

    /// The source with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|source| source.as_str() == name)
    }
}

/// The uploaded file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialSource {
    /// The file name from the client; null if there was none.
    #[schema(example = "the-harbour.epub")]
    pub filename: Option<String>,
    /// The media type, detected from the content.
    #[schema(example = "application/epub+zip")]
    pub media_type: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The address that it was fetched from, after redirects; absent when a client sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "https://example.com/articles/the-harbour.html")]
    pub url: Option<String>,
}

/// The text recognition of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialOcr {
    /// The number of pages.
    #[schema(example = 312)]
    pub pages: u32,
    /// The number of pages that were read so far.
    #[schema(example = 312)]
    pub pages_read: u32,
    /// How sure the recognition is of the words so far, on average, in percent; null before the first word.
    #[schema(example = 94, maximum = 100)]
    pub confidence: Option<u32>,
}

/// Why something failed permanently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialFailure {
    /// The stable identifier to match on.
    pub code: ErrorCode,
    /// A message for people, which may change.
    pub message: String,
}

/// Something in the text of a material that is not spoken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialWarning {
    pub code: MaterialWarningCode,
    /// A message for people, which may change.
    #[schema(example = "12 letters in Han are not spoken.")]
    pub message: String,
    /// The number of letters or signs.
    pub count: u64,
}

/// The kind of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaterialWarningCode {
    /// Letters of a script that is not read in the material's language.
    UnspokenScript,
    /// Signs that stand for nothing: those of a private font, and those in place of lost characters.
    UnspokenSymbol,
}

/// A book or another long text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Material {
    pub id: MaterialId,
    /// The title: that of the upload, else the document's own, else the file name without its
    /// extension.
    #[schema(example = "The Harbour")]
    pub title: String,
    pub status: MaterialStatus,
    /// The language, BCP 47: as set by a request, else as declared by the document, else as
    /// detected; null if unknown.
    #[schema(example = "en-GB")]
    pub language: Option<String>,
    /// The source of `language`; null if that is null.
    pub language_source: Option<LanguageSource>,
    /// The uploaded file.
    pub source: MaterialSource,
    /// The text recognition, if the document is a scan; absent for any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ocr: Option<MaterialOcr>,
    /// The length of the text in Unicode scalar values; null until it is extracted.
    pub characters: Option<u64>,
    /// The number of chunks; null until the text is extracted.
    pub chunk_count: Option<u32>,
    /// The number of chunks with audio.
    pub chunks_completed: u32,
    /// The number of failed chunks.
    pub chunks_failed: u32,
    /// The length of the whole audio, that of the included chapters; null until the material is `completed`.
    pub duration_ms: Option<u64>,
    /// What becomes of its footnotes and endnotes.
    pub notes: NotesMode,
    /// The author; several are joined with commas. Null if unknown, like all that follows of this kind.
    pub author: Option<String>,
    /// Who reads, for the files' tags; null for the e-reader's name.
    pub narrator: Option<String>,
    pub publisher: Option<String>,
    /// The year of publication.
    pub year: Option<u32>,
    pub description: Option<String>,
    pub series: Option<String>,
    /// The place in the series.
    pub series_index: Option<f64>,
    /// The ISBN, its digits alone.
    pub isbn: Option<String>,
    /// Whether it has a cover picture.
    pub has_cover: bool,
    /// The e-reader, set by the first conversion; null before.
    pub ereader_id: Option<EreaderId>,
    /// Why it failed; null if it did not.
    pub failure: Option<MaterialFailure>,
    /// What of the text is not spoken in its language; empty if all is, and until the text is
    /// extracted.
    pub warnings: Vec<MaterialWarning>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A part of a material, at most 5,000 characters of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chunk {
    /// The index, from 0 without gaps.
    pub index: u32,
    pub status: ChunkStatus,
    /// The chapter's title; null if it has none.
    pub title: Option<String>,
    /// The length of the text in Unicode scalar values.
    pub characters: u32,
    /// The length of the audio; null until there is some.
    pub duration_ms: Option<u64>,
}

text_fields! {
    /// The text of a material. The route refuses a text of only white space, with an error of its
    /// own.
    MaterialText: text_schema().min_length(Some(1)), |_: &str| None;
    /// The address of a document. Its form is checked as that of a webhook is.
    MaterialUrl: text_schema().pattern(Some("^[Hh][Tt][Tt][Pp][Ss]://")).max_length(Some(2048)), |_: &str| None;
}

request! {
    /// A material as JSON, for clients that have its text.
    #[example({ "title": "The Harbour", "text": "Chapter 1\n\nIt was raining.", "language": "en" })]
    pub struct CreateMaterialRequest {
        /// A title of 1 to 500 characters: not only white space, no control characters. By default that
        /// of the text.
        pub title: Option<Title>,
        /// The text, plain or Markdown; not only white space. Either it or `url` is needed.
        pub text: Option<MaterialText>,
        /// The address of a document to fetch: a web page, of which the main text is read, or a file of any format
        /// that can be uploaded. It must be `https`, on a host of the public internet; at most five redirects are
        /// followed. Not together with `text`.
        #[example("https://example.com/articles/the-harbour.html")]
        pub url: Option<MaterialUrl>,
        /// The language, BCP 47.
        #[example("en-US")]
        pub language: Option<LanguageTag>,
    }
}

/// The file of a form, whose bytes are read as they arrive.
#[derive(Debug)]
pub struct FilePart;

impl Field for FilePart {
    fn property() -> RefOr<Schema> {
        let file = text_schema().format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        file.content_media_type("application/octet-stream").into()
    }

    fn read(_: Value) -> Result<Self, Wrong> {
        Ok(Self)
    }
}

request! {
    /// A material as an upload. This is only a schema: the parts of a form are read as they arrive.
    pub struct UploadMaterialForm {
        /// The file: plain text, Markdown, HTML, EPUB, Kindle (MOBI, AZW3), FictionBook 2, PDF, DOCX, ODT or RTF,
        /// detected from its content.
        pub file: FilePart,
        /// A title of 1 to 500 characters: not only white space, no control characters. By default that
        /// of the document.
        pub title: Option<Title>,
        /// The language, BCP 47; by default that of the document.
        pub language: Option<LanguageTag>,
    }
}

request! {
    /// Changes to a material. Absent fields do not change.
    #[example({ "language": "en-GB", "series": "The Coast", "series_index": 2 })]
    pub struct UpdateMaterialRequest {
        /// A title of 1 to 500 characters: not only white space, no control characters.
        pub title: Option<Title>,
        /// The author, as files name them; null for none, as for all that follow.
        pub author: Option<OrNull<BookName>>,
        /// Who reads, as files name them; by default the e-reader's name.
        pub narrator: Option<OrNull<BookName>>,
        /// The publisher.
        pub publisher: Option<OrNull<BookName>>,
        /// The year of publication.
        pub year: Option<OrNull<Year>>,
        /// The language, BCP 47; null makes it unknown.
        #[example("en-GB")]
        pub language: Option<OrNull<LanguageTag>>,
        /// What it is about, in up to 4,000 characters.
        pub description: Option<OrNull<Description>>,
        /// The series that it belongs to.
        pub series: Option<OrNull<BookName>>,
        /// The place in the series, with up to two decimals.
        pub series_index: Option<OrNull<SeriesIndex>>,
        /// An ISBN of 10 or 13 digits.
        #[example("978-0-306-40615-7")]
        pub isbn: Option<OrNull<Isbn>>,
    }
}

/// A set of chunks by their indexes, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkSet(pub Vec<u32>);

impl Field for ChunkSet {
    fn property() -> RefOr<Schema> {
        let index = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(0));
        ArrayBuilder::new().items(index).min_items(Some(1)).unique_items(true).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let index = |value: &Value| whole(value).ok_or_else(|| "must be a whole number from 0".into());
        let indexes = distinct(value, "must be a list of at least one chunk's index", index)?;
        // An index beyond `u32` names no chunk, and neither does `u32::MAX`.
        Ok(Self(indexes.into_iter().map(|index| u32::try_from(index).unwrap_or(u32::MAX)).collect()))
    }
}

/// A non-negative integer, whatever its notation in JSON.
fn whole(value: &Value) -> Option<u64> {
    let spelt_as_fraction = || value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
    value.as_u64().or_else(|| spelt_as_fraction().map(|number| number as u64))
}

request! {
    /// The chunks to convert.
    #[example({ "ereader_id": "erd_019aa4f6c0de7000800000000000a001", "format": "mp3" })]
    pub struct ConvertRequest {
        /// The e-reader's id, from `GET /ereaders`. The first conversion fixes it for the material.
        pub ereader_id: Named<Ereader>,
        /// The chunks, none twice; by default all of the chapters that are not completed yet.
        pub chunks: Option<ChunkSet>,
        /// The chapters, none twice, by their indexes; by default those that are included. Not together with
        /// `chunks`.
        pub chapters: Option<ChunkSet>,
        /// What becomes of footnotes and endnotes; by default as before, at first `skip`. It can change only while
        /// no chunk was ever converted and no text edited: the text is divided anew then, so `chunks` cannot
        /// come with it.
        pub notes: Option<NotesMode>,
        /// The language to read in: one of the e-reader's, compared by the first subtag. By default
        /// that of the material. A chunk with at least half of its letters in a script that the
        /// language does not use ends as `failed` and costs nothing.
        #[example("en-US")]
        pub language: Option<LanguageTag>,
        /// The format of the chunks' audio.
        pub format: AudioFormat = AudioFormat::Mp3,
        /// The lexicons whose words are said as they want, at most 5; the first one wins. By default those
        /// with `default` in the language that is read, the oldest first; an empty list means none. The
        /// conversion copies their entries: a later change does not reach chunks that are queued.
        pub lexicon_ids: Option<LexiconIds>,
        /// Whether completed chunks are spoken and paid again. Needs `chunks`. The old audio stays until
        /// the new one is stored.
        pub again: bool = false,
    }
}

/// A queued conversion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Conversion {
    /// The material, now converting.
    pub material: Material,
    /// The number of queued chunks.
    pub chunks: u32,
    /// The length of their texts in Unicode scalar values.
    pub characters: u64,
    /// The held credits; 0 for a test key.
    pub credits_held: Credits,
}

/// The text of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkText {
    /// The index of the chunk.
    pub index: u32,
    /// The text. All chunks' texts joined are the material's text.
    pub text: String,
}

/// The word times of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkTimestamps {
    /// The index of the chunk.
    pub index: u32,
    /// The words in order, with times from the start of the chunk's audio and positions in the
    /// chunk's text.
    pub timestamps: Vec<WordTimestamp>,
}

/// A URL of audio that needs no key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AudioUrl {
    /// The URL.
    #[schema(format = "uri")]
    pub audio_url: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The format of captions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaptionFormat {
    /// `WebVTT`, for the web.
    #[default]
    Vtt,
    /// `SubRip`, for older players.
    Srt,
}

impl CaptionFormat {
    /// The name in the API, also used as file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Vtt => "vtt",
            Self::Srt => "srt",
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Vtt => "text/vtt; charset=utf-8",
            Self::Srt => "application/x-subrip; charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_in_json_are_the_words_of_the_store() {
        for status in MaterialStatus::ALL {
            assert_eq!(serde_json::to_value(status).ok(), Some(status.as_str().into()));
            assert_eq!(MaterialStatus::parse(status.as_str()), Some(*status));
        }
        for status in ChunkStatus::ALL {
            assert_eq!(serde_json::to_value(status).ok(), Some(status.as_str().into()));
            assert_eq!(ChunkStatus::parse(status.as_str()), Some(*status));
        }
    }
}
