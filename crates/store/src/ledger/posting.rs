//! The ledger's rows, written inside a caller's transaction.
//!
//! Each operation first moves the account's balance row by one guarded update. That update is the
//! lock: there the database serializes operations on one account, refuses an update that would go
//! below zero, and hands out the next numbers of the account's rows. Transactions that touch more
//! than one kind of row take them in the order idempotency key, material, job, chunk, hold,
//! balance, so that two of them never wait for each other on PostgreSQL. [`batch`] takes and
//! settles many holds at once.

use lectern_types::{AccountId, Credits, Timestamp, TransactionId, TransactionKind};

use super::{Addition, Booking, HoldId, HoldOutcome, Lease, SettleOutcome, Transaction};
use crate::{
    Error, Result,
    db::{Bind, Bound, Row, Statement, Tx, many, sql},
    events::{self, BalanceChange},
    writing::Writing,
};

pub(crate) mod batch;

/// The balance row after an update.
struct Moved {
    balance: i64,
    held: i64,
    last_seq: i64,
    /// The account's threshold for `credits.low`, if it has set one.
    low_threshold: Option<Credits>,
}

impl Moved {
    fn read(row: &Row) -> Result<Self> {
        Ok(Self {
            balance: row.get("balance")?,
            held: row.get("held")?,
            last_seq: row.get("last_seq")?,
            low_threshold: row.get("low_threshold")?,
        })
    }

    /// The change of the available credits when `held` were set aside.
    fn balance_change(&self, held: Credits) -> BalanceChange {
        let after = Credits(self.balance - self.held);
        BalanceChange {
            before: Credits(after.0.saturating_add(held.0)),
            after,
            threshold: self.low_threshold,
        }
    }
}

/// One row to write.
struct Posting<'a> {
    id: TransactionId,
    seq: i64,
    kind: TransactionKind,
    /// Signed from the point of view of the account's owner.
    credits: Credits,
    balance_after: i64,
    held_after: i64,
    hold: Option<HoldId>,
    reference: Option<&'a str>,
    charge_key: Option<&'a str>,
}

impl Posting<'_> {
    /// The row's values, in the order of [`POST`].
    fn binds(&self, account: AccountId, now: Timestamp) -> [Bind; 13] {
        let available = account.to_string();
        let held = format!("{account}:held");
        let (from, to) = match self.kind {
            TransactionKind::Purchase => ("sys:sales".to_owned(), available),
            TransactionKind::Grant => ("sys:grants".to_owned(), available),
            TransactionKind::Refund => ("sys:revenue".to_owned(), available),
            TransactionKind::Charge => (available, "sys:revenue".to_owned()),
            TransactionKind::Hold => (available, held),
            TransactionKind::Release => (held, available),
        };
        [
            self.id.bind(),
            account.bind(),
            self.seq.bind(),
            self.kind.bind(),
            self.credits.bind(),
            from.bind(),
            to.bind(),
            self.balance_after.bind(),
            self.held_after.bind(),
            self.hold.map(|hold| hold.0).bind(),
            self.reference.bind(),
            now.bind(),
            self.charge_key.bind(),
        ]
    }
}

const POST: &str =
    "INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account,
         balance_after, held_after, hold_id, reference, created_at, charge_key) VALUES ";

/// Writes rows, each with the values of [`Posting::binds`].
async fn post(tx: &mut Tx, rows: impl IntoIterator<Item = [Bind; 13]>) -> Result<()> {
    tx.run_all(many(POST, &[], rows, "")).await.map(drop)
}

/// Adds credits; `None` when there is no such account.
pub(crate) async fn add(
    tx: &mut Tx,
    account: AccountId,
    source: Addition,
    credits: Credits,
    reference: Option<&str>,
    booking: Booking<'_>,
) -> Result<Option<Transaction>> {
    if credits <= Credits::ZERO {
        return Err(Error::CreditsOutOfRange);
    }
    let room = i64::MAX - credits.0;
    let moved = tx
        .one(sql!(
            "UPDATE account_balances SET balance = balance + $2, last_seq = last_seq + 1
             WHERE account_id = $1 AND balance <= $3 RETURNING balance, held, last_seq, low_threshold",
            account,
            credits,
            room
        ))
        .await?;
    let Some(moved) = moved else {
        let known =
            tx.one(sql!("SELECT balance FROM account_balances WHERE account_id = $1", account)).await?;
        return if known.is_some() { Err(Error::CreditsOutOfRange) } else { Ok(None) };
    };
    let moved = Moved::read(&moved)?;
    let kind = match source {
        Addition::Purchase => TransactionKind::Purchase,
        Addition::Grant => TransactionKind::Grant,
        Addition::Refund => TransactionKind::Refund,
    };
    let posting = Posting {
        id: (booking.ids)(),
        seq: moved.last_seq,
        kind,
        credits,
        balance_after: moved.balance,
        held_after: moved.held,
        hold: None,
        reference,
        charge_key: None,
    };
    post(tx, [posting.binds(account, booking.now)]).await?;
    if source == Addition::Purchase {
        tx.run(sql!(
            "UPDATE accounts SET has_purchased_credits = 1, updated_at = $2
             WHERE id = $1 AND has_purchased_credits = 0",
            account,
            booking.now
        ))
        .await?;
    }
    Ok(Some(Transaction {
        id: posting.id,
        kind,
        credits,
        balance_after: Credits(moved.balance),
        reference: reference.map(str::to_owned),
        created_at: booking.now,
    }))
}

/// A hold to take.
pub(crate) struct NewHold<'a> {
    pub(crate) id: HoldId,
    pub(crate) credits: Credits,
    pub(crate) lease: &'a Lease,
    pub(crate) reference: Option<&'a str>,
}

/// Moves available credits to the held ones, for `rows` new numbers of ledger rows. `Err` carries
/// the available credits when there are too few.
async fn set_aside(
    tx: &mut Tx,
    account: AccountId,
    credits: Credits,
    rows: i64,
) -> Result<std::result::Result<Moved, Credits>> {
    loop {
        let moved = tx
            .one(sql!(
                "UPDATE account_balances SET held = held + $2, last_seq = last_seq + $3
                 WHERE account_id = $1 AND balance - held >= $2 RETURNING balance, held, last_seq, low_threshold",
                account,
                credits,
                rows
            ))
            .await?;
        if let Some(moved) = moved {
            return Moved::read(&moved).map(Ok);
        }
        let row = tx
            .one(sql!("SELECT balance - held FROM account_balances WHERE account_id = $1", account))
            .await?;
        let available = row.map_or(Ok(Credits::ZERO), |row| row.scalar())?;
        // On PostgreSQL, other transactions may have released credits since. A refusal must never
        // name as many credits as were requested.
        if available < credits {
            return Ok(Err(available));
        }
    }
}

/// Sets credits aside. On `Insufficient` nothing was written.
pub(crate) async fn hold(
    tx: &mut Tx,
    account: AccountId,
    hold: &NewHold<'_>,
    writing: &Writing<'_>,
) -> Result<HoldOutcome> {
    let now = writing.now;
    if hold.credits <= Credits::ZERO {
        return Err(Error::CreditsOutOfRange);
    }
    let moved = match set_aside(tx, account, hold.credits, 1).await? {
        Ok(moved) => moved,
        Err(available) => return Ok(HoldOutcome::Insufficient { available }),
    };
    let posting = Posting {
        id: hold.id.0,
        seq: moved.last_seq,
        kind: TransactionKind::Hold,
        credits: -hold.credits,
        balance_after: moved.balance,
        held_after: moved.held,
        hold: Some(hold.id),
        reference: hold.reference,
        charge_key: None,
    };
    post(tx, [posting.binds(account, now)]).await?;
    tx.run(sql!(
        "INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        hold.id.0,
        account,
        hold.credits,
        hold.lease.owner.as_str(),
        hold.lease.until,
        hold.reference,
        now
    ))
    .await?;
    events::record_credits_low(tx, account, moved.balance_change(hold.credits), writing).await?;
    Ok(HoldOutcome::Held(hold.id))
}

/// What entitles the caller to settle a hold.
#[derive(Clone, Copy)]
pub(crate) enum Holder<'a> {
    /// By its owner.
    Owner(&'a str),
    /// Because its lease ended before this instant.
    LeaseEndedBefore(Timestamp),
}

/// Settles a hold: releases all of it, then charges `credits`, at most the held amount; zero
/// releases the whole hold. On `Gone` nothing was written.
pub(crate) async fn settle(
    tx: &mut Tx,
    account: AccountId,
    hold: HoldId,
    holder: Holder<'_>,
    credits: Credits,
    booking: Booking<'_>,
) -> Result<SettleOutcome> {
    let credits = credits.max(Credits::ZERO);
    let settled = tx
        .one(match holder {
            Holder::Owner(owner) => sql!(
                "UPDATE holds SET settled_at = $3, charged = CASE WHEN credits < $4 THEN credits ELSE $4 END
                 WHERE id = $1 AND account_id = $2 AND settled_at IS NULL AND owner = $5
                 RETURNING credits, charged, reference",
                hold.0,
                account,
                booking.now,
                credits,
                owner
            ),
            Holder::LeaseEndedBefore(instant) => sql!(
                "UPDATE holds SET settled_at = $3, charged = CASE WHEN credits < $4 THEN credits ELSE $4 END
                 WHERE id = $1 AND account_id = $2 AND settled_at IS NULL AND lease_until < $5
                 RETURNING credits, charged, reference",
                hold.0,
                account,
                booking.now,
                credits,
                instant
            ),
        })
        .await?;
    let Some(settled) = settled else { return Ok(SettleOutcome::Gone) };
    let (whole, charged): (Credits, Credits) = (settled.get("credits")?, settled.get("charged")?);
    let reference: Option<String> = settled.get("reference")?;
    let with_charge = charged > Credits::ZERO;

    let moved = tx
        .one(sql!(
            "UPDATE account_balances SET balance = balance - $2, held = held - $3, last_seq = last_seq + $4
             WHERE account_id = $1 RETURNING balance, held, last_seq, low_threshold",
            account,
            charged,
            whole,
            1 + i64::from(with_charge)
        ))
        .await?
        .ok_or_else(|| Error::Unreadable { what: format!("no balance row for {account}") })?;
    let moved = Moved::read(&moved)?;
    let release = Posting {
        id: (booking.ids)(),
        seq: moved.last_seq - i64::from(with_charge),
        kind: TransactionKind::Release,
        credits: whole,
        balance_after: moved.balance + charged.0,
        held_after: moved.held,
        hold: Some(hold),
        reference: reference.as_deref(),
        charge_key: None,
    };
    let mut rows = vec![release.binds(account, booking.now)];
    if with_charge {
        let charge = Posting {
            id: (booking.ids)(),
            seq: moved.last_seq,
            kind: TransactionKind::Charge,
            credits: -charged,
            balance_after: moved.balance,
            ..release
        };
        rows.push(charge.binds(account, booking.now));
    }
    post(tx, rows).await?;
    Ok(SettleOutcome::Settled { charged })
}

/// Gives an open hold a new owner and lease; returns its credits and its purpose.
pub(crate) async fn adopt(
    tx: &mut Tx,
    account: AccountId,
    hold: HoldId,
    lease: &Lease,
) -> Result<Option<(Credits, Option<String>)>> {
    let row = tx
        .one(sql!(
            "UPDATE holds SET owner = $3, lease_until = $4
             WHERE id = $1 AND account_id = $2 AND settled_at IS NULL RETURNING credits, reference",
            hold.0,
            account,
            lease.owner.as_str(),
            lease.until
        ))
        .await?;
    row.map(|row| row.pair("credits", "reference")).transpose()
}

/// Renews an open hold's lease for its owner: touches one row, or none when the owner has lost the
/// hold.
pub(crate) fn renewal(account: AccountId, hold: HoldId, owner: &str, until: Timestamp) -> Statement {
    sql!(
        "UPDATE holds SET lease_until = $4
         WHERE id = $1 AND account_id = $2 AND settled_at IS NULL AND owner = $3",
        hold.0,
        account,
        owner,
        until
    )
}
