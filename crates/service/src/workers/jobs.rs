//! Runs jobs: claims what is due and there is room for, keeps each claim alive while its work goes
//! on, and records how it ended. The store is the truth of all this; several processes share its
//! jobs.
//!
//! One loop claims ([`run`]), called by the queue and woken by the clock; `supervision` sees one
//! job through, `slots` is the room, `backoff` the delay after a failure, `outage` what is done
//! while store or storage is away. What the jobs do is in [`crate::services::materials`].

mod backoff;
pub(super) mod outage;
mod slots;
mod supervision;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::future::join_all;
use lectern_store::{
    job_outcomes,
    jobs::{self, Claiming, JobKind},
};
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::{outage::Outage, slots::Slots};
use super::runner::until_late;
use crate::{
    config::Config,
    dispatch::queue::{QueueMessage, Wake},
    error::{Result, chain},
    services::{materials::jobs::JobContext, speech::voices},
};

/// How often the store is polled for due jobs and for jobs whose leases expired.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The polling interval when a queue delivers a message for each job. Polling finds what the queue
/// lost.
const LOOK_BEHIND_CALLS: Duration = Duration::from_secs(5);

/// The most jobs reclaimed in one round; the next round continues.
const RECLAIMED_AT_ONCE: u32 = 500;

/// The longest time running jobs may take to finish once the process was asked to stop. With
/// [`INTERRUPTION`] it makes ten seconds, after which service managers kill a process.
const ENDING: Duration = Duration::from_secs(7);

/// How long they may take after that to react to cancellation.
const INTERRUPTION: Duration = Duration::from_secs(3);

/// How long a claim may take once the process was asked to stop. Jobs whose claim was committed all
/// the same are reclaimed when their leases expire.
const LAST_CLAIM: Duration = Duration::from_secs(2);

/// Which jobs a process runs, and how many at once.
#[derive(Debug, Clone)]
pub struct Room {
    pub kinds: Vec<JobKind>,
    /// How many chunks of an engine are converted at once.
    pub conversions: usize,
    /// How long running jobs may take to finish once the process was asked to stop.
    pub shutdown: Duration,
}

impl Room {
    /// All kinds, with the limits of the settings.
    pub fn of(config: &Config) -> Self {
        let conversions = match usize::try_from(config.jobs.concurrency).unwrap_or(usize::MAX) {
            // One more than there are model threads, so that none is idle while audio is stored.
            0 => voices::threads(config) + 1,
            some => some,
        };
        let shutdown = Duration::from_secs(config.http.shutdown_seconds).min(ENDING);
        Self { kinds: JobKind::ALL.to_vec(), conversions, shutdown }
    }
}

/// Shared by the loop and the running jobs.
struct WorkerState {
    context: JobContext,
    store: Outage,
    storage: Outage,
    room: Outage,
    /// Jobs that could not be requeued in the last round; each was logged once.
    kept: Mutex<BTreeSet<String>>,
    /// Cancelled when running jobs must stop.
    closing: CancellationToken,
}

/// Runs jobs until `stop` is cancelled. Running jobs then finish within the shutdown time or are
/// cancelled. The claims of cancelled jobs are released, so that other workers can take them at
/// once.
pub async fn run(workshop: JobContext, room: Room, stop: CancellationToken) {
    let state = Arc::new(WorkerState {
        context: workshop,
        store: Outage::new("the store"),
        storage: Outage::new("object storage"),
        room: Outage::new("room for temporary files"),
        kept: Mutex::default(),
        closing: CancellationToken::new(),
    });
    let under_way = TaskTracker::new();
    tracing::info!(
        jobs.conversions = room.conversions,
        jobs.worker = &*state.context.base.instance_id,
        "jobs are run"
    );
    let asked = async {
        stop.cancelled().await;
        Instant::now()
    };
    // Each engine has slots and claims of its own, so that the chunks of a heavy one hold up those of
    // no other.
    let claiming = shares(&room, state.context.speech.engines());
    let claiming = claiming.iter().map(|share| claim_until(&state, share, &under_way, &stop));
    let (asked, ..) = tokio::join!(
        asked,
        join_all(claiming),
        super::runner::every("lost leases", LOOK_EVERY, stop.clone(), || reclaim_lost(&state)),
    );
    under_way.close();
    // The last claim and the last round count against the same time.
    if tokio::time::timeout_at(asked + room.shutdown, under_way.wait()).await.is_err() {
        tracing::info!(jobs = under_way.len(), "jobs interrupted; their claims are released");
        state.closing.cancel();
        if tokio::time::timeout(INTERRUPTION, under_way.wait()).await.is_err() {
            tracing::warn!(jobs = under_way.len(), "jobs could not be interrupted; their leases will expire");
        }
    }
}

/// A part of a process's jobs that has slots of its own.
#[derive(Debug, PartialEq, Eq)]
struct Share {
    kinds: Vec<JobKind>,
    conversions: usize,
    /// The engines of its jobs.
    engines: Vec<String>,
}

/// One share for each engine; the first has the jobs as well that need none or do not say which.
fn shares<'a>(room: &Room, engines: impl Iterator<Item = &'a str>) -> Vec<Share> {
    let share = |kinds: &[JobKind], engines: Vec<String>| Share {
        kinds: kinds.to_vec(),
        conversions: room.conversions,
        engines,
    };
    let mut engines = engines.map(str::to_owned);
    let first = engines.next().into_iter().chain([String::new()]).collect();
    let mut shares = vec![share(&room.kinds, first)];
    if room.kinds.contains(&JobKind::ConvertChunk) {
        shares.extend(engines.map(|engine| share(&[JobKind::ConvertChunk], vec![engine])));
    }
    shares
}

async fn claim_until(
    state: &Arc<WorkerState>,
    share: &Share,
    under_way: &TaskTracker,
    stop: &CancellationToken,
) {
    let slots = Slots::new(&share.kinds, share.conversions);
    let engines: Vec<&str> = share.engines.iter().map(String::as_str).collect();
    let queue = &state.context.base.queue;
    let mut calls = queue.subscribe(&share.kinds, &share.engines);
    let per_job = calls.is_per_job();
    let mut looks = true;
    // Messages do not postpone polling: a lost one may be of another kind than those that arrive.
    let mut looked = Instant::now();
    while !stop.is_cancelled() {
        if looks && state.away().is_none() {
            let free = state.free(&slots);
            let claimed = claim(state, &slots, &engines, under_way, free, Vec::new());
            until_late(stop, LAST_CLAIM, Box::pin(claimed)).await;
            looked = Instant::now();
        }
        looks = false;
        // The claim may have begun an outage.
        let away = state.away();
        let look_every = if per_job && !queue.is_away() { LOOK_BEHIND_CALLS } else { LOOK_EVERY };
        let free = if away.is_none() { state.free(&slots) } else { Vec::new() };
        let call = tokio::select! {
            () = stop.cancelled() => None,
            () = tokio::time::sleep_until(away.unwrap_or(looked + look_every)) => Some(Wake::Poll),
            // Also during an outage: the queue must know that there is no free slot.
            call = calls.next(&free) => Some(call),
            () = slots.freed(), if away.is_none() => (!per_job).then_some(Wake::Poll),
        };
        match call {
            None => {}
            Some(Wake::Poll) => looks = true,
            Some(Wake::Messages(messages)) => {
                let delay =
                    away.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
                let (wanted, messages) = admit(messages, &state.free(&slots), delay, away.is_some()).await;
                let claimed = claim(state, &slots, &engines, under_way, wanted, messages);
                until_late(stop, LAST_CLAIM, Box::pin(claimed)).await;
            }
        }
    }
}

/// The messages that have a free slot, and how many slots they need. The others are returned for
/// redelivery after `delay`.
async fn admit(
    messages: Vec<QueueMessage>,
    free: &[(JobKind, usize)],
    delay: Duration,
    is_away: bool,
) -> (Vec<(JobKind, usize)>, Vec<QueueMessage>) {
    let mut wanted: Vec<(JobKind, usize)> = free.iter().map(|(kind, _)| (*kind, 0)).collect();
    let mut admitted = Vec::new();
    for message in messages {
        let room = free.iter().find(|(kind, _)| *kind == message.kind).map_or(0, |(_, free)| *free);
        let lane = wanted.iter_mut().find(|(kind, _)| *kind == message.kind);
        match lane.filter(|(_, taken)| !is_away && *taken < room) {
            Some((_, taken)) => {
                *taken += 1;
                admitted.push(message);
            }
            None => message.again(delay).await,
        }
    }
    (wanted, admitted)
}

/// Claims due jobs, at most `wanted` of each kind, and starts them. Each job gets a message of its
/// kind while there are any.
async fn claim(
    state: &Arc<WorkerState>,
    slots: &Slots,
    engines: &[&str],
    under_way: &TaskTracker,
    mut wanted: Vec<(JobKind, usize)>,
    mut messages: Vec<QueueMessage>,
) {
    let base = &state.context.base;
    while wanted.iter().any(|(_, jobs)| *jobs > 0) {
        let claiming = Claiming {
            worker: &base.instance_id,
            room: &wanted,
            engines,
            now: base.clock.now(),
            lease_until: base.lease_end(),
        };
        let claims = match jobs::claim(&base.store, &claiming).await {
            Ok(claims) => claims,
            Err(error) => {
                state.store.failed(&error, Instant::now());
                for message in messages {
                    message.again(LOOK_EVERY).await;
                }
                return;
            }
        };
        state.store.over();
        if claims.is_empty() {
            break;
        }
        for claim in claims {
            if let Some((_, jobs)) = wanted.iter_mut().find(|(kind, _)| *kind == claim.kind) {
                *jobs = jobs.saturating_sub(1);
            }
            let message = messages.iter().position(|message| message.kind == claim.kind);
            let message = message.map(|at| messages.swap_remove(at));
            // Only free slots were requested, and no other task takes any.
            if let Some(slot) = slots.take(claim.kind) {
                under_way.spawn(supervision::supervise(Arc::clone(state), claim, message, slot));
            }
        }
    }
    // Already done elsewhere; acknowledge.
    for message in messages {
        message.done().await;
    }
}

/// Requeues jobs whose leases expired.
async fn reclaim_lost(state: &WorkerState) -> Result<()> {
    if state.store.until(Instant::now()).is_some() {
        return Ok(());
    }
    let base = &state.context.base;
    match job_outcomes::reclaim_lost(&base.store, RECLAIMED_AT_ONCE, base.writing()).await {
        Ok(reclaimed) => {
            let lost = u64::from(reclaimed.requeued) + reclaimed.dead.len() as u64;
            metrics::counter!("lectern_job_leases_lost_total").increment(lost);
            if reclaimed.requeued > 0 {
                tracing::warn!(
                    jobs = reclaimed.requeued,
                    "the leases of jobs expired; they were queued again"
                );
            }
            for dead in &reclaimed.dead {
                supervision::dead_letter(base, dead, "lease expired; worker presumed dead").await;
                tracing::error!(job.id = %dead.id, job.kind = dead.kind.as_str(), "a job lost too many leases and is dead");
            }
            let mut kept = state.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let known = std::mem::take(&mut *kept);
            for (job, error) in reclaimed.failures {
                if error.is_transient() {
                    state.store.failed(&error, Instant::now());
                    continue;
                }
                // Logged once, although it is retried in every round.
                if !known.contains(&job) {
                    tracing::error!(
                        error = chain(&error),
                        job.id = job,
                        "a job whose lease expired cannot be queued again"
                    );
                }
                kept.insert(job);
            }
        }
        Err(error) => state.store.failed(&error, Instant::now()),
    }
    Ok(())
}

impl WorkerState {
    /// How many more jobs of each kind to claim.
    fn free(&self, slots: &Slots) -> Vec<(JobKind, usize)> {
        let mut room = slots.free();
        if self.room.until(Instant::now()).is_some() {
            // Chunks are converted in memory; uploads and whole books need files.
            room.retain(|(kind, _)| *kind == JobKind::ConvertChunk);
        }
        room
    }

    /// Until when no job is claimed because a dependency of every job is down.
    fn away(&self) -> Option<Instant> {
        let now = Instant::now();
        self.store.until(now).max(self.storage.until(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_has_a_share_and_the_first_has_the_rest_as_well() {
        let room = |kinds: &[JobKind]| Room { kinds: kinds.to_vec(), conversions: 3, shutdown: ENDING };
        let all = shares(&room(JobKind::ALL), ["hibari", "kokoro"].into_iter());
        let engines: Vec<&[String]> = all.iter().map(|share| &*share.engines).collect();
        assert_eq!(engines, [&["hibari".to_owned(), String::new()][..], &["kokoro".to_owned()]]);
        assert_eq!((&*all[0].kinds, &*all[1].kinds), (JobKind::ALL, &[JobKind::ConvertChunk][..]));
        let none = shares(&room(&[JobKind::Extract]), ["hibari", "kokoro"].into_iter());
        assert_eq!(none.len(), 1);
        assert_eq!(shares(&room(JobKind::ALL), std::iter::empty())[0].engines, [String::new()]);
    }
}
