//! A request's claim on its work: its turn under an `Idempotency-Key`, the hold on its price, the lease that is renewed
//! while it runs, and the two ends it can come to. What the work is, is its owner's matter.

use lectern_store::{
    idempotency::Response,
    ledger::{Booking, Lease},
    syntheses::{self, Begin, BeginOutcome, Claim, Finished},
};
use lectern_types::{ErrorCode, SynthesisId};

use super::{
    idempotency::{self, Guarded},
    synthesis::Plan,
};
use crate::{
    app::App,
    clock,
    error::{Error, Result},
};

/// How a request came to its turn.
pub(super) enum Claimed {
    /// It may work: its price is held.
    Mine(Claim),
    /// It ran before.
    Replay(Response),
}

/// Holds the price, or waits for whoever works under the same `Idempotency-Key`.
pub(super) async fn claim(app: &App, plan: &Plan) -> Result<Claimed> {
    let fresh: SynthesisId = app.ids.make();
    loop {
        match begin(app, plan, fresh).await? {
            BeginOutcome::Begun(claim) => return Ok(Claimed::Mine(claim)),
            BeginOutcome::Insufficient { .. } => return Err(ErrorCode::InsufficientBalance.into()),
            BeginOutcome::Replay(replay) => {
                let Some(guarded) = &plan.guarded else {
                    return Err(Error::Internal("a replay without an Idempotency-Key".to_owned()));
                };
                if let Some(response) = idempotency::follow(app, guarded, replay).await? {
                    return Ok(Claimed::Replay(response));
                }
            }
        }
    }
}

async fn begin(app: &App, plan: &Plan, id: SynthesisId) -> Result<BeginOutcome> {
    let lease = Lease { owner: hex::encode(clock::random::<16>()), until: app.lease_end() };
    let begin = Begin {
        synthesis: id,
        price: plan.price,
        lease: &lease,
        idempotency: plan.guarded.as_ref().map(Guarded::request),
    };
    let (account, environment) = (plan.caller.account, plan.caller.key.environment);
    Ok(syntheses::begin(&app.store, account, environment, &begin, app.writing()).await?)
}

/// Keeps the lease alive until the work is done; ends only when the claim was lost.
pub(super) async fn renew(app: &App, claim: &Claim) -> Error {
    let mut ticks = tokio::time::interval(app.renewal());
    ticks.tick().await;
    loop {
        ticks.tick().await;
        match syntheses::renew(&app.store, claim, app.lease_end()).await {
            Ok(true) => {}
            Ok(false) => return lost(),
            // The lease still stands for a while, and the next tick tries again.
            Err(error) => tracing::warn!(error = %error, "a lease was not renewed"),
        }
    }
}

pub(super) fn lost() -> Error {
    Error::Unavailable { what: "another process took this request over", retry_after_seconds: 1 }
}

/// Gives the hold back and forgets the `Idempotency-Key`.
pub(super) async fn abort(app: &App, claim: &Claim) {
    let ids = || app.transaction_id();
    let booking = Booking { now: app.clock.now(), ids: &ids };
    if let Err(error) = syntheses::abort(&app.store, claim, booking).await {
        tracing::error!(error = %error, "a hold was not released; it ends with its lease");
    }
}

/// Where the audio of this attempt is kept. Each attempt has a place of its own: one that lost its claim and cleans up
/// after itself cannot delete what the one that took it over has stored.
pub(super) fn object(claim: &Claim, extension: &str) -> String {
    let attempt = claim.owner.get(..8).unwrap_or_default();
    format!("syntheses/{}-{attempt}.{extension}", claim.synthesis)
}

/// Commits finished work, whose audio is stored as `object` if it is kept. The audio is deleted when, and only when, it is
/// certain that nobody will be told of it.
///
/// # Errors
/// The store's, or `service_unavailable` when another took the work over; nothing is charged then, as far as is known.
pub(super) async fn finish(
    app: &App,
    claim: &Claim,
    finished: &Finished<'_>,
    booking: Booking<'_>,
    object: Option<&str>,
) -> Result<()> {
    let error = match syntheses::commit(&app.store, claim, finished, booking).await {
        Ok(true) => return Ok(()),
        Ok(false) => lost(),
        // The answer may be all that was lost.
        Err(error) => match was_committed(app, claim, finished).await {
            Some(true) => return Ok(()),
            Some(false) => error.into(),
            None => {
                tracing::error!(error = %error, synthesis.id = %claim.synthesis, "whether a synthesis was charged is not known");
                return Err(error.into());
            }
        },
    };
    if let Some(object) = object
        && let Err(error) = app.objects.delete(object).await
    {
        tracing::warn!(error = %error, object.key = object, "orphaned audio was not deleted");
    }
    Err(error)
}

/// Whether work whose commit failed stands in the store all the same. `None` when that cannot be told: the store does
/// not answer, or the commit may still be under way with nothing that keeps it from coming through.
async fn was_committed(app: &App, claim: &Claim, finished: &Finished<'_>) -> Option<bool> {
    // Giving the claim up waits for a commit that is under way, and leaves one that comes later nothing to commit.
    let ids = || app.transaction_id();
    let booking = Booking { now: app.clock.now(), ids: &ids };
    let given_up = syntheses::abort(&app.store, claim, booking).await;
    let found = syntheses::find(&app.store, claim.account, claim.environment, claim.synthesis).await.ok()?;
    let ours = found.is_some_and(|row| row.object_key == finished.synthesis.object_key);
    match (ours, given_up) {
        (true, _) => Some(true),
        (false, Ok(_)) if claim.is_kept() => Some(false),
        (false, _) => None,
    }
}
