//! Many holds at once: those of the chunks of a conversion. Each keeps its own row, because each is captured or released by
//! itself; the balance moves once, by their sum.

use lectern_types::{AccountId, Credits, Timestamp};

use super::{Bind, Booking, HoldId, Moved, Posting, TransactionKind, Tx};
use crate::{
    Error, Result,
    db::{Bound as _, many, sql},
    events,
    writing::Writing,
};

/// When the lease of a hold ends that something else than a lease keeps alive: never.
pub(crate) const NEVER: Timestamp = Timestamp(i64::MAX);

/// A hold to take among others.
pub(crate) struct Part {
    pub(crate) id: HoldId,
    pub(crate) credits: Credits,
    /// What it is for; also the word of its owner.
    pub(crate) reference: String,
}

const INSERT_HOLDS: &str =
    "INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at) VALUES ";

const POST_MANY: &str =
    "INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account,
         balance_after, held_after, hold_id, reference, created_at, charge_key) VALUES ";

/// Sets credits aside for all parts or for none: `Some` says what is available when that is too little; nothing was
/// written then.
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
    tx.run_all(many(POST_MANY, &[], postings, "")).await?;
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
    events::tell_low(tx, account, moved.fall(sum), writing).await?;
    Ok(None)
}

/// Releases these open holds, whoever owns them; how many credits. A hold that is settled already is passed over.
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
            let mut columns = row.columns();
            settled.push((HoldId(columns.take()?), columns.take()?, columns.maybe()?));
        }
    }
    let Some(sum) = sum(settled.iter().map(|(_, credits, _)| *credits)) else {
        return Err(Error::CreditsOutOfRange);
    };
    if settled.is_empty() {
        return Ok(Credits::ZERO);
    }
    // In the order in which they were taken, whatever order the database gave them in.
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
    let moved = Moved::read(moved.columns())?;
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
    tx.run_all(many(POST_MANY, &[], postings, "")).await?;
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
