//! Balances and transactions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, Timestamp, TransactionId};

/// The balance of an account.
#[expect(clippy::struct_field_names, reason = "the contract's names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Balance {
    /// All credits, including held ones.
    pub balance: Credits,
    /// Credits held for work in progress.
    pub held: Credits,
    /// Credits that can be spent: `balance` minus `held`.
    pub available: Credits,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
}

/// The kind of a transaction. The sign is that of `credits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransactionKind {
    /// Purchased credits (+).
    Purchase,
    /// Granted credits (+).
    Grant,
    /// Spent credits (−).
    Charge,
    /// Credits put on hold (−); `balance_after` does not change.
    Hold,
    /// Credits released from a hold (+); `balance_after` does not change.
    Release,
    /// Refunded credits (+).
    Refund,
}

/// One row of an account's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Transaction {
    pub id: TransactionId,
    pub kind: TransactionKind,
    /// The credits, with the sign of the `kind`.
    pub credits: Credits,
    /// The balance after the transaction.
    pub balance_after: Credits,
    /// The cause, such as the id of a synthesis.
    pub reference: Option<String>,
    pub created_at: Timestamp,
}
