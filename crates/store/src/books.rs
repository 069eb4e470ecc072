//! Whole books, made of a completed material's chunks. One is queued when the material is
//! completed, others when somebody asks.

use lectern_types::{AccountId, BookFormat, MaterialId, MaterialStatus, Timestamp};

use crate::{
    Environment, Result, Store,
    db::sql,
    jobs::{self, JobClaim, JobKind, JobStatus, NewJob},
    materials,
    notifications::Notification,
    object_deletions,
    writing::Writing,
};

/// A whole book in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    pub format: BookFormat,
    pub object: String,
    pub bytes: u64,
    pub etag: String,
    pub duration_ms: u64,
    /// When it was made.
    pub created_at: Timestamp,
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
    /// It is queued, or being assembled.
    Queued,
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
    format: BookFormat,
) -> Result<BookState> {
    let row = store
        .one(sql!(
            "SELECT m.status AS material_status, j.status AS job_status, b.object_key, b.bytes, b.etag, b.duration_ms,
                 b.created_at
             FROM materials m
             LEFT JOIN material_books b ON b.material_id = m.id AND b.format = $4
             LEFT JOIN jobs j ON j.material_id = m.id AND j.kind = 'assemble' AND j.chunk_index = -1 AND j.detail = $4
             WHERE m.id = $1 AND m.account_id = $2 AND m.environment = $3 AND m.status <> 'deleted'",
            material,
            account,
            environment,
            format
        ))
        .await?;
    let Some(row) = row else { return Ok(BookState::NotFound) };
    let (status, job): (MaterialStatus, Option<JobStatus>) =
        (row.get("material_status")?, row.get("job_status")?);
    Ok(match (row.get("object_key")?, job) {
        (Some(object), _) => BookState::Made(Book {
            format,
            object,
            bytes: row.get("bytes")?,
            etag: row.get("etag")?,
            duration_ms: row.get("duration_ms")?,
            created_at: row.get("created_at")?,
        }),
        (None, _) if status != MaterialStatus::Completed => BookState::NotReady,
        (None, Some(JobStatus::Queued | JobStatus::Running)) => BookState::Queued,
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
    format: BookFormat,
    writing: Writing<'_>,
) -> Result<BookState> {
    let state = find(store, account, environment, material, format).await?;
    if !matches!(state, BookState::Missing | BookState::Dead) {
        return Ok(state);
    }
    let mut tx = store.begin().await?;
    let Some(found) = materials::lock(&mut tx, material).await? else { return Ok(BookState::NotFound) };
    // Assembled since the check above: its deleted job must not come back.
    let made = tx
        .one(sql!(
            "SELECT format FROM material_books WHERE material_id = $1 AND format = $2",
            material,
            format
        ))
        .await?;
    if made.is_none() {
        let job = NewJob { kind: JobKind::Assemble, chunk: None, detail: format.as_str(), engine: "" };
        jobs::enqueue(&mut tx, found.owner(), &[job], &writing).await?;
        tx.commit().await?;
    } else {
        // What follows waits for another connection.
        drop(tx);
    }
    find(store, account, environment, material, format).await
}

/// Stores a book that a claimed job made, and ends the job: one transaction. False when the claim
/// is lost, the material deleted, or the reservation of the object has ended.
pub async fn insert(store: &Store, claim: &JobClaim, book: &Book) -> Result<bool> {
    let Some(material) = claim.material else { return Ok(false) };
    let mut tx = store.begin().await?;
    if materials::lock(&mut tx, material).await?.is_none()
        || !jobs::finish(&mut tx, claim).await?
        || !object_deletions::keep(&mut tx, &[&book.object], book.created_at).await?
    {
        return Ok(false);
    }
    tx.run(sql!(
        "INSERT INTO material_books (material_id, format, object_key, bytes, etag, duration_ms, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        material,
        book.format,
        book.object.as_str(),
        book.bytes,
        book.etag.as_str(),
        book.duration_ms,
        book.created_at
    ))
    .await?;
    tx.notify(Notification::Material(material));
    tx.commit().await?;
    Ok(true)
}
