//! A worker's subscription to the work queues. One task for each queue pulls as many messages as
//! the worker has free capacity for jobs of that kind. A message that finds the capacity taken
//! meanwhile is returned.

use std::{sync::Arc, time::Duration};

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture};
use lectern_store::{Changes, Environment, jobs::JobKind};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    Link, QueueMessage,
    streams::{self, Lane},
};
use crate::{
    dispatch::queue::{QueueError, Subscription, Wake},
    error::chain,
};

/// The longest time that a pull waits on the server. A pull that the server has forgotten goes
/// unnoticed for that long. There are no heartbeats, because this version of the client receives
/// nothing after the first.
const LONGEST_PULL: Duration = Duration::from_secs(10);

/// The pause after a failed pull.
const REST: Duration = Duration::from_secs(1);

/// The most messages handed over at once, so that their jobs are claimed in one statement.
const TOGETHER: usize = 64;

/// How long a pull waits. The pull of a worker that lost its connection keeps taking messages that
/// nobody receives. It must end before the worker's jobs are reclaimed, or it would take their
/// messages as well. Leases are renewed every third of their length, so a job is usually reclaimed
/// two thirds of a lease after the loss, and half of that when a renewal had already failed.
fn pull_for(lease: Duration) -> Duration {
    LONGEST_PULL.min(lease / 3)
}

/// The subscription of one worker.
pub(super) struct Pulling {
    /// Free capacity by kind.
    room: Vec<(JobKind, watch::Sender<usize>)>,
    messages: mpsc::Receiver<QueueMessage>,
    /// Jobs of this process that the server may not know about.
    queued: Changes,
    _tasks: JoinSet<()>,
}

impl Pulling {
    pub(super) fn start(link: &Arc<Link>, kinds: &[JobKind], engines: &[String]) -> Self {
        let (hand_on, messages) = mpsc::channel(TOGETHER);
        let mut tasks = JoinSet::new();
        let mut room: Vec<(JobKind, watch::Sender<usize>)> = Vec::new();
        let none = [String::new()];
        for &kind in kinds {
            if room.iter().any(|(of, _)| *of == kind) {
                continue;
            }
            let (free, freed) = watch::channel(0);
            let engines = if kind.needs_engine() { engines } else { &none[..] };
            for engine in engines {
                for &environment in Environment::ALL {
                    let lane = Lane::of(kind, engine, environment);
                    tasks.spawn(pull(Arc::clone(link), lane, freed.clone(), hand_on.clone()));
                }
            }
            room.push((kind, free));
        }
        Self { room, messages, queued: link.store.watch_jobs(), _tasks: tasks }
    }
}

impl Subscription for Pulling {
    fn next<'a>(&'a mut self, room: &'a [(JobKind, usize)]) -> BoxFuture<'a, Wake> {
        for (kind, free) in &self.room {
            let now = room.iter().find(|(of, _)| of == kind).map_or(0, |(_, free)| *free);
            free.send_if_modified(|was| std::mem::replace(was, now) != now);
        }
        async {
            let mut messages = Vec::new();
            tokio::select! {
                1.. = self.messages.recv_many(&mut messages, TOGETHER) => Wake::Messages(messages),
                () = self.queued.next() => Wake::Poll,
            }
        }
        .boxed()
    }

    fn is_per_job(&self) -> bool {
        true
    }
}

/// Pulls from one work queue until the subscription is dropped.
async fn pull(
    link: Arc<Link>,
    lane: Lane,
    mut room: watch::Receiver<usize>,
    hand_on: mpsc::Sender<QueueMessage>,
) {
    let mut connected = link.connected.clone();
    let mut known = None;
    loop {
        let Ok(free) = room.wait_for(|free| *free > 0).await.map(|free| *free) else { return };
        connected.mark_unchanged();
        // Both environments share the same capacity. Sandbox jobs are few, so only one is
        // requested.
        let wanted = if lane.environment == Environment::Test { 1 } else { free };
        let outcome = tokio::select! {
            outcome = pull_once(&link, &lane, wanted, &hand_on, &mut known) => outcome,
            // The new connection may lead to another server, which knows nothing of this pull.
            _ = connected.changed() => {
                known = None;
                continue;
            }
        };
        if let Err(error) = outcome {
            known = None;
            link.failed(&error.0);
            tokio::select! {
                () = tokio::time::sleep(REST) => {}
                _ = connected.changed() => {}
            }
        }
    }
}

async fn pull_once(
    link: &Link,
    lane: &Lane,
    wanted: usize,
    hand_on: &mpsc::Sender<QueueMessage>,
    known: &mut Option<PullConsumer>,
) -> Result<(), QueueError> {
    let consumer = match known {
        Some(consumer) => consumer,
        None => known.insert(streams::consumer(link, lane).await?),
    };
    let batch = consumer.batch().max_messages(wanted).expires(pull_for(link.lease)).messages().await;
    let mut batch = batch.map_err(|error| QueueError(chain(&error)))?;
    while let Some(message) = batch.next().await {
        let message = message.map_err(|error| QueueError(error.to_string()))?;
        metrics::counter!("lectern_queue_messages_total", "kind" => lane.kind.as_str()).increment(1);
        if hand_on.send(QueueMessage::of(message, lane.kind)).await.is_err() {
            break;
        }
    }
    link.answered();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Jobs;

    #[test]
    fn pulls_of_a_disconnected_worker_end_before_its_jobs_are_reclaimed() {
        for seconds in [1, 5, 30, 600] {
            let lease = Duration::from_secs(seconds);
            assert!(pull_for(lease) * 2 + Jobs::renewal(lease) <= lease, "{seconds}");
        }
        assert_eq!(pull_for(Duration::from_mins(10)), LONGEST_PULL);
    }
}
