//! E-readers that an account marked as favorites.

use std::collections::HashSet;

use lectern_types::{AccountId, EreaderId, Timestamp};

use crate::{Result, Store, db::sql};

/// Marks an e-reader, which must exist; false when the account has `limit` other active ones marked
/// already.
/// Marking it again changes nothing.
pub async fn add(
    store: &Store,
    account: AccountId,
    ereader: EreaderId,
    limit: u32,
    now: Timestamp,
) -> Result<bool> {
    store
        .run(sql!(
            "INSERT INTO ereader_favorites (account_id, ereader_id, created_at)
             SELECT a.id, $2, $3 FROM accounts a WHERE a.id = $1
               AND (SELECT COUNT(*) FROM ereader_favorites f JOIN ereaders e ON e.id = f.ereader_id
                    WHERE f.account_id = $1 AND e.active = 1) < $4
             ON CONFLICT (account_id, ereader_id) DO NOTHING",
            account,
            ereader,
            now,
            limit
        ))
        .await?;
    contains(store, account, ereader).await
}

/// Removes the mark, if there is one.
pub async fn remove(store: &Store, account: AccountId, ereader: EreaderId) -> Result<()> {
    let statement = "DELETE FROM ereader_favorites WHERE account_id = $1 AND ereader_id = $2";
    store.run(sql!(statement, account, ereader)).await?;
    Ok(())
}

/// Whether the account marked this e-reader.
pub async fn contains(store: &Store, account: AccountId, ereader: EreaderId) -> Result<bool> {
    let statement = "SELECT ereader_id FROM ereader_favorites WHERE account_id = $1 AND ereader_id = $2";
    Ok(store.one(sql!(statement, account, ereader)).await?.is_some())
}

/// All that the account marked.
pub async fn list(store: &Store, account: AccountId) -> Result<HashSet<EreaderId>> {
    let rows =
        store.all(sql!("SELECT ereader_id FROM ereader_favorites WHERE account_id = $1", account)).await?;
    rows.iter().map(crate::db::Row::scalar).collect()
}
