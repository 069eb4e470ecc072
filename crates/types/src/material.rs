//! Materials in requests and responses: books and other long texts, divided into chunks.

mod requests;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, EreaderId, ErrorCode, MaterialId, Name, NotesMode, Timestamp, WordTimestamp};

pub use requests::{
    ChapterSet, ChunkSet, ConvertRequest, CreateMaterialRequest, MaterialText, MaterialUrl,
    UpdateMaterialRequest, UploadMaterialForm,
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
    #[schema(nullable = false, example = "https://example.com/articles/the-harbour.html")]
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

/// Something in a material that was not read, or is not spoken as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialWarning {
    pub code: MaterialWarningCode,
    /// A message for people, which may change.
    #[schema(example = "12 letters in Hebrew are not spoken.")]
    pub message: String,
    /// The number of letters, signs or pages.
    pub count: u64,
}

/// The kind of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaterialWarningCode {
    /// Letters of a script that is not read in the material's language, and letters that the document marks as a
    /// language that nothing on the machine reads, neither a voice's engine nor espeak-ng: those are read like the
    /// words around them.
    UnspokenScript,
    /// Signs that stand for nothing: those of a private font, and those in place of lost characters.
    UnspokenSymbol,
    /// Pages that are pictures and whose text was not recognized: damaged pages, pages that took too long, pages in a
    /// language without a pack, and pages of a document with text that were taken for illustrations unseen.
    UnreadPage,
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
    #[schema(nullable = false)]
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
    /// The statement of copyright.
    pub copyright: Option<String>,
    /// Whether it has a cover picture.
    pub has_cover: bool,
    /// The e-reader, set by the first conversion; null before.
    pub ereader_id: Option<EreaderId>,
    /// Why it failed; null if it did not.
    pub failure: Option<MaterialFailure>,
    /// What of the document was not read, and what of the text is not spoken in its language; empty if there is
    /// nothing to tell, and until the text is extracted.
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
