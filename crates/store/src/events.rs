//! Events: what happened, written in the transaction of the change, in the order in which it happened to its material.
//! Whoever tells of them (a stream, a delivery) reads them from here.

use lectern_types::{AccountId, EventId, EventType, MaterialId, Timestamp};
use serde::Serialize;

use crate::{
    Environment, Error, Result, Store,
    db::{Tx, sql},
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
    let data = serde_json::to_string(data)
        .map_err(|error| Error::Unreadable { what: format!("an event's data: {error}") })?;
    tx.run(sql!(
        "INSERT INTO events (id, account_id, environment, kind, data, created_at, material_id, sequence)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        (writing.events)(),
        owner.account,
        owner.environment,
        kind.as_str(),
        data,
        writing.now,
        owner.material,
        sequence
    ))
    .await
    .map(drop)
}
