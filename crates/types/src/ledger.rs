//! Balances and transactions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, Timestamp, TransactionId, text_enum};

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

text_enum! {
    /// The kind of a transaction. The sign is that of `credits`.
    #[derive(ToSchema)]
    TransactionKind {
        /// Purchased credits (+).
        Purchase "purchase",
        /// Granted credits (+).
        Grant "grant",
        /// Spent credits (−).
        Charge "charge",
        /// Credits put on hold (−); `balance_after` does not change.
        Hold "hold",
        /// Credits released from a hold (+); `balance_after` does not change.
        Release "release",
        /// Refunded credits (+).
        Refund "refund",
    }
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
