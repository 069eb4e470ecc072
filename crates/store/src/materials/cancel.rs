//! The end of a conversion by its owner: nothing that waits begins any more, and its holds are released.

use std::collections::HashMap;

use lectern_types::{AccountId, MaterialId};

use super::{Change, Material, again, lock, recount};
use crate::{
    Environment, Error, Result, Store,
    db::{Bound as _, Tx, many, sql},
    idempotency::{self, Replay, Request, Response, RowKey},
    ledger::{HoldId, posting::batch},
    notices,
    notifications::Notification,
    writing::Writing,
};

/// The outcome of a cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancelOutcome {
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
    /// There is no such material.
    NotFound,
    /// Nothing waits any more; carries the response.
    Cancelled(Response),
}

/// What a cancellation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancelled {
    /// The material in its new state.
    pub material: Material,
    /// Whether anything was queued. What waited is pending again, or has its audio of before; chunks that are being
    /// spoken are not affected.
    pub had_queued: bool,
}

const FORGET: &str =
    "UPDATE chunks SET status = 'pending', key_id = NULL, format = NULL, hold_id = NULL, credits = 0,
         requested_at = NULL, failure_code = NULL, failure_message = NULL
     WHERE material_id = $1 AND status = 'queued' AND idx IN (";

/// Cancels the conversions of a material of the account that wait, once for each `Idempotency-Key`: one transaction.
///
/// # Errors
/// The store's, or that of `respond`.
pub async fn cancel<E: From<Error>>(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    idempotency: Option<&Request<'_>>,
    respond: impl Fn(&Cancelled) -> Result<Response, E>,
    writing: Writing<'_>,
) -> Result<CancelOutcome, E> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(CancelOutcome::NotFound);
    };
    let cancelled = take_back(&mut tx, found, &writing).await?;
    let response = respond(&cancelled)?;
    if let Some(request) = idempotency {
        let row = RowKey::new(account, environment, request);
        let now = writing.now;
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, &response, now).await? {
            return Ok(CancelOutcome::Replay(replay));
        }
    }
    tx.commit().await?;
    Ok(CancelOutcome::Cancelled(response))
}

/// Takes back what waits of a locked material.
async fn take_back(tx: &mut Tx, found: Material, writing: &Writing<'_>) -> Result<Cancelled> {
    let material = found.id;
    // Jobs first, as everywhere. A job that a worker has claimed is running, and its chunk goes on.
    let jobs = tx
        .all(sql!(
            "DELETE FROM jobs WHERE material_id = $1 AND kind = 'convert_chunk' AND status = 'queued'
             RETURNING chunk_index",
            material
        ))
        .await?;
    let mut chunks: Vec<u32> = jobs.iter().map(|row| row.get("chunk_index")).collect::<Result<_>>()?;
    chunks.sort_unstable();
    if chunks.is_empty() {
        return Ok(Cancelled { material: found, had_queued: false });
    }
    let fixed = [material.bind()];
    let rows = || chunks.iter().map(|index| [index.bind()]);
    let before = "SELECT idx, hold_id FROM chunks WHERE material_id = $1 AND status IN ('queued', 'converting') AND idx IN (";
    let mut holds: HashMap<u32, Option<HoldId>> = HashMap::new();
    for row in tx.every(many(before, &fixed, rows(), ")")).await? {
        holds.insert(row.get("idx")?, row.get::<Option<_>>("hold_id")?.map(HoldId));
    }
    // An attempt that failed leaves its chunk as one that is being spoken until the next.
    let before =
        "UPDATE chunks SET status = 'queued' WHERE material_id = $1 AND status = 'converting' AND idx IN (";
    tx.run_all(many(before, &fixed, rows(), ")")).await?;
    notices::forget_book(tx, material).await?;
    let (restored, duration_ms) = again::restore(tx, material, &chunks, writing.now).await?;
    tx.run_all(many(FORGET, &fixed, rows(), ")")).await?;
    let change = Change {
        completed: restored.cast_signed(),
        queued: -(holds.len().cast_signed() as i64),
        duration_ms: duration_ms.cast_signed(),
        ..Change::default()
    };
    let changed = recount(tx, &found, change, writing).await?;
    let holds: Vec<HoldId> = holds.into_values().flatten().collect();
    batch::release(tx, found.account, &holds, writing.booking()).await?;
    tx.notify(Notification::Material(material));
    Ok(Cancelled { material: changed, had_queued: true })
}
