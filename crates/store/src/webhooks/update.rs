//! An endpoint is changed, disabled or enabled again.

use lectern_types::{AccountId, EventType, Timestamp, WebhookId, WebhookStatus};

use super::{Webhook, cancel_deliveries, has_room, list_of, lock};
use crate::{Environment, Result, Store, db::sql, dialect};

/// What is to change of an endpoint; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub url: Option<String>,
    /// What it subscribes to: at least one, none twice.
    pub events: Option<Vec<EventType>>,
    /// For people.
    pub description: Description,
    /// Whether it is told.
    pub active: Option<bool>,
}

/// What becomes of an endpoint's description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Description {
    /// It stays.
    #[default]
    Kept,
    /// It is another.
    Set(String),
    /// It is none.
    Removed,
}

/// How a change ended. Nothing was changed unless it is [`UpdateOutcome::Updated`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateOutcome {
    /// It is so now.
    Updated(Webhook),
    /// There is no such endpoint.
    NotFound,
    /// It was to be enabled, and the account has as many active ones as it may have.
    TooMany,
}

/// Changes an endpoint. With its disabling no attempt at it is waited for any more.
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
        // Before the endpoint's own, as everywhere.
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
