//! The daily count of characters spoken under test keys.

use lectern_types::AccountId;

use crate::{
    Result, Store,
    db::{Statement, Tx, sql},
};

/// Adds characters to the account's count of this day (days since 1970, UTC), unless the count
/// would then exceed `cap`. Returns whether they were added.
pub async fn add(store: &Store, account: AccountId, day: i64, characters: u32, cap: u64) -> Result<bool> {
    match addition(account, day, characters.into(), cap) {
        Some(statement) => Ok(store.run(statement).await? == 1),
        None => Ok(false),
    }
}

/// Takes back what [`add`] added.
pub async fn give_back(store: &Store, account: AccountId, day: i64, characters: u32) -> Result<()> {
    let statement = sql!(
        "UPDATE sandbox_usage SET characters = characters - $3
         WHERE account_id = $1 AND day = $2 AND characters >= $3",
        account,
        day,
        characters
    );
    store.run(statement).await.map(drop)
}

/// Like [`add`], in a caller's transaction.
pub(crate) async fn count(
    tx: &mut Tx,
    account: AccountId,
    day: i64,
    characters: u64,
    cap: u64,
) -> Result<bool> {
    match addition(account, day, characters, cap) {
        Some(statement) => Ok(tx.run(statement).await? == 1),
        None => Ok(false),
    }
}

/// A statement that touches one row, or none when the count would exceed the cap. `None` when that
/// is certain.
fn addition(account: AccountId, day: i64, characters: u64, cap: u64) -> Option<Statement> {
    // The statement's condition applies only once the day has a count; this one covers the first
    // request.
    (characters <= cap).then(|| {
        sql!(
            "INSERT INTO sandbox_usage (account_id, day, characters) VALUES ($1, $2, $3)
             ON CONFLICT (account_id, day) DO UPDATE SET characters = sandbox_usage.characters + excluded.characters
             WHERE sandbox_usage.characters + excluded.characters <= $4",
            account,
            day,
            characters,
            cap
        )
    })
}

/// The account's count of this day.
pub async fn characters(store: &Store, account: AccountId, day: i64) -> Result<u64> {
    let row = store
        .one(sql!("SELECT characters FROM sandbox_usage WHERE account_id = $1 AND day = $2", account, day))
        .await?;
    row.map_or(Ok(0), |row| row.scalar())
}
