//! Makes messages again that a queue has lost, or was never told: what is committed stays due until it is done, so that counting
//! both sides is enough. It also makes anew what a server that was wiped has forgotten.

use std::time::Duration;

use lectern_store::{
    Environment, QueuedJob,
    jobs::{self, JobKind},
};

use crate::{app::Base, error::Result};

/// Jobs that are due for less are on their way, or being pulled.
const ON_THEIR_WAY_SECONDS: i64 = 2;

/// Messages made in one round for one work queue; what is left waits for the next.
const AT_ONCE: u64 = 10_000;

/// How often it is looked.
pub const EVERY: Duration = Duration::from_secs(5);

/// One round. A queue that does not answer is left alone: workers look by themselves meanwhile.
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
                    tracing::debug!(error = %error, "the queue was not asked what waits in it");
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

/// Makes so many messages. Any name will do: whoever gets one claims what is due, and finds nothing if there are too many of them.
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
                "messages that the queue lacked were made again"
            );
        }
        Err(error) => tracing::debug!(error = %error, "messages were not made again"),
    }
}
