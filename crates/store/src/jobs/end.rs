//! Ends of a claim that are no success: another attempt later, at once, or never.

use lectern_types::{MaterialStatus, Timestamp};

use super::{JobClaim, JobKind};
use crate::{
    Result, Store, chunks,
    db::{Tx, sql},
    materials::{self, Failure, Material},
    news::News,
    writing::Writing,
};

/// What became of a material with the end of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The claim is lost; nothing was changed, and what the attempt made must not be used.
    Lost,
    /// It is written; the material has more to do, or is not concerned.
    Going,
    /// It is written, and with it the material's conversion or extraction has ended in this status.
    Ended(MaterialStatus),
}

/// Gives a job back for another attempt at `run_at`. `counts`: whether the attempt failed by the job's own fault. False when
/// the claim is lost.
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

/// Gives a job back unharmed, to be taken up at once by whoever comes, as a worker does that is stopped. False when the
/// claim is lost.
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
    chunks::stop(&mut tx, claim).await?;
    if run_at <= now {
        tx.tells(claim.queued_again());
    }
    tx.commit().await?;
    Ok(true)
}

/// Gives a job up. With it, in one transaction, a chunk fails (its hold is released), or an extraction does. `failure` is
/// what the owner is told, `error` what the operator sees. The job stays as a dead one, for `retry`.
pub async fn bury(
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
    let outcome = mourn(&mut tx, claim, material, failure, &writing).await?;
    if let Some(material) = claim.material {
        tx.tells(News::Material(material));
    }
    tx.commit().await?;
    Ok(outcome)
}

/// What a job's death means to its locked material.
pub(super) async fn mourn(
    tx: &mut Tx,
    claim: &JobClaim,
    material: Option<Material>,
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<Outcome> {
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
