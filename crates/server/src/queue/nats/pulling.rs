//! A worker's ear on the work queues: one task for each of them asks for as many messages as there is room for jobs of its kind,
//! and hands them on. Room that others filled meanwhile makes a message too many, which is given back.

use std::{sync::Arc, time::Duration};

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture};
use lectern_store::{Environment, jobs::JobKind};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    Link, Ticket,
    streams::{self, Lane},
};
use crate::{
    error::chain,
    queue::{Call, Calls, QueueError},
    signals::Changes,
};

/// How long a pull waits on the server for messages at most: also how long one that the server has forgotten goes unnoticed. No
/// heartbeats are asked for: the client of this version goes deaf at the first.
const LONGEST_PULL: Duration = Duration::from_secs(10);

/// The rest after a pull failed.
const REST: Duration = Duration::from_secs(1);

/// Messages that are handed on together, so that their jobs are claimed together.
const TOGETHER: usize = 64;

/// How long a pull waits. That of a worker that was cut off goes on taking messages, which nobody hears: it is to have ended by
/// the time when the worker's jobs are taken back, or it would take the messages of those as well. Leases are renewed each third of
/// their time, so that is two thirds of one after the cut, as a rule; one that a renewal has failed is left half as much.
fn pull_for(lease: Duration) -> Duration {
    LONGEST_PULL.min(lease / 3)
}

/// The ear of one worker.
pub(super) struct Pulling {
    /// How much room there is, by kind.
    room: Vec<(JobKind, watch::Sender<usize>)>,
    tickets: mpsc::Receiver<Ticket>,
    /// What this process queued and the server may not have been told of.
    signals: Changes,
    _tasks: JoinSet<()>,
}

impl Pulling {
    pub(super) fn start(link: &Arc<Link>, kinds: &[JobKind]) -> Self {
        let (hand_on, tickets) = mpsc::channel(TOGETHER);
        let mut tasks = JoinSet::new();
        let mut room: Vec<(JobKind, watch::Sender<usize>)> = Vec::new();
        for &kind in kinds {
            if room.iter().any(|(of, _)| *of == kind) {
                continue;
            }
            let (free, freed) = watch::channel(0);
            for &environment in Environment::ALL {
                let lane = Lane { kind, environment };
                tasks.spawn(pull(Arc::clone(link), lane, freed.clone(), hand_on.clone()));
            }
            room.push((kind, free));
        }
        Self { room, tickets, signals: link.signals.watch_jobs(), _tasks: tasks }
    }
}

impl Calls for Pulling {
    fn next<'a>(&'a mut self, room: &'a [(JobKind, usize)]) -> BoxFuture<'a, Call> {
        for (kind, free) in &self.room {
            let now = room.iter().find(|(of, _)| of == kind).map_or(0, |(_, free)| *free);
            free.send_if_modified(|was| std::mem::replace(was, now) != now);
        }
        async {
            let mut tickets = Vec::new();
            tokio::select! {
                1.. = self.tickets.recv_many(&mut tickets, TOGETHER) => Call::Tickets(tickets),
                () = self.signals.next() => Call::Look,
            }
        }
        .boxed()
    }

    fn come_one_by_one(&self) -> bool {
        true
    }
}

/// Pulls from one work queue for as long as anybody listens.
async fn pull(link: Arc<Link>, lane: Lane, mut room: watch::Receiver<usize>, hand_on: mpsc::Sender<Ticket>) {
    let mut connected = link.connected.clone();
    let mut known = None;
    loop {
        let Ok(free) = room.wait_for(|free| *free > 0).await.map(|free| *free) else { return };
        connected.mark_unchanged();
        // Both environments are asked at once for the same room: of the sandbox's jobs for one only, since they are few.
        let wanted = if lane.environment == Environment::Test { 1 } else { free };
        let outcome = tokio::select! {
            outcome = pull_once(&link, lane, wanted, &hand_on, &mut known) => outcome,
            // The server that held the pull may be another now, and have forgotten all.
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
    lane: Lane,
    wanted: usize,
    hand_on: &mpsc::Sender<Ticket>,
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
        if hand_on.send(Ticket::of(message, lane.kind)).await.is_err() {
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
    fn pulls_of_a_worker_that_was_cut_off_end_before_its_jobs_are_taken_back() {
        for seconds in [1, 5, 30, 600] {
            let lease = Duration::from_secs(seconds);
            assert!(pull_for(lease) * 2 + Jobs::renewal(lease) <= lease, "{seconds}");
        }
        assert_eq!(pull_for(Duration::from_mins(10)), LONGEST_PULL);
    }
}
