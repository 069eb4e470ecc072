//! The cover of a material, as its owner changes it.

use lectern_types::{AccountId, MaterialId};

use super::{Cover, Material, NewCover, again, lock};
use crate::{Environment, Result, Store, db::sql, object_deletions, writing::Writing};

/// Gives a material of the account a cover, which is in the object store and reserved there, or takes its cover
/// away. What is made of the whole book is made anew. `None` when there is no such material, or the reservation
/// has ended.
pub async fn set_cover(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    cover: Option<&NewCover>,
    writing: Writing<'_>,
) -> Result<Option<Material>> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(mut found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(None);
    };
    if let Some(cover) = cover
        && !object_deletions::keep(&mut tx, &[&cover.object], writing.now).await?
    {
        return Ok(None);
    }
    let before = found.cover.take();
    if before.is_none() && cover.is_none() {
        return Ok(Some(found));
    }
    if let Some(Cover { object, .. }) = &before {
        object_deletions::note(&mut tx, &[object], writing.now).await?;
    }
    found.cover =
        cover.map(|cover| Cover { object: cover.object.clone(), media_type: cover.media_type.clone() });
    found.updated_at = writing.now;
    tx.run(sql!(
        "UPDATE materials SET cover_object = $2, cover_media_type = $3, updated_at = $4 WHERE id = $1",
        material,
        cover.map(|cover| cover.object.as_str()),
        cover.map(|cover| cover.media_type.as_str()),
        writing.now
    ))
    .await?;
    again::forget_books(&mut tx, material, writing.now).await?;
    tx.commit().await?;
    Ok(Some(found))
}
