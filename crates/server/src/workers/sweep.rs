//! Clears what is over: audio past its time, holds whose lease has ended, forgotten idempotency rows, sessions, and
//! mails with their tokens.

use lectern_store::{email_tokens, idempotency, ledger, mails, sessions, syntheses};

use crate::{app::Base, error::Result};

/// Rows looked at in one round of each kind; what is left waits for the next.
const BATCH: u32 = 200;

/// One round.
///
/// # Errors
/// The store's or the storage's; what was cleared before it stays cleared.
pub async fn round(base: &Base) -> Result<()> {
    let now = base.clock.now();
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
    let due = syntheses::due_for_deletion(&base.store, now, BATCH).await?;
    let mut gone = Vec::with_capacity(due.len());
    for (synthesis, object) in due {
        match base.objects.delete(&object).await {
            Ok(()) => gone.push(synthesis),
            Err(error) => tracing::warn!(error = %error, object.key = object, "audio was not deleted"),
        }
    }
    if !gone.is_empty() {
        syntheses::mark_deleted(&base.store, &gone, now).await?;
        tracing::info!(objects = gone.len(), "audio past its time was deleted");
    }
    Ok(())
}
