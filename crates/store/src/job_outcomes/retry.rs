//! A dead job queued again by the operator. The hold that its death released is taken again: a
//! chunk's price.

use lectern_types::{Credits, JobId, MaterialStatus};

use crate::{
    Result, Store,
    chunks::{self, Insufficient},
    db::sql,
    jobs::{JobKind, JobStatus, chunk},
    materials,
    notifications::{Notification, QueuedJob},
    writing::Writing,
};

/// How queueing a dead job again ended. Nothing was changed unless it is [`RetryOutcome::Queued`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryOutcome {
    /// It is queued, its attempts counted from none.
    Queued,
    /// There is no such job; its material may have been deleted.
    NotFound,
    /// It is alive.
    NotDead,
    /// Its owner has too few credits to pay for the chunk again.
    Insufficient {
        available: Credits,
        /// The price of the chunk.
        required: Credits,
    },
}

/// Queues a dead job again.
pub async fn retry(store: &Store, job: JobId, writing: Writing<'_>) -> Result<RetryOutcome> {
    let mut tx = store.begin().await?;
    let named = tx.one(sql!("SELECT material_id FROM jobs WHERE id = $1", job)).await?;
    let Some(named) = named else { return Ok(RetryOutcome::NotFound) };
    let mut material = None;
    if let Some(id) = named.scalar::<Option<_>>()? {
        material = materials::lock(&mut tx, id).await?;
        if material.is_none() {
            return Ok(RetryOutcome::NotFound);
        }
    }
    let row = tx
        .one(sql!(
            "UPDATE jobs SET status = 'queued', run_at = $2, attempts = 0, lost_leases = 0, updated_at = $2
             WHERE id = $1 AND status = 'dead' RETURNING kind, engine, chunk_index, environment, claim_epoch",
            job,
            writing.now
        ))
        .await?;
    let Some(row) = row else {
        let alive = tx.one(sql!("SELECT status FROM jobs WHERE id = $1", job)).await?;
        let alive = alive.map(|row| row.scalar::<JobStatus>()).transpose()?;
        return Ok(if alive.is_some() { RetryOutcome::NotDead } else { RetryOutcome::NotFound });
    };
    let kind: JobKind = row.get("kind")?;
    let index = chunk(&row)?;
    let (engine, environment, epoch) = (row.get("engine")?, row.get("environment")?, row.get("claim_epoch")?);
    tx.notify(Notification::Job(QueuedJob { kind, engine, environment, id: job, epoch }));
    match (kind, material, index) {
        (JobKind::ConvertChunk, Some(material), Some(index)) => {
            let refused = chunks::queue_again(&mut tx, &material, index, &writing).await?;
            if let Some(Insufficient { available, required }) = refused {
                return Ok(RetryOutcome::Insufficient { available, required });
            }
        }
        (JobKind::Extract, Some(material), _) if material.status == MaterialStatus::Failed => {
            materials::process_again(&mut tx, &material, writing.now).await?;
        }
        _ => {}
    }
    tx.commit().await?;
    Ok(RetryOutcome::Queued)
}
