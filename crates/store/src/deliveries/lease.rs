//! Leases of attempts in progress: renewed or released by their worker, or taken from a worker that
//! is presumed dead.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lectern_types::{DeliveryId, Timestamp, WebhookId, WebhookStatus};

use crate::{
    Result, Store,
    db::{Bound as _, many, sql},
    dialect,
    notifications::Notification,
};

const RENEW: &str = "UPDATE webhook_deliveries SET lease_until = $2 WHERE id IN (
     SELECT id FROM webhook_deliveries WHERE status = 'in_flight' AND worker = $1 AND id IN (";

/// Renews a worker's leases of these attempts, except of those whose results are being written.
pub async fn renew(store: &Store, worker: &str, held: &[DeliveryId], until: Timestamp) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    let rows = held.iter().map(|delivery| [delivery.bind()]);
    let mut tx = store.begin().await?;
    let fixed = [worker.bind(), until.bind()];
    tx.run_all(many(RENEW, &fixed, rows, dialect::passing_over_locked_deliveries(tx.backend()))).await?;
    tx.commit().await
}

/// Which leases are released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leases<'a> {
    /// Those of this worker, except for the deliveries that it continues.
    OfWorker(&'a str, &'a HashSet<DeliveryId>),
    /// Those that ended before now, whichever worker held them.
    Expired,
}

const LOCK: &str = "SELECT id, status FROM webhooks WHERE id IN (";

const WAIT: &str = "UPDATE webhook_deliveries SET worker = NULL, lease_until = NULL, next_attempt_at = $1,
         status = CASE WHEN attempt_count = 0 THEN 'pending' ELSE 'failed' END
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = 'in_flight' AND (id, claim_epoch) IN (VALUES ";
const STOP: &str = "UPDATE webhook_deliveries SET worker = NULL, lease_until = NULL, status = 'failed'
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = 'in_flight' AND (id, claim_epoch) IN (VALUES ";

/// Releases leases of attempts whose result will never be known, at most `limit`, so that they are
/// repeated; returns how many. Some may have reached their receivers, who then get the event again
/// under the same id.
pub async fn release(store: &Store, leases: Leases<'_>, now: Timestamp, limit: u32) -> Result<u64> {
    let (of_worker, kept) = match leases {
        Leases::OfWorker(worker, kept) => (Some(worker), Some(kept)),
        Leases::Expired => (None, None),
    };
    let rows = store
        .all(sql!(
            "SELECT id, claim_epoch, webhook_id FROM webhook_deliveries
             WHERE status = 'in_flight' AND (worker = $1 OR ($1 IS NULL AND lease_until < $2)) LIMIT $3",
            of_worker,
            now,
            limit
        ))
        .await?;
    let mut lost: Vec<(WebhookId, DeliveryId, u32)> = Vec::with_capacity(rows.len());
    for row in rows {
        let (delivery, epoch) = (row.get("id")?, row.get("claim_epoch")?);
        if kept.is_none_or(|kept| !kept.contains(&delivery)) {
            lost.push((row.get("webhook_id")?, delivery, epoch));
        }
    }
    if lost.is_empty() {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    let webhooks: BTreeSet<WebhookId> = lost.iter().map(|(webhook, ..)| *webhook).collect();
    let mut active = BTreeMap::new();
    let ids = webhooks.iter().map(|webhook| [webhook.bind()]);
    for statement in many(LOCK, &[], ids, dialect::locking(tx.backend())) {
        for row in tx.all(statement).await? {
            let webhook: WebhookId = row.get("id")?;
            active.insert(webhook, row.get::<WebhookStatus>("status")? == WebhookStatus::Active);
        }
    }
    let (waiting, stopped): (Vec<_>, Vec<_>) =
        lost.into_iter().partition(|(webhook, ..)| active.get(webhook) == Some(&true));
    let row = |(_, delivery, epoch): &(WebhookId, DeliveryId, u32)| [delivery.bind(), epoch.bind()];
    let end = dialect::passing_over_locked_deliveries(tx.backend());
    let mut touched = tx.run_all(many(WAIT, &[now.bind()], waiting.iter().map(row), end)).await?;
    touched += tx.run_all(many(STOP, &[], stopped.iter().map(row), end)).await?;
    tx.notify(Notification::Deliveries);
    tx.commit().await?;
    Ok(touched)
}
