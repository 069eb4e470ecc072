//! A new material: its row, the job that will extract it and the response to replay, in one
//! transaction.

use lectern_types::{AccountId, KeyId, LanguageSource, MaterialId, MaterialStatus, NotesMode, Timestamp};

use super::{About, Language, Material};
use crate::{
    Environment, Result, Store,
    db::sql,
    idempotency::{self, Replay, Request, Response, RowKey},
    jobs::{self, JobKind, NewJob},
    object_deletions,
    writing::Writing,
};

/// A material about to be stored. Its source is in the object store, reserved (see
/// `object_deletions`).
#[derive(Debug, Clone)]
pub struct NewMaterial<'a> {
    pub id: MaterialId,
    /// The key that uploads it.
    pub key: KeyId,
    pub title: &'a str,
    /// Whether the client gave the title: the document's own does not take its place then.
    pub title_given: bool,
    /// Its language, when the client gave it.
    pub language: Option<&'a str>,
    pub filename: Option<&'a str>,
    pub media_type: &'a str,
    pub source_bytes: u64,
    /// The address that it was fetched from, when no client sent it.
    pub source_url: Option<&'a str>,
    /// The SHA-256 of its bytes.
    pub source_sha256: &'a [u8],
    /// Its key in the object store.
    pub source_object: &'a str,
}

impl NewMaterial<'_> {
    /// The material as it will be when it is made at this instant.
    pub fn made(&self, account: AccountId, environment: Environment, now: Timestamp) -> Material {
        Material {
            id: self.id,
            account,
            environment,
            key: self.key,
            title: self.title.to_owned(),
            author: None,
            about: About::default(),
            notes: NotesMode::Skip,
            document_object: None,
            edits: 0,
            language: self
                .language
                .map(|tag| Language { tag: tag.to_owned(), source: LanguageSource::Given }),
            filename: self.filename.map(str::to_owned),
            media_type: self.media_type.to_owned(),
            source_bytes: self.source_bytes,
            source_url: self.source_url.map(str::to_owned),
            source_object: self.source_object.to_owned(),
            ocr: None,
            cover: None,
            status: MaterialStatus::Processing,
            characters: None,
            chunk_count: None,
            chunks_completed: 0,
            chunks_failed: 0,
            chunks_queued: 0,
            duration_ms: 0,
            book_duration_ms: None,
            scripts: None,
            ereader: None,
            speech_language: None,
            failure: None,
            event_sequence: 0,
            created_at: now,
            updated_at: now,
        }
    }
}

/// How making a material ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored, and its extraction queued.
    Created(Box<Material>),
    /// Nothing was stored: the `Idempotency-Key` had been used. The source is still reserved, and
    /// will be deleted.
    Replay(Replay),
    /// Nothing was stored: the source's reservation has ended, so that it may be deleted already.
    Expired,
}

/// Stores a material with its extraction, and the response to replay when the request carried an
/// `Idempotency-Key`.
pub async fn create(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: &NewMaterial<'_>,
    idempotency: Option<(&Request<'_>, &Response)>,
    writing: Writing<'_>,
) -> Result<CreateOutcome> {
    let now = writing.now;
    let mut tx = store.begin().await?;
    if let Some((request, response)) = idempotency {
        let row = RowKey::new(account, environment, request);
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, response, now).await? {
            return Ok(CreateOutcome::Replay(replay));
        }
    }
    if !object_deletions::keep(&mut tx, &[material.source_object], now).await? {
        return Ok(CreateOutcome::Expired);
    }
    tx.run(sql!(
        "INSERT INTO materials (id, account_id, environment, key_id, title, title_given, language, filename,
             media_type, source_bytes, source_sha256, source_object, status, created_at, updated_at, language_source,
             source_url)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15, $16)",
        material.id,
        account,
        environment,
        material.key,
        material.title,
        material.title_given,
        material.language,
        material.filename,
        material.media_type,
        material.source_bytes,
        material.source_sha256,
        material.source_object,
        MaterialStatus::Processing,
        now,
        material.language.map(|_| LanguageSource::Given),
        material.source_url
    ))
    .await?;
    let made = material.made(account, environment, now);
    let job = NewJob { kind: JobKind::Extract, chunk: None, detail: "", engine: "" };
    jobs::enqueue(&mut tx, made.owner(), &[job], &writing).await?;
    tx.commit().await?;
    Ok(CreateOutcome::Created(Box::new(made)))
}
