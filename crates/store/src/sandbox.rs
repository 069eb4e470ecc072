//! The daily count of characters spoken under test keys.

use lectern_types::AccountId;

use crate::{Result, Store};

/// Adds characters to the account's count of this day (days since 1970, UTC) unless it would then be over
/// `cap`; whether they were added.
pub async fn add(store: &Store, account: AccountId, day: i64, characters: u32, cap: u64) -> Result<bool> {
    todo!()
}

/// The account's count of this day.
pub async fn characters(store: &Store, account: AccountId, day: i64) -> Result<u64> {
    todo!()
}
