//! The podcast feeds of materials. A feed's secret URL ends with its row.

use lectern_types::{AccountId, MaterialId, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Row, sql},
    materials::{self, Material},
};

/// A feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// What its secret URL is made of, besides a key of the installation.
    pub nonce: Vec<u8>,
    pub created_at: Timestamp,
}

fn read(row: &Row) -> Result<Feed> {
    Ok(Feed { nonce: row.get("nonce")?, created_at: row.get("created_at")? })
}

/// The feed of a material, if it has one.
pub async fn find(store: &Store, material: MaterialId) -> Result<Option<Feed>> {
    let row = store
        .one(sql!("SELECT nonce, created_at FROM material_feeds WHERE material_id = $1", material))
        .await?;
    row.as_ref().map(read).transpose()
}

/// The feed of a material of the account: the one that it has, or a new one of this nonce. `None` when there is no
/// such material.
pub async fn make(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    nonce: &[u8],
    now: Timestamp,
) -> Result<Option<Feed>> {
    let mut tx = store.begin().await?;
    let found = materials::lock(&mut tx, material).await?;
    if found.is_none_or(|found| (found.account, found.environment) != (account, environment)) {
        return Ok(None);
    }
    tx.run(sql!(
        "INSERT INTO material_feeds (material_id, nonce, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        material,
        nonce,
        now
    ))
    .await?;
    let row =
        tx.one(sql!("SELECT nonce, created_at FROM material_feeds WHERE material_id = $1", material)).await?;
    tx.commit().await?;
    row.as_ref().map(read).transpose()
}

/// Revokes the feed of a material of the account. False when it has none.
pub async fn delete(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<bool> {
    let deleted = store
        .run(sql!(
            "DELETE FROM material_feeds WHERE material_id = $1 AND EXISTS (
                 SELECT 1 FROM materials WHERE id = $1 AND account_id = $2 AND environment = $3 AND status <> 'deleted')",
            material,
            account,
            environment
        ))
        .await?;
    Ok(deleted > 0)
}

/// A material and its feed; `None` when it is deleted or has none. The caller must have checked the secret URL's token, or
/// check it before it uses them.
pub async fn opened(store: &Store, material: MaterialId) -> Result<Option<(Material, Feed)>> {
    let Some(feed) = find(store, material).await? else { return Ok(None) };
    let row =
        store.one(sql!("SELECT account_id, environment FROM materials WHERE id = $1", material)).await?;
    let Some(row) = row else { return Ok(None) };
    let (account, environment) = row.pair("account_id", "environment")?;
    let found = materials::find(store, account, environment, material).await?;
    Ok(found.map(|found| (found, feed)))
}
