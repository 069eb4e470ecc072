//! Taking up a job, and keeping it.
//!
//! Whose turn it is: live work before the sandbox's, but each eighth job of a process is the sandbox's if it has any; then the
//! account that is first in line, where the higher tiers go back less far each time; of its kinds the one that the worker named first; of its materials the one whose turn
//! it is, and there the lowest chunk. The look for it is a read, so that a worker with nothing to do costs SQLite's one writer
//! nothing; the claim itself is one guarded update.

use std::sync::atomic::Ordering;

use lectern_types::{AccountId, Timestamp};

use super::{JobClaim, JobKind, priority, read_claim};
use crate::{
    Environment, Result, Store,
    db::{Tx, sql},
    dialect,
};

/// Of so many jobs that a process takes up, one is the sandbox's if it has any.
const SANDBOX_SHARE: u64 = 8;

/// How often a claim looks again after others took what it had found.
const LOOKS: u32 = 8;

/// Who claims, what and until when.
#[derive(Debug, Clone, Copy)]
pub struct Claiming<'a> {
    /// The worker's name, for operators.
    pub worker: &'a str,
    /// The kinds it does, at most three; of one account's work those named first come first.
    pub kinds: &'a [JobKind],
    /// Now.
    pub now: Timestamp,
    /// The end of its lease, unless it is renewed.
    pub lease_until: Timestamp,
}

/// Claims the job whose turn it is, if one of these kinds is due.
pub async fn claim(store: &Store, claiming: &Claiming<'_>) -> Result<Option<JobClaim>> {
    let sandbox_first = store.claims.load(Ordering::Relaxed) % SANDBOX_SHARE == SANDBOX_SHARE - 1;
    let order = if sandbox_first {
        [Environment::Test, Environment::Live]
    } else {
        [Environment::Live, Environment::Test]
    };
    for _ in 0..LOOKS {
        let mut found = None;
        for environment in order {
            found = lane(store, claiming, environment).await?;
            if found.is_some() {
                break;
            }
        }
        let Some(lane) = found else { return Ok(None) };
        if let Some(claim) = take(store, claiming, &lane).await? {
            store.claims.fetch_add(1, Ordering::Relaxed);
            return Ok(Some(claim));
        }
    }
    Ok(None)
}

/// One account's due jobs of one kind.
struct Lane {
    kind: JobKind,
    account: AccountId,
    priority: i64,
}

/// The lane whose turn it is. It goes from account to account by the index, not from job to job, so that it takes as long as
/// there are accounts with work, however much each has. (Whether an account has a job that is due is asked for its first, and not
/// with EXISTS, which PostgreSQL turns into a join with every job.)
const LANE: &str = "WITH RECURSIVE lanes (place, kind, account_id) AS (
         SELECT named.place, named.kind, (
             SELECT MIN(j.account_id) FROM jobs j
             WHERE j.status = 'queued' AND j.kind = named.kind AND j.priority = $1)
         FROM (SELECT 1 AS place, CAST($3 AS TEXT) AS kind UNION ALL SELECT 2, CAST($4 AS TEXT)
               UNION ALL SELECT 3, CAST($5 AS TEXT)) named
         WHERE named.kind IS NOT NULL
         UNION ALL
         SELECT lanes.place, lanes.kind, (
             SELECT MIN(j.account_id) FROM jobs j
             WHERE j.status = 'queued' AND j.kind = lanes.kind AND j.priority = $1
               AND j.account_id > lanes.account_id)
         FROM lanes WHERE lanes.account_id IS NOT NULL
     )
     SELECT lanes.kind, lanes.account_id FROM lanes
     WHERE lanes.account_id IS NOT NULL AND (
         SELECT j.id FROM jobs j
         WHERE j.status = 'queued' AND j.kind = lanes.kind AND j.priority = $1
           AND j.account_id = lanes.account_id AND j.run_at <= $2
         ORDER BY j.turn, j.id LIMIT 1) IS NOT NULL
     ORDER BY COALESCE((SELECT MAX(t.served) FROM job_turns t WHERE t.account_id = lanes.account_id), 0),
         lanes.account_id, lanes.place
     LIMIT 1";

async fn lane(store: &Store, claiming: &Claiming<'_>, environment: Environment) -> Result<Option<Lane>> {
    let kind = |at: usize| claiming.kinds.get(at).copied();
    let priority = priority(environment);
    let row = store.one(sql!(LANE, priority, claiming.now, kind(0), kind(1), kind(2))).await?;
    row.map(|row| {
        let mut columns = row.columns();
        Ok(Lane { kind: columns.take()?, account: columns.take()?, priority })
    })
    .transpose()
}

async fn take(store: &Store, claiming: &Claiming<'_>, lane: &Lane) -> Result<Option<JobClaim>> {
    let mut tx = store.begin().await?;
    let claimed = tx
        .one(sql!(
            dialect::claim_job(tx.backend()),
            lane.kind,
            lane.priority,
            lane.account,
            claiming.now,
            claiming.worker,
            claiming.lease_until
        ))
        .await?;
    let Some(claimed) = claimed else { return Ok(None) };
    let mut columns = claimed.columns();
    let claim = read_claim(&mut columns)?;
    note_turn(&mut tx, &claim, columns.take()?).await?;
    tx.commit().await?;
    Ok(Some(claim))
}

/// An account's place in line goes back for each of its jobs by 60 steps, of the standard tier by 30, of the premium tier by 15: so
/// it gets one, two or four turns while all have work. (Stride scheduling, Waldspurger and Weihl, 1995.)
const NOTE_TURN: &str = "INSERT INTO job_turns (account_id, environment, kind, served, turn)
     SELECT $1, $2, $3,
         CASE WHEN line.own > line.last - 60 THEN line.own ELSE line.last - 60 END
             + CASE a.tier WHEN 'premium' THEN 15 WHEN 'standard' THEN 30 ELSE 60 END,
         $4
     FROM accounts a, (SELECT
         COALESCE((SELECT MAX(served) FROM job_turns WHERE account_id = $1), 0) AS own,
         COALESCE((SELECT MAX(served) FROM job_turns), 0) AS last) line
     WHERE a.id = $1
     ON CONFLICT (account_id, environment, kind) DO UPDATE SET served = excluded.served,
         turn = CASE WHEN excluded.turn > job_turns.turn THEN excluded.turn ELSE job_turns.turn END";

/// Notes that the account was served: its place in line goes back, from where it was or, if it has not been in line for a while, from
/// just before the last, so that it does not catch up on turns that it did not ask for.
async fn note_turn(tx: &mut Tx, claim: &JobClaim, turn: i64) -> Result<()> {
    tx.run(sql!(NOTE_TURN, claim.account, claim.environment, claim.kind, turn)).await.map(drop)
}

/// Renews the lease of a claimed job; false when the claim is lost, or the job is done or deleted with its material.
pub async fn renew(store: &Store, claim: &JobClaim, until: Timestamp) -> Result<bool> {
    let touched = store
        .run(sql!(
            "UPDATE jobs SET lease_until = $3 WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch,
            until
        ))
        .await?;
    Ok(touched == 1)
}

/// Whether a claim still stands; what [`renew`] would say, and nothing is written.
pub async fn stands(store: &Store, claim: &JobClaim) -> Result<bool> {
    let row = store
        .one(sql!(
            "SELECT id FROM jobs WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch
        ))
        .await?;
    Ok(row.is_some())
}
