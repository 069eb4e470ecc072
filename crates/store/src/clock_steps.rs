//! A clock that was set back, on the machine of a store that has no clock of its own.
//!
//! What the store holds was written by the later time: a job that was due waits until the clock has caught up, and the
//! lease of a process that died lasts as much longer. [`observe`] keeps the latest time that was seen, tells by it that
//! the clock is behind, and moves what waits back by the difference.

use lectern_types::Timestamp;

use crate::{
    Result, Store,
    db::{Tx, sql},
};

/// The setting that holds the latest time seen.
const SEEN: &str = "clock_seen";

/// How much later the clock must be for its time to be written again, in microseconds. A step back by less than that may
/// stay unseen, and costs no more than that.
const APART_MICROS: i64 = 60_000_000;

/// Notes the time; how many microseconds the clock was set back since the last time, or 0.
pub async fn observe(store: &Store, now: Timestamp) -> Result<i64> {
    let seen = crate::settings::find(store, SEEN).await?;
    let seen = seen.and_then(|seen| seen.parse().ok()).map(Timestamp);
    let ahead = seen.map_or(0, |seen| seen.0.saturating_sub(now.0));
    if seen.is_some() && ahead.abs() < APART_MICROS {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    if ahead > 0 {
        move_back(&mut tx, now, ahead).await?;
    }
    let write = "INSERT INTO store_settings (name, value) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.run(sql!(write, SEEN, now.0.to_string())).await?;
    tx.commit().await?;
    Ok(ahead.max(0))
}

/// Moves what waits for a time back by `by`. What was due by the later time is due now; what others lease since the step
/// ends sooner than that and stays as it is.
async fn move_back(tx: &mut Tx, now: Timestamp, by: i64) -> Result<()> {
    const DUE: [&str; 3] = [
        "UPDATE jobs SET run_at = CASE WHEN run_at > $1 THEN run_at - $2 ELSE $3 END
         WHERE status = 'queued' AND run_at > $3",
        "UPDATE webhook_deliveries SET next_attempt_at =
             CASE WHEN next_attempt_at > $1 THEN next_attempt_at - $2 ELSE $3 END
         WHERE next_attempt_at IS NOT NULL AND next_attempt_at > $3",
        // One made since is being sent by whoever made it.
        "UPDATE outgoing_mails SET next_attempt_at =
             CASE WHEN next_attempt_at > $1 THEN next_attempt_at - $2 ELSE $3 END
         WHERE delivered_at IS NULL AND (next_attempt_at > $1 OR (next_attempt_at > $3 AND created_at > $3))",
    ];
    const LEASES: [&str; 5] = [
        "UPDATE jobs SET lease_until = lease_until - $2 WHERE status = 'running' AND lease_until > $1",
        "UPDATE webhook_deliveries SET lease_until = lease_until - $2
         WHERE status = 'in_flight' AND lease_until > $1",
        "UPDATE holds SET lease_until = lease_until - $2 WHERE settled_at IS NULL AND lease_until > $1",
        "UPDATE idempotency_keys SET lease_until = lease_until - $2
         WHERE finished_at IS NULL AND lease_until > $1",
        "UPDATE object_deletions SET due_at = due_at - $2 WHERE due_at > $1",
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
