//! The deletion of a material: in one transaction, its holds are released, its jobs and chunks are
//! deleted, and its objects are listed for deletion. A worker finds its job gone at the next
//! renewal or at the end.

use lectern_types::{AccountId, MaterialId, MaterialStatus};

use super::{Material, lock};
use crate::{
    Environment, Result, Store,
    db::sql,
    ledger::{HoldId, posting::batch},
    notices,
    notifications::Notification,
    object_deletions,
    writing::Writing,
};

/// Deletes a material of the account. Returns the material in its final state, or `None` when there
/// is no such material.
pub async fn delete(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    writing: Writing<'_>,
) -> Result<Option<Material>> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(mut found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(None);
    };
    let now = writing.now;
    // Jobs first: from now on no worker can claim one, and this waits for a worker that is just
    // committing.
    tx.run(sql!("DELETE FROM jobs WHERE material_id = $1", material)).await?;
    let holds = tx
        .all(sql!("SELECT hold_id FROM chunks WHERE material_id = $1 AND hold_id IS NOT NULL", material))
        .await?;
    let holds = holds.iter().map(|row| row.scalar().map(HoldId)).collect::<Result<Vec<_>>>()?;
    tx.run(object_deletions::orphan_all(material, now)).await?;
    tx.run(sql!("DELETE FROM chunk_old_audio WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_cast WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_lexicons WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM chunk_texts WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_places WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM bookmarks WHERE material_id = $1", material)).await?;
    notices::forget_book(&mut tx, material).await?;
    tx.run(sql!("DELETE FROM material_tags WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_shares WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_feeds WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_chapters WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM chunks WHERE material_id = $1", material)).await?;
    tx.run(sql!("DELETE FROM material_books WHERE material_id = $1", material)).await?;
    // Its title and text are deleted with it (only responses kept for their `Idempotency-Key`
    // repeat the title, for a day at most). Its charges stay in `chunk_conversions`.
    tx.run(sql!(
        "UPDATE materials SET status = 'deleted', chunks_queued = 0, title = '', author = NULL, filename = NULL,
             narrator = NULL, publisher = NULL, year = NULL, description = NULL, series = NULL, series_index = NULL,
             isbn = NULL, copyright = NULL, document_object = NULL, cover_object = NULL, cover_media_type = NULL,
             failure_code = NULL, failure_message = NULL, updated_at = $2, deleted_at = $2 WHERE id = $1",
        material,
        now
    ))
    .await?;
    batch::release(&mut tx, account, &holds, writing.booking()).await?;
    tx.notify(Notification::Material(material));
    tx.commit().await?;
    found.status = MaterialStatus::Deleted;
    found.chunks_queued = 0;
    found.updated_at = now;
    Ok(Some(found))
}
