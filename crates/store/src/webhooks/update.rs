//! Changes an endpoint, including disabling and enabling it.

use lectern_types::{AccountId, EventType, Timestamp, WebhookId, WebhookStatus};

use super::{Webhook, cancel_deliveries, has_room, list_of, lock};
use crate::{Environment, Result, Store, db::sql, dialect};

/// The changes to an endpoint; `None` keeps a field as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub url: Option<String>,
    /// The subscribed types of events: at least one, no duplicates.
    pub events: Option<Vec<EventType>>,
    /// The change to the note for people.
    pub description: Description,
    /// Whether it receives events.
    pub active: Option<bool>,
}

/// The change to an endpoint's description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Description {
    /// Keep the description.
    #[default]
    Kept,
    /// Replace the description.
    Set(String),
    /// Remove the description.
    Removed,
}

/// The outcome of a change. Nothing was changed unless it is [`UpdateOutcome::Updated`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateOutcome {
    /// The endpoint in its new state.
    Updated(Webhook),
    /// There is no such endpoint.
    NotFound,
    /// It was to be enabled, but the account has reached its limit of active endpoints.
    TooMany,
}

/// Changes an endpoint. Disabling it cancels its pending deliveries.
pub async fn update(
    store: &Store,
    account: AccountId,
    environment: Environment,
    webhook: WebhookId,
    change: Change,
    now: Timestamp,
) -> Result<UpdateOutcome> {
    let mut tx = store.begin().await?;
    if change.active == Some(true) {
        // The account's lock comes before the endpoint's, as everywhere.
        tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?;
    }
    let Some(mut found) = lock(&mut tx, account, environment, webhook).await? else {
        return Ok(UpdateOutcome::NotFound);
    };
    let is_active = found.status == WebhookStatus::Active;
    match change.active {
        Some(true) if !is_active => {
            if !has_room(&mut tx, account).await? {
                return Ok(UpdateOutcome::TooMany);
            }
            found.status = WebhookStatus::Active;
            found.disabled_reason = None;
        }
        Some(false) if is_active => {
            found.status = WebhookStatus::Disabled;
            cancel_deliveries(&mut tx, webhook).await?;
        }
        _ => {}
    }
    found.url = change.url.unwrap_or(found.url);
    found.events = change.events.unwrap_or(found.events);
    found.description = match change.description {
        Description::Kept => found.description,
        Description::Set(text) => Some(text),
        Description::Removed => None,
    };
    tx.run(sql!(
        "UPDATE webhooks SET url = $2, events = $3, description = $4, disabled_reason = $6, status = $5,
             failing_since = CASE WHEN status = $5 THEN failing_since END, updated_at = $7
         WHERE id = $1",
        webhook,
        found.url.as_str(),
        list_of(&found.events),
        found.description.as_deref(),
        found.status,
        found.disabled_reason,
        now
    ))
    .await?;
    tx.commit().await?;
    Ok(UpdateOutcome::Updated(found))
}
