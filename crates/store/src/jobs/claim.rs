//! Claims jobs and renews the claims.
//!
//! The order: live work comes before the sandbox's, but every eighth job of a process is the
//! sandbox's if it has any. Then comes the account that is first in line; a higher tier goes back
//! less far for each job. Of an account's kinds the one that the worker names first comes first, of
//! its materials the one whose turn it is, and there the lowest chunk. One transaction claims as
//! many jobs as the worker has room for, shared among the accounts as if they were claimed one by
//! one. Finding the next jobs is a read, so an idle worker costs SQLite's one writer nothing. The
//! claim itself is one guarded update on PostgreSQL, and one for each account on SQLite.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use lectern_types::{AccountId, Timestamp};

use super::{JobClaim, JobKind, priority, read_claim};
use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, some_at_once, sql},
    dialect,
};

/// One in this many jobs that a process claims is the sandbox's, if it has any.
const SANDBOX_SHARE: u64 = 8;

/// The most jobs of one claim, however much room the worker has.
const MAX_JOBS: usize = 1_024;

/// How often a claim polls again after others claimed what it had found.
const POLLS: u32 = 8;

/// How far an account may lag the last that was served, in the steps of a free account's job.
const CATCH_UP: i64 = 60;

/// Who claims, what and until when.
#[derive(Debug, Clone, Copy)]
pub struct Claiming<'a> {
    /// The worker's name, for operators.
    pub worker: &'a str,
    /// How many jobs it has room for of each kind that it does; of one
    /// account's work those named first come first.
    pub room: &'a [(JobKind, usize)],
    /// The engines that it has. Of the kinds that need one, jobs for others are left; those of which
    /// it is not known what they need are taken where an empty name is among these.
    pub engines: &'a [&'a str],
    pub now: Timestamp,
    /// The end of its lease, unless it is renewed.
    pub lease_until: Timestamp,
}

impl Claiming<'_> {
    /// How many jobs there is room for, of all kinds.
    fn wanted(&self) -> usize {
        self.room.iter().fold(0, |sum, (_, room)| sum.saturating_add(*room))
    }
}

/// Claims due jobs in the order of their turns, as far as there is room. More jobs may be due than
/// were claimed, even if there is room: call it until it returns none.
pub async fn claim(store: &Store, claiming: &Claiming<'_>) -> Result<Vec<JobClaim>> {
    let before_sandbox = SANDBOX_SHARE - 1 - store.claims.load(Ordering::Relaxed) % SANDBOX_SHARE;
    let many = usize::MAX;
    let order = match usize::try_from(before_sandbox).unwrap_or(many) {
        0 => [(Environment::Test, 1), (Environment::Live, many)],
        before => [(Environment::Live, before), (Environment::Test, many)],
    };
    for _ in 0..POLLS {
        let mut found = None;
        for (environment, most) in order {
            let lanes = lanes(store, claiming, environment).await?;
            if lanes.is_empty() {
                continue;
            }
            // What lies beyond the sandbox's turn is not kept for it when it has nothing to do.
            let all = environment == Environment::Live
                && most < claiming.wanted()
                && self::lanes(store, claiming, Environment::Test).await?.is_empty();
            let most = if all { many } else { most };
            found = Some((environment, share_out(lanes, claiming.room, most)));
            break;
        }
        let Some((environment, portions)) = found else { return Ok(Vec::new()) };
        let claims = take(store, claiming, environment, &portions).await?;
        if !claims.is_empty() {
            store.claims.fetch_add(claims.len() as u64, Ordering::Relaxed);
            return Ok(claims);
        }
    }
    Ok(Vec::new())
}

/// One account's due jobs of one kind for one engine, in line for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lane {
    kind: JobKind,
    engine: String,
    account: AccountId,
    /// The account's place in line.
    served: i64,
    /// The steps that it goes back for each job.
    stride: i64,
    /// The place of who was served last.
    last: i64,
}

/// How many jobs to take from one account's lane.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Portion {
    kind: JobKind,
    engine: String,
    account: AccountId,
    jobs: usize,
}

/// The lanes in the order of their turns. It goes from account to account by the index, not from
/// job to job, so that it takes as long as there are accounts with work, however much each has.
/// (Whether an account has a job that is due is asked for its first, and not with EXISTS, which
/// PostgreSQL turns into a join with every job.)
///
/// An account's place in line goes back for each of its jobs by 60 steps, of the standard tier by
/// 30, of the premium tier by 15: so it gets one, two or four turns while all have work. (Stride
/// scheduling, Waldspurger and Weihl, 1995.)
const LANES: &str = "WITH RECURSIVE named (place, kind, engine) AS (VALUES ";
const LANES_END: &str = "), lanes (place, kind, engine, account_id) AS (
         SELECT named.place, named.kind, named.engine, (
             SELECT MIN(j.account_id) FROM jobs j
             WHERE j.status = 'queued' AND j.kind = named.kind AND j.engine = named.engine AND j.priority = $1)
         FROM named
         UNION ALL
         SELECT lanes.place, lanes.kind, lanes.engine, (
             SELECT MIN(j.account_id) FROM jobs j
             WHERE j.status = 'queued' AND j.kind = lanes.kind AND j.engine = lanes.engine AND j.priority = $1
               AND j.account_id > lanes.account_id)
         FROM lanes WHERE lanes.account_id IS NOT NULL
     )
     SELECT lanes.kind, lanes.engine, lanes.account_id,
         COALESCE((SELECT MAX(t.served) FROM job_turns t WHERE t.account_id = lanes.account_id), 0) AS served,
         CAST(CASE a.tier WHEN 'premium' THEN 15 WHEN 'standard' THEN 30 ELSE 60 END AS BIGINT) AS stride,
         COALESCE((SELECT MAX(served) FROM job_turns), 0) AS last_served
     FROM lanes JOIN accounts a ON a.id = lanes.account_id
     WHERE (
         SELECT j.id FROM jobs j
         WHERE j.status = 'queued' AND j.kind = lanes.kind AND j.engine = lanes.engine AND j.priority = $1
           AND j.account_id = lanes.account_id AND j.run_at <= $2
         ORDER BY j.turn, j.id LIMIT 1) IS NOT NULL
     ORDER BY served, lanes.account_id, lanes.place
     LIMIT $3";

async fn lanes(store: &Store, claiming: &Claiming<'_>, environment: Environment) -> Result<Vec<Lane>> {
    let kinds = claiming.room.iter().filter(|(_, room)| *room > 0).map(|(kind, _)| *kind);
    let none: &[&str] = &[""];
    let named = kinds.flat_map(|kind| {
        let engines = if kind.needs_engine() { claiming.engines } else { none };
        engines.iter().map(move |engine| (kind, *engine))
    });
    let rows = named.zip(1_i64..).map(|((kind, engine), place)| [place.bind(), kind.bind(), engine.bind()]);
    let most = i64::try_from(claiming.wanted()).unwrap_or(i64::MAX);
    let fixed = [priority(environment).bind(), claiming.now.bind(), most.bind()];
    let read = |row: &Row| {
        Ok(Lane {
            kind: row.get("kind")?,
            engine: row.get("engine")?,
            account: row.get("account_id")?,
            served: row.get("served")?,
            stride: row.get("stride")?,
            last: row.get("last_served")?,
        })
    };
    let mut lanes = Vec::new();
    for asked in many(LANES, &fixed, rows, LANES_END) {
        lanes.extend(store.all(asked).await?.iter().map(read).collect::<Result<Vec<_>>>()?);
    }
    Ok(lanes)
}

/// How many jobs each lane gets of the room, and of `most` in all, when the first in line takes one
/// and goes back, again and again. A lane may have fewer jobs than that; the next claim fills the
/// gap. The result is in the locking order of the rows.
fn share_out(mut lanes: Vec<Lane>, room: &[(JobKind, usize)], most: usize) -> Vec<Portion> {
    let mut room = room.to_vec();
    let mut last = lanes.first().map_or(0, |lane| lane.last);
    let mut portions: Vec<Portion> = Vec::new();
    for _ in 0..most.min(MAX_JOBS) {
        let has_room = |lane: &Lane| room.iter().any(|(kind, free)| *kind == lane.kind && *free > 0);
        // Among equal lanes, the one that was read first.
        let Some(first) = lanes.iter().filter(|lane| has_room(lane)).min_by_key(|lane| lane.served) else {
            break;
        };
        let Lane { kind, engine, account, served, stride, .. } = first.clone();
        if let Some((_, free)) = room.iter_mut().find(|(of, _)| *of == kind) {
            *free -= 1;
        }
        let after = served.max(last - CATCH_UP) + stride;
        last = last.max(after);
        for lane in lanes.iter_mut().filter(|lane| lane.account == account) {
            lane.served = after;
        }
        let same = |portion: &&mut Portion| {
            (portion.kind, portion.account) == (kind, account) && portion.engine == engine
        };
        match portions.iter_mut().find(same) {
            Some(portion) => portion.jobs += 1,
            None => portions.push(Portion { kind, engine, account, jobs: 1 }),
        }
    }
    portions.sort_by(|a, b| (a.account, a.kind, &a.engine).cmp(&(b.account, b.kind, &b.engine)));
    portions
}

async fn take(
    store: &Store,
    claiming: &Claiming<'_>,
    environment: Environment,
    portions: &[Portion],
) -> Result<Vec<JobClaim>> {
    let mut tx = store.begin().await?;
    let (end, at_once) = dialect::claim_jobs(tx.backend());
    let fixed = [
        priority(environment).bind(),
        claiming.now.bind(),
        claiming.worker.bind(),
        claiming.lease_until.bind(),
    ];
    let rows = portions.iter().map(|portion| {
        let jobs = i64::try_from(portion.jobs).unwrap_or(i64::MAX);
        [portion.kind.bind(), portion.engine.as_str().bind(), portion.account.bind(), jobs.bind()]
    });
    let before = "WITH portions (kind, engine, account_id, jobs) AS (VALUES ";
    let claimed = tx.every(some_at_once(at_once, before, &fixed, rows, end)).await?;
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let read = |row: &Row| -> Result<(i64, JobClaim)> { Ok((row.get("turn")?, read_claim(row)?)) };
    // A job that cannot be read stays claimed, so that it does not block the next; `reclaim_lost`
    // reports it when its lease expires.
    let mut claims: Vec<(i64, JobClaim)> = claimed.iter().filter_map(|row| read(row).ok()).collect();
    note_turns(&mut tx, &claims, environment).await?;
    tx.commit().await?;
    claims.sort_by_key(|(turn, claim)| (*turn, claim.id));
    Ok(claims.into_iter().map(|(_, claim)| claim).collect())
}

/// Places and steps are as in [`LANES`]. Rows are locked in the order of accounts and of
/// [`JobKind`], which is the reverse of its texts, as in every version, so that two claims never
/// deadlock. (`WHERE` is for SQLite, which would read `ON` as a join's.)
const NOTE_TURNS: &str = "WITH served (account_id, kind, jobs, turn) AS (VALUES ";
const NOTE_TURNS_END: &str = ")
     INSERT INTO job_turns (account_id, environment, kind, served, turn)
     SELECT line.account_id, $1, line.kind,
         CASE WHEN line.own > line.last - $2 THEN line.own ELSE line.last - $2 END
             + line.jobs * CASE line.tier WHEN 'premium' THEN 15 WHEN 'standard' THEN 30 ELSE 60 END,
         line.turn
     FROM (
         SELECT served.account_id, served.kind, served.jobs, served.turn, a.tier,
             COALESCE((SELECT MAX(t.served) FROM job_turns t WHERE t.account_id = served.account_id), 0) AS own,
             COALESCE((SELECT MAX(t.served) FROM job_turns t), 0) AS last
         FROM served JOIN accounts a ON a.id = served.account_id
         ORDER BY served.account_id, served.kind DESC
     ) line
     WHERE line.jobs > 0
     ON CONFLICT (account_id, environment, kind) DO UPDATE SET served = excluded.served,
         turn = CASE WHEN excluded.turn > job_turns.turn THEN excluded.turn ELSE job_turns.turn END";

/// Records how many jobs each account got. Its place in line goes back from where it was. An
/// account that had no work for a while goes back from just before the last one served, so that it
/// does not catch up on turns that it did not ask for.
async fn note_turns(tx: &mut Tx, claims: &[(i64, JobClaim)], environment: Environment) -> Result<()> {
    let mut turns: BTreeMap<(AccountId, JobKind), i64> = BTreeMap::new();
    let mut jobs: BTreeMap<AccountId, i64> = BTreeMap::new();
    for (turn, claim) in claims {
        let last = turns.entry((claim.account, claim.kind)).or_insert(*turn);
        *last = (*last).max(*turn);
        *jobs.entry(claim.account).or_default() += 1;
    }
    // An account's place is that of its kinds that is furthest back: each of them goes back for all
    // of its jobs.
    let rows = turns.into_iter().map(|((account, kind), turn)| {
        let jobs = jobs.get(&account).copied().unwrap_or_default();
        [account.bind(), kind.bind(), jobs.bind(), turn.bind()]
    });
    // In one statement, since each looks at the places before it.
    let all = MAX_JOBS * JobKind::ALL.len();
    let fixed = [environment.bind(), CATCH_UP.bind()];
    tx.run_all(some_at_once(all, NOTE_TURNS, &fixed, rows, NOTE_TURNS_END)).await.map(drop)
}

/// Renews the lease of a claimed job; false when the claim is lost, or the job is done or deleted
/// with its material.
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

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: i64 = 60;
    const PREMIUM: i64 = 15;

    fn id(account: u8) -> AccountId {
        format!("acc_{account:032x}").parse().expect("it is an id")
    }

    fn lane(account: u8, kind: JobKind, served: i64, stride: i64) -> Lane {
        Lane { kind, engine: String::new(), account: id(account), served, stride, last: 600 }
    }

    fn portion(account: u8, kind: JobKind, jobs: usize) -> Portion {
        Portion { kind, engine: String::new(), account: id(account), jobs }
    }

    #[test]
    fn room_is_shared_out_as_if_jobs_were_taken_one_by_one() {
        let chunk = JobKind::ConvertChunk;
        let lanes = vec![lane(2, chunk, 600, FREE), lane(1, chunk, 600, PREMIUM), lane(3, chunk, 600, FREE)];
        let shared = share_out(lanes, &[(chunk, 12)], usize::MAX);
        assert_eq!(shared, [portion(1, chunk, 8), portion(2, chunk, 2), portion(3, chunk, 2)]);
    }

    #[test]
    fn who_was_not_in_line_for_long_does_not_catch_up() {
        let chunk = JobKind::ConvertChunk;
        let shared =
            share_out(vec![lane(1, chunk, 0, FREE), lane(2, chunk, 600, FREE)], &[(chunk, 6)], usize::MAX);
        assert_eq!(shared, [portion(1, chunk, 4), portion(2, chunk, 2)]);
    }

    #[test]
    fn each_kind_has_its_own_room_and_all_have_the_most() {
        let (read, chunk) = (JobKind::Extract, JobKind::ConvertChunk);
        let lanes = || vec![lane(1, read, 0, FREE), lane(1, chunk, 0, FREE), lane(2, chunk, 600, FREE)];
        let shared = share_out(lanes(), &[(read, 1), (chunk, 3)], usize::MAX);
        assert_eq!(shared, [portion(1, read, 1), portion(1, chunk, 2), portion(2, chunk, 1)]);
        assert_eq!(share_out(lanes(), &[(read, 1), (chunk, 3)], 1), [portion(1, read, 1)]);
        assert_eq!(share_out(lanes(), &[(chunk, 0)], usize::MAX), []);
    }
}
