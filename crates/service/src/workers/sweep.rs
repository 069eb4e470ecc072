//! Cleans up: expired audio, objects that no row needs any more, holds whose leases expired, old
//! idempotency rows, sessions, unpaid purchases, and mails with their tokens. `orphans` handles
//! objects that no row refers to, `missing` rows whose objects are gone.

mod missing;
mod orphans;

use lectern_store::{
    clock_steps, deliveries, email_tokens, events, idempotency, ledger, mails, object_deletions, purchases,
    sessions, syntheses,
};
use lectern_types::PaymentProvider;

pub use self::{missing::Missing, orphans::Orphans};

use crate::{base::Base, error::Result, services::billing::payments};

/// Rows of each kind handled in one round; the next round continues.
const BATCH: u32 = 200;

/// How long events, and finished deliveries with their attempts, are kept.
const EVENTS_KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// Batches of events and deliveries in one round.
const MOST_BATCHES: u32 = 50;

/// The most objects deleted in one round; a book has thousands.
const OBJECTS: u32 = 2_000;

/// After this many failures a round stops deleting: the storage itself must be down.
const MOST_FAILURES: usize = 10;

/// The delay before an object that could not be deleted is retried.
const FAILED_REST_SECONDS: i64 = 10 * 60;

/// One round.
///
/// # Errors
/// The store's or the storage's. Whatever was already cleaned up stays cleaned up.
pub async fn round(base: &Base) -> Result<()> {
    let now = base.clock.now();
    let back = clock_steps::observe(&base.store, now).await?;
    if back > 0 {
        tracing::warn!(
            clock.back_s = back / 1_000_000,
            "the clock was set back: waiting jobs and leases were moved back with it"
        );
    }
    let ids = || base.transaction_id();
    let booking = ledger::Booking { now, ids: &ids };
    let released = ledger::settle_due(&base.store, now, BATCH, booking).await?;
    if released > 0 {
        tracing::warn!(holds = released, "holds of abandoned work were released");
    }
    idempotency::sweep(&base.store, now, BATCH).await?;
    sessions::sweep(&base.store, now, BATCH).await?;
    email_tokens::sweep(&base.store, now, BATCH).await?;
    mails::sweep(&base.store, now, BATCH).await?;
    // There are more of these than of anything else.
    let old = now.plus_seconds(-EVENTS_KEPT_SECONDS);
    for _ in 0..MOST_BATCHES {
        let deliveries = deliveries::sweep(&base.store, old, BATCH).await?;
        // Events are swept after the deliveries that refer to them.
        if deliveries + events::sweep(&base.store, old, BATCH).await? == 0 {
            break;
        }
    }
    for &provider in PaymentProvider::ALL {
        let Some(pending_seconds) = payments::pending_seconds(provider) else { continue };
        let old = now.plus_seconds(-pending_seconds);
        let given_up = purchases::sweep(&base.store, provider, old, BATCH, now).await?;
        if given_up > 0 {
            tracing::info!(purchases = given_up, "unpaid purchases expired");
        }
    }
    syntheses::history::forget_due(&base.store, now, BATCH).await?;
    let expired = syntheses::expire(&base.store, now, BATCH).await?;
    if expired > 0 {
        tracing::info!(syntheses = expired, "audio expired");
    }
    delete_unneeded(base).await
}

/// Deletes objects that no row needs any more, or that were announced and never used.
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
        // Deleted after the others: an object that can never be deleted must not hold them up.
        let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
        object_deletions::reserve(&base.store, &kept, now.plus_seconds(FAILED_REST_SECONDS)).await?;
    }
    if !gone.is_empty() {
        object_deletions::done(&base.store, &gone, now).await?;
        tracing::info!(objects = gone.len(), "unneeded objects were deleted");
    }
    Ok(())
}
