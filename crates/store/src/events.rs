//! Events: what happened, written in the transaction of the change, in the order in which it happened to its material.
//! Whoever tells of them (a stream, a delivery) reads them from here. With an event its deliveries to webhooks are written.

use lectern_types::{AccountId, Credits, CreditsLow, EventId, EventType, MaterialId, Timestamp};
use serde::Serialize;

use crate::{
    Environment, Error, Result, Store,
    db::{Bind, Bound as _, Tx, many, sql},
    deliveries,
    news::News,
    writing::Writing,
};

/// A stored event of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// Its type's word (`chunk.completed`).
    pub kind: String,
    /// Its place among the material's events, from 1.
    pub sequence: u64,
    /// Its data, as JSON.
    pub data: String,
    /// When it happened.
    pub created_at: Timestamp,
}

/// The events of a material of the account that come after `sequence`, in their order. Those of a deleted material are
/// still there.
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
            let mut columns = row.columns();
            Ok(Event {
                id: columns.take()?,
                kind: columns.take()?,
                sequence: columns.take()?,
                data: columns.take()?,
                created_at: columns.take()?,
            })
        })
        .collect()
}

/// An event of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: EventId,
    /// What it tells of.
    pub kind: EventType,
    /// Its data, as JSON.
    pub data: String,
    /// When it happened.
    pub created_at: Timestamp,
}

/// The account's events in this environment, newest first, of one type or of all. `before` is the last id of the page
/// before.
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
            let mut columns = row.columns();
            Ok(Listed {
                id: columns.take()?,
                kind: columns.take()?,
                data: columns.take()?,
                created_at: columns.take()?,
            })
        })
        .collect()
}

/// Whose event it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) account: AccountId,
    pub(crate) environment: Environment,
    pub(crate) material: MaterialId,
}

/// Writes an event of a material under a number that the material's row handed out.
pub(crate) async fn tell(
    tx: &mut Tx,
    owner: Owner,
    kind: EventType,
    sequence: u64,
    data: &(impl Serialize + Sync),
    writing: &Writing<'_>,
) -> Result<()> {
    tell_all(tx, &[Telling::new(owner, kind, sequence, data)?], writing).await
}

/// An event of a material that is to be written.
pub(crate) struct Telling {
    told: Told,
    /// Its data, as JSON.
    data: String,
}

impl Telling {
    /// One under a number that the material's row handed out.
    pub(crate) fn new(owner: Owner, kind: EventType, sequence: u64, data: &impl Serialize) -> Result<Self> {
        let Owner { account, environment, material } = owner;
        let told = Told { account, environment, material: Some((material, sequence)), kind };
        Ok(Self { told, data: json(data)? })
    }
}

/// Writes events in their order.
pub(crate) async fn tell_all(tx: &mut Tx, events: &[Telling], writing: &Writing<'_>) -> Result<()> {
    let written: Vec<(Told, EventId)> = events.iter().map(|event| (event.told, (writing.events)())).collect();
    let rows = events.iter().zip(&written).map(|(event, (told, id))| row(told, *id, &event.data, writing));
    tx.run_all(many(INSERT, &[], rows, "")).await?;
    for (told, _) in &written {
        if let Some((material, _)) = told.material {
            tx.tells(News::Material(material));
        }
    }
    deliveries::fan_out(tx, &written, writing).await
}

/// Tells of what is available when this change took it below the account's threshold. Only live keys hold credits, so that
/// the event is theirs.
pub(crate) async fn tell_low(
    tx: &mut Tx,
    account: AccountId,
    fall: Fall,
    writing: &Writing<'_>,
) -> Result<()> {
    let Some(threshold) = fall.threshold else { return Ok(()) };
    if fall.before < threshold || fall.after >= threshold {
        return Ok(());
    }
    let kind = EventType::CreditsLow;
    let told = Told { account, environment: Environment::Live, material: None, kind };
    let data = json(&CreditsLow { available: fall.after, threshold })?;
    tell_all(tx, &[Telling { told, data }], writing).await
}

/// How what is available changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fall {
    pub(crate) before: Credits,
    pub(crate) after: Credits,
    /// The account's threshold, if it set one.
    pub(crate) threshold: Option<Credits>,
}

/// What an event is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) account: AccountId,
    pub(crate) environment: Environment,
    /// The material, and the event's number among the material's.
    pub(crate) material: Option<(MaterialId, u64)>,
    pub(crate) kind: EventType,
}

const INSERT: &str =
    "INSERT INTO events (id, account_id, environment, kind, data, created_at, material_id, sequence) VALUES ";

fn row(told: &Told, event: EventId, data: &str, writing: &Writing<'_>) -> [Bind; 8] {
    [
        event.bind(),
        told.account.bind(),
        told.environment.bind(),
        told.kind.bind(),
        data.bind(),
        writing.now.bind(),
        told.material.map(|(material, _)| material).bind(),
        told.material.map(|(_, sequence)| sequence).bind(),
    ]
}

fn json(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data)
        .map_err(|error| Error::Unreadable { what: format!("an event's data: {error}") })
}

/// Writes an event; its id. Whom it is delivered to is the caller's.
pub(crate) async fn write(
    tx: &mut Tx,
    told: &Told,
    data: &(impl Serialize + Sync),
    writing: &Writing<'_>,
) -> Result<EventId> {
    let event = (writing.events)();
    tx.run_all(many(INSERT, &[], [row(told, event, &json(data)?, writing)], "")).await?;
    Ok(event)
}

/// Deletes events that are older than `before` and owed to nobody; how many. It looks at no more than the `limit` oldest ones.
pub async fn sweep(store: &Store, before: Timestamp, limit: u32) -> Result<u64> {
    let old = "SELECT id FROM (SELECT id, created_at FROM events ORDER BY id LIMIT $2) oldest
         WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = oldest.id)";
    if store.one(sql!(old, before, limit)).await?.is_none() {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    let gone: Vec<EventId> =
        tx.all(sql!(old, before, limit)).await?.iter().map(crate::db::Row::first).collect::<Result<_>>()?;
    let ids = gone.iter().map(|event| [event.bind()]);
    tx.run_all(many("DELETE FROM events WHERE id IN (", &[], ids, ")")).await?;
    tx.commit().await?;
    Ok(gone.len() as u64)
}
