//! Deliveries of events to webhooks, and every attempt at them. A delivery is written in the
//! transaction of its event (`events`), so neither exists without the other. It waits for its time,
//! is in progress under a lease, or has ended.
//!
//! One operation a file: [`lanes`] and [`due()`] look for due deliveries; [`record_and_claim`]
//! records the results of attempts and claims the next deliveries, many of each in one transaction;
//! [`renew`] and [`release`] handle leases; customers request [`retry()`] and [`test()`]. The
//! caller decides when to try again and when to give up.

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
    /// The response to the last attempt.
    pub last_status_code: Option<u16>,
    /// Why the last attempt got no response.
    pub last_error: Option<String>,
    /// When it is tried next, if it is waiting.
    pub next_attempt_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its number, from 1.
    pub number: u32,
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// The response.
    pub status_code: Option<u16>,
    /// Why there was no response.
    pub error: Option<String>,
    /// The beginning of the response's body.
    pub response: Option<Vec<u8>>,
}

macro_rules! select {
    ($rest:literal) => {
        select!("", $rest)
    };
    ($more:literal, $rest:literal) => {
        concat!(
            "SELECT d.id, d.event_id, d.event_kind, d.status, d.attempt_count, d.last_status_code, d.last_error,
                 d.next_attempt_at, d.created_at",
            $more,
            " FROM webhook_deliveries d ",
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

/// Whose deliveries to list, and of which webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub account: AccountId,
    pub environment: Environment,
    pub webhook: WebhookId,
}

/// Which deliveries to list. What is absent does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    pub status: Option<DeliveryStatus>,
    pub kind: Option<EventType>,
}

/// A webhook's deliveries, newest first. `before` is the last id of the previous page. Empty for a
/// webhook that belongs to another account or is deleted.
pub async fn list(
    store: &Store,
    owner: Owner,
    filter: Filter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let rows = store
        .all(sql!(
            select!(
                "JOIN webhooks w ON w.id = d.webhook_id
                 WHERE d.webhook_id = $1 AND w.account_id = $2 AND w.environment = $3 AND w.status <> 'deleted'
                   AND ($4 IS NULL OR d.status = $4) AND ($5 IS NULL OR d.event_kind = $5)
                   AND ($6 IS NULL OR d.id < $6)
                 ORDER BY d.id DESC LIMIT $7"
            ),
            owner.webhook,
            owner.account,
            owner.environment,
            filter.status,
            filter.kind,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// A delivery with everything that is kept about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    pub delivery: Delivery,
    /// The event's data, as JSON.
    pub data: String,
    /// The first one first. If there were very many, only the last ones are kept.
    pub attempts: Vec<Attempt>,
}

/// A delivery with its event's data and its attempts.
pub async fn find(store: &Store, owner: Owner, delivery: DeliveryId) -> Result<Option<Detail>> {
    let row = store
        .one(sql!(
            select!(
                ", e.data",
                "JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id
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
    let (found, data) = (read(&row)?, row.get("data")?);
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
    Ok(Some(Detail { delivery: found, data, attempts: attempts.collect::<Result<_>>()? }))
}

/// A delivery, inside a transaction.
async fn find_in(tx: &mut Tx, webhook: WebhookId, delivery: DeliveryId) -> Result<Option<Delivery>> {
    let row = tx.one(sql!(select!("WHERE d.id = $1 AND d.webhook_id = $2"), delivery, webhook)).await?;
    row.as_ref().map(read).transpose()
}

/// The pending deliveries of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    pub environment: Environment,
    /// Deliveries that are waiting or in progress.
    pub deliveries: u64,
    /// When the oldest of them was created.
    pub oldest: Timestamp,
}

/// The backlog of each environment that has one.
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

/// Deletes deliveries that ended and are older than `before`, with their attempts, and returns how
/// many. It looks only at the `limit` oldest ones.
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

/// The row of an `Idempotency-Key` that a transaction has claimed; it is finished with the
/// response.
struct Once(Option<RowKey>);

impl Once {
    /// Claims the row of a request that carries a key; returns the replay if the request may not
    /// run.
    async fn begin(
        tx: &mut Tx,
        owner: Owner,
        request: Option<&Request<'_>>,
        now: Timestamp,
    ) -> Result<Result<Self, Replay>> {
        let Some(request) = request else { return Ok(Ok(Self(None))) };
        let row = RowKey::new(owner.account, owner.environment, request);
        // The row is finished before others can see it, so this lease is never used.
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
