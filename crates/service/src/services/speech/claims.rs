//! The claim of a synthesis: the hold on its price under an `Idempotency-Key`, the lease that is
//! renewed while it runs, and its two outcomes, commit and abort.

use lectern_store::{
    keys::Authenticated,
    ledger::{Booking, Lease},
    syntheses::{self, Begin, BeginOutcome, Claim, Finished},
};
use lectern_types::{Credits, ErrorCode, SynthesisId};

use crate::services::idempotency::{self, Attempt, IdempotentRequest, Once};
use crate::{
    base::Base,
    clock,
    error::{Error, Result},
};

/// Holds the price, or waits for the request that runs under the same `Idempotency-Key`.
pub(super) async fn claim(
    base: &Base,
    caller: &Authenticated,
    price: Credits,
    idempotent: Option<&IdempotentRequest>,
) -> Result<Once<Claim>> {
    let fresh: SynthesisId = base.ids.make();
    let attempt = || async {
        match begin(base, caller, price, idempotent, fresh).await? {
            BeginOutcome::Begun(claim) => Ok(Attempt::Done(claim)),
            BeginOutcome::Insufficient { .. } => Err(ErrorCode::InsufficientBalance.into()),
            BeginOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    idempotency::once(base, idempotent, attempt).await
}

async fn begin(
    base: &Base,
    caller: &Authenticated,
    price: Credits,
    idempotent: Option<&IdempotentRequest>,
    id: SynthesisId,
) -> Result<BeginOutcome> {
    let lease = Lease { owner: hex::encode(clock::random::<16>()), until: base.lease_end() };
    let begin = Begin {
        synthesis: id,
        price,
        lease: &lease,
        idempotency: idempotent.map(IdempotentRequest::request),
    };
    let (account, environment) = (caller.account, caller.key.environment);
    Ok(syntheses::begin(&base.store, account, environment, &begin, base.writing()).await?)
}

/// Renews the lease for as long as it is polled; ends only when the claim was lost.
pub(super) async fn renew(base: &Base, claim: &Claim) -> Error {
    let mut ticks = tokio::time::interval(base.renewal());
    ticks.tick().await;
    loop {
        ticks.tick().await;
        match syntheses::renew(&base.store, claim, base.lease_end()).await {
            Ok(true) => {}
            Ok(false) => return lost(),
            // The lease is still valid for a while, and the next tick retries.
            Err(error) => tracing::warn!(error = %error, "a lease was not renewed"),
        }
    }
}

pub(super) fn lost() -> Error {
    Error::Unavailable { what: "another process took this request over", retry_after_seconds: 1 }
}

/// Releases the hold and deletes the `Idempotency-Key`'s row.
pub(super) async fn abort(base: &Base, claim: &Claim) {
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    if let Err(error) = syntheses::abort(&base.store, claim, booking).await {
        tracing::error!(error = %error, "a hold was not released; it ends with its lease");
    }
}

/// The object of this attempt's audio. Each attempt has its own, so that an attempt that lost its
/// claim and cleans up cannot delete its successor's audio.
pub(super) fn object(claim: &Claim, extension: &str) -> String {
    let attempt = claim.owner.get(..8).unwrap_or_default();
    format!("syntheses/{}-{attempt}.{extension}", claim.synthesis)
}

/// Commits finished work, whose audio is stored as `object` if it is kept. The audio is deleted
/// only when it is certain that no row refers to it.
///
/// # Errors
/// The store's, or `service_unavailable` when another process took the work over. As far as is known, nothing is charged
/// then.
pub(super) async fn finish(
    base: &Base,
    claim: &Claim,
    finished: &Finished<'_>,
    booking: Booking<'_>,
    object: Option<&str>,
) -> Result<()> {
    let error = match syntheses::commit(&base.store, claim, finished, booking).await {
        Ok(true) => return Ok(()),
        Ok(false) => lost(),
        // Perhaps only the answer was lost.
        Err(error) => match was_committed(base, claim, finished).await {
            Some(true) => return Ok(()),
            Some(false) => error.into(),
            None => {
                tracing::error!(error = %error, synthesis.id = %claim.synthesis, "whether a synthesis was charged is not known");
                return Err(error.into());
            }
        },
    };
    if let Some(object) = object
        && let Err(error) = base.objects.delete(object).await
    {
        tracing::warn!(error = %error, object.key = object, "orphaned audio was not deleted");
    }
    Err(error)
}

/// Whether work whose commit failed is in the store nevertheless. `None` when that is unknown: the
/// store does not answer, or the commit may still be in progress.
async fn was_committed(base: &Base, claim: &Claim, finished: &Finished<'_>) -> Option<bool> {
    // Releasing the claim waits for a commit in progress, and prevents a later one.
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    let given_up = syntheses::abort(&base.store, claim, booking).await;
    let found = syntheses::find(&base.store, claim.account, claim.environment, claim.synthesis).await.ok()?;
    let ours = found.is_some_and(|row| row.object_key == finished.synthesis.object_key);
    match (ours, given_up) {
        (true, _) => Some(true),
        (false, Ok(_)) if claim.is_kept() => Some(false),
        (false, _) => None,
    }
}
