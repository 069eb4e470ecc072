//! Materials: books and other long texts, from the upload to the last chunk's audio. One operation
//! a file: [`create()`], [`extracted()`] and [`extraction_failed`], [`update()`], [`convert()`],
//! [`delete()`]. This module defines a material and finds materials.
//!
//! Every change of a material, its chunks or its jobs locks the material's row first. That one lock
//! serializes conversions, completions and deletion of a material. Later locks come in the order
//! job, chunk, hold, balance, so that PostgreSQL never finds a deadlock. Chunks themselves are in
//! `chunks`, their work in `jobs`.

use std::collections::{BTreeSet, HashSet};

use lectern_types::{
    AccountId, EreaderId, ErrorCode, KeyId, LanguageSource, MaterialId, MaterialStatus, NotesMode, Timestamp,
};

use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    dialect, events,
};

mod again;
mod cancel;
mod cast;
mod chapters;
mod convert;
mod counts;
mod cover;
mod create;
mod delete;
mod extracted;
mod marks;
mod ocr;
mod quotes;
mod recut;
mod text;
mod update;

pub use cancel::{CancelOutcome, Cancelled, cancel};
pub(crate) use cast::voices;
pub use cast::{CastOutcome, Speaker, cast, set_cast};
pub use chapters::{
    Chapter, ChapterChanges, ChapterChunk, ChapterOutcome, NewChapter, chapters, update_chapter,
};
pub use convert::{Conversion, Convert, ConvertOutcome, DailyCap, Which, convert};
pub(crate) use counts::{
    Change, FailedChunk, changed, count, queue_book, record_end, record_failed_chunks, write_counts,
};
use counts::{record, recount};
pub use cover::set_cover;
pub use create::{CreateOutcome, NewMaterial, create};
pub use delete::delete;
pub use extracted::{Extracted, NewChunk, NewCover, OwnLexicon, extracted, extraction_failed};
pub(crate) use extracted::{fail_extraction, process_again};
pub(crate) use marks::read_marks;
pub use marks::{HeadingAt, MarkedLanguage, PauseAt, Pronounced, SpokenBy};
pub use ocr::set_ocr;
pub use quotes::{
    Assigned, MOST_QUOTES, Quote, QuotesOutcome, Which as WhichQuotes, assign_quotes, quotes, running_speaker,
};
pub use recut::{NewTextRows, Recut};
pub use text::{NewText, TextOutcome, set_text};
pub use update::{Change as NewValue, Changes, NewLanguage, update};

/// Why something failed permanently, for its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: ErrorCode,
    /// The message for people.
    pub message: String,
}

impl Failure {
    /// The failure in a row, if it has one.
    pub(crate) fn read(row: &Row) -> Result<Option<Self>> {
        let (code, message): (Option<_>, Option<_>) = row.pair("failure_code", "failure_message")?;
        Ok(code.zip(message).map(|(code, message)| Self { code, message }))
    }
}

/// The language of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// A BCP 47 tag.
    pub tag: String,
    /// Where it comes from.
    pub source: LanguageSource,
}

/// A picture for the whole book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// Its key in the object store.
    pub object: String,
    pub media_type: String,
}

/// How many pages of a scan have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ocr {
    pub pages: u32,
    pub pages_read: u32,
    /// The mean confidence in the words so far, in percent; `None` before the first.
    pub confidence: Option<u32>,
}

impl Ocr {
    fn read(row: &Row) -> Result<Option<Self>> {
        let (pages, pages_read): (Option<_>, Option<_>) = row.pair("ocr_pages", "ocr_pages_read")?;
        let confidence = row.get("ocr_confidence")?;
        Ok(pages.zip(pages_read).map(|(pages, pages_read)| Self { pages, pages_read, confidence }))
    }
}

/// What files say of a book besides its title and author.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Who reads; the e-reader's name when `None`.
    pub narrator: Option<String>,
    pub publisher: Option<String>,
    pub year: Option<u32>,
    pub description: Option<String>,
    pub series: Option<String>,
    /// The place in the series, in hundredths.
    pub series_index: Option<u32>,
    /// Its digits.
    pub isbn: Option<String>,
    /// The statement of copyright.
    pub copyright: Option<String>,
}

/// A stored material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    pub id: MaterialId,
    pub account: AccountId,
    pub environment: Environment,
    /// The key that uploaded it.
    pub key: KeyId,
    pub title: String,
    pub author: Option<String>,
    pub about: About,
    pub language: Option<Language>,
    /// What becomes of its notes.
    pub notes: NotesMode,
    /// The key in the object store of what its text is divided from anew when that changes; `None` when it cannot
    /// be.
    pub document_object: Option<String>,
    /// How often its texts were edited.
    pub edits: u32,
    /// The uploaded file's name.
    pub filename: Option<String>,
    pub media_type: String,
    pub source_bytes: u64,
    /// The address that it was fetched from, when no client sent it.
    pub source_url: Option<String>,
    /// The upload's key in the object store.
    pub source_object: String,
    /// The text recognition, if it is a scan.
    pub ocr: Option<Ocr>,
    pub cover: Option<Cover>,
    pub status: MaterialStatus,
    /// Unicode scalar values of its text, once extracted.
    pub characters: Option<u64>,
    /// How many chunks it has, once extracted.
    pub chunk_count: Option<u32>,
    /// How many chunks have audio.
    pub chunks_completed: u32,
    pub chunks_failed: u32,
    /// How many chunks are queued or being spoken.
    pub chunks_queued: u32,
    /// How many letters of each script its text has, in the notation of `lectern_documents`, once
    /// extracted; `None` for a material of before that.
    pub scripts: Option<String>,
    /// The total length of its completed chunks' audio.
    pub duration_ms: u64,
    /// The length of the book's audio, once it is completed.
    pub book_duration_ms: Option<u64>,
    /// The e-reader that its first conversion fixed.
    pub ereader: Option<EreaderId>,
    /// The language in which it is read, fixed with the e-reader.
    pub speech_language: Option<String>,
    /// Why its extraction failed.
    pub failure: Option<Failure>,
    /// The number of its last event, 0 when there was none.
    pub event_sequence: u64,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Material {
    /// The length of the whole audio, once every chunk of the book has audio.
    pub fn whole_duration_ms(&self) -> Option<u64> {
        // A program of before writes no length of the book.
        (self.status == MaterialStatus::Completed)
            .then_some(self.book_duration_ms.unwrap_or(self.duration_ms))
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, account_id, environment, key_id, title, author, language, language_source, filename,
                 media_type, source_bytes, source_url, ocr_pages, ocr_pages_read, ocr_confidence, source_object, cover_object, cover_media_type, status, characters, chunk_count,
                 chunks_completed, chunks_failed, chunks_queued, duration_ms, book_duration_ms, scripts, ereader_id,
                 speech_language, narrator, publisher, year, description, series, series_index, isbn, copyright,
                 notes, document_object, edits, failure_code, failure_message, event_sequence, created_at, updated_at
             FROM materials ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Material> {
    Ok(Material {
        id: row.get("id")?,
        account: row.get("account_id")?,
        environment: row.get("environment")?,
        key: row.get("key_id")?,
        title: row.get("title")?,
        author: row.get("author")?,
        about: About {
            narrator: row.get("narrator")?,
            publisher: row.get("publisher")?,
            year: row.get("year")?,
            description: row.get("description")?,
            series: row.get("series")?,
            series_index: row.get("series_index")?,
            isbn: row.get("isbn")?,
            copyright: row.get("copyright")?,
        },
        notes: row.get("notes")?,
        document_object: row.get("document_object")?,
        edits: row.get("edits")?,
        language: read_language(row)?,
        filename: row.get("filename")?,
        media_type: row.get("media_type")?,
        source_bytes: row.get("source_bytes")?,
        source_url: row.get("source_url")?,
        source_object: row.get("source_object")?,
        cover: row
            .get::<Option<_>>("cover_object")?
            .zip(row.get("cover_media_type")?)
            .map(|(object, media_type)| Cover { object, media_type }),
        ocr: Ocr::read(row)?,
        status: row.get("status")?,
        characters: row.get("characters")?,
        chunk_count: row.get("chunk_count")?,
        chunks_completed: row.get("chunks_completed")?,
        chunks_failed: row.get("chunks_failed")?,
        chunks_queued: row.get("chunks_queued")?,
        duration_ms: row.get("duration_ms")?,
        book_duration_ms: row.get("book_duration_ms")?,
        scripts: row.get("scripts")?,
        ereader: row.get("ereader_id")?,
        speech_language: row.get("speech_language")?,
        failure: Failure::read(row)?,
        event_sequence: row.get("event_sequence")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

fn read_language(row: &Row) -> Result<Option<Language>> {
    let (tag, source): (Option<_>, Option<_>) = row.pair("language", "language_source")?;
    // Processes of an older version write no source; the languages in their rows were declared by
    // the documents.
    Ok(tag.map(|tag| Language { tag, source: source.unwrap_or(LanguageSource::Declared) }))
}

/// A material of the account in this environment that is not deleted.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Option<Material>> {
    let row = store
        .one(sql!(
            select!("WHERE id = $1 AND account_id = $2 AND environment = $3 AND status <> 'deleted'"),
            material,
            account,
            environment
        ))
        .await?;
    row.as_ref().map(read).transpose()
}

/// The account's materials in this environment, newest first. `before` is the last id of the
/// previous page.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    before: Option<MaterialId>,
    limit: u32,
) -> Result<Vec<Material>> {
    let rows = store
        .all(sql!(
            select!(
                "WHERE account_id = $1 AND environment = $2 AND status <> 'deleted' AND ($3 IS NULL OR id < $3)
                 ORDER BY id DESC LIMIT $4"
            ),
            account,
            environment,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// Those of these materials that are not deleted, in any order.
pub async fn some(store: &Store, ids: &[MaterialId]) -> Result<Vec<Material>> {
    let mut found = Vec::with_capacity(ids.len());
    let rows = || ids.iter().map(|id| [id.bind()]);
    for statement in many(select!("WHERE status <> 'deleted' AND id IN ("), &[], rows(), ")") {
        for row in &store.all(statement).await? {
            found.push(read(row)?);
        }
    }
    Ok(found)
}

/// Every object key that rows name for this material: its source, cover, chunks' audio and books,
/// and the keys below `prefix` that are listed for deletion. Other objects in the storage are
/// orphans.
pub async fn objects(store: &Store, material: MaterialId, prefix: &str) -> Result<HashSet<String>> {
    // The first text after all texts with the prefix: the prefix with its last character
    // incremented.
    let mut end = prefix.to_owned();
    let last = end.pop().and_then(|last| char::from_u32(u32::from(last) + 1));
    end.extend(last);
    let rows = store
        .all(sql!(
            "SELECT object_key FROM (
                 SELECT source_object AS object_key FROM materials WHERE id = $1 AND status <> 'deleted'
                 UNION SELECT cover_object FROM materials WHERE id = $1 AND status <> 'deleted'
                 UNION SELECT document_object FROM materials WHERE id = $1 AND status <> 'deleted'
                 UNION SELECT audio_object FROM chunks WHERE material_id = $1
                 UNION SELECT lossless_object FROM chunks WHERE material_id = $1
                 UNION SELECT words_object FROM chunks WHERE material_id = $1
                 UNION SELECT mp3_object FROM chunks WHERE material_id = $1
                 UNION SELECT aac_object FROM chunks WHERE material_id = $1
                 UNION SELECT audio_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT lossless_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT words_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT mp3_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT aac_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT object_key FROM material_books WHERE material_id = $1
                 UNION SELECT object_key FROM object_deletions WHERE object_key >= $2 AND object_key < $3
             ) objects WHERE object_key IS NOT NULL",
            material,
            prefix,
            end
        ))
        .await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}

/// The ids after `after` of materials that are not deleted, in order.
pub async fn ids_after(store: &Store, after: Option<MaterialId>, limit: u32) -> Result<Vec<MaterialId>> {
    let rows = store
        .all(sql!(
            "SELECT id FROM materials WHERE status <> 'deleted' AND ($1 IS NULL OR id > $1) ORDER BY id LIMIT $2",
            after,
            limit
        ))
        .await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}

/// The object keys that this material needs: its source, cover, chunks' audio and books. Empty for
/// a deleted material.
pub async fn needed_objects(store: &Store, material: MaterialId) -> Result<Vec<String>> {
    let rows = store
        .all(sql!(
            "SELECT object_key FROM (
                 SELECT id, source_object AS object_key FROM materials WHERE id = $1
                 UNION SELECT id, cover_object FROM materials WHERE id = $1
                 UNION SELECT id, document_object FROM materials WHERE id = $1
                 UNION SELECT material_id, audio_object FROM chunks WHERE material_id = $1
                 UNION SELECT material_id, lossless_object FROM chunks WHERE material_id = $1
                 UNION SELECT material_id, words_object FROM chunks WHERE material_id = $1
                 UNION SELECT material_id, mp3_object FROM chunks WHERE material_id = $1
                 UNION SELECT material_id, aac_object FROM chunks WHERE material_id = $1
                 UNION SELECT material_id, audio_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT material_id, lossless_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT material_id, words_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT material_id, mp3_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT material_id, aac_object FROM chunk_old_audio WHERE material_id = $1
                 UNION SELECT material_id, object_key FROM material_books WHERE material_id = $1
             ) objects WHERE object_key IS NOT NULL
                 AND EXISTS (SELECT 1 FROM materials WHERE id = $1 AND status <> 'deleted')",
            material
        ))
        .await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}

/// Locks a material's row until the transaction ends, and reads it; `None` when there is no such
/// material or it is deleted.
pub(crate) async fn lock(tx: &mut Tx, material: MaterialId) -> Result<Option<Material>> {
    Ok(lock_all(tx, [material].into()).await?.pop())
}

/// Like [`lock()`], without waiting: also `None` when another transaction has locked it.
pub(crate) async fn lock_if_free(tx: &mut Tx, material: MaterialId) -> Result<Option<Material>> {
    let locking = dialect::locking_what_is_free(tx.backend());
    Ok(locked(tx, [material].into(), locking).await?.pop())
}

/// Like [`lock()`], for several materials: returns those that exist, in the order of their ids. A
/// transaction that changes several materials takes all their locks at once, before any other.
pub(crate) async fn lock_all(tx: &mut Tx, materials: BTreeSet<MaterialId>) -> Result<Vec<Material>> {
    let locking = dialect::locking(tx.backend());
    locked(tx, materials, locking).await
}

async fn locked(
    tx: &mut Tx,
    materials: BTreeSet<MaterialId>,
    locking: &'static str,
) -> Result<Vec<Material>> {
    let ids = materials.into_iter().map(|material| [material.bind()]);
    let locked = many(select!("WHERE status <> 'deleted' AND id IN ("), &[], ids, locking);
    tx.every(locked).await?.iter().map(read).collect()
}

impl Material {
    /// The owner of its events.
    pub(crate) fn owner(&self) -> events::Owner {
        events::Owner { account: self.account, environment: self.environment, material: self.id }
    }
}
