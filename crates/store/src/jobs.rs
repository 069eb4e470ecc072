//! Jobs: work that outlives the request that asked for it. A row is queued, running under a lease,
//! or dead; a finished job has no row. The database is the truth: each claim gives the job a new
//! epoch, and whatever ends it names that epoch, so that a worker whose lease was lost changes
//! nothing.
//!
//! Here are the queue and its claims: [`claim()`], [`renew`], and what operators see ([`list()`],
//! [`counts`]). How a job ends other than by success, with its effects on materials and chunks, is
//! in `job_outcomes`. The caller decides how long to wait before another attempt and how many there
//! are.

use lectern_types::{AccountId, JobId, MaterialId, MaterialStatus};

use crate::{
    Environment, Result, Store,
    db::{Bind, Bound as _, Row, Tx, many, sql},
    events::Owner,
    notifications::{Notification, QueuedJob},
    vocabulary::text_enum,
    writing::Writing,
};

mod claim;
mod list;

pub use crate::vocabulary::JobKind;
pub use claim::{Claiming, claim, renew, stands};
pub use list::{Count, Due, Filter, Job, UnreadableJob, characters_to_convert, counts, due, find, list};

text_enum! {
    /// Where a job is.
    JobStatus {
        /// It waits for its time and turn.
        Queued "queued",
        /// A worker has it, under a lease.
        Running "running",
        /// It is dead.
        Dead "dead",
    }
}

/// What became of a material with the end of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The claim is lost. Nothing was changed, and the attempt's result must not be used.
    Lost,
    /// The end is recorded. The material has more to do, or is not affected.
    Going,
    /// The end is recorded, and with it the material's conversion or extraction ended in this
    /// status.
    Ended(MaterialStatus),
}

/// A job that a worker has claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobClaim {
    pub id: JobId,
    pub kind: JobKind,
    /// The number of this claim, higher than any before: names what the attempt puts into the
    /// storage.
    pub epoch: u32,
    /// Whose work it is.
    pub account: AccountId,
    pub environment: Environment,
    /// The material it works on.
    pub material: Option<MaterialId>,
    /// The chunk it works on.
    pub chunk: Option<u32>,
    /// The engine that it needs; empty for none, or where an older program queued it.
    pub engine: String,
    /// A book's format; `None` for other kinds.
    pub detail: Option<String>,
    /// Attempts that failed before.
    pub attempts: u32,
    /// Leases that were lost before.
    pub lost_leases: u32,
}

impl JobClaim {
    /// The chunk that it is about.
    pub(crate) fn place(&self) -> Option<(MaterialId, u32)> {
        self.material.zip(self.chunk)
    }

    /// The notification that it is queued again.
    pub(crate) fn requeued(&self) -> Notification {
        Notification::Job(QueuedJob {
            kind: self.kind,
            engine: self.engine.clone(),
            environment: self.environment,
            id: self.id,
            epoch: self.epoch,
        })
    }
}

/// The columns of a claim.
pub(crate) fn read_claim(row: &Row) -> Result<JobClaim> {
    Ok(JobClaim {
        id: row.get("id")?,
        kind: row.get("kind")?,
        epoch: row.get("claim_epoch")?,
        account: row.get("account_id")?,
        environment: row.get("environment")?,
        material: row.get("material_id")?,
        chunk: chunk(row)?,
        engine: row.get("engine")?,
        detail: Some(row.get("detail")?).filter(|detail: &String| !detail.is_empty()),
        attempts: row.get("attempts")?,
        lost_leases: row.get("lost_leases")?,
    })
}

/// Rows of jobs of the kinds that this program knows. A newer program on the same database may have
/// other kinds and runs those itself. `before` ends with `kind IN (`.
pub(crate) async fn of_known_kinds(
    store: &Store,
    before: &'static str,
    fixed: &[Bind],
    after: &'static str,
) -> Result<Vec<Row>> {
    let kinds = JobKind::ALL.iter().map(|kind| [kind.bind()]);
    let mut found = Vec::new();
    for asked in many(before, fixed, kinds, after) {
        found.append(&mut store.all(asked).await?);
    }
    Ok(found)
}

/// A chunk's index, which is -1 for none.
pub(crate) fn chunk(row: &Row) -> Result<Option<u32>> {
    Ok(u32::try_from(row.get::<i64>("chunk_index")?).ok())
}

/// Notes the engine that a claimed job needs, which is another one than it was queued for: its
/// e-reader has changed, or an older program queued it. Only workers with the engine claim it from
/// then on.
pub async fn needs_engine(store: &Store, claim: &JobClaim, engine: &str) -> Result<()> {
    store
        .run(sql!(
            "UPDATE jobs SET engine = $3 WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch,
            engine
        ))
        .await?;
    Ok(())
}

/// A job about to be queued for a material.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewJob<'a> {
    pub(crate) kind: JobKind,
    pub(crate) chunk: Option<u32>,
    pub(crate) detail: &'a str,
    /// The engine that it needs; empty for none.
    pub(crate) engine: &'a str,
}

/// The order of claims: live work comes before the sandbox's.
fn priority(environment: Environment) -> i64 {
    match environment {
        Environment::Live => 0,
        Environment::Test => 1,
    }
}

const ENQUEUE: &str =
    "INSERT INTO jobs (id, kind, account_id, environment, material_id, chunk_index, detail, engine, priority,
     turn, status, run_at, created_at, updated_at) VALUES ";
/// A dead job is queued afresh, a live one left as it is.
const ENQUEUE_END: &str = " ON CONFLICT (material_id, kind, chunk_index, detail) DO UPDATE SET
     status = 'queued', engine = excluded.engine, turn = excluded.turn, run_at = excluded.run_at, attempts = 0, lost_leases = 0,
     last_error = NULL, progress = 0, updated_at = excluded.updated_at
     WHERE jobs.status = 'dead'";

/// Queues jobs of one kind for a locked material, to be claimed in their order.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    owner: Owner,
    jobs: &[NewJob<'_>],
    writing: &Writing<'_>,
) -> Result<()> {
    let Some(kind) = jobs.first().map(|job| job.kind) else { return Ok(()) };
    let first = next_turn(tx, owner, kind).await?;
    let mut queued = Vec::with_capacity(jobs.len());
    let rows = jobs.iter().zip(first..).map(|(job, turn)| {
        let id = (writing.jobs)();
        let engine = job.engine.to_owned();
        queued.push(QueuedJob { kind: job.kind, engine, environment: owner.environment, id, epoch: 0 });
        [
            id.bind(),
            job.kind.bind(),
            owner.account.bind(),
            owner.environment.bind(),
            owner.material.bind(),
            job.chunk.map_or(-1, i64::from).bind(),
            job.detail.bind(),
            job.engine.bind(),
            priority(owner.environment).bind(),
            turn.bind(),
            JobStatus::Queued.bind(),
            writing.now.bind(),
            writing.now.bind(),
            writing.now.bind(),
        ]
    });
    let statements = many(ENQUEUE, &[], rows, ENQUEUE_END);
    tx.run_all(statements).await?;
    tx.notify_all(queued.into_iter().map(Notification::Job));
    Ok(())
}

/// The turn of a material's next job of a kind: after its own jobs, and not before the job of the
/// account that was claimed last. Start-time fair queueing (Goyal, Vin and Cheng, 1996) with jobs
/// of equal cost: materials of an account with work at the same time take turns, and a later one
/// does not catch up on turns that it did not ask for.
async fn next_turn(tx: &mut Tx, owner: Owner, kind: JobKind) -> Result<i64> {
    let row = tx
        .one(sql!(
            "SELECT COALESCE((SELECT turn FROM job_turns WHERE account_id = $1 AND environment = $2 AND kind = $3), 0)
                     AS account_turn,
                 COALESCE((SELECT MAX(turn) FROM jobs WHERE material_id = $4 AND kind = $3 AND status <> 'dead'), 0)
                     AS material_turn",
            owner.account,
            owner.environment,
            kind,
            owner.material
        ))
        .await?;
    let Some(row) = row else { return Ok(1) };
    let (account, own): (i64, i64) = (row.get("account_turn")?, row.get("material_turn")?);
    Ok(account.max(own) + 1)
}

/// Ends a claimed job: it is done. False when the claim is lost; the caller then undoes its
/// transaction.
pub(crate) async fn finish(tx: &mut Tx, claim: &JobClaim) -> Result<bool> {
    finish_all(tx, &[claim]).await
}

/// As [`finish`], of several: false when the claim of one is lost. (`status || ''` keeps PostgreSQL
/// from the index of all running jobs, which it takes for shorter than a few looks by id, as long
/// as it saw none running when it last counted.)
pub(crate) async fn finish_all(tx: &mut Tx, claims: &[&JobClaim]) -> Result<bool> {
    let rows: Vec<[Bind; 2]> = claims.iter().map(|claim| named(claim)).collect();
    let wanted = rows.len() as u64;
    let before = "DELETE FROM jobs WHERE status || '' = 'running' AND (id, claim_epoch) IN (VALUES ";
    Ok(tx.run_all(many(before, &[], rows, ")")).await? == wanted)
}

/// Whether all these claims are still the worker's. To be asked under the materials' locks: who
/// takes a claim away has it, too.
pub(crate) async fn are_held(tx: &mut Tx, claims: &[&JobClaim]) -> Result<bool> {
    let rows: Vec<[Bind; 2]> = claims.iter().map(|claim| named(claim)).collect();
    let wanted = rows.len();
    let before = "SELECT id FROM jobs WHERE status || '' = 'running' AND (id, claim_epoch) IN (VALUES ";
    Ok(tx.every(many(before, &[], rows, ")")).await?.len() == wanted)
}

/// What names a claim.
fn named(claim: &JobClaim) -> [Bind; 2] {
    [claim.id.bind(), claim.epoch.bind()]
}
