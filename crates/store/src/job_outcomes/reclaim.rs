//! Jobs whose worker died are queued again when their leases expire. A lost lease does not count as
//! a failed attempt, but has a limit of its own, so that a job that kills its worker each time
//! comes to an end.

use lectern_types::ErrorCode;

use super::fail::fail_subject;
use crate::{
    Error, Result, Store, chunks,
    db::{Bound as _, sql},
    jobs::{JobClaim, JobStatus, Outcome, of_known_kinds, read_claim},
    materials::{self, Failure},
    notifications::Notification,
    writing::Writing,
};

/// How many leases a job may lose before it is dead.
pub const MAX_LOST_LEASES: u32 = 100;

/// The reclaimed jobs.
#[derive(Debug, Default)]
pub struct Reclaimed {
    /// Jobs that are queued again.
    pub requeued: u32,
    /// Jobs that had lost too many leases and are dead now.
    pub dead: Vec<JobClaim>,
    /// What kept others from it, by their ids: they are tried again the next time.
    pub failures: Vec<(String, Error)>,
}

/// Takes jobs from workers whose lease ended before `writing.now`, at most `limit`. Those of a
/// material that others have locked wait for the next time.
///
/// # Errors
/// When it cannot be looked for them.
pub async fn reclaim_lost(store: &Store, limit: u32, writing: Writing<'_>) -> Result<Reclaimed> {
    let before =
        "SELECT id, kind, claim_epoch, account_id, environment, material_id, chunk_index, engine, detail,
             attempts, lost_leases
         FROM jobs WHERE status = 'running' AND lease_until < $1 AND kind IN (";
    let fixed = [writing.now.bind(), limit.bind()];
    let rows = of_known_kinds(store, before, &fixed, ") ORDER BY lease_until LIMIT $2").await?;
    let mut reclaimed = Reclaimed::default();
    for row in rows {
        let done = async {
            let claim = read_claim(&row)?;
            Ok((reclaim(store, &claim, &writing).await?, claim))
        };
        match done.await {
            Ok((Taken::Not, _)) => {}
            Ok((Taken::Requeued, _)) => reclaimed.requeued += 1,
            Ok((Taken::Dead, claim)) => reclaimed.dead.push(claim),
            Err(error) => {
                // The next would wait as long for the same.
                let is_away = Error::is_transient(&error);
                reclaimed.failures.push((row.get("id")?, error));
                if is_away {
                    break;
                }
            }
        }
    }
    Ok(reclaimed)
}

enum Taken {
    Not,
    Requeued,
    Dead,
}

async fn reclaim(store: &Store, claim: &JobClaim, writing: &Writing<'_>) -> Result<Taken> {
    let mut tx = store.begin().await?;
    let mut material = None;
    if let Some(id) = claim.material {
        // What others have locked is taken the next time: one that was cut off with it is not to
        // keep all the rest waiting.
        material = materials::lock_if_free(&mut tx, id).await?;
        if material.is_none() {
            return Ok(Taken::Not);
        }
    }
    let dies = claim.lost_leases >= MAX_LOST_LEASES;
    let touched = tx
        .run(sql!(
            "UPDATE jobs SET status = $4, worker = NULL, lease_until = NULL, lost_leases = lost_leases + 1,
                 last_error = 'lease expired; worker presumed dead', run_at = $3, updated_at = $3
             WHERE id = $1 AND claim_epoch = $2 AND status = 'running' AND lease_until < $3",
            claim.id,
            claim.epoch,
            writing.now,
            if dies { JobStatus::Dead } else { JobStatus::Queued }
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
        let outcome = fail_subject(&mut tx, claim, material, &failure, writing).await?;
        debug_assert_ne!(outcome, Outcome::Lost, "the claim was held above");
    } else {
        chunks::requeue(&mut tx, claim).await?;
        tx.notify(claim.requeued());
        // The worker that lost the claim, if it is alive, looks whether it still stands.
        if let Some(material) = claim.material {
            tx.notify(Notification::Material(material));
        }
    }
    tx.commit().await?;
    Ok(if dies { Taken::Dead } else { Taken::Requeued })
}
