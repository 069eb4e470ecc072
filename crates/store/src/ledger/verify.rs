//! Re-derives every balance and every hold from the ledger's rows and names the first difference.

use crate::{Result, Store};

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Accounts looked at.
    pub accounts: u64,
    /// Ledger rows looked at.
    pub transactions: u64,
    /// The first thing that does not add up, in the order of account ids.
    pub first_difference: Option<Difference>,
}

/// One thing that does not add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The account, hold or transaction at fault.
    pub subject: String,
    /// What is wrong with it.
    pub what: &'static str,
    /// What the ledger's rows add up to.
    pub expected: i64,
    /// What is stored.
    pub found: i64,
}

/// Re-derives everything, in one consistent view of the database.
pub async fn verify(store: &Store) -> Result<Verification> {
    todo!()
}
