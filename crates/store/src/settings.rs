//! Facts about this store that are fixed once, such as the fingerprint of the master key that it
//! was created with.

use crate::{Error, Result, Store, db::sql};

/// Fixes a setting unless it is fixed already; returns the stored value.
pub async fn fix(store: &Store, name: &str, value: &str) -> Result<String> {
    if let Some(stands) = find(store, name).await? {
        return Ok(stands);
    }
    store
        .run(sql!(
            "INSERT INTO store_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            name,
            value
        ))
        .await?;
    let stands = find(store, name).await?;
    stands.ok_or_else(|| Error::Unreadable { what: "a setting that was just written".to_owned() })
}

/// The value of a setting.
pub async fn find(store: &Store, name: &str) -> Result<Option<String>> {
    let row = store.one(sql!("SELECT value FROM store_settings WHERE name = $1", name)).await?;
    row.map(|row| row.scalar()).transpose()
}
