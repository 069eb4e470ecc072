//! Webhooks: the endpoints that an account registered, what each subscribes to, and whether it is
//! active. One operation a file: [`create()`], [`update()`], [`rotate()`], [`delete()`]. This
//! module defines an endpoint and finds endpoints. Its deliveries are in `deliveries`.
//!
//! Secrets are sealed before they come here; the caller decides which addresses may be called. A
//! change of an endpoint locks its row. Writing an event locks the rows of its receiving endpoints,
//! so that no delivery is written for an endpoint that is being disabled. This lock comes after all
//! others except those of deliveries.

use lectern_types::{AccountId, EventType, Timestamp, WebhookDisabledReason, WebhookId, WebhookStatus};

use crate::{
    Environment, Result, Store,
    db::{Row, Tx, sql},
    dialect, events,
};

mod create;
mod delete;
mod rotate;
mod update;

pub use create::{CreateOutcome, NewWebhook, create};
pub use delete::delete;
pub use rotate::{RotateOutcome, rotate};
pub use update::{Change, Description, UpdateOutcome, update};

/// How many active endpoints an account may have in both environments together.
pub const MAX_ACTIVE: u32 = 20;

/// Cancels the pending deliveries of a locked webhook, which is no longer active.
pub(crate) async fn cancel_deliveries(tx: &mut Tx, webhook: WebhookId) -> Result<()> {
    tx.run(sql!(
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL,
             last_error = CASE WHEN attempt_count = 0 THEN 'not attempted: the endpoint is no longer active'
                 ELSE last_error END
         WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL",
        webhook
    ))
    .await
    .map(drop)
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub environment: Environment,
    pub url: String,
    /// The types of events that it subscribes to.
    pub events: Vec<EventType>,
    /// A note for people.
    pub description: Option<String>,
    pub status: WebhookStatus,
    /// Why the service disabled it, if it did.
    pub disabled_reason: Option<WebhookDisabledReason>,
    /// When it was registered.
    pub created_at: Timestamp,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, environment, url, events, description, status, disabled_reason, created_at FROM webhooks ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Webhook> {
    Ok(Webhook {
        id: row.get("id")?,
        environment: row.get("environment")?,
        url: row.get("url")?,
        events: events::parse_types(&row.get::<String>("events")?)?,
        description: row.get("description")?,
        status: row.get("status")?,
        disabled_reason: row.get("disabled_reason")?,
        created_at: row.get("created_at")?,
    })
}

/// The stored form of event types.
fn list_of(events: &[EventType]) -> String {
    events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(",")
}

/// An endpoint of the account in this environment that is not deleted.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    webhook: WebhookId,
) -> Result<Option<Webhook>> {
    let row = store
        .one(sql!(
            select!("WHERE id = $1 AND account_id = $2 AND environment = $3 AND status <> 'deleted'"),
            webhook,
            account,
            environment
        ))
        .await?;
    row.as_ref().map(read).transpose()
}

/// The account's endpoints in this environment, newest first, without the deleted ones. `before` is
/// the last id of the previous page.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    before: Option<WebhookId>,
    limit: u32,
) -> Result<Vec<Webhook>> {
    let rows = store
        .all(sql!(
            select!(
                "WHERE account_id = $1 AND environment = $2 AND status <> 'deleted' AND ($3 IS NULL OR id < $3)
                 ORDER BY id DESC LIMIT $4"
            ),
            account,
            environment,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// Locks an endpoint's row until the transaction ends, and reads it; `None` when there is no such
/// endpoint or it is deleted.
pub(crate) async fn lock(
    tx: &mut Tx,
    account: AccountId,
    environment: Environment,
    webhook: WebhookId,
) -> Result<Option<Webhook>> {
    let locking = sql!(dialect::lock_webhook(tx.backend()), webhook, account, environment);
    if tx.one(locking).await?.is_none() {
        return Ok(None);
    }
    let row = tx.one(sql!(select!("WHERE id = $1"), webhook)).await?;
    row.as_ref().map(read).transpose()
}

/// Whether the locked account has room for another active endpoint.
async fn has_room(tx: &mut Tx, account: AccountId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM webhooks WHERE account_id = $1 AND status = 'active'";
    let active = tx.one(sql!(count, account)).await?.map_or(Ok(0), |row| row.scalar::<u32>())?;
    Ok(active < MAX_ACTIVE)
}
