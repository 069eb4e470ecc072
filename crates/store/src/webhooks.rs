//! Webhooks: the endpoints that an account registered, what each subscribes to, and whether it is told. One operation a file:
//! [`create()`], [`update()`], [`rotate()`], [`delete()`]; here is what an endpoint is, and how it is found. What is owed to each
//! is in `deliveries`.
//!
//! Secrets come and go sealed; what is sealed, and which addresses may be called, is the caller's. Whoever changes an
//! endpoint locks its row; an event locks the rows of the endpoints it is written for, so that nothing is written for one that
//! is being disabled. The lock comes after all others but those of deliveries.

use lectern_types::{AccountId, EventType, Timestamp, WebhookId};

use crate::{
    Environment, Error, Result, Store,
    db::{Columns, Tx, sql},
    dialect,
    vocabulary::words,
};

mod create;
mod delete;
mod rotate;
mod update;

pub use create::{CreateOutcome, NewWebhook, create};
pub use delete::delete;
pub use rotate::{RotateOutcome, rotate};
pub use update::{Change, Description, UpdateOutcome, update};

/// How many active endpoints an account may have, those of both environments together.
pub const MAX_ACTIVE: u32 = 20;

words! {
    /// Where an endpoint is.
    WebhookStatus {
        /// It is told of what it subscribes to.
        Active "active",
        /// It is told nothing.
        Disabled "disabled",
        /// It is gone.
        Deleted "deleted",
    }
}

words! {
    /// Why the service itself disabled an endpoint.
    DisabledReason {
        /// It answered 410.
        Gone "gone",
        /// Nothing but failures for days.
        Failing "failing",
    }
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// Its environment.
    pub environment: Environment,
    /// Where it is.
    pub url: String,
    /// What it subscribes to.
    pub events: Vec<EventType>,
    /// For people.
    pub description: Option<String>,
    /// Whether it is told.
    pub status: WebhookStatus,
    /// Why it is not, when the service decided so.
    pub disabled_reason: Option<DisabledReason>,
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

fn read(columns: &mut Columns<'_>) -> Result<Webhook> {
    Ok(Webhook {
        id: columns.take()?,
        environment: columns.take()?,
        url: columns.take()?,
        events: events_of(&columns.take::<String>()?)?,
        description: columns.maybe()?,
        status: columns.take()?,
        disabled_reason: columns.maybe()?,
        created_at: columns.take()?,
    })
}

/// The types of a stored list.
pub(crate) fn events_of(list: &str) -> Result<Vec<EventType>> {
    let unreadable = || Error::Unreadable { what: format!("`{list}` as event types") };
    list.split(',').map(|word| EventType::of_word(word).ok_or_else(unreadable)).collect()
}

/// Types as they are stored.
fn list_of(events: &[EventType]) -> String {
    events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(",")
}

/// An endpoint of the account, made in this environment and not deleted.
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
    row.map(|row| read(&mut row.columns())).transpose()
}

/// The account's endpoints in this environment, newest first, without the deleted ones. `before` is the last id of the page
/// before.
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
    rows.iter().map(|row| read(&mut row.columns())).collect()
}

/// Locks an endpoint's row until the transaction ends, and reads it; `None` when there is none, or it is deleted.
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
    row.map(|row| read(&mut row.columns())).transpose()
}

/// Whether the locked account has room for another active endpoint.
async fn has_room(tx: &mut Tx, account: AccountId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM webhooks WHERE account_id = $1 AND status = 'active'";
    let active = tx.one(sql!(count, account)).await?.map_or(Ok(0), |row| row.first::<u32>())?;
    Ok(active < MAX_ACTIVE)
}
