//! A chunk fails permanently, or is queued once more by the operator.

use lectern_types::{AudioFormat, Credits, MaterialStatus};

use crate::{
    Error, Result,
    db::{Tx, sql},
    jobs::Outcome,
    ledger::{
        HoldId,
        posting::batch::{self, Part},
    },
    materials::{self, Change, FailedChunk, Failure, Material},
    writing::Writing,
};

/// There are too few credits to pay for a chunk again.
pub(crate) struct Insufficient {
    pub(crate) available: Credits,
    pub(crate) required: Credits,
}

/// Fails a chunk of a locked material and releases its hold.
pub(crate) async fn fail(
    tx: &mut Tx,
    material: &Material,
    index: u32,
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<Outcome> {
    let before = tx
        .one(sql!("SELECT hold_id FROM chunks WHERE material_id = $1 AND idx = $2", material.id, index))
        .await?;
    let hold = before.map(|row| row.scalar()).transpose()?.flatten().map(HoldId);
    let row = tx
        .one(sql!(
            "UPDATE chunks SET status = 'failed', hold_id = NULL, failure_code = $3, failure_message = $4
             WHERE material_id = $1 AND idx = $2 AND status IN ('queued', 'converting')
             RETURNING characters, format",
            material.id,
            index,
            failure.code,
            failure.message.as_str()
        ))
        .await?;
    let (Some(row), Some(ereader)) = (row, material.ereader) else { return Ok(Outcome::Going) };
    let (characters, format): (u32, AudioFormat) = (row.get("characters")?, row.get("format")?);
    let change = Change { failed: 1, queued: -1, ..Change::default() };
    let changed = materials::count(tx, material, change, 1, writing.now).await?;
    if let Some(hold) = hold {
        batch::release(tx, material.account, &[hold], writing.booking()).await?;
    }
    let failed = FailedChunk { index, characters, format };
    materials::record_failed_chunks(tx, material, ereader, [failed].into_iter(), failure, writing).await?;
    materials::record_end(tx, &changed, writing).await?;
    Ok(if changed.status == MaterialStatus::Converting {
        Outcome::Going
    } else {
        Outcome::Ended(changed.status)
    })
}

/// Queues a failed chunk of a locked material again, at its earlier price. Returns `Some` when
/// there are too few credits.
pub(crate) async fn queue_again(
    tx: &mut Tx,
    material: &Material,
    index: u32,
    writing: &Writing<'_>,
) -> Result<Option<Insufficient>> {
    let failed = tx
        .one(sql!(
            "SELECT credits FROM chunks WHERE material_id = $1 AND idx = $2 AND status = 'failed'",
            material.id,
            index
        ))
        .await?;
    let Some(failed) = failed else {
        return Err(Error::Unreadable { what: format!("a dead job of chunk {index}, which has not failed") });
    };
    let credits: Credits = failed.scalar()?;
    let hold = (credits > Credits::ZERO).then(|| HoldId((writing.transactions)()));
    tx.run(sql!(
        "UPDATE chunks SET status = 'queued', hold_id = $3, requested_at = $4, failure_code = NULL,
             failure_message = NULL WHERE material_id = $1 AND idx = $2",
        material.id,
        index,
        hold.map(|hold| hold.0),
        writing.now
    ))
    .await?;
    let change = Change { failed: -1, queued: 1, ..Change::default() };
    materials::count(tx, material, change, 0, writing.now).await?;
    let Some(id) = hold else { return Ok(None) };
    let part = Part { id, credits, reference: format!("{}/{index}", material.id) };
    let available = batch::hold(tx, material.account, &[part], writing).await?;
    Ok(available.map(|available| Insufficient { available, required: credits }))
}
