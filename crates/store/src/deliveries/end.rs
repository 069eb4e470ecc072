//! Records the results of attempts, many at once.

use std::collections::{BTreeMap, HashSet};

use lectern_types::{DeliveryId, DeliveryStatus, Timestamp, WebhookDisabledReason, WebhookId, WebhookStatus};

use super::{Claiming, Disabled};
use crate::{
    Result,
    db::{Bind, Bound as _, Tx, many, sql},
    dialect, webhooks,
};

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub delivery: DeliveryId,
    /// The number of the claim.
    pub epoch: u32,
    /// Its number among the delivery's attempts, from 1.
    pub number: u32,
    /// The receiving webhook.
    pub webhook: WebhookId,
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// The response.
    pub status_code: Option<u16>,
    /// Why there was no response; set if and only if there is no status.
    pub error: Option<String>,
    /// The beginning of the response's body.
    pub response: Option<Vec<u8>>,
    /// The consequence for the delivery.
    pub ending: Ending,
}

/// The consequence of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The event was delivered.
    Succeeded,
    /// The delivery is tried again at this instant, if at all.
    Failed(Option<Timestamp>),
    /// Neither this nor any other event may be delivered there any more.
    Gone,
}

/// The change to a webhook.
#[derive(Debug, Clone, Copy)]
struct Standing {
    is_active: bool,
    /// The stored state and the new one.
    failing_since: [Option<Timestamp>; 2],
    disabled: Option<WebhookDisabledReason>,
}

/// The start of a statement about the attempts' webhooks. Each row is a webhook and its number of
/// failed attempts.
const LOCK: &str = "WITH ended (id, failures) AS (VALUES ";

/// How many attempts of a delivery are kept. The schedule makes eight; only forced retries exceed
/// this.
const ATTEMPTS_KEPT: u32 = 100;

/// Deletes the attempts beyond [`ATTEMPTS_KEPT`].
const FORGET: &str = "DELETE FROM webhook_attempts WHERE (delivery_id, number) IN (VALUES ";

const END: &str = "WITH ended (id, epoch, status, code, error, next_at) AS (VALUES ";
const END_END: &str = ")
     UPDATE webhook_deliveries SET status = ended.status, attempt_count = webhook_deliveries.attempt_count + 1,
         last_status_code = ended.code, last_error = ended.error, next_attempt_at = ended.next_at, worker = NULL,
         lease_until = NULL
     FROM ended WHERE webhook_deliveries.id = ended.id AND webhook_deliveries.claim_epoch = ended.epoch
         AND webhook_deliveries.status = 'in_flight'
     RETURNING webhook_deliveries.id";

const ATTEMPTS: &str = "INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response) VALUES ";

/// Writes the results; returns the webhooks that were disabled.
pub(super) async fn write(tx: &mut Tx, ended: &[End], claiming: Claiming<'_>) -> Result<Vec<Disabled>> {
    let mut standings = lock(tx, ended).await?;
    for end in ended {
        if let Some(standing) = standings.get_mut(&end.webhook) {
            judge(standing, end, claiming);
        }
    }
    let disabled = change(tx, &standings, claiming.now).await?;
    let rows = ended.iter().map(|end| {
        let goes_on = standings
            .get(&end.webhook)
            .is_none_or(|standing| standing.is_active && standing.disabled.is_none());
        let (status, next) = match end.ending {
            Ending::Succeeded => (DeliveryStatus::Succeeded, None),
            Ending::Failed(next) => (DeliveryStatus::Failed, next.filter(|_| goes_on)),
            Ending::Gone => (DeliveryStatus::Failed, None),
        };
        [
            end.delivery.bind(),
            end.epoch.bind(),
            status.bind(),
            code(end),
            end.error.as_deref().bind(),
            next.bind(),
        ]
    });
    let mut written: HashSet<DeliveryId> = HashSet::with_capacity(ended.len());
    for statement in many(END, &[], rows, END_END) {
        for row in tx.all(statement).await? {
            written.insert(row.scalar()?);
        }
    }
    let rows = ended.iter().filter(|end| written.contains(&end.delivery)).map(|end| {
        [
            end.delivery.bind(),
            end.number.bind(),
            end.started_at.bind(),
            end.duration_ms.bind(),
            code(end),
            end.error.as_deref().bind(),
            end.response.as_deref().bind(),
        ]
    });
    tx.run_all(many(ATTEMPTS, &[], rows, "")).await?;
    let passed = ended.iter().filter(|end| end.number > ATTEMPTS_KEPT && written.contains(&end.delivery));
    let rows = passed.map(|end| [end.delivery.bind(), (end.number - ATTEMPTS_KEPT).bind()]);
    tx.run_all(many(FORGET, &[], rows, ")")).await?;
    for gone in &disabled {
        webhooks::cancel_deliveries(tx, gone.webhook).await?;
    }
    Ok(disabled)
}

fn code(end: &End) -> Bind {
    end.status_code.map(i64::from).bind()
}

/// Locks the webhooks that may change, in the order of their ids: those with a failed attempt, and
/// those that were failing until now. A webhook that keeps succeeding is not locked, so successes
/// wait for no lock.
async fn lock(tx: &mut Tx, ended: &[End]) -> Result<BTreeMap<WebhookId, Standing>> {
    let mut failures: BTreeMap<WebhookId, u32> = BTreeMap::new();
    for end in ended {
        *failures.entry(end.webhook).or_default() += u32::from(end.ending != Ending::Succeeded);
    }
    let mut standings = BTreeMap::new();
    let rows = failures.iter().map(|(webhook, failures)| [webhook.bind(), failures.bind()]);
    for statement in many(LOCK, &[], rows, dialect::locking_webhooks_that_may_change(tx.backend())) {
        for row in tx.all(statement).await? {
            let webhook = row.get("id")?;
            let is_active = row.get::<WebhookStatus>("status")? == WebhookStatus::Active;
            let failing_since = [row.get("failing_since")?; 2];
            standings.insert(webhook, Standing { is_active, failing_since, disabled: None });
        }
    }
    Ok(standings)
}

fn judge(standing: &mut Standing, end: &End, claiming: Claiming<'_>) {
    let since = &mut standing.failing_since[1];
    if end.ending == Ending::Succeeded {
        *since = None;
        return;
    }
    let since = *since.get_or_insert(end.started_at);
    if !standing.is_active || standing.disabled.is_some() {
        return;
    }
    if end.ending == Ending::Gone {
        standing.disabled = Some(WebhookDisabledReason::Gone);
    } else if since < claiming.patience_ended_before {
        standing.disabled = Some(WebhookDisabledReason::Failing);
    }
}

async fn change(
    tx: &mut Tx,
    standings: &BTreeMap<WebhookId, Standing>,
    now: Timestamp,
) -> Result<Vec<Disabled>> {
    let mut disabled = Vec::new();
    for (&webhook, standing) in standings {
        let [before, after] = standing.failing_since;
        if let Some(reason) = standing.disabled {
            tx.run(sql!(
                "UPDATE webhooks SET status = 'disabled', disabled_reason = $2, failing_since = $3, updated_at = $4
                 WHERE id = $1",
                webhook,
                reason,
                after,
                now
            ))
            .await?;
            disabled.push(Disabled { webhook, reason });
        } else if before != after {
            tx.run(sql!("UPDATE webhooks SET failing_since = $2 WHERE id = $1", webhook, after)).await?;
        }
    }
    Ok(disabled)
}
