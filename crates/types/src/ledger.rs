//! Credits as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, Timestamp, TransactionId};

/// What an account has.
#[expect(clippy::struct_field_names, reason = "the contract's names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Balance {
    /// All credits, the held ones included.
    pub balance: Credits,
    /// Set aside for work in progress.
    pub held: Credits,
    /// What can be spent: `balance` less `held`.
    pub available: Credits,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
}

/// What a row of the ledger is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransactionKind {
    /// Bought, +.
    Purchase,
    /// Given, +.
    Grant,
    /// Spent, −.
    Charge,
    /// Set aside, −; `balance_after` stays.
    Hold,
    /// No longer set aside, +; `balance_after` stays.
    Release,
    /// Given back, +.
    Refund,
}

/// One row of an account's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Transaction {
    /// Its id.
    pub id: TransactionId,
    /// What it is.
    pub kind: TransactionKind,
    /// Credits, signed as `kind` says.
    pub credits: Credits,
    /// The balance after it.
    pub balance_after: Credits,
    /// What it was for, such as the id of a synthesis.
    pub reference: Option<String>,
    /// When it was booked.
    pub created_at: Timestamp,
}
