//! Publishes messages again that a queue has lost or never received. A committed job stays due
//! until it is done, so comparing counts on both sides is enough. It also recreates the streams of
//! a server that was wiped.

use std::time::Duration;

use lectern_store::{
    Environment, QueuedJob,
    jobs::{self, JobKind},
};

use crate::{base::Base, error::Result};

/// Jobs that became due more recently than this are in transit, or being pulled.
const ON_THEIR_WAY_SECONDS: i64 = 2;

/// The most messages published for one work queue in one round; the next round continues.
const AT_ONCE: u64 = 10_000;

/// The interval of the rounds.
pub const EVERY: Duration = Duration::from_secs(5);

/// One round. A queue that does not answer is skipped: workers poll the store meanwhile.
///
/// # Errors
/// The store's.
pub async fn round(base: &Base) -> Result<()> {
    let mut lanes = Vec::new();
    for kind in JobKind::ALL.iter().copied() {
        for environment in Environment::ALL.iter().copied() {
            match base.queue.waiting(kind, environment).await {
                Ok(Some(waiting)) => lanes.push((kind, environment, waiting)),
                Ok(None) => return Ok(()),
                Err(error) => {
                    tracing::debug!(error = %error, "the queue did not say how many messages wait in it");
                    return Ok(());
                }
            }
        }
    }
    let long_due = base.clock.now().plus_seconds(-ON_THEIR_WAY_SECONDS);
    let due = jobs::due(&base.store, long_due).await?;
    for (kind, environment, waiting) in lanes {
        let found = due.iter().find(|(of, within, _)| (*of, *within) == (kind, environment));
        let lacking = found.map_or(0, |(.., due)| due.saturating_sub(waiting)).min(AT_ONCE);
        if lacking > 0 {
            make(base, kind, environment, lacking).await;
        }
    }
    Ok(())
}

/// Publishes this many messages. Their ids do not matter: a worker claims whatever is due, and a
/// surplus message finds nothing.
async fn make(base: &Base, kind: JobKind, environment: Environment, lacking: u64) {
    let message = || QueuedJob { kind, environment, id: base.ids.make(), epoch: 0 };
    let messages: Vec<QueuedJob> = (0..lacking).map(|_| message()).collect();
    match base.queue.publish(&messages).await {
        Ok(()) => {
            metrics::counter!("lectern_queue_replenished_total", "kind" => kind.as_str()).increment(lacking);
            tracing::info!(
                job.kind = kind.as_str(),
                environment = environment.as_str(),
                queue.messages = lacking,
                "messages that the queue lacked were published again"
            );
        }
        Err(error) => tracing::debug!(error = %error, "messages were not published again"),
    }
}
