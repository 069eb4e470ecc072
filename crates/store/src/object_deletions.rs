//! Objects to delete from the storage. The table lists two kinds alike: objects that nothing needs
//! any more, written in the transaction that orphans them; and objects about to be stored, written
//! beforehand ([`reserve`]) and removed by the transaction that needs them. So every object in the
//! storage has a row that names it, even after a crash.
//!
//! The caller deletes the objects themselves: [`due`], delete, [`done`].

use lectern_types::{MaterialId, Timestamp};

use crate::{
    Result, Store,
    db::{Bound as _, Statement, Tx, many, sql},
};

/// Records objects before they are written. They are deleted at `due_at`, unless a transaction
/// removes their rows before then. Recording a key again postpones its deletion.
pub async fn reserve(store: &Store, keys: &[&str], due_at: Timestamp) -> Result<()> {
    let mut tx = store.begin().await?;
    note(&mut tx, keys, due_at).await?;
    tx.commit().await
}

/// Due keys, the oldest first.
pub async fn due(store: &Store, now: Timestamp, limit: u32) -> Result<Vec<String>> {
    let rows = store
        .all(sql!(
            "SELECT object_key FROM object_deletions WHERE due_at <= $1 ORDER BY due_at, object_key LIMIT $2",
            now,
            limit
        ))
        .await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}

/// Removes keys whose objects were deleted; returns how many of them were due.
pub async fn done(store: &Store, keys: &[String], now: Timestamp) -> Result<u64> {
    let mut tx = store.begin().await?;
    let rows = keys.iter().map(|key| [key.as_str().bind()]);
    let before = "DELETE FROM object_deletions WHERE due_at <= $1 AND object_key IN (";
    let touched = tx.run_all(many(before, &[now.bind()], rows, ")")).await?;
    tx.commit().await?;
    Ok(touched)
}

pub(crate) async fn note(tx: &mut Tx, keys: &[&str], due_at: Timestamp) -> Result<()> {
    let mut keys: Vec<&str> = keys.to_vec();
    // PostgreSQL changes a row only once in a statement, and locks rows in this order.
    keys.sort_unstable();
    keys.dedup();
    let rows = keys.into_iter().map(|key| [key.bind(), due_at.bind()]);
    let before = "INSERT INTO object_deletions (object_key, due_at) VALUES ";
    let after = " ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at";
    tx.run_all(many(before, &[], rows, after)).await.map(drop)
}

/// Removes objects from the list, because this transaction needs them. False when one is not listed
/// or is due: it may be deleted already, and the caller rolls back its transaction.
pub(crate) async fn keep(tx: &mut Tx, keys: &[&str], now: Timestamp) -> Result<bool> {
    let mut keys: Vec<&str> = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let wanted = keys.len() as u64;
    let rows = keys.into_iter().map(|key| [key.bind()]);
    let before = "DELETE FROM object_deletions WHERE due_at > $1 AND object_key IN (";
    Ok(tx.run_all(many(before, &[now.bind()], rows, ")")).await? == wanted)
}

/// Lists all objects of a material for immediate deletion.
pub(crate) fn orphan_all(material: MaterialId, now: Timestamp) -> Statement {
    sql!(
        "INSERT INTO object_deletions (object_key, due_at)
         SELECT object_key, $2 FROM (
             SELECT source_object AS object_key FROM materials WHERE id = $1
             UNION SELECT cover_object FROM materials WHERE id = $1
             UNION SELECT document_object FROM materials WHERE id = $1
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
         ) objects WHERE object_key IS NOT NULL
         ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at",
        material,
        now
    )
}
