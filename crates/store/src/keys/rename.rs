//! Renames a key.

use lectern_types::{AccountId, KeyId};

use super::{Key, find};
use crate::{Environment, Result, Store, db::sql};

/// Renames a key of the account that a key of `visible_from` may see, whatever its status; without a
/// name nothing changes. `None` if there is no such key.
pub async fn rename(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    key: KeyId,
    name: Option<&str>,
) -> Result<Option<Key>> {
    let mut tx = store.begin().await?;
    let Some(mut found) = find(&mut tx, account, visible_from, key).await? else { return Ok(None) };
    if let Some(name) = name {
        tx.run(sql!("UPDATE api_keys SET name = $2 WHERE id = $1", key, name)).await?;
        found.name = name.to_owned();
    }
    tx.commit().await?;
    Ok(Some(found))
}
