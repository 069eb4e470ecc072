//! An endpoint is registered.

use lectern_types::{AccountId, EventType, Timestamp, WebhookId, WebhookStatus};

use super::{Webhook, has_room, list_of};
use crate::{
    Environment, Result, Store,
    db::sql,
    dialect,
    idempotency::{self, Replay, Request, Response, RowKey},
};

/// An endpoint about to be registered.
#[derive(Debug, Clone)]
pub struct NewWebhook<'a> {
    pub id: WebhookId,
    pub url: &'a str,
    /// What it subscribes to: at least one, none twice.
    pub events: &'a [EventType],
    /// For people.
    pub description: Option<&'a str>,
    pub secrets: &'a [u8],
}

impl NewWebhook<'_> {
    /// The endpoint as it will be when it is registered at this instant.
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

/// How registering an endpoint ended. Nothing was stored unless it is [`CreateOutcome::Created`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored.
    Created,
    /// The `Idempotency-Key` had been used.
    Replay(Replay),
    /// The account has as many active ones as it may have.
    TooMany,
}

/// Stores an endpoint, and with it the response to replay when the request carried an
/// `Idempotency-Key`. Of many at once as many succeed as there is room for.
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
    // Without this lock two registrations in PostgreSQL would each count the other's endpoint as
    // absent.
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
