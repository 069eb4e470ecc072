//! How far owners have listened to their materials, and the places that they marked.

use lectern_types::{AccountId, BookmarkId, MaterialId, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    materials::{self, Material},
};

/// A point in a material's audio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub chunk_index: u32,
    /// In the chunk's audio.
    pub position_ms: u32,
}

/// How far the owner has listened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub material: MaterialId,
    pub point: Point,
    /// The share of the material before it, in millionths.
    pub progress_millionths: u32,
    pub finished: bool,
    pub updated_at: Timestamp,
}

/// A place that the owner marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    pub id: BookmarkId,
    pub material: MaterialId,
    pub point: Point,
    pub note: String,
    pub created_at: Timestamp,
}

/// What became of a new bookmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marked {
    /// The bookmark of the point: the new one, or one that was there.
    There(Bookmark),
    /// The material has the most bookmarks that it may have.
    Full,
    NoMaterial,
}

fn point(row: &Row) -> Result<Point> {
    Ok(Point { chunk_index: row.get("chunk_index")?, position_ms: row.get("position_ms")? })
}

fn place(row: &Row) -> Result<Place> {
    Ok(Place {
        material: row.get("material_id")?,
        point: point(row)?,
        progress_millionths: row.get("progress_millionths")?,
        finished: row.get("finished")?,
        updated_at: row.get("updated_at")?,
    })
}

fn bookmark(row: &Row) -> Result<Bookmark> {
    Ok(Bookmark {
        id: row.get("id")?,
        material: row.get("material_id")?,
        point: point(row)?,
        note: row.get("note")?,
        created_at: row.get("created_at")?,
    })
}

/// Locks a material of the account.
async fn lock(
    tx: &mut Tx,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Option<Material>> {
    let found = materials::lock(tx, material).await?;
    Ok(found.filter(|found| (found.account, found.environment) == (account, environment)))
}

/// The newest places of an account.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    limit: u32,
) -> Result<Vec<Place>> {
    let rows = store
        .all(sql!(
            "SELECT material_id, chunk_index, position_ms, progress_millionths, finished, updated_at FROM material_places
             WHERE account_id = $1 AND environment = $2 ORDER BY updated_at DESC, material_id LIMIT $3",
            account,
            environment,
            limit
        ))
        .await?;
    rows.iter().map(place).collect()
}

/// The places in these materials, in any order.
pub async fn some(store: &Store, ids: &[MaterialId]) -> Result<Vec<Place>> {
    let before = "SELECT material_id, chunk_index, position_ms, progress_millionths, finished, updated_at
                  FROM material_places WHERE material_id IN (";
    let mut found = Vec::new();
    for statement in many(before, &[], ids.iter().map(|id| [id.bind()]), ")") {
        for row in &store.all(statement).await? {
            found.push(place(row)?);
        }
    }
    Ok(found)
}

/// The place in a material.
pub async fn find(store: &Store, material: MaterialId) -> Result<Option<Place>> {
    let row = store
        .one(sql!(
            "SELECT material_id, chunk_index, position_ms, progress_millionths, finished, updated_at FROM material_places
             WHERE material_id = $1",
            material
        ))
        .await?;
    row.as_ref().map(place).transpose()
}

/// Keeps a place unless a newer one is there. Returns the one that stands then; `None` when the account has no such
/// material.
pub async fn keep(
    store: &Store,
    account: AccountId,
    environment: Environment,
    new: Place,
) -> Result<Option<Place>> {
    let mut tx = store.begin().await?;
    if lock(&mut tx, account, environment, new.material).await?.is_none() {
        return Ok(None);
    }
    tx.run(sql!(
        "INSERT INTO material_places (material_id, account_id, environment, chunk_index, position_ms,
             progress_millionths, finished, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (material_id) DO UPDATE SET chunk_index = excluded.chunk_index,
             position_ms = excluded.position_ms, progress_millionths = excluded.progress_millionths,
             finished = excluded.finished, updated_at = excluded.updated_at
         WHERE excluded.updated_at >= material_places.updated_at",
        new.material,
        account,
        environment,
        new.point.chunk_index,
        new.point.position_ms,
        new.progress_millionths,
        new.finished,
        new.updated_at
    ))
    .await?;
    let row = tx
        .one(sql!(
            "SELECT material_id, chunk_index, position_ms, progress_millionths, finished, updated_at FROM material_places
             WHERE material_id = $1",
            new.material
        ))
        .await?;
    tx.commit().await?;
    row.as_ref().map(place).transpose()
}

/// Forgets the place in a material of the account. Returns it as it was; `None` when there is none.
pub async fn forget(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Option<Place>> {
    let rows = store
        .change(sql!(
            "DELETE FROM material_places WHERE material_id = $1 AND account_id = $2 AND environment = $3
             RETURNING material_id, chunk_index, position_ms, progress_millionths, finished, updated_at",
            material,
            account,
            environment
        ))
        .await?;
    rows.first().map(place).transpose()
}

/// The bookmarks of a material, in the order of its text.
pub async fn bookmarks(store: &Store, material: MaterialId) -> Result<Vec<Bookmark>> {
    let rows = store
        .all(sql!(
            "SELECT id, material_id, chunk_index, position_ms, note, created_at FROM bookmarks WHERE material_id = $1
             ORDER BY chunk_index, position_ms, id",
            material
        ))
        .await?;
    rows.iter().map(bookmark).collect()
}

/// Adds a bookmark to a material of the account that has fewer than `most`. A point is marked once: the mark that is there
/// stays as it is.
pub async fn mark(
    store: &Store,
    account: AccountId,
    environment: Environment,
    new: &Bookmark,
    most: u32,
) -> Result<Marked> {
    let mut tx = store.begin().await?;
    if lock(&mut tx, account, environment, new.material).await?.is_none() {
        return Ok(Marked::NoMaterial);
    }
    tx.run(sql!(
        "INSERT INTO bookmarks (id, material_id, chunk_index, position_ms, note, created_at)
             SELECT $1, m.id, $3, $4, $5, $6 FROM materials m WHERE m.id = $2
               AND (SELECT COUNT(*) FROM bookmarks b WHERE b.material_id = $2) < $7
             ON CONFLICT (material_id, chunk_index, position_ms) DO NOTHING",
        new.id,
        new.material,
        new.point.chunk_index,
        new.point.position_ms,
        new.note.as_str(),
        new.created_at,
        most
    ))
    .await?;
    let row = tx
        .one(sql!(
            "SELECT id, material_id, chunk_index, position_ms, note, created_at FROM bookmarks
             WHERE material_id = $1 AND chunk_index = $2 AND position_ms = $3",
            new.material,
            new.point.chunk_index,
            new.point.position_ms
        ))
        .await?;
    tx.commit().await?;
    row.as_ref().map_or(Ok(Marked::Full), |row| bookmark(row).map(Marked::There))
}

/// Changes the note of a bookmark; `None` when the account has no such bookmark.
pub async fn annotate(
    store: &Store,
    account: AccountId,
    environment: Environment,
    (material, id): (MaterialId, BookmarkId),
    note: &str,
) -> Result<Option<Bookmark>> {
    let rows = store
        .change(sql!(
            "UPDATE bookmarks SET note = $5 WHERE id = $1 AND material_id = $2 AND EXISTS (
                 SELECT 1 FROM materials WHERE id = $2 AND account_id = $3 AND environment = $4)
             RETURNING id, material_id, chunk_index, position_ms, note, created_at",
            id,
            material,
            account,
            environment,
            note
        ))
        .await?;
    rows.first().map(bookmark).transpose()
}

/// Removes a bookmark. Returns it as it was; `None` when the account has no such bookmark.
pub async fn unmark(
    store: &Store,
    account: AccountId,
    environment: Environment,
    (material, id): (MaterialId, BookmarkId),
) -> Result<Option<Bookmark>> {
    let rows = store
        .change(sql!(
            "DELETE FROM bookmarks WHERE id = $1 AND material_id = $2 AND EXISTS (
                 SELECT 1 FROM materials WHERE id = $2 AND account_id = $3 AND environment = $4)
             RETURNING id, material_id, chunk_index, position_ms, note, created_at",
            id,
            material,
            account,
            environment
        ))
        .await?;
    rows.first().map(bookmark).transpose()
}
