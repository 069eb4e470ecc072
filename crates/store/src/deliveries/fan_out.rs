//! Events become deliveries: one for each active webhook of its account and environment that subscribes to it.

use std::collections::BTreeSet;

use lectern_types::{AccountId, EventId, EventType, WebhookId};

use crate::{
    Environment, Result,
    db::{Bound as _, Tx, many},
    dialect,
    events::Told,
    webhooks,
    writing::Writing,
};

const INSERT: &str =
    "INSERT INTO webhook_deliveries (id, webhook_id, environment, event_id, event_kind, status, next_attempt_at,
         created_at) VALUES ";

const ACTIVE: &str =
    "SELECT id, account_id, environment, events FROM webhooks WHERE (account_id, environment) IN (VALUES ";

/// Writes the deliveries of events.
pub(crate) async fn fan_out(tx: &mut Tx, events: &[(Told, EventId)], writing: &Writing<'_>) -> Result<()> {
    let owners: BTreeSet<(AccountId, &str)> =
        events.iter().map(|(told, _)| (told.account, told.environment.as_str())).collect();
    let owners = owners.into_iter().map(|(account, environment)| [account.bind(), environment.bind()]);
    let mut active = Vec::new();
    for row in tx.every(many(ACTIVE, &[], owners, dialect::keeping_webhooks(tx.backend()))).await? {
        let mut columns = row.columns();
        let id: WebhookId = columns.take()?;
        let owner: (AccountId, Environment) = (columns.take()?, columns.take()?);
        active.push((id, owner, webhooks::events_of(&columns.take::<String>()?)?));
    }
    let subscribed = events.iter().flat_map(|(told, event)| {
        let owner = (told.account, told.environment);
        let wants = move |(webhook, of, kinds): &(WebhookId, _, Vec<EventType>)| {
            (*of == owner && kinds.contains(&told.kind)).then_some((*told, *event, *webhook))
        };
        active.iter().filter_map(wants)
    });
    insert(tx, &subscribed.collect::<Vec<_>>(), writing).await
}

/// Writes deliveries of events to webhooks.
pub(super) async fn insert(
    tx: &mut Tx,
    deliveries: &[(Told, EventId, WebhookId)],
    writing: &Writing<'_>,
) -> Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    let rows = deliveries.iter().map(|(told, event, webhook)| {
        [
            (writing.deliveries)().bind(),
            webhook.bind(),
            told.environment.bind(),
            event.bind(),
            told.kind.bind(),
            "pending".bind(),
            writing.now.bind(),
            writing.now.bind(),
        ]
    });
    tx.run_all(many(INSERT, &[], rows, "")).await?;
    tx.fans_out();
    Ok(())
}
