//! Clears what is over: audio past its time, objects that nothing needs any more, holds whose lease has ended, forgotten
//! idempotency rows, sessions, purchases that nobody paid, and mails with their tokens. Objects that nothing knows of are `orphans`',
//! and rows without their objects `missing`'s.

mod missing;
mod orphans;

use lectern_store::{
    clock_steps, deliveries, email_tokens, events, idempotency, ledger, mails, object_deletions,
    purchases::{self, Provider},
    sessions, syntheses,
};

pub use self::{missing::Missing, orphans::Orphans};

use crate::{app::Base, error::Result, services::payments};

/// Rows looked at in one round of each kind; what is left waits for the next.
const BATCH: u32 = 200;

/// How long an event is kept, and a delivery that has ended with its attempts.
const EVENTS_KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// Batches of events and deliveries in one round.
const MOST_BATCHES: u32 = 50;

/// Objects deleted in one round: a book has thousands.
const OBJECTS: u32 = 2_000;

/// Failures after which a round deletes no more: the storage itself is away, then.
const MOST_FAILURES: usize = 10;

/// Rest of an object that could not be deleted.
const FAILED_REST_SECONDS: i64 = 10 * 60;

/// One round.
///
/// # Errors
/// The store's or the storage's; what was cleared before it stays cleared.
pub async fn round(base: &Base) -> Result<()> {
    let now = base.clock.now();
    let back = clock_steps::observe(&base.store, now).await?;
    if back > 0 {
        tracing::warn!(
            clock.back_s = back / 1_000_000,
            "the clock was set back: waiting jobs and leases were moved back"
        );
    }
    let ids = || base.transaction_id();
    let booking = ledger::Booking { now, ids: &ids };
    let released = ledger::settle_due(&base.store, now, BATCH, booking).await?;
    if released > 0 {
        tracing::warn!(holds = released, "holds of work that stopped were released");
    }
    idempotency::sweep(&base.store, now, BATCH).await?;
    sessions::sweep(&base.store, now, BATCH).await?;
    email_tokens::sweep(&base.store, now, BATCH).await?;
    mails::sweep(&base.store, now, BATCH).await?;
    // More of these come about than of anything else.
    let old = now.plus_seconds(-EVENTS_KEPT_SECONDS);
    for _ in 0..MOST_BATCHES {
        let deliveries = deliveries::sweep(&base.store, old, BATCH).await?;
        // After those that tell of them.
        if deliveries + events::sweep(&base.store, old, BATCH).await? == 0 {
            break;
        }
    }
    let left = now.plus_seconds(-payments::STRIPE_PENDING_SECONDS);
    let given_up = purchases::sweep(&base.store, Provider::Stripe, left, BATCH, now).await?;
    if given_up > 0 {
        tracing::info!(purchases = given_up, "purchases that nobody paid were given up");
    }
    let expired = syntheses::expire(&base.store, now, BATCH).await?;
    if expired > 0 {
        tracing::info!(syntheses = expired, "audio is past its time");
    }
    delete_unneeded(base).await
}

/// Deletes objects that no row needs any more, or that were announced and never needed.
async fn delete_unneeded(base: &Base) -> Result<()> {
    let now = base.clock.now();
    let due = object_deletions::due(&base.store, now, OBJECTS).await?;
    let mut gone = Vec::with_capacity(due.len());
    let mut kept = Vec::new();
    for object in due {
        match base.objects.delete(&object).await {
            Ok(()) => gone.push(object),
            Err(error) => {
                tracing::warn!(error = %error, object.key = object, "an object was not deleted");
                kept.push(object);
                if kept.len() == MOST_FAILURES {
                    break;
                }
            }
        }
    }
    if !kept.is_empty() {
        // Behind the others: an object that can never be deleted must not hold them up.
        let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
        object_deletions::reserve(&base.store, &kept, now.plus_seconds(FAILED_REST_SECONDS)).await?;
    }
    if !gone.is_empty() {
        object_deletions::done(&base.store, &gone, now).await?;
        tracing::info!(objects = gone.len(), "objects that nothing needs any more were deleted");
    }
    Ok(())
}
