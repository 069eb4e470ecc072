//! A test event that a customer requests for one webhook.

use lectern_types::{EventType, WebhookStatus, WebhookTest};

use super::{Delivery, Once, Owner, find_in};
use crate::{
    Error, Result, Store,
    events::{self, EventRef},
    idempotency::{Replay, Request, Response},
    webhooks,
    writing::Writing,
};

/// The outcome of a test. Nothing was changed unless it is [`TestOutcome::Sent`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// The event is written and its delivery is due; carries the stored response.
    Sent(Response),
    /// There is no such webhook, or it is not active.
    NotFound,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
}

/// Writes a `webhook.test` for one webhook, whatever its subscriptions. `respond` writes the
/// response; its error rolls everything back.
///
/// # Errors
/// The store's or that of `respond`.
pub async fn test<E: From<Error>>(
    store: &Store,
    owner: Owner,
    idempotency: Option<&Request<'_>>,
    respond: impl Fn(&Delivery) -> Result<Response, E>,
    writing: Writing<'_>,
) -> Result<TestOutcome, E> {
    let mut tx = store.begin().await?;
    let once = match Once::begin(&mut tx, owner, idempotency, writing.now).await? {
        Ok(once) => once,
        Err(replay) => return Ok(TestOutcome::Replay(replay)),
    };
    let webhook = webhooks::lock(&mut tx, owner.account, owner.environment, owner.webhook).await?;
    if webhook.is_none_or(|webhook| webhook.status != WebhookStatus::Active) {
        return Ok(TestOutcome::NotFound);
    }
    let Owner { account, environment, webhook } = owner;
    let event = EventRef { account, environment, material: None, kind: EventType::WebhookTest };
    let data = WebhookTest { webhook_id: webhook };
    let id = events::record_for_webhook(&mut tx, event, webhook, &data, &writing).await?;
    let found = find_in(&mut tx, webhook, id).await?;
    let found = found.ok_or_else(|| Error::Unreadable { what: format!("delivery {id}, just written") })?;
    let response = respond(&found)?;
    once.finish(&mut tx, &response, writing.now).await?;
    tx.commit().await?;
    Ok(TestOutcome::Sent(response))
}
