//! The daily count of characters spoken under test keys.

use lectern_types::AccountId;

use crate::{Result, Store, db::sql};

/// Adds characters to the account's count of this day (days since 1970, UTC) unless it would then be over
/// `cap`; whether they were added.
pub async fn add(store: &Store, account: AccountId, day: i64, characters: u32, cap: u64) -> Result<bool> {
    // The cap on the first of the day; the statement's condition keeps it on the later ones.
    if u64::from(characters) > cap {
        return Ok(false);
    }
    let added = store
        .run(sql!(
            "INSERT INTO sandbox_usage (account_id, day, characters) VALUES ($1, $2, $3)
             ON CONFLICT (account_id, day) DO UPDATE SET characters = sandbox_usage.characters + excluded.characters
             WHERE sandbox_usage.characters + excluded.characters <= $4",
            account,
            day,
            characters,
            i64::try_from(cap).unwrap_or(i64::MAX)
        ))
        .await?;
    Ok(added == 1)
}

/// The account's count of this day.
pub async fn characters(store: &Store, account: AccountId, day: i64) -> Result<u64> {
    let row = store
        .one(sql!("SELECT characters FROM sandbox_usage WHERE account_id = $1 AND day = $2", account, day))
        .await?;
    row.map_or(Ok(0), |row| row.first())
}
