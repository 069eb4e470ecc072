//! Deliveries: what is owed to each webhook, and every attempt at it. A delivery is written in the
//! transaction of its event (`events`), so that there is none without the other; it waits for its
//! time, is under way under a lease, or has ended.
//!
//! One operation a file: [`lanes`] and [`due()`] look for what is due, [`record_and_claim`] writes
//! how attempts ended and claims the next, many of each in one transaction; [`renew`] and
//! [`release`] are about leases, [`retry()`] and [`test()`] what customers ask for. When to try
//! again, and when to give up, is the caller's.

use lectern_types::{AccountId, DeliveryId, DeliveryStatus, EventId, EventType, Timestamp, WebhookId};

use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    idempotency::{self, Claimed, Replay, Request, Response, RowKey},
    ledger::Lease,
};

mod claim;
mod due;
mod end;
mod lease;
mod retry;
mod test;

pub use claim::{Batch, Claiming, Disabled, record_and_claim};
pub use due::{Due, due, lanes};
pub use end::{End, Ending};
pub use lease::{Leases, release, renew};
pub use retry::{RetryOutcome, retry};
pub use test::{TestOutcome, test};

/// A delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub event: EventId,
    pub kind: EventType,
    pub status: DeliveryStatus,
    /// Attempts that have ended.
    pub attempt_count: u32,
    /// What the last was answered.
    pub last_status_code: Option<u16>,
    /// Why the last was not answered.
    pub last_error: Option<String>,
    /// When it is tried next, if it waits.
    pub next_attempt_at: Option<Timestamp>,
    /// When it came about.
    pub created_at: Timestamp,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its place, from 1.
    pub number: u32,
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// What it was answered.
    pub status_code: Option<u16>,
    /// Why it was not answered.
    pub error: Option<String>,
    /// The beginning of the answer's body.
    pub response: Option<Vec<u8>>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT d.id, d.event_id, d.event_kind, d.status, d.attempt_count, d.last_status_code, d.last_error,
                 d.next_attempt_at, d.created_at
             FROM webhook_deliveries d ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Delivery> {
    Ok(Delivery {
        id: row.get("id")?,
        event: row.get("event_id")?,
        kind: row.get("event_kind")?,
        status: row.get("status")?,
        attempt_count: row.get("attempt_count")?,
        last_status_code: row.get("last_status_code")?,
        last_error: row.get("last_error")?,
        next_attempt_at: row.get("next_attempt_at")?,
        created_at: row.get("created_at")?,
    })
}

/// Whose webhook's deliveries are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub account: AccountId,
    pub environment: Environment,
    pub webhook: WebhookId,
}

/// A webhook's deliveries, newest first, all or those of one status. `before` is the last id of the
/// page before. None of a webhook that is another's or deleted.
pub async fn list(
    store: &Store,
    owner: Owner,
    status: Option<DeliveryStatus>,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let rows = store
        .all(sql!(
            select!(
                "JOIN webhooks w ON w.id = d.webhook_id
                 WHERE d.webhook_id = $1 AND w.account_id = $2 AND w.environment = $3 AND w.status <> 'deleted'
                   AND ($4 IS NULL OR d.status = $4) AND ($5 IS NULL OR d.id < $5)
                 ORDER BY d.id DESC LIMIT $6"
            ),
            owner.webhook,
            owner.account,
            owner.environment,
            status,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// A delivery with its attempts, the first one first; of very many only the last ones are kept.
pub async fn find(
    store: &Store,
    owner: Owner,
    delivery: DeliveryId,
) -> Result<Option<(Delivery, Vec<Attempt>)>> {
    let row = store
        .one(sql!(
            select!(
                "JOIN webhooks w ON w.id = d.webhook_id
                 WHERE d.id = $4 AND d.webhook_id = $1 AND w.account_id = $2 AND w.environment = $3
                   AND w.status <> 'deleted'"
            ),
            owner.webhook,
            owner.account,
            owner.environment,
            delivery
        ))
        .await?;
    let Some(row) = row else { return Ok(None) };
    let found = read(&row)?;
    let rows = store
        .all(sql!(
            "SELECT number, started_at, duration_ms, status_code, error, response FROM webhook_attempts
             WHERE delivery_id = $1 ORDER BY number",
            delivery
        ))
        .await?;
    let attempts = rows.iter().map(|row| {
        Ok(Attempt {
            number: row.get("number")?,
            started_at: row.get("started_at")?,
            duration_ms: row.get("duration_ms")?,
            status_code: row.get("status_code")?,
            error: row.get("error")?,
            response: row.get("response")?,
        })
    });
    Ok(Some((found, attempts.collect::<Result<_>>()?)))
}

/// A delivery, inside of a transaction.
async fn find_in(tx: &mut Tx, webhook: WebhookId, delivery: DeliveryId) -> Result<Option<Delivery>> {
    let row = tx.one(sql!(select!("WHERE d.id = $1 AND d.webhook_id = $2"), delivery, webhook)).await?;
    row.as_ref().map(read).transpose()
}

/// What is owed in an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    pub environment: Environment,
    /// Deliveries that wait or are under way.
    pub deliveries: u64,
    /// When the oldest of them came about.
    pub oldest: Timestamp,
}

/// What is owed, for each environment in which anything is.
pub async fn backlog(store: &Store) -> Result<Vec<Backlog>> {
    let rows = store
        .all(sql!(
            "SELECT environment, COUNT(*) AS deliveries, MIN(created_at) AS oldest FROM webhook_deliveries
             WHERE next_attempt_at IS NOT NULL OR lease_until IS NOT NULL GROUP BY environment"
        ))
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Backlog {
                environment: row.get("environment")?,
                deliveries: row.get("deliveries")?,
                oldest: row.get("oldest")?,
            })
        })
        .collect()
}

/// Deletes deliveries that ended and are older than `before`, with their attempts; how many. It
/// looks at no more than the `limit` oldest ones.
pub async fn sweep(store: &Store, before: Timestamp, limit: u32) -> Result<u64> {
    let old = "SELECT id FROM (
             SELECT id, created_at, next_attempt_at, lease_until FROM webhook_deliveries ORDER BY id LIMIT $2
         ) oldest WHERE created_at < $1 AND next_attempt_at IS NULL AND lease_until IS NULL";
    if store.one(sql!(old, before, limit)).await?.is_none() {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    let gone: Vec<DeliveryId> =
        tx.all(sql!(old, before, limit)).await?.iter().map(crate::db::Row::scalar).collect::<Result<_>>()?;
    let ids = || gone.iter().map(|delivery| [delivery.bind()]);
    tx.run_all(many("DELETE FROM webhook_attempts WHERE delivery_id IN (", &[], ids(), ")")).await?;
    tx.run_all(many("DELETE FROM webhook_deliveries WHERE id IN (", &[], ids(), ")")).await?;
    tx.commit().await?;
    Ok(gone.len() as u64)
}

/// The row of an `Idempotency-Key` that a transaction has taken, to be finished with its response.
struct Once(Option<RowKey>);

impl Once {
    /// Takes the row of a request that carried a key; or what is known of one that may not run.
    async fn begin(
        tx: &mut Tx,
        owner: Owner,
        request: Option<&Request<'_>>,
        now: Timestamp,
    ) -> Result<Result<Self, Replay>> {
        let Some(request) = request else { return Ok(Ok(Self(None))) };
        let row = RowKey::new(owner.account, owner.environment, request);
        // The row is finished before others can see it: nobody ever works under this lease.
        let lease = Lease { owner: String::new(), until: now };
        match idempotency::claim(tx, &row, request.fingerprint, &lease, None, now).await? {
            Claimed::Not(replay) => Ok(Err(replay)),
            Claimed::Fresh | Claimed::TakenOver(_) => Ok(Ok(Self(Some(row)))),
        }
    }

    /// Stores the response.
    async fn finish(self, tx: &mut Tx, response: &Response, now: Timestamp) -> Result<()> {
        match self.0 {
            Some(row) => tx.run(idempotency::finish(&row, "", response, now)).await.map(drop),
            None => Ok(()),
        }
    }
}
