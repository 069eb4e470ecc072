//! Idempotency keys decide which request runs, which one waits, and which one gets a replay. The
//! key's row commits together with the effect that it guards; work that needs two transactions
//! (synthesis) keeps its row under a lease between them.
//!
//! A row is in one of three states. Finished: it replays for a day. Running under a live lease:
//! others wait. Running under a lease that ended: the first request is presumed dead, and the next
//! request under the key takes over the row, and the hold that it names, by one guarded upsert.
//! Each later statement names the owner, so that a request presumed dead can no longer change
//! anything. The caller does the waiting.

use lectern_types::{AccountId, Timestamp};

use crate::{
    Environment, Error, Result, Store,
    db::{Row, Statement, Tx, sql},
    dialect,
    ledger::{HoldId, Lease},
};

/// How long a response is kept, in seconds from the start of its request.
pub const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// One request under an `Idempotency-Key`.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub key: &'a str,
    /// The hash of the canonical body.
    pub fingerprint: &'a [u8],
}

/// A response kept for replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: String,
    /// The body, or its sealed form.
    pub body: Vec<u8>,
    /// Whether the body is sealed under a key derived from the presented API key, which the caller
    /// knows.
    pub sealed: bool,
}

impl Response {
    /// A response with a JSON body, not sealed.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when the body is not JSON.
    pub fn json(status: u16, body: &impl serde::Serialize) -> Result<Self> {
        let body = serde_json::to_vec(body)
            .map_err(|error| Error::Unreadable { what: format!("a response: {error}") })?;
        Ok(Self { status, content_type: "application/json".to_owned(), body, sealed: false })
    }
}

/// The reason why a request may not run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// It ran: this is the response.
    Finished(Response),
    /// Another request was sent under this key before.
    Reused,
    /// It runs elsewhere; look again, until this instant at the latest.
    Running {
        /// The end of the runner's lease, unless it is renewed.
        until: Timestamp,
    },
}

/// Looks a request up before it begins. `None` when it may run: it was never sent, it failed, its
/// response expired, or its runner's lease ended.
pub async fn look_up(
    store: &Store,
    account: AccountId,
    environment: Environment,
    request: &Request<'_>,
    now: Timestamp,
) -> Result<Option<Replay>> {
    let row = store.one(find(&RowKey::new(account, environment, request))).await?;
    row.map_or(Ok(None), |row| read(&row, request.fingerprint, now))
}

/// Deletes rows that are older than a day and under which no request works, at most `limit`;
/// returns how many.
pub async fn sweep(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    store.run(sql!(dialect::sweep_idempotency(store.backend()), now, limit)).await
}

/// The key of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowKey {
    account: AccountId,
    environment: Environment,
    method: String,
    path: String,
    key: String,
}

impl RowKey {
    pub(crate) fn new(account: AccountId, environment: Environment, request: &Request<'_>) -> Self {
        Self {
            account,
            environment,
            method: request.method.to_owned(),
            path: request.path.to_owned(),
            key: request.key.to_owned(),
        }
    }
}

/// The outcome of claiming a row.
pub(crate) enum Claimed {
    /// The caller has claimed a new row.
    Fresh,
    /// The caller has claimed an existing row: the earlier request is presumed dead, or its
    /// response expired. Carries the hold that the row named, if any.
    TakenOver(Option<HoldId>),
    /// The caller may not have the row.
    Not(Replay),
}

/// Claims the row for a lease. A new row names `hold`.
pub(crate) async fn claim(
    tx: &mut Tx,
    row: &RowKey,
    fingerprint: &[u8],
    lease: &Lease,
    hold: Option<HoldId>,
    now: Timestamp,
) -> Result<Claimed> {
    upsert(tx, row, fingerprint, lease, Outcome::Runs(hold), now).await
}

/// Records a request and its response in the transaction of its effect. `Some` when the request may
/// not run: the caller then rolls back its transaction.
pub(crate) async fn record(
    tx: &mut Tx,
    row: &RowKey,
    fingerprint: &[u8],
    response: &Response,
    now: Timestamp,
) -> Result<Option<Replay>> {
    // The row is finished when others first see it, so this lease is never used.
    let lease = Lease { owner: String::new(), until: now };
    Ok(match upsert(tx, row, fingerprint, &lease, Outcome::Ran(response), now).await? {
        Claimed::Not(replay) => Some(replay),
        Claimed::Fresh | Claimed::TakenOver(_) => None,
    })
}

/// What is known of a request, inside a transaction that found its effect made already: perhaps by
/// a duplicate that was first at a lock.
pub(crate) async fn recorded(
    tx: &mut Tx,
    row: &RowKey,
    fingerprint: &[u8],
    now: Timestamp,
) -> Result<Option<Replay>> {
    tx.one(find(row)).await?.map_or(Ok(None), |row| read(&row, fingerprint, now))
}

/// The initial state of a claimed row.
enum Outcome<'a> {
    Runs(Option<HoldId>),
    Ran(&'a Response),
}

async fn upsert(
    tx: &mut Tx,
    row: &RowKey,
    fingerprint: &[u8],
    lease: &Lease,
    outcome: Outcome<'_>,
    now: Timestamp,
) -> Result<Claimed> {
    let (hold, response) = match outcome {
        Outcome::Runs(hold) => (hold, None),
        Outcome::Ran(response) => (None, Some(response)),
    };
    // One statement decides: of concurrent requests, one inserts or takes over, and the others find
    // their condition false. PostgreSQL locks the row even then, so that it cannot vanish before it
    // is read below.
    let claimed = tx
        .one(sql!(
            "INSERT INTO idempotency_keys (account_id, environment, method, path, key, fingerprint, owner,
                 lease_until, hold_id, created_at, expires_at, finished_at, status, content_type, body, sealed)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
             ON CONFLICT (account_id, environment, method, path, key) DO UPDATE SET
                 fingerprint = excluded.fingerprint, owner = excluded.owner,
                 lease_until = excluded.lease_until, takeovers = idempotency_keys.takeovers + 1,
                 created_at = excluded.created_at, expires_at = excluded.expires_at,
                 finished_at = excluded.finished_at, status = excluded.status,
                 content_type = excluded.content_type, body = excluded.body, sealed = excluded.sealed
             WHERE (idempotency_keys.finished_at IS NULL AND idempotency_keys.lease_until <= $10)
                OR (idempotency_keys.finished_at IS NOT NULL AND idempotency_keys.expires_at <= $10)
             RETURNING takeovers, hold_id",
            row.account,
            row.environment,
            row.method.as_str(),
            row.path.as_str(),
            row.key.as_str(),
            fingerprint,
            lease.owner.as_str(),
            lease.until,
            hold.map(|hold| hold.0),
            now,
            now.plus_seconds(KEPT_SECONDS),
            response.map(|_| now),
            response.map(|response| i64::from(response.status)),
            response.map(|response| response.content_type.as_str()),
            response.map(|response| response.body.as_slice()),
            response.is_some_and(|response| response.sealed),
        ))
        .await?;
    if let Some(claimed) = claimed {
        return Ok(match claimed.get::<i64>("takeovers")? {
            0 => Claimed::Fresh,
            _ => Claimed::TakenOver(claimed.get::<Option<_>>("hold_id")?.map(HoldId)),
        });
    }
    let found = tx.one(find(row)).await?;
    let replay = found.map_or(Ok(None), |found| read(&found, fingerprint, now))?;
    replay.map(Claimed::Not).ok_or_else(|| Error::Unreadable {
        what: "an idempotency key that could be neither claimed nor replayed".to_owned(),
    })
}

/// Makes a taken-over row name a different hold.
pub(crate) fn name_hold(row: &RowKey, hold: HoldId) -> Statement {
    sql!(
        "UPDATE idempotency_keys SET hold_id = $6
         WHERE account_id = $1 AND environment = $2 AND method = $3 AND path = $4 AND key = $5",
        row.account,
        row.environment,
        row.method.as_str(),
        row.path.as_str(),
        row.key.as_str(),
        hold.0
    )
}

/// Finishes a running row: touches one row, or none when the owner has lost it.
pub(crate) fn finish(row: &RowKey, owner: &str, response: &Response, now: Timestamp) -> Statement {
    sql!(
        "UPDATE idempotency_keys SET finished_at = $7, status = $8, content_type = $9, body = $10, sealed = $11
         WHERE account_id = $1 AND environment = $2 AND method = $3 AND path = $4 AND key = $5
           AND owner = $6 AND finished_at IS NULL",
        row.account,
        row.environment,
        row.method.as_str(),
        row.path.as_str(),
        row.key.as_str(),
        owner,
        now,
        i64::from(response.status),
        response.content_type.as_str(),
        response.body.as_slice(),
        response.sealed
    )
}

/// Deletes a running row: touches one row, or none when the owner has lost it.
pub(crate) fn forget(row: &RowKey, owner: &str) -> Statement {
    sql!(
        "DELETE FROM idempotency_keys
         WHERE account_id = $1 AND environment = $2 AND method = $3 AND path = $4 AND key = $5
           AND owner = $6 AND finished_at IS NULL",
        row.account,
        row.environment,
        row.method.as_str(),
        row.path.as_str(),
        row.key.as_str(),
        owner
    )
}

/// Renews a running row's lease: touches one row, or none when the owner has lost it.
pub(crate) fn renewal(row: &RowKey, owner: &str, until: Timestamp) -> Statement {
    sql!(
        "UPDATE idempotency_keys SET lease_until = $7
         WHERE account_id = $1 AND environment = $2 AND method = $3 AND path = $4 AND key = $5
           AND owner = $6 AND finished_at IS NULL",
        row.account,
        row.environment,
        row.method.as_str(),
        row.path.as_str(),
        row.key.as_str(),
        owner,
        until
    )
}

fn find(row: &RowKey) -> Statement {
    sql!(
        "SELECT fingerprint, lease_until, expires_at, finished_at, status, content_type, body, sealed
         FROM idempotency_keys
         WHERE account_id = $1 AND environment = $2 AND method = $3 AND path = $4 AND key = $5",
        row.account,
        row.environment,
        row.method.as_str(),
        row.path.as_str(),
        row.key.as_str()
    )
}

/// The meaning of a stored row for a request; `None` when the request may take the row.
fn read(row: &Row, fingerprint: &[u8], now: Timestamp) -> Result<Option<Replay>> {
    let stored: Vec<u8> = row.get("fingerprint")?;
    let (lease_until, expires_at): (Timestamp, Timestamp) = (row.get("lease_until")?, row.get("expires_at")?);
    let finished = row.get::<Option<Timestamp>>("finished_at")?.is_some();
    let over = if finished { expires_at <= now } else { lease_until <= now };
    if over {
        return Ok(None);
    }
    if stored != fingerprint {
        return Ok(Some(Replay::Reused));
    }
    if !finished {
        return Ok(Some(Replay::Running { until: lease_until }));
    }
    Ok(Some(Replay::Finished(Response {
        status: row.get("status")?,
        content_type: row.get("content_type")?,
        body: row.get("body")?,
        sealed: row.get("sealed")?,
    })))
}
