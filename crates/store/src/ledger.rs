//! Credits: a double-entry, append-only ledger, the holds that synthesis takes, and the balances that both
//! add up to.
//!
//! Every row of `ledger_transactions` moves one amount from one ledger account to another, so it sums to
//! zero by its form. A customer has two ledger accounts: what is available (`acc_…`) and what is held
//! (`acc_…:held`); its balance is both together. The system's are `sys:sales`, `sys:grants` and
//! `sys:revenue`. Prices and policies are not here.

use lectern_types::{AccountId, Credits, Timestamp, TransactionId};

use crate::{Result, Store, vocabulary::words};

mod verify;
pub use verify::{Difference, Verification, verify};

/// The caller's source of new transaction ids, which must ascend.
pub type NewTransactionId<'a> = &'a (dyn Fn() -> TransactionId + Send + Sync);

words! {
    /// What a row of the ledger is.
    TransactionKind {
        /// Credits bought, +.
        Purchase "purchase",
        /// Credits given, +.
        Grant "grant",
        /// Credits spent, −.
        Charge "charge",
        /// Credits set aside, − on what is available; the balance stays.
        Hold "hold",
        /// Credits no longer set aside, + on what is available; the balance stays.
        Release "release",
        /// Credits given back, +.
        Refund "refund",
    }
}

/// One row of an account's ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its id.
    pub id: TransactionId,
    /// What it is.
    pub kind: TransactionKind,
    /// The credits, signed as [`TransactionKind`] says.
    pub credits: Credits,
    /// The balance after it.
    pub balance_after: Credits,
    /// What it was for: the id of a synthesis, a word of the operator.
    pub reference: Option<String>,
    /// When it was booked.
    pub created_at: Timestamp,
}

/// What an account has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// All its credits, the held ones included.
    pub balance: Credits,
    /// Those set aside.
    pub held: Credits,
    /// Whether it ever purchased credits.
    pub has_purchased_credits: bool,
}

impl Balance {
    /// What can be spent: the balance less what is held.
    pub fn available(&self) -> Credits {
        // The database keeps 0 <= held <= balance, so this cannot leave the range.
        Credits(self.balance.0.saturating_sub(self.held.0))
    }
}

/// The id of a hold: that of the transaction that took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId(pub TransactionId);

/// Who works under a hold or an idempotency key, and until when it may be thought alive. Whoever does not
/// carry the owner's word can neither capture, release nor renew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// A word that only this attempt knows (random, made by the caller).
    pub owner: String,
    /// When others may take the attempt for dead.
    pub until: Timestamp,
}

/// Adds credits: `Purchase` (which also notes that the account purchased), `Grant` or `Refund`. `None`
/// when there is no such account.
///
/// # Errors
/// [`crate::Error::CreditsOutOfRange`] when the balance would leave the range, or `credits` is not positive, or
/// the kind is not one of the three.
pub async fn add(
    store: &Store,
    account: AccountId,
    kind: TransactionKind,
    credits: Credits,
    reference: Option<&str>,
    booking: Booking<'_>,
) -> Result<Option<Transaction>> {
    todo!()
}

/// When something is booked, and where the ids of its rows come from.
#[derive(Clone, Copy)]
pub struct Booking<'a> {
    /// The instant.
    pub now: Timestamp,
    /// The ids.
    pub ids: NewTransactionId<'a>,
}

/// How taking a hold ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldOutcome {
    /// Taken.
    Held(HoldId),
    /// Too few credits are available; nothing was changed.
    Insufficient {
        /// What is available.
        available: Credits,
    },
}

/// Sets credits (more than zero) aside under a lease.
pub async fn hold(
    store: &Store,
    account: AccountId,
    credits: Credits,
    lease: &Lease,
    reference: Option<&str>,
    booking: Booking<'_>,
) -> Result<HoldOutcome> {
    todo!()
}

/// How settling a hold ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleOutcome {
    /// Settled: this much was charged, the rest of the hold is available again.
    Settled {
        /// The credits charged, zero for a release.
        charged: Credits,
    },
    /// The hold is settled already, or another has taken it over; nothing was changed.
    Gone,
}

/// Charges at most what is held (more is cut to it) and gives the rest back.
pub async fn capture(
    store: &Store,
    account: AccountId,
    hold: HoldId,
    owner: &str,
    credits: Credits,
    booking: Booking<'_>,
) -> Result<SettleOutcome> {
    todo!()
}

/// Gives all of a hold back.
pub async fn release(
    store: &Store,
    account: AccountId,
    hold: HoldId,
    owner: &str,
    booking: Booking<'_>,
) -> Result<SettleOutcome> {
    todo!()
}

/// Renews a hold's lease; false when it is settled or another's.
pub async fn renew(store: &Store, account: AccountId, hold: HoldId, lease: &Lease) -> Result<bool> {
    todo!()
}

/// Releases the holds whose lease ended before `due_before`, at most `limit`; how many. Give the same key
/// time to take its hold over by passing an instant some leases in the past.
pub async fn settle_due(
    store: &Store,
    due_before: Timestamp,
    limit: u32,
    booking: Booking<'_>,
) -> Result<u64> {
    todo!()
}

/// What the account has; `None` when there is no such account.
pub async fn balance(store: &Store, account: AccountId) -> Result<Option<Balance>> {
    todo!()
}

/// A page of the account's ledger, newest first. `before` is the last id of the page before; an id that is
/// not in the account's ledger gives an empty page.
pub async fn transactions(
    store: &Store,
    account: AccountId,
    before: Option<TransactionId>,
    limit: u32,
) -> Result<Vec<Transaction>> {
    todo!()
}
