//! A worker records the results of attempts and claims the next deliveries in one transaction,
//! because the commit costs more than its content.

use lectern_types::{DeliveryId, Timestamp, WebhookDisabledReason, WebhookId};

use super::{End, end};
use crate::{
    Result, Store,
    db::{Bound as _, many},
    dialect,
};

/// Who claims, and until when.
#[derive(Debug, Clone, Copy)]
pub struct Claiming<'a> {
    /// The worker's name, which its leases carry.
    pub worker: &'a str,
    pub now: Timestamp,
    /// The end of the leases, unless they are renewed.
    pub lease_until: Timestamp,
    /// A webhook whose attempts have all failed since before this instant is disabled.
    pub patience_ended_before: Timestamp,
}

/// A webhook that was disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disabled {
    pub webhook: WebhookId,
    pub reason: WebhookDisabledReason,
}

/// The result of one batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// The deliveries that the worker has now, each with the numbers of its claim and its attempt.
    pub claimed: Vec<(DeliveryId, u32, u32)>,
    /// The webhooks that were disabled.
    pub disabled: Vec<Disabled>,
}

const CLAIM: &str =
    "UPDATE webhook_deliveries SET status = 'in_flight', claim_epoch = claim_epoch + 1, worker = $1,
         lease_until = $2, next_attempt_at = NULL
     WHERE next_attempt_at IS NOT NULL AND id IN (
         SELECT id FROM webhook_deliveries WHERE next_attempt_at <= $3 AND id IN (";

/// Records the results of attempts, then claims those of `due` that are still due. Skips results
/// whose claim was lost or that were recorded already.
pub async fn record_and_claim(
    store: &Store,
    ended: &[End],
    due: &[DeliveryId],
    claiming: Claiming<'_>,
) -> Result<Batch> {
    let mut batch = Batch::default();
    let mut tx = store.begin().await?;
    if !ended.is_empty() {
        batch.disabled = end::write(&mut tx, ended, claiming).await?;
    }
    let fixed = [claiming.worker.bind(), claiming.lease_until.bind(), claiming.now.bind()];
    let rows = due.iter().map(|delivery| [delivery.bind()]);
    for statement in many(CLAIM, &fixed, rows, dialect::claiming_deliveries(tx.backend())) {
        for row in tx.all(statement).await? {
            batch.claimed.push((
                row.get("id")?,
                row.get("claim_epoch")?,
                row.get::<u32>("attempt_count")? + 1,
            ));
        }
    }
    tx.commit().await?;
    Ok(batch)
}
