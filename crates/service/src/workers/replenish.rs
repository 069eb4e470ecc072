//! Publishes messages again that a queue has lost or never received. A committed job stays due
//! until it is done, so comparing counts on both sides is enough. It also recreates the streams of
//! a server that was wiped.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

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
    let all = JobKind::ALL.iter().flat_map(|kind| {
        let of = move |environment: &Environment| Lane::new(*kind, String::new(), *environment);
        Environment::ALL.iter().map(of)
    });
    let mut lanes: BTreeSet<Lane> = all.collect();
    // The engines are those that jobs need; which there are is not known otherwise.
    lanes.extend(due(base).await?.into_keys());
    let mut waiting = Vec::new();
    for lane in lanes {
        match base.queue.waiting(lane.kind, &lane.engine, lane.environment).await {
            Ok(Some(messages)) => waiting.push((lane, messages)),
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::debug!(error = %error, "the queue did not say how many messages wait in it");
                return Ok(());
            }
        }
    }
    // Once more, so that jobs that were claimed meanwhile get no second message.
    let due = due(base).await?;
    for (lane, waiting) in waiting {
        let lacking = due.get(&lane).map_or(0, |due| due.saturating_sub(waiting)).min(AT_ONCE);
        if lacking > 0 {
            make(base, &lane, lacking).await;
        }
    }
    Ok(())
}

/// What is counted on both sides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Lane {
    kind: JobKind,
    engine: String,
    environment: Environment,
}

impl Lane {
    fn new(kind: JobKind, engine: String, environment: Environment) -> Self {
        Self { kind, engine, environment }
    }
}

/// How many jobs have been due for a while.
async fn due(base: &Base) -> Result<BTreeMap<Lane, u64>> {
    let long_due = base.clock.now().plus_seconds(-ON_THEIR_WAY_SECONDS);
    let due = jobs::due(&base.store, long_due).await?.into_iter();
    Ok(due.map(|due| (Lane::new(due.kind, due.engine, due.environment), due.jobs)).collect())
}

/// Publishes this many messages. Their ids do not matter: a worker claims whatever is due, and a
/// surplus message finds nothing.
async fn make(base: &Base, lane: &Lane, lacking: u64) {
    let Lane { kind, environment, .. } = *lane;
    let engine = || lane.engine.clone();
    let message = || QueuedJob { kind, engine: engine(), environment, id: base.ids.make(), epoch: 0 };
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
