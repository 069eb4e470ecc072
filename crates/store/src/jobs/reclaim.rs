//! Jobs whose worker has died: their leases end, and they are queued again. That does not count as a failed attempt, but has a
//! limit of its own, so that work that kills its worker each time ends.

use lectern_types::{ErrorCode, MaterialId};

use super::{JobClaim, Outcome, end::mourn, read_claim};
use crate::{
    Result, Store, chunks,
    db::sql,
    materials::{self, Failure},
    writing::Writing,
};

/// How many leases a job may lose before it is given up.
pub const MAX_LOST_LEASES: u32 = 100;

/// What was reclaimed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Jobs that are queued again.
    pub requeued: u32,
    /// Jobs that had lost too many leases and are dead now.
    pub buried: Vec<JobClaim>,
    /// The materials of all of them.
    pub materials: Vec<MaterialId>,
}

/// Takes jobs from workers whose lease ended before `writing.now`, at most `limit`.
pub async fn reclaim_lost(store: &Store, limit: u32, writing: Writing<'_>) -> Result<Reclaimed> {
    let rows = store
        .all(sql!(
            "SELECT id, kind, claim_epoch, account_id, environment, material_id, chunk_index, detail, attempts,
                 lost_leases
             FROM jobs WHERE status = 'running' AND lease_until < $1 ORDER BY lease_until LIMIT $2",
            writing.now,
            limit
        ))
        .await?;
    let mut reclaimed = Reclaimed::default();
    for row in rows {
        let claim = read_claim(&mut row.columns())?;
        match reclaim(store, &claim, &writing).await? {
            Taken::Not => continue,
            Taken::Requeued => reclaimed.requeued += 1,
            Taken::Buried => reclaimed.buried.push(claim.clone()),
        }
        reclaimed.materials.extend(claim.material);
    }
    reclaimed.materials.sort_unstable();
    reclaimed.materials.dedup();
    Ok(reclaimed)
}

enum Taken {
    Not,
    Requeued,
    Buried,
}

async fn reclaim(store: &Store, claim: &JobClaim, writing: &Writing<'_>) -> Result<Taken> {
    let mut tx = store.begin().await?;
    let mut material = None;
    if let Some(id) = claim.material {
        material = materials::lock(&mut tx, id).await?;
        if material.is_none() {
            return Ok(Taken::Not);
        }
    }
    let dies = claim.lost_leases >= MAX_LOST_LEASES;
    let touched = tx
        .run(sql!(
            "UPDATE jobs SET status = $4, worker = NULL, lease_until = NULL, lost_leases = lost_leases + 1,
                 last_error = 'the worker stopped without a word', run_at = $3, updated_at = $3
             WHERE id = $1 AND claim_epoch = $2 AND status = 'running' AND lease_until < $3",
            claim.id,
            claim.epoch,
            writing.now,
            if dies { super::JobStatus::Dead } else { super::JobStatus::Queued }
        ))
        .await?;
    if touched == 0 {
        return Ok(Taken::Not);
    }
    if dies {
        let failure = Failure {
            code: ErrorCode::InternalError,
            message: ErrorCode::InternalError.default_message().to_owned(),
        };
        let outcome = mourn(&mut tx, claim, material, &failure, writing).await?;
        debug_assert_ne!(outcome, Outcome::Lost, "the claim was held above");
    } else {
        chunks::stop(&mut tx, claim).await?;
        tx.tells(claim.queued_again());
    }
    tx.commit().await?;
    Ok(if dies { Taken::Buried } else { Taken::Requeued })
}
