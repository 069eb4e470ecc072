//! What clients send to make, change and convert materials.

use serde_json::Value;
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type, schema::ArrayBuilder};

use super::Title;
use crate::{
    AudioFormat, BookName, Description, Field, Isbn, LexiconIds, Named, NotesMode, OrNull, SeriesIndex,
    Wrong, Year,
    kinds::Ereader,
    language::LanguageTag,
    request,
    request::{distinct, text_schema, whole},
    text_fields,
};

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
        /// The statement of copyright, in up to 500 characters.
        #[example("© 2026 Ada Lind")]
        pub copyright: Option<OrNull<BookName>>,
    }
}

/// A set of chunks by their indexes, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkSet(pub Vec<u32>);

impl Field for ChunkSet {
    fn property() -> RefOr<Schema> {
        index_set()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        indexes(value, "must be a list of at least one chunk's index").map(Self)
    }
}

/// A set of chapters by their indexes, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterSet(pub Vec<u32>);

impl Field for ChapterSet {
    fn property() -> RefOr<Schema> {
        index_set()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        indexes(value, "must be a list of at least one chapter's index").map(Self)
    }
}

fn index_set() -> RefOr<Schema> {
    let index = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(0));
    ArrayBuilder::new().items(index).min_items(Some(1)).unique_items(true).into()
}

fn indexes(value: Value, no_list: &str) -> Result<Vec<u32>, Wrong> {
    let index =
        |value: &Value| whole(value, 0..=u64::MAX).map_err(|_| "must be a whole number from 0".into());
    let indexes = distinct(value, no_list, index)?;
    // An index beyond `u32` names nothing, and neither does `u32::MAX`.
    Ok(indexes.into_iter().map(|index| u32::try_from(index).unwrap_or(u32::MAX)).collect())
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
        pub chapters: Option<ChapterSet>,
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
