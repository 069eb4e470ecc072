//! Events are written in the transaction of the change that they report, in the order in which the
//! changes happened to the material. Event streams and webhook deliveries read them from here. Each
//! event is written together with its deliveries (`fan_out`).

use lectern_types::{
    AccountId, Credits, CreditsLow, DeliveryId, EventId, EventType, MaterialId, Timestamp, WebhookId,
};
use serde::Serialize;

use crate::{
    Environment, Error, Result, Store,
    db::{Bind, Bound as _, Tx, many, sql},
    notices,
    notifications::Notification,
    writing::Writing,
};

mod fan_out;

use fan_out::fan_out;

/// A stored event of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    /// The name of its type (`chunk.completed`).
    pub kind: String,
    /// Its number among the material's events, from 1.
    pub sequence: u64,
    /// Its data, as JSON.
    pub data: String,
    pub created_at: Timestamp,
}

/// The events of a material of the account after `sequence`, in order. The events of a deleted
/// material are still there.
pub async fn of_material(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    after_sequence: u64,
    limit: u32,
) -> Result<Vec<Event>> {
    let rows = store
        .all(sql!(
            "SELECT id, kind, sequence, data, created_at FROM events
             WHERE material_id = $1 AND sequence > $2 AND account_id = $3 AND environment = $4
             ORDER BY sequence LIMIT $5",
            material,
            after_sequence,
            account,
            environment,
            limit
        ))
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Event {
                id: row.get("id")?,
                kind: row.get("kind")?,
                sequence: row.get("sequence")?,
                data: row.get("data")?,
                created_at: row.get("created_at")?,
            })
        })
        .collect()
}

/// An event as the account's list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: EventId,
    pub kind: EventType,
    /// Its data, as JSON.
    pub data: String,
    pub created_at: Timestamp,
}

/// The account's events in this environment, newest first, of one type or of all. `before` is the
/// last id of the previous page.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    kind: Option<EventType>,
    before: Option<EventId>,
    limit: u32,
) -> Result<Vec<Listed>> {
    let rows = store
        .all(sql!(
            "SELECT id, kind, data, created_at FROM events
             WHERE account_id = $1 AND environment = $2 AND ($3 IS NULL OR kind = $3) AND ($4 IS NULL OR id < $4)
             ORDER BY id DESC LIMIT $5",
            account,
            environment,
            kind,
            before,
            limit
        ))
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Listed {
                id: row.get("id")?,
                kind: row.get("kind")?,
                data: row.get("data")?,
                created_at: row.get("created_at")?,
            })
        })
        .collect()
}

/// The material of an event, and the material's owner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) account: AccountId,
    pub(crate) environment: Environment,
    pub(crate) material: MaterialId,
}

/// An event to write.
pub(crate) struct NewEvent {
    event: EventRef,
    /// Its data, as JSON.
    data: String,
}

impl NewEvent {
    /// An event of a material, with a number from the material's row.
    pub(crate) fn new(owner: Owner, kind: EventType, sequence: u64, data: &impl Serialize) -> Result<Self> {
        let Owner { account, environment, material } = owner;
        let event = EventRef { account, environment, material: Some((material, sequence)), kind };
        Ok(Self { event, data: json(data)? })
    }
}

/// The subject of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventRef {
    pub(crate) account: AccountId,
    pub(crate) environment: Environment,
    /// The material, and the event's number among the material's.
    pub(crate) material: Option<(MaterialId, u64)>,
    pub(crate) kind: EventType,
}

/// Writes an event of a material with a number from the material's row, and its deliveries.
pub(crate) async fn record_event(
    tx: &mut Tx,
    owner: Owner,
    kind: EventType,
    sequence: u64,
    data: &(impl Serialize + Sync),
    writing: &Writing<'_>,
) -> Result<()> {
    record_events(tx, &[NewEvent::new(owner, kind, sequence, data)?], writing).await
}

/// Writes events in order, and their deliveries.
pub(crate) async fn record_events(tx: &mut Tx, events: &[NewEvent], writing: &Writing<'_>) -> Result<()> {
    let written: Vec<(EventRef, EventId)> =
        events.iter().map(|new| (new.event, (writing.events)())).collect();
    let rows = events.iter().zip(&written).map(|(new, (event, id))| row(event, *id, &new.data, writing));
    tx.run_all(many(INSERT, &[], rows, "")).await?;
    for (event, _) in &written {
        if let Some((material, _)) = event.material {
            tx.notify(Notification::Material(material));
        }
    }
    fan_out(tx, &written, writing).await
}

/// How an account's available credits changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BalanceChange {
    pub(crate) before: Credits,
    pub(crate) after: Credits,
    /// The account's threshold, if it has set one.
    pub(crate) threshold: Option<Credits>,
}

/// Records `credits.low` when this change took the available credits below the account's threshold.
/// Only live keys hold credits, so the event belongs to the live environment.
pub(crate) async fn record_credits_low(
    tx: &mut Tx,
    account: AccountId,
    change: BalanceChange,
    writing: &Writing<'_>,
) -> Result<()> {
    let Some(threshold) = change.threshold else { return Ok(()) };
    if change.before < threshold || change.after >= threshold {
        return Ok(());
    }
    let kind = EventType::CreditsLow;
    let event = EventRef { account, environment: Environment::Live, material: None, kind };
    let data = json(&CreditsLow { available: change.after, threshold })?;
    record_events(tx, &[NewEvent { event, data }], writing).await?;
    notices::low_credits(tx, account, writing.now).await
}

/// Writes an event for one webhook alone, whatever its subscriptions, and its delivery; returns the
/// delivery's id.
pub(crate) async fn record_for_webhook(
    tx: &mut Tx,
    event: EventRef,
    webhook: WebhookId,
    data: &(impl Serialize + Sync),
    writing: &Writing<'_>,
) -> Result<DeliveryId> {
    let id = (writing.events)();
    tx.run_all(many(INSERT, &[], [row(&event, id, &json(data)?, writing)], "")).await?;
    let delivery = (writing.deliveries)();
    fan_out::insert(tx, &[(event, id, webhook)], &Writing { deliveries: &|| delivery, ..*writing }).await?;
    Ok(delivery)
}

const INSERT: &str =
    "INSERT INTO events (id, account_id, environment, kind, data, created_at, material_id, sequence) VALUES ";

fn row(event: &EventRef, id: EventId, data: &str, writing: &Writing<'_>) -> [Bind; 8] {
    [
        id.bind(),
        event.account.bind(),
        event.environment.bind(),
        event.kind.bind(),
        data.bind(),
        writing.now.bind(),
        event.material.map(|(material, _)| material).bind(),
        event.material.map(|(_, sequence)| sequence).bind(),
    ]
}

fn json(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data)
        .map_err(|error| Error::Unreadable { what: format!("an event's data: {error}") })
}

/// The event types of a stored list of subscriptions.
pub(crate) fn parse_types(list: &str) -> Result<Vec<EventType>> {
    let unreadable = || Error::Unreadable { what: format!("`{list}` as event types") };
    list.split(',').map(|name| EventType::parse(name).ok_or_else(unreadable)).collect()
}

/// Deletes events that are older than `before` and have no pending deliveries; returns how many. It
/// looks only at the `limit` oldest events.
pub async fn sweep(store: &Store, before: Timestamp, limit: u32) -> Result<u64> {
    let old = "SELECT id FROM (SELECT id, created_at FROM events ORDER BY id LIMIT $2) oldest
         WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = oldest.id)";
    if store.one(sql!(old, before, limit)).await?.is_none() {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    let gone: Vec<EventId> =
        tx.all(sql!(old, before, limit)).await?.iter().map(crate::db::Row::scalar).collect::<Result<_>>()?;
    let ids = gone.iter().map(|event| [event.bind()]);
    tx.run_all(many("DELETE FROM events WHERE id IN (", &[], ids, ")")).await?;
    tx.commit().await?;
    Ok(gone.len() as u64)
}
