//! The podcast feeds of materials. A feed's secret URL ends with its row.

use lectern_types::{AccountId, MaterialId, Timestamp};

use crate::{
    Environment, Error, Result, Store,
    db::{Row, sql},
    idempotency::{self, Replay, Request, Response, RowKey},
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

/// A feed that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewFeed<'a> {
    pub material: MaterialId,
    pub nonce: &'a [u8],
}

/// The outcome of a request for a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MakeOutcome {
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
    /// There is no such material.
    NotFound,
    /// The material has a feed; carries the response.
    Made(Response),
}

/// Gives a material of the account a feed, unless it has one, once for each `Idempotency-Key`. `respond` returns the
/// response and how it is stored for replay.
///
/// # Errors
/// The store's, or that of `respond`.
pub async fn make<E: From<Error>>(
    store: &Store,
    account: AccountId,
    environment: Environment,
    NewFeed { material, nonce }: NewFeed<'_>,
    idempotency: Option<&Request<'_>>,
    respond: impl Fn(&Feed) -> Result<(Response, Response), E>,
    now: Timestamp,
) -> Result<MakeOutcome, E> {
    let mut tx = store.begin().await?;
    let found = materials::lock(&mut tx, material).await?;
    if found.is_none_or(|found| (found.account, found.environment) != (account, environment)) {
        return Ok(MakeOutcome::NotFound);
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
    let Some(row) = row else { return Ok(MakeOutcome::NotFound) };
    let (response, kept) = respond(&read(&row)?)?;
    if let Some(request) = idempotency {
        let row = RowKey::new(account, environment, request);
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, &kept, now).await? {
            return Ok(MakeOutcome::Replay(replay));
        }
    }
    tx.commit().await?;
    Ok(MakeOutcome::Made(response))
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
