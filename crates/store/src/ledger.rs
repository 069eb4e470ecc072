//! Credits: a double-entry, append-only ledger, the holds of syntheses and conversions, and the
//! balances that both add up to.
//!
//! Every row of `ledger_transactions` moves one amount from one ledger account to another, so it
//! sums to zero by construction. A customer has two ledger accounts: available (`acc_…`) and held
//! (`acc_…:held`) credits; the balance is their sum. The system's accounts are `sys:sales`,
//! `sys:grants` and `sys:revenue`. This module is the public interface; `posting` writes rows
//! inside a caller's transaction, `verify` re-derives everything, and `statement` sums up rows for
//! people. Prices and policies are not here.

use lectern_types::{AccountId, Credits, Timestamp, TransactionId, TransactionKind};

use crate::{
    Result, Store,
    db::{Row, sql},
    writing::Writing,
};

pub(crate) mod posting;
pub mod statement;
mod verify;
pub use crate::writing::{Booking, NewTransactionId};
pub use verify::{Difference, Verification, verify};

/// Where added credits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    /// The credits were bought; the account counts as a purchaser from now on.
    Purchase,
    /// The credits are a gift.
    Grant,
    /// The credits are a refund.
    Refund,
}

/// One row of an account's ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: TransactionId,
    pub kind: TransactionKind,
    /// The credits, signed as [`TransactionKind`] defines.
    pub credits: Credits,
    /// The balance after this row.
    pub balance_after: Credits,
    /// Its purpose: the id of a synthesis, or a note of the operator.
    pub reference: Option<String>,
    /// When it was booked.
    pub created_at: Timestamp,
}

/// The credits of an account.
#[expect(clippy::struct_field_names, reason = "balance, held and available are the contract's words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// All its credits, including the held ones.
    pub balance: Credits,
    pub held: Credits,
    /// Whether it ever purchased credits.
    pub has_purchased_credits: bool,
}

impl Balance {
    /// The available credits: the balance less the holds.
    pub fn available(&self) -> Credits {
        // The database keeps 0 <= held <= balance, so this cannot leave the range.
        Credits(self.balance.0.saturating_sub(self.held.0))
    }
}

/// The id of a hold: that of the transaction that took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId(pub TransactionId);

/// Who works under a hold or an idempotency key, and until when the work is presumed alive. Only
/// the owner can capture, release or renew it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// A random text, made by the caller, that only this attempt knows.
    pub owner: String,
    /// When others may presume the attempt dead.
    pub until: Timestamp,
}

/// Adds credits. `None` when there is no such account.
///
/// # Errors
/// [`crate::Error::CreditsOutOfRange`] when `credits` is not more than zero or the balance would leave the range.
pub async fn add(
    store: &Store,
    account: AccountId,
    source: Addition,
    credits: Credits,
    reference: Option<&str>,
    booking: Booking<'_>,
) -> Result<Option<Transaction>> {
    let mut tx = store.begin().await?;
    let added = posting::add(&mut tx, account, source, credits, reference, booking).await?;
    tx.commit().await?;
    Ok(added)
}

/// The outcome of taking a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldOutcome {
    /// Taken.
    Held(HoldId),
    /// Too few credits are available (zero when there is no such account); nothing was changed.
    Insufficient { available: Credits },
}

/// Sets credits aside under a lease.
///
/// # Errors
/// [`crate::Error::CreditsOutOfRange`] when `credits` is not more than zero.
pub async fn hold(
    store: &Store,
    account: AccountId,
    credits: Credits,
    lease: &Lease,
    reference: Option<&str>,
    writing: Writing<'_>,
) -> Result<HoldOutcome> {
    let mut tx = store.begin().await?;
    let hold = posting::NewHold { id: HoldId((writing.transactions)()), credits, lease, reference };
    let outcome = posting::hold(&mut tx, account, &hold, &writing).await?;
    if matches!(outcome, HoldOutcome::Held(_)) {
        tx.commit().await?;
    }
    Ok(outcome)
}

/// The outcome of settling a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleOutcome {
    /// The hold is settled: this much was charged, the rest is available again.
    Settled {
        /// The credits charged, zero for a release.
        charged: Credits,
    },
    /// The hold was settled before, or somebody else has taken it over; nothing was changed.
    Gone,
}

/// Charges at most the held credits (`credits` is clamped to between zero and the hold) and
/// releases the rest.
pub async fn capture(
    store: &Store,
    account: AccountId,
    hold: HoldId,
    owner: &str,
    credits: Credits,
    booking: Booking<'_>,
) -> Result<SettleOutcome> {
    let mut tx = store.begin().await?;
    let outcome =
        posting::settle(&mut tx, account, hold, posting::Holder::Owner(owner), credits, booking).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// Releases all of a hold.
pub async fn release(
    store: &Store,
    account: AccountId,
    hold: HoldId,
    owner: &str,
    booking: Booking<'_>,
) -> Result<SettleOutcome> {
    capture(store, account, hold, owner, Credits::ZERO, booking).await
}

/// Renews a hold's lease; false when the hold is settled or has another owner.
pub async fn renew(store: &Store, account: AccountId, hold: HoldId, lease: &Lease) -> Result<bool> {
    Ok(store.run(posting::renewal(account, hold, &lease.owner, lease.until)).await? == 1)
}

/// Releases the holds whose lease ended before `due_before`, at most `limit`; returns how many. A
/// later request under the same `Idempotency-Key` takes over an open hold, or takes a new one.
pub async fn settle_due(
    store: &Store,
    due_before: Timestamp,
    limit: u32,
    booking: Booking<'_>,
) -> Result<u64> {
    let due = store
        .all(sql!(
            "SELECT id, account_id FROM holds WHERE settled_at IS NULL AND lease_until < $1
             ORDER BY lease_until LIMIT $2",
            due_before,
            limit
        ))
        .await?;
    let mut settled = 0;
    for row in due {
        let (hold, account) = (HoldId(row.get("id")?), row.get("account_id")?);
        // One transaction each, so that no account waits for another.
        let mut tx = store.begin().await?;
        let holder = posting::Holder::LeaseEndedBefore(due_before);
        let outcome = posting::settle(&mut tx, account, hold, holder, Credits::ZERO, booking).await?;
        tx.commit().await?;
        settled += u64::from(matches!(outcome, SettleOutcome::Settled { .. }));
    }
    Ok(settled)
}

/// The credits of the account; `None` when there is no such account.
pub async fn balance(store: &Store, account: AccountId) -> Result<Option<Balance>> {
    let row = store
        .one(sql!(
            "SELECT b.balance, b.held, a.has_purchased_credits
             FROM accounts a JOIN account_balances b ON b.account_id = a.id WHERE a.id = $1",
            account
        ))
        .await?;
    row.map(|row| {
        Ok(Balance {
            balance: row.get("balance")?,
            held: row.get("held")?,
            has_purchased_credits: row.get("has_purchased_credits")?,
        })
    })
    .transpose()
}

/// Sets the number of available credits below which the account's webhooks get `credits.low`; `None`
/// for never. False when there is no such account.
///
/// # Errors
/// [`crate::Error::CreditsOutOfRange`] when it is not more than zero.
pub async fn set_low_threshold(
    store: &Store,
    account: AccountId,
    threshold: Option<Credits>,
) -> Result<bool> {
    if threshold.is_some_and(|credits| credits <= Credits::ZERO) {
        return Err(crate::Error::CreditsOutOfRange);
    }
    let update = "UPDATE account_balances SET low_threshold = $2 WHERE account_id = $1";
    Ok(store.run(sql!(update, account, threshold)).await? == 1)
}

/// The number of available credits below which the webhooks get `credits.low`; `None` for never.
pub async fn low_threshold(store: &Store, account: AccountId) -> Result<Option<Credits>> {
    let row =
        store.one(sql!("SELECT low_threshold FROM account_balances WHERE account_id = $1", account)).await?;
    Ok(row.map(|row| row.scalar()).transpose()?.flatten())
}

/// A page of the account's ledger, newest first. `before` is the last id of the previous page; an
/// id that is not in the account's ledger gives an empty page.
pub async fn transactions(
    store: &Store,
    account: AccountId,
    before: Option<TransactionId>,
    limit: u32,
) -> Result<Vec<Transaction>> {
    let rows = match before {
        None => {
            sql!(
                "SELECT id, kind, credits, balance_after, reference, created_at FROM ledger_transactions
                 WHERE account_id = $1 ORDER BY seq DESC LIMIT $2",
                account,
                limit
            )
        }
        Some(before) => {
            sql!(
                "SELECT id, kind, credits, balance_after, reference, created_at FROM ledger_transactions
                 WHERE account_id = $1
                   AND seq < (SELECT seq FROM ledger_transactions WHERE id = $3 AND account_id = $1)
                 ORDER BY seq DESC LIMIT $2",
                account,
                limit,
                before
            )
        }
    };
    store.all(rows).await?.iter().map(read_transaction).collect()
}

fn read_transaction(row: &Row) -> Result<Transaction> {
    Ok(Transaction {
        id: row.get("id")?,
        kind: row.get("kind")?,
        credits: row.get("credits")?,
        balance_after: row.get("balance_after")?,
        reference: row.get("reference")?,
        created_at: row.get("created_at")?,
    })
}
