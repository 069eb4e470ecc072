//! Materials as clients upload, convert and see them: books and other long texts, cut into chunks.

use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, SchemaFormat, Type,
        schema::{Array, ArrayBuilder},
    },
};

use crate::{AudioFormat, Credits, EreaderId, ErrorCode, MaterialId, Timestamp, WordTimestamp};

/// The most characters (Unicode scalar values) of a material's title.
pub const MAX_TITLE: usize = 500;

/// Where a material is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaterialStatus {
    /// Its text is being extracted and cut into chunks.
    Processing,
    /// It has chunks, and nothing is queued.
    Ready,
    /// It could not be read, for good; `failure` says why.
    Failed,
    /// Chunks are queued or being spoken.
    Converting,
    /// Every chunk has audio.
    Completed,
    /// Nothing is queued any more, and some chunks failed; they may be converted again.
    PartiallyFailed,
    /// It was deleted; seen in the answer to the deletion only.
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

    /// The word clients see.
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

    /// The status that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == word)
    }
}

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChunkStatus {
    /// Nobody has asked for it.
    Pending,
    /// It is paid for and waits for its turn.
    Queued,
    /// It is being spoken.
    Converting,
    /// It has audio.
    Completed,
    /// It could not be spoken; what was held for it was released.
    Failed,
}

impl ChunkStatus {
    /// All statuses.
    pub const ALL: &'static [Self] =
        &[Self::Pending, Self::Queued, Self::Converting, Self::Completed, Self::Failed];

    /// The word clients see.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Queued => "queued",
            Self::Converting => "converting",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// The status that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == word)
    }
}

/// Where the language of a material comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LanguageSource {
    /// The document says so.
    Declared,
    /// Its text looks like it.
    Detected,
    /// It was given with the upload, or later.
    Given,
}

impl LanguageSource {
    /// All sources.
    pub const ALL: &'static [Self] = &[Self::Declared, Self::Detected, Self::Given];

    /// The word clients see.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Detected => "detected",
            Self::Given => "given",
        }
    }

    /// The source that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|source| source.as_str() == word)
    }
}

/// What was uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialSource {
    /// The file's name as the client gave it; null when there was none.
    #[schema(example = "the-harbour.epub")]
    pub filename: Option<String>,
    /// What it is, told by its content.
    #[schema(example = "application/epub+zip")]
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
}

/// Why something failed for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialFailure {
    /// The stable identifier to match on.
    pub code: ErrorCode,
    /// For people; may change.
    pub message: String,
}

/// A book or another long text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Material {
    /// Its id.
    pub id: MaterialId,
    /// Its title: the one it was uploaded with, else the document's own, else the file's name without its ending.
    #[schema(example = "The Harbour")]
    pub title: String,
    /// Where it is.
    pub status: MaterialStatus,
    /// Its language, BCP 47: the one it was given, else the one that the document declares, else the one that its text
    /// looks like; null when none of them says.
    #[schema(example = "en-GB")]
    pub language: Option<String>,
    /// Where `language` comes from; null when that is.
    pub language_source: Option<LanguageSource>,
    /// What was uploaded.
    pub source: MaterialSource,
    /// Unicode scalar values of its text; null until it was extracted.
    pub characters: Option<u64>,
    /// How many chunks it has; null until it was extracted.
    pub chunk_count: Option<u32>,
    /// Chunks that have audio.
    pub chunks_completed: u32,
    /// Chunks that failed.
    pub chunks_failed: u32,
    /// The length of the whole audio; null until every chunk has audio.
    pub duration_ms: Option<u64>,
    /// The e-reader that its first conversion fixed; null before.
    pub ereader_id: Option<EreaderId>,
    /// Why it failed; null when it did not.
    pub failure: Option<MaterialFailure>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// A piece of a material, at most 5,000 characters of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chunk {
    /// Its place, from 0 without gaps.
    pub index: u32,
    /// Where it is.
    pub status: ChunkStatus,
    /// The title of its chapter; null when there is none.
    pub title: Option<String>,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// The length of its audio; null until it has some.
    pub duration_ms: Option<u64>,
}

/// A material in JSON, for who has the text at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "The Harbour", "text": "Chapter 1\n\nIt was raining.", "language": "en" }))]
pub struct CreateMaterialRequest {
    /// Its title, 1 to 500 characters, not only white space and none a control character; the text's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 500,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
    )]
    pub title: Option<String>,
    /// The text: plain or Markdown, not only white space.
    #[schema(min_length = 1)]
    pub text: String,
    /// Its language, BCP 47.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        example = "en-US",
        max_length = 35,
        pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$"
    )]
    pub language: Option<String>,
}

/// A material as an upload. Its schema only: the parts of a form are read as they arrive.
#[derive(Debug, Clone, PartialEq, Eq, ToSchema)]
pub struct UploadMaterialForm {
    /// The file: plain text, Markdown, HTML, EPUB, PDF or DOCX, told by its content.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    pub file: Vec<u8>,
    /// Its title, 1 to 500 characters, not only white space and none a control character; the document's own when absent.
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 500,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
    )]
    pub title: Option<String>,
    /// Its language, BCP 47; the document's own when absent.
    #[schema(nullable = false, max_length = 35, pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")]
    pub language: Option<String>,
}

/// Changes to a material. A field that is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "language": "en-GB" }))]
pub struct UpdateMaterialRequest {
    /// Its language, BCP 47; null when it is not to be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "en-GB", max_length = 35, pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")]
    pub language: Option<String>,
}

/// A list of chunks' indexes without repeats.
fn index_set() -> Array {
    let index = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(0));
    ArrayBuilder::new()
        .items(index)
        .min_items(Some(1))
        .unique_items(true)
        .description(Some("Which chunks, none twice; all that are not completed yet when absent."))
        .build()
}

/// Chunks to be spoken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "ereader_id": "erd_019aa4f6c0de7000800000000000a001", "format": "mp3" }))]
pub struct ConvertRequest {
    /// The e-reader's id, from `GET /ereaders`. The first conversion fixes it.
    pub ereader_id: EreaderId,
    /// Which chunks, none twice; all that are not completed yet when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = index_set)]
    pub chunks: Option<Vec<u32>>,
    /// The language to read in, one of the e-reader's by its first subtag, whatever the material says; the material's when
    /// absent. Chunks of which at least half of the letters are in a script in which that language is not written end
    /// `failed` and cost nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        example = "en-US",
        max_length = 35,
        pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$"
    )]
    pub language: Option<String>,
    /// The form of the chunks' audio.
    #[serde(default)]
    #[schema(default = "mp3")]
    pub format: AudioFormat,
}

/// A conversion that was queued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conversion {
    /// The material, converting.
    pub material: Material,
    /// How many chunks were queued.
    pub chunks: u32,
    /// Unicode scalar values of their texts.
    pub characters: u64,
    /// What is held for them; 0 for a test key.
    pub credits_held: Credits,
}

/// The text of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkText {
    /// Its place.
    pub index: u32,
    /// Its text. The texts of all chunks, joined, are the material's.
    pub text: String,
}

/// The times of a chunk's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChunkTimestamps {
    /// Its place.
    pub index: u32,
    /// The words in their order, with times from the beginning of the chunk's audio and places in the chunk's text.
    pub timestamps: Vec<WordTimestamp>,
}

/// Where audio can be had without a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AudioUrl {
    /// The URL.
    #[schema(format = "uri")]
    pub audio_url: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// A form of a whole book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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

    /// The word clients use, which is the ending of file names as well.
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

    /// The format that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == word)
    }
}

/// A form of captions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaptionFormat {
    /// The text tracks of the web, `WebVTT`.
    #[default]
    Vtt,
    /// Older players' `SubRip`.
    Srt,
}

impl CaptionFormat {
    /// The word clients use, which is the ending of file names as well.
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

    /// The format that clients call `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Vtt, Self::Srt].into_iter().find(|format| format.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_in_json_are_the_words_of_the_store() {
        for status in MaterialStatus::ALL {
            assert_eq!(serde_json::to_value(status).ok(), Some(status.as_str().into()));
            assert_eq!(MaterialStatus::of_word(status.as_str()), Some(*status));
        }
        for status in ChunkStatus::ALL {
            assert_eq!(serde_json::to_value(status).ok(), Some(status.as_str().into()));
            assert_eq!(ChunkStatus::of_word(status.as_str()), Some(*status));
        }
        for format in BookFormat::ALL {
            assert_eq!(serde_json::to_value(format).ok(), Some(format.as_str().into()));
        }
    }
}
