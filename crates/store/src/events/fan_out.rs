//! Turns events into deliveries: one for each active webhook of the account and environment that
//! subscribes to the event's type.

use std::collections::BTreeSet;

use lectern_types::{AccountId, EventId, EventType, WebhookId};

use super::{EventRef, parse_types};
use crate::{
    Environment, Result,
    db::{Bound as _, Tx, many},
    dialect,
    notifications::Notification,
    writing::Writing,
};

const INSERT: &str =
    "INSERT INTO webhook_deliveries (id, webhook_id, environment, event_id, event_kind, status, next_attempt_at,
         created_at) VALUES ";

const ACTIVE: &str =
    "SELECT id, account_id, environment, events FROM webhooks WHERE (account_id, environment) IN (VALUES ";

/// Writes the deliveries of events.
pub(super) async fn fan_out(
    tx: &mut Tx,
    events: &[(EventRef, EventId)],
    writing: &Writing<'_>,
) -> Result<()> {
    let owners: BTreeSet<(AccountId, &str)> =
        events.iter().map(|(event, _)| (event.account, event.environment.as_str())).collect();
    let owners = owners.into_iter().map(|(account, environment)| [account.bind(), environment.bind()]);
    let mut active = Vec::new();
    for row in tx.every(many(ACTIVE, &[], owners, dialect::keeping_webhooks(tx.backend()))).await? {
        let id: WebhookId = row.get("id")?;
        let owner: (AccountId, Environment) = (row.get("account_id")?, row.get("environment")?);
        active.push((id, owner, parse_types(&row.get::<String>("events")?)?));
    }
    let subscribed = events.iter().flat_map(|(event, id)| {
        let owner = (event.account, event.environment);
        let wants = move |(webhook, of, kinds): &(WebhookId, _, Vec<EventType>)| {
            (*of == owner && kinds.contains(&event.kind)).then_some((*event, *id, *webhook))
        };
        active.iter().filter_map(wants)
    });
    insert(tx, &subscribed.collect::<Vec<_>>(), writing).await
}

/// Writes deliveries of events to webhooks.
pub(super) async fn insert(
    tx: &mut Tx,
    deliveries: &[(EventRef, EventId, WebhookId)],
    writing: &Writing<'_>,
) -> Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    let rows = deliveries.iter().map(|(event, id, webhook)| {
        [
            (writing.deliveries)().bind(),
            webhook.bind(),
            event.environment.bind(),
            id.bind(),
            event.kind.bind(),
            "pending".bind(),
            writing.now.bind(),
            writing.now.bind(),
        ]
    });
    tx.run_all(many(INSERT, &[], rows, "")).await?;
    tx.notify(Notification::Deliveries);
    Ok(())
}
