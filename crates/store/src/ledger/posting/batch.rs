//! Many holds at once: those of the chunks of a conversion, taken and released together, and those
//! of chunks of several accounts, captured together. Each hold keeps its own row; each account's
//! balance moves once, by the sum.

use std::collections::BTreeMap;

use lectern_types::{AccountId, Credits, Timestamp, TransactionKind};

use super::{Bind, Booking, HoldId, Moved, Posting, Tx};
use crate::{
    Error, Result,
    db::{Bound as _, many, sql},
    dialect, events,
    writing::Writing,
};

/// The end of the lease of a hold that something other than its lease keeps alive: never.
pub(crate) const NEVER: Timestamp = Timestamp(i64::MAX);

/// One of several holds to take.
pub(crate) struct Part {
    pub(crate) id: HoldId,
    pub(crate) credits: Credits,
    /// What the hold is for; also its owner.
    pub(crate) reference: String,
}

const INSERT_HOLDS: &str =
    "INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at) VALUES ";

/// Sets credits aside for all parts or for none. Returns `Some` with the available credits when
/// there are too few; nothing was written then.
///
/// # Errors
/// [`Error::CreditsOutOfRange`] when a part is not more than zero or the sum leaves the range.
pub(crate) async fn hold(
    tx: &mut Tx,
    account: AccountId,
    parts: &[Part],
    writing: &Writing<'_>,
) -> Result<Option<Credits>> {
    let now = writing.now;
    let Some(sum) = sum(parts.iter().map(|part| part.credits)) else {
        return Err(Error::CreditsOutOfRange);
    };
    if parts.is_empty() {
        return Ok(None);
    }
    let rows = parts.len().cast_signed() as i64;
    let moved = match super::set_aside(tx, account, sum, rows).await? {
        Ok(moved) => moved,
        Err(available) => return Ok(Some(available)),
    };
    let mut held = moved.held - sum.0;
    let postings = parts.iter().zip(moved.last_seq - rows + 1..).map(|(part, seq)| {
        held += part.credits.0;
        let posting = Posting {
            id: part.id.0,
            seq,
            kind: TransactionKind::Hold,
            credits: -part.credits,
            balance_after: moved.balance,
            held_after: held,
            hold: Some(part.id),
            reference: Some(&part.reference),
            charge_key: None,
        };
        posting.binds(account, now)
    });
    super::post(tx, postings).await?;
    let holds = parts.iter().map(|part| {
        [
            part.id.0.bind(),
            account.bind(),
            part.credits.bind(),
            part.reference.as_str().bind(),
            NEVER.bind(),
            part.reference.as_str().bind(),
            now.bind(),
        ]
    });
    tx.run_all(many(INSERT_HOLDS, &[], holds, "")).await?;
    events::record_credits_low(tx, account, moved.balance_change(sum), writing).await?;
    Ok(None)
}

/// A hold to charge.
pub(crate) struct Capture {
    pub(crate) account: AccountId,
    pub(crate) hold: HoldId,
    /// The owner that the hold must have.
    pub(crate) owner: String,
    /// At most the held credits.
    pub(crate) credits: Credits,
    /// A name that no other charge in the ledger may have, so that its subject is charged once.
    pub(crate) key: String,
}

const CAPTURE: &str = "WITH captured (hold, account, owner, charge) AS (VALUES ";
const CAPTURE_END: &str = ") UPDATE holds SET settled_at = $1, charged = captured.charge FROM captured
     WHERE id = captured.hold AND account_id = captured.account AND holds.owner = captured.owner AND settled_at IS NULL
         AND credits >= captured.charge
     RETURNING id, credits, reference";

const MOVE: &str = "WITH moved (account, charged, released, postings) AS (VALUES ";
const MOVE_END: &str =
    ") UPDATE account_balances SET balance = balance - moved.charged, held = held - moved.released,
         last_seq = last_seq + moved.postings
     FROM moved WHERE account_id = moved.account
     RETURNING account_id, balance, held, last_seq, low_threshold";

/// The change of an account's balance when some of its holds are settled.
#[derive(Clone, Copy, Default)]
struct Move {
    charged: i64,
    released: i64,
    postings: i64,
}

/// Settles these holds: releases all of each, then charges. False when a hold was settled before,
/// has another owner or holds less; the caller then rolls back its transaction.
pub(crate) async fn capture(tx: &mut Tx, captures: &[Capture], booking: Booking<'_>) -> Result<bool> {
    let rows = captures.iter().map(|capture| {
        let Capture { account, hold, owner, credits, .. } = capture;
        [hold.0.bind(), account.bind(), owner.as_str().bind(), credits.bind()]
    });
    let mut held: BTreeMap<HoldId, (Credits, Option<String>)> = BTreeMap::new();
    for row in tx.every(many(CAPTURE, &[booking.now.bind()], rows, CAPTURE_END)).await? {
        held.insert(HoldId(row.get("id")?), (row.get("credits")?, row.get("reference")?));
    }
    if held.len() != captures.len() {
        return Ok(false);
    }
    let mut moves: BTreeMap<AccountId, Move> = BTreeMap::new();
    for capture in captures {
        let Some((whole, _)) = held.get(&capture.hold) else { return Ok(false) };
        moves.entry(capture.account).or_default().add(*whole, capture.credits)?;
    }
    let mut figures = move_balances(tx, &moves).await?;
    let mut postings = Vec::with_capacity(captures.len() * 2);
    for capture in captures {
        let whole = held.get(&capture.hold);
        let (Some((whole, reference)), Some(figures)) = (whole, figures.get_mut(&capture.account)) else {
            return Err(Error::Unreadable { what: format!("no balance row for {}", capture.account) });
        };
        figures.held -= whole.0;
        figures.last_seq += 1;
        let release = Posting {
            id: (booking.ids)(),
            seq: figures.last_seq,
            kind: TransactionKind::Release,
            credits: *whole,
            balance_after: figures.balance,
            held_after: figures.held,
            hold: Some(capture.hold),
            reference: reference.as_deref(),
            charge_key: None,
        };
        postings.push(release.binds(capture.account, booking.now));
        if capture.credits > Credits::ZERO {
            figures.balance -= capture.credits.0;
            figures.last_seq += 1;
            let charge = Posting {
                id: (booking.ids)(),
                seq: figures.last_seq,
                kind: TransactionKind::Charge,
                credits: -capture.credits,
                balance_after: figures.balance,
                charge_key: Some(&capture.key),
                ..release
            };
            postings.push(charge.binds(capture.account, booking.now));
        }
    }
    super::post(tx, postings).await?;
    Ok(true)
}

impl Move {
    /// Adds a hold of `whole` that is settled for `credits`.
    fn add(&mut self, whole: Credits, credits: Credits) -> Result<()> {
        let sum = |to: i64, more: Credits| to.checked_add(more.0).ok_or(Error::CreditsOutOfRange);
        self.charged = sum(self.charged, credits)?;
        self.released = sum(self.released, whole)?;
        self.postings += 1 + i64::from(credits > Credits::ZERO);
        Ok(())
    }
}

/// Moves balances, locked in the order of their accounts; returns the balances before the move,
/// from which the new ledger rows count on.
async fn move_balances(tx: &mut Tx, moves: &BTreeMap<AccountId, Move>) -> Result<BTreeMap<AccountId, Moved>> {
    if let Some((sql, end)) = dialect::lock_balances(tx.backend()).filter(|_| moves.len() > 1) {
        tx.every(many(sql, &[], moves.keys().map(|account| [account.bind()]), end)).await?;
    }
    let rows = moves
        .iter()
        .map(|(account, sum)| [account.bind(), sum.charged.bind(), sum.released.bind(), sum.postings.bind()]);
    let mut before = BTreeMap::new();
    for row in tx.every(many(MOVE, &[], rows, MOVE_END)).await? {
        let account = row.get("account_id")?;
        let mut figures = Moved::read(&row)?;
        if let Some(sum) = moves.get(&account) {
            figures.balance += sum.charged;
            figures.held += sum.released;
            figures.last_seq -= sum.postings;
        }
        before.insert(account, figures);
    }
    Ok(before)
}

/// Releases these open holds, regardless of their owners; returns how many credits. Skips holds
/// that were settled before.
pub(crate) async fn release(
    tx: &mut Tx,
    account: AccountId,
    holds: &[HoldId],
    booking: Booking<'_>,
) -> Result<Credits> {
    let mut settled: Vec<(HoldId, Credits, Option<String>)> = Vec::with_capacity(holds.len());
    let rows = holds.iter().map(|hold| [hold.0.bind()]);
    let fixed: [Bind; 2] = [account.bind(), booking.now.bind()];
    for statement in many(SETTLE_MANY, &fixed, rows, SETTLE_MANY_END) {
        for row in tx.all(statement).await? {
            settled.push((HoldId(row.get("id")?), row.get("credits")?, row.get("reference")?));
        }
    }
    let Some(sum) = sum(settled.iter().map(|(_, credits, _)| *credits)) else {
        return Err(Error::CreditsOutOfRange);
    };
    if settled.is_empty() {
        return Ok(Credits::ZERO);
    }
    // Sorted by the order in which they were taken, because the database returns them in any order.
    settled.sort_unstable_by_key(|(hold, ..)| *hold);
    let rows = settled.len().cast_signed() as i64;
    let moved = tx
        .one(sql!(
            "UPDATE account_balances SET held = held - $2, last_seq = last_seq + $3
             WHERE account_id = $1 RETURNING balance, held, last_seq, low_threshold",
            account,
            sum,
            rows
        ))
        .await?
        .ok_or_else(|| Error::Unreadable { what: format!("no balance row for {account}") })?;
    let moved = Moved::read(&moved)?;
    let mut held = moved.held + sum.0;
    let postings =
        settled.iter().zip(moved.last_seq - rows + 1..).map(|((hold, credits, reference), seq)| {
            held -= credits.0;
            let posting = Posting {
                id: (booking.ids)(),
                seq,
                kind: TransactionKind::Release,
                credits: *credits,
                balance_after: moved.balance,
                held_after: held,
                hold: Some(*hold),
                reference: reference.as_deref(),
                charge_key: None,
            };
            posting.binds(account, booking.now)
        });
    super::post(tx, postings).await?;
    Ok(sum)
}

const SETTLE_MANY: &str = "UPDATE holds SET settled_at = $2, charged = 0
     WHERE account_id = $1 AND settled_at IS NULL AND id IN (";
const SETTLE_MANY_END: &str = ") RETURNING id, credits, reference";

/// The sum; `None` when it leaves the range or a part is not more than zero.
fn sum(parts: impl Iterator<Item = Credits>) -> Option<Credits> {
    let mut sum = 0_i64;
    for part in parts {
        sum = sum.checked_add(part.0).filter(|_| part > Credits::ZERO)?;
    }
    Some(Credits(sum))
}
