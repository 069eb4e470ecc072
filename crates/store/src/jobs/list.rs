//! Jobs as operators see them.

use lectern_types::{AccountId, JobId, MaterialId, Timestamp};

use super::{JobKind, JobStatus, chunk, of_known_kinds};
use crate::{
    Environment, Error, Result, Store,
    db::{Bound as _, Row, sql},
};

/// A stored job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: JobId,
    /// What is to be done.
    pub kind: JobKind,
    pub status: JobStatus,
    /// Whose work it is.
    pub account: AccountId,
    pub environment: Environment,
    /// The material it works on.
    pub material: Option<MaterialId>,
    /// The chunk it works on.
    pub chunk: Option<u32>,
    /// What else it needs to know.
    pub detail: Option<String>,
    pub worker: Option<String>,
    /// Until when its worker may be thought alive.
    pub lease_until: Option<Timestamp>,
    /// The earliest time to claim it.
    pub run_at: Timestamp,
    pub attempts: u32,
    /// Leases that were lost.
    pub lost_leases: u32,
    /// Why it was not done the last time.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it was claimed or given back last.
    pub updated_at: Timestamp,
}

/// A job whose row this program cannot read: damaged, or written by a newer program on the same
/// database.
#[derive(Debug)]
pub struct UnreadableJob {
    /// As the row has it, like the other fields.
    pub id: String,
    /// What is to be done.
    pub kind: String,
    pub status: String,
    /// What cannot be read.
    pub error: Error,
}

/// Which jobs to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only where they are so.
    pub status: Option<JobStatus>,
    /// Only of this kind.
    pub kind: Option<JobKind>,
    /// Only those before this one: the last of the page before.
    pub before: Option<JobId>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, status, account_id, environment, material_id, chunk_index, detail, worker, lease_until,
                 run_at, attempts, lost_leases, last_error, created_at, updated_at FROM jobs ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Job> {
    Ok(Job {
        id: row.get("id")?,
        kind: row.get("kind")?,
        status: row.get("status")?,
        account: row.get("account_id")?,
        environment: row.get("environment")?,
        material: row.get("material_id")?,
        chunk: chunk(row)?,
        detail: Some(row.get("detail")?).filter(|detail: &String| !detail.is_empty()),
        worker: row.get("worker")?,
        lease_until: row.get("lease_until")?,
        run_at: row.get("run_at")?,
        attempts: row.get("attempts")?,
        lost_leases: row.get("lost_leases")?,
        last_error: row.get("last_error")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Jobs of all accounts, newest first. One that cannot be read hides no other.
pub async fn list(
    store: &Store,
    filter: Filter,
    limit: u32,
) -> Result<Vec<std::result::Result<Job, UnreadableJob>>> {
    let rows = store
        .all(sql!(
            select!(
                "WHERE ($1 IS NULL OR status = $1) AND ($2 IS NULL OR kind = $2) AND ($3 IS NULL OR id < $3)
                 ORDER BY id DESC LIMIT $4"
            ),
            filter.status,
            filter.kind,
            filter.before,
            limit
        ))
        .await?;
    let unread = |row: &Row, error| {
        let (id, kind, status) = (row.get("id")?, row.get("kind")?, row.get("status")?);
        Ok(UnreadableJob { id, kind, status, error })
    };
    let one = |row: &Row| match read(row) {
        Ok(job) => Ok(Ok(job)),
        Err(error) => unread(row, error).map(Err),
    };
    rows.iter().map(one).collect()
}

/// A job.
pub async fn find(store: &Store, job: JobId) -> Result<Option<Job>> {
    let row = store.one(sql!(select!("WHERE id = $1"), job)).await?;
    row.as_ref().map(read).transpose()
}

/// How many jobs of a kind are where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The kind of work; `None` for all kinds together that only a newer program knows.
    pub kind: Option<JobKind>,
    pub status: JobStatus,
    pub jobs: u64,
    /// The time at which the oldest of them became due.
    pub oldest_run_at: Timestamp,
}

/// How many queued jobs of a kind are due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub kind: JobKind,
    /// The engine that they need; empty for none.
    pub engine: String,
    pub environment: Environment,
    pub jobs: u64,
}

/// How many queued jobs were due before `now`, by kind, engine and environment.
pub async fn due(store: &Store, now: Timestamp) -> Result<Vec<Due>> {
    let before = "SELECT kind, engine, environment, COUNT(*) AS jobs FROM jobs
         WHERE status = 'queued' AND run_at < $1 AND kind IN (";
    let rows = of_known_kinds(store, before, &[now.bind()], ") GROUP BY kind, engine, environment").await?;
    let read = |row: &Row| {
        Ok(Due {
            kind: row.get("kind")?,
            engine: row.get("engine")?,
            environment: row.get("environment")?,
            jobs: row.get("jobs")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Characters of the chunks that wait to be converted or are being converted, by the engine that
/// they need.
pub async fn characters_to_convert(store: &Store) -> Result<Vec<(String, u64)>> {
    let asked = sql!(
        "SELECT j.engine, CAST(SUM(c.characters) AS BIGINT) AS characters FROM jobs j
         JOIN chunks c ON c.material_id = j.material_id AND c.idx = j.chunk_index
         WHERE j.kind = $1 AND j.status <> 'dead' GROUP BY j.engine",
        JobKind::ConvertChunk
    );
    let read = |row: &Row| Ok((row.get("engine")?, row.get("characters")?));
    store.all(asked).await?.iter().map(read).collect()
}

/// How many jobs there are, by kind and status.
pub async fn counts(store: &Store) -> Result<Vec<Count>> {
    let rows = store.all(sql!(
        "SELECT kind, status, COUNT(*) AS jobs, MIN(run_at) AS oldest_run_at FROM jobs
         GROUP BY kind, status ORDER BY 1, 2"
    ));
    let mut counts: Vec<Count> = Vec::new();
    for row in rows.await? {
        let kind = row.get::<String>("kind")?.parse().ok();
        let (status, jobs, oldest_run_at) = (row.get("status")?, row.get("jobs")?, row.get("oldest_run_at")?);
        match counts.iter_mut().find(|count| kind.is_none() && (count.kind, count.status) == (kind, status)) {
            Some(count) => {
                count.jobs += jobs;
                count.oldest_run_at = count.oldest_run_at.min(oldest_run_at);
            }
            None => counts.push(Count { kind, status, jobs, oldest_run_at }),
        }
    }
    Ok(counts)
}
