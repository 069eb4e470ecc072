//! Corrects the store after its machine's clock was set back, for a database without a clock of its
//! own (SQLite).
//!
//! Times in the store come from before the step: a job that was due waits until the clock has
//! caught up, and the lease of a process that died lasts that much longer. [`observe`] keeps the
//! latest observed time, compares it with the clock, and moves pending work back by the difference.

use lectern_types::Timestamp;

use crate::{
    Result, Store,
    db::{Tx, sql},
};

/// The setting that holds the latest observed time.
const SEEN: &str = "clock_seen";

/// The latest time is written again once the clock is this much later, in microseconds. A smaller
/// step back may go unnoticed, and delays work by no more than that.
const APART_MICROS: i64 = 60_000_000;

/// Records the time. Returns by how many microseconds the clock was set back since the last call,
/// or 0.
pub async fn observe(store: &Store, now: Timestamp) -> Result<i64> {
    if ahead(crate::settings::find(store, SEEN).await?, now) == Some(0) {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    // Read again: another process may have moved everything in the meantime.
    let seen = tx.one(sql!("SELECT value FROM store_settings WHERE name = $1", SEEN)).await?;
    let ahead = ahead(seen.map(|row| row.scalar()).transpose()?, now);
    if ahead == Some(0) {
        return Ok(0);
    }
    let ahead = ahead.unwrap_or(0);
    if ahead > 0 {
        move_back(&mut tx, now, ahead).await?;
    }
    let write = "INSERT INTO store_settings (name, value) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.run(sql!(write, SEEN, now.0.to_string())).await?;
    tx.commit().await?;
    Ok(ahead.max(0))
}

/// How far the latest observed time is ahead of `now`, in microseconds; 0 when they are close,
/// `None` when none was observed.
fn ahead(seen: Option<String>, now: Timestamp) -> Option<i64> {
    let seen: i64 = seen?.parse().ok()?;
    let ahead = seen.saturating_sub(now.0);
    Some(if ahead.abs() < APART_MICROS { 0 } else { ahead })
}

/// Moves pending times back by `by`. Work that was due before the clock was set back is due now.
/// Leases granted since then end earlier than the old time and stay as they are.
async fn move_back(tx: &mut Tx, now: Timestamp, by: i64) -> Result<()> {
    const DUE: [&str; 3] = [
        "UPDATE jobs SET run_at = CASE WHEN run_at > $1 THEN run_at - $2 ELSE $3 END
         WHERE status = 'queued' AND run_at > $3",
        "UPDATE webhook_deliveries SET next_attempt_at =
             CASE WHEN next_attempt_at > $1 THEN next_attempt_at - $2 ELSE $3 END
         WHERE next_attempt_at IS NOT NULL AND next_attempt_at > $3",
        // A newer mail is being sent by the process that made it.
        "UPDATE outgoing_mails SET next_attempt_at =
             CASE WHEN next_attempt_at > $1 THEN next_attempt_at - $2 ELSE $3 END
         WHERE delivered_at IS NULL AND (next_attempt_at > $1 OR (next_attempt_at > $3 AND created_at > $3))",
    ];
    const LEASES: [&str; 4] = [
        "UPDATE jobs SET lease_until = lease_until - $2 WHERE status = 'running' AND lease_until > $1",
        "UPDATE webhook_deliveries SET lease_until = lease_until - $2
         WHERE status = 'in_flight' AND lease_until > $1",
        "UPDATE holds SET lease_until = lease_until - $2 WHERE settled_at IS NULL AND lease_until > $1",
        "UPDATE idempotency_keys SET lease_until = lease_until - $2
         WHERE finished_at IS NULL AND lease_until > $1",
    ];
    let then = now.plus_micros(by);
    for statement in DUE {
        tx.run(sql!(statement, then, by, now)).await?;
    }
    for statement in LEASES {
        tx.run(sql!(statement, then, by)).await?;
    }
    Ok(())
}
