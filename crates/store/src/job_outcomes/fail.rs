//! A claim ends without success: another attempt later, at once, or never.

use lectern_types::{MaterialStatus, Timestamp};

use crate::{
    Result, Store, chunks,
    db::{Tx, sql},
    jobs::{JobClaim, JobKind, Outcome},
    materials::{self, Failure, Material},
    notifications::Notification,
    writing::Writing,
};

/// Queues a job for another attempt at `run_at`. `counts` tells whether the attempt failed by the
/// job's own fault. Returns false when the claim is lost.
pub async fn retry_later(
    store: &Store,
    claim: &JobClaim,
    run_at: Timestamp,
    error: &str,
    counts: bool,
    now: Timestamp,
) -> Result<bool> {
    requeue(store, claim, Some((run_at, error, counts)), now).await
}

/// Releases a claim when a worker stops, so that any worker may claim the job at once. Returns
/// false when the claim is lost.
pub async fn release(store: &Store, claim: &JobClaim, now: Timestamp) -> Result<bool> {
    requeue(store, claim, None, now).await
}

async fn requeue(
    store: &Store,
    claim: &JobClaim,
    failed: Option<(Timestamp, &str, bool)>,
    now: Timestamp,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    if let Some(material) = claim.material
        && materials::lock(&mut tx, material).await?.is_none()
    {
        return Ok(false);
    }
    let (run_at, error, counts) =
        failed.map_or((now, None, false), |(run_at, error, counts)| (run_at, Some(error), counts));
    let touched = tx
        .run(sql!(
            "UPDATE jobs SET status = 'queued', worker = NULL, lease_until = NULL, run_at = $3,
                 last_error = COALESCE($4, last_error), attempts = attempts + $5, updated_at = $6
             WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch,
            run_at,
            error,
            counts,
            now
        ))
        .await?;
    if touched == 0 {
        return Ok(false);
    }
    chunks::requeue(&mut tx, claim).await?;
    if run_at <= now {
        tx.notify(claim.requeued());
    }
    tx.commit().await?;
    Ok(true)
}

/// Fails a job permanently. The same transaction fails its chunk (and releases the chunk's hold) or
/// its material's extraction. `failure` is for the owner, `error` for the operator. The job stays
/// as a dead one, for `retry`.
pub async fn fail_permanently(
    store: &Store,
    claim: &JobClaim,
    failure: &Failure,
    error: &str,
    writing: Writing<'_>,
) -> Result<Outcome> {
    let mut tx = store.begin().await?;
    let mut material = None;
    if let Some(id) = claim.material {
        material = materials::lock(&mut tx, id).await?;
        if material.is_none() {
            return Ok(Outcome::Lost);
        }
    }
    let touched = tx
        .run(sql!(
            "UPDATE jobs SET status = 'dead', worker = NULL, lease_until = NULL, last_error = $3,
                 attempts = attempts + 1, updated_at = $4
             WHERE id = $1 AND claim_epoch = $2 AND status = 'running'",
            claim.id,
            claim.epoch,
            error,
            writing.now
        ))
        .await?;
    if touched == 0 {
        return Ok(Outcome::Lost);
    }
    let outcome = fail_subject(&mut tx, claim, material, failure, &writing).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// Fails the subject of a dead job: its chunk, or the extraction of its locked material.
pub(super) async fn fail_subject(
    tx: &mut Tx,
    claim: &JobClaim,
    material: Option<Material>,
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<Outcome> {
    if let Some(material) = claim.material {
        // A dead assembly job changes no row of its material, but requests wait for its end.
        tx.notify(Notification::Material(material));
    }
    match (claim.kind, material, claim.chunk) {
        (JobKind::Extract, Some(material), _) if material.status == MaterialStatus::Processing => {
            materials::fail_extraction(tx, material, failure, writing).await?;
            Ok(Outcome::Ended(MaterialStatus::Failed))
        }
        (JobKind::ConvertChunk, Some(material), Some(index)) => {
            chunks::fail(tx, &material, index, failure, writing).await
        }
        _ => Ok(Outcome::Going),
    }
}
