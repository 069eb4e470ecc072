//! Registers an endpoint.

use lectern_types::{AccountId, EventType, Timestamp, WebhookId, WebhookStatus};

use super::{Webhook, has_room, list_of};
use crate::{
    Environment, Result, Store,
    db::sql,
    dialect,
    idempotency::{self, Replay, Request, Response, RowKey},
};

/// An endpoint to register.
#[derive(Debug, Clone)]
pub struct NewWebhook<'a> {
    pub id: WebhookId,
    pub url: &'a str,
    /// The subscribed types of events: at least one, no duplicates.
    pub events: &'a [EventType],
    /// A note for people.
    pub description: Option<&'a str>,
    pub secrets: &'a [u8],
}

impl NewWebhook<'_> {
    /// The endpoint as it is when registered at this instant.
    pub fn made(&self, environment: Environment, now: Timestamp) -> Webhook {
        Webhook {
            id: self.id,
            environment,
            url: self.url.to_owned(),
            events: self.events.to_vec(),
            description: self.description.map(str::to_owned),
            status: WebhookStatus::Active,
            disabled_reason: None,
            created_at: now,
        }
    }
}

/// The outcome of registering an endpoint. Nothing was stored unless it is
/// [`CreateOutcome::Created`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored.
    Created,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
    /// The account has reached its limit of active endpoints.
    TooMany,
}

/// Stores an endpoint and, when the request carried an `Idempotency-Key`, the response to replay.
/// Of concurrent calls, as many succeed as there is room for.
pub async fn create(
    store: &Store,
    account: AccountId,
    environment: Environment,
    webhook: &NewWebhook<'_>,
    idempotency: Option<(&Request<'_>, &Response)>,
    now: Timestamp,
) -> Result<CreateOutcome> {
    let mut tx = store.begin().await?;
    if let Some((request, response)) = idempotency {
        let row = RowKey::new(account, environment, request);
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, response, now).await? {
            return Ok(CreateOutcome::Replay(replay));
        }
    }
    // Without this lock, two concurrent registrations on PostgreSQL would each miss the other's
    // endpoint.
    tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?;
    if !has_room(&mut tx, account).await? {
        return Ok(CreateOutcome::TooMany);
    }
    tx.run(sql!(
        "INSERT INTO webhooks (id, account_id, environment, url, events, description, status, secrets, created_at,
             updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8, $8)",
        webhook.id,
        account,
        environment,
        webhook.url,
        list_of(webhook.events),
        webhook.description,
        webhook.secrets,
        now
    ))
    .await?;
    tx.commit().await?;
    Ok(CreateOutcome::Created)
}
