//! Whole books, made of a completed material's chunks. One is queued when the material is
//! completed, others when somebody asks.

use lectern_types::{AccountId, BookFile, MaterialId, MaterialStatus, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Environment, Error, Result, Store,
    db::{Tx, sql},
    jobs::{self, JobClaim, JobKind, JobStatus, NewJob},
    materials,
    notifications::Notification,
    object_deletions,
    writing::Writing,
};

/// A whole book in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    pub file: BookFile,
    pub object: String,
    pub bytes: u64,
    pub etag: String,
    pub duration_ms: u64,
    /// Where the audio of its chapters lies, if it has them apart.
    pub parts: Vec<BookPart>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The audio of a chapter in a file of a whole book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookPart {
    /// The index of the chapter.
    pub chapter: u32,
    /// Its first byte in the file.
    pub offset: u64,
    pub bytes: u64,
    pub duration_ms: u64,
    /// The headings inside the chapter, after its title; empty when it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<PartMark>,
}

/// A place in the audio of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartMark {
    pub title: String,
    /// Counted from the start of the chapter.
    pub start_ms: u64,
}

/// Where a book is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookState {
    /// There is no such material of the account.
    NotFound,
    /// The material is not completed.
    NotReady,
    /// It has not been requested.
    Missing,
    /// It is queued, or being assembled; how far it is, in thousandths.
    Queued { progress: u32 },
    /// Its assembly failed; requesting it again starts another attempt.
    Dead,
    /// It is there.
    Made(Book),
}

/// Where a book of the account is.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    file: BookFile,
) -> Result<BookState> {
    let row = store
        .one(sql!(
            "SELECT m.status AS material_status, j.status AS job_status, j.progress, b.object_key, b.bytes, b.etag,
                 b.duration_ms, b.parts, b.created_at
             FROM materials m
             LEFT JOIN material_books b ON b.material_id = m.id AND b.format = $4
             LEFT JOIN jobs j ON j.material_id = m.id AND j.kind = 'assemble' AND j.chunk_index = -1 AND j.detail = $4
             WHERE m.id = $1 AND m.account_id = $2 AND m.environment = $3 AND m.status <> 'deleted'",
            material,
            account,
            environment,
            file.to_string()
        ))
        .await?;
    let Some(row) = row else { return Ok(BookState::NotFound) };
    let (status, job): (MaterialStatus, Option<JobStatus>) =
        (row.get("material_status")?, row.get("job_status")?);
    Ok(match (row.get("object_key")?, job) {
        (Some(object), _) => BookState::Made(Book {
            file,
            object,
            parts: row
                .get::<Option<String>>("parts")?
                .map_or(Ok(Vec::new()), |parts| materials::read_marks(&parts))?,
            bytes: row.get("bytes")?,
            etag: row.get("etag")?,
            duration_ms: row.get("duration_ms")?,
            created_at: row.get("created_at")?,
        }),
        (None, _) if status != MaterialStatus::Completed => BookState::NotReady,
        (None, Some(JobStatus::Queued | JobStatus::Running)) => {
            BookState::Queued { progress: row.get::<Option<u32>>("progress")?.unwrap_or(0) }
        }
        (None, Some(JobStatus::Dead)) => BookState::Dead,
        (None, None) => BookState::Missing,
    })
}

/// Requests a book of the account and returns its state. A missing or failed one is queued.
pub async fn request(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    file: BookFile,
    writing: Writing<'_>,
) -> Result<BookState> {
    let state = find(store, account, environment, material, file).await?;
    if !matches!(state, BookState::Missing | BookState::Dead) {
        return Ok(state);
    }
    let mut tx = store.begin().await?;
    let Some(found) = materials::lock(&mut tx, material).await? else { return Ok(BookState::NotFound) };
    if found.status != MaterialStatus::Completed {
        return Ok(BookState::NotReady);
    }
    // Assembled since the check above: its deleted job must not come back.
    if is_made(&mut tx, material, file).await? {
        // What follows waits for another connection.
        drop(tx);
    } else {
        let detail = file.to_string();
        let job = NewJob { kind: JobKind::Assemble, chunk: None, detail: &detail, engine: "" };
        jobs::enqueue(&mut tx, found.owner(), &[job], &writing).await?;
        tx.commit().await?;
    }
    find(store, account, environment, material, file).await
}

/// Notes how far the making of a claimed job's file is, in thousandths.
pub async fn note_progress(store: &Store, claim: &JobClaim, progress: u32) -> Result<()> {
    store
        .run(sql!(
            "UPDATE jobs SET progress = $3 WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch,
            progress
        ))
        .await
        .map(drop)
}

/// Stores a book that a claimed job made, and ends the job: one transaction. False when the claim
/// is lost, the material deleted, or the reservation of the object has ended.
pub async fn insert(store: &Store, claim: &JobClaim, book: &Book) -> Result<bool> {
    let Some(material) = claim.material else { return Ok(false) };
    let mut tx = store.begin().await?;
    if materials::lock(&mut tx, material).await?.is_none() || !jobs::finish(&mut tx, claim).await? {
        return Ok(false);
    }
    // The job of another file may have made this one on its way. Then the object is not kept.
    if !is_made(&mut tx, material, book.file).await? && !keep(&mut tx, material, book).await? {
        return Ok(false);
    }
    tx.notify(Notification::Material(material));
    tx.commit().await?;
    Ok(true)
}

/// Stores a book that a claimed job made on its way to another, unless there is one already. False when it was not
/// stored.
pub async fn insert_beside(store: &Store, claim: &JobClaim, book: &Book) -> Result<bool> {
    let Some(material) = claim.material else { return Ok(false) };
    let mut tx = store.begin().await?;
    if materials::lock(&mut tx, material).await?.is_none()
        || !jobs::are_held(&mut tx, &[claim]).await?
        || is_made(&mut tx, material, book.file).await?
        || !keep(&mut tx, material, book).await?
    {
        return Ok(false);
    }
    tx.notify(Notification::Material(material));
    tx.commit().await?;
    Ok(true)
}

async fn is_made(tx: &mut Tx, material: MaterialId, file: BookFile) -> Result<bool> {
    let made = tx
        .one(sql!(
            "SELECT format FROM material_books WHERE material_id = $1 AND format = $2",
            material,
            file.to_string()
        ))
        .await?;
    Ok(made.is_some())
}

async fn keep(tx: &mut Tx, material: MaterialId, book: &Book) -> Result<bool> {
    if !object_deletions::keep(tx, &[&book.object], book.created_at).await? {
        return Ok(false);
    }
    let parts = serde_json::to_string(&book.parts)
        .map_err(|error| Error::Unreadable { what: format!("the parts of a book: {error}") })?;
    tx.run(sql!(
        "INSERT INTO material_books (material_id, format, object_key, bytes, etag, duration_ms, parts, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        material,
        book.file.to_string(),
        book.object.as_str(),
        book.bytes,
        book.etag.as_str(),
        book.duration_ms,
        parts,
        book.created_at
    ))
    .await?;
    Ok(true)
}
