//! An event becomes deliveries: one for each active webhook of its account and environment that subscribes to it.

use lectern_types::{EventId, EventType, WebhookId};

use crate::{
    Result,
    db::{Bound as _, Tx, many, sql},
    dialect,
    events::Told,
    webhooks,
    writing::Writing,
};

const INSERT: &str =
    "INSERT INTO webhook_deliveries (id, webhook_id, environment, event_id, event_kind, status, next_attempt_at,
         created_at) VALUES ";

/// Writes the deliveries of an event.
pub(crate) async fn fan_out(tx: &mut Tx, told: &Told, event: EventId, writing: &Writing<'_>) -> Result<()> {
    let active = sql!(dialect::active_webhooks(tx.backend()), told.account, told.environment);
    let mut subscribed = Vec::new();
    for row in tx.all(active).await? {
        let mut columns = row.columns();
        let (webhook, events): (WebhookId, String) = (columns.take()?, columns.take()?);
        if webhooks::events_of(&events)?.contains(&told.kind) {
            subscribed.push(webhook);
        }
    }
    insert(tx, told, event, &subscribed, writing).await
}

/// Writes the deliveries of an event to these webhooks.
pub(super) async fn insert(
    tx: &mut Tx,
    told: &Told,
    event: EventId,
    to: &[WebhookId],
    writing: &Writing<'_>,
) -> Result<()> {
    if to.is_empty() {
        return Ok(());
    }
    let kind: EventType = told.kind;
    let rows = to.iter().map(|webhook| {
        [
            (writing.deliveries)().bind(),
            webhook.bind(),
            told.environment.bind(),
            event.bind(),
            kind.bind(),
            "pending".bind(),
            writing.now.bind(),
            writing.now.bind(),
        ]
    });
    tx.run_all(many(INSERT, &[], rows, "")).await?;
    tx.fans_out();
    Ok(())
}
