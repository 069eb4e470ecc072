//! Runs jobs: claims what is due and there is room for, keeps each claim alive while its work goes on, and records how it
//! ended. The store is the truth of all this; several processes share its jobs.
//!
//! One loop claims ([`run`]), called by the queue and woken by the clock; `supervision` sees one job through,
//! `slots` is the room, `backoff` the rest after a failure, `outage` what is done while store or storage is away. What
//! the jobs do is in [`crate::services::materials`].

mod backoff;
pub(super) mod outage;
mod slots;
mod supervision;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use lectern_store::jobs::{self, Claiming, JobKind};
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::{outage::Outage, slots::Slots};
use super::runner::until_late;
use crate::{
    config::Config,
    error::{Result, chain},
    queue::{Call, Ticket},
    services::{materials::Workshop, voices},
};

/// How often jobs are looked for that nobody called for, and jobs of processes that fell silent.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The same behind a queue that calls for each job: what it lost is found so.
const LOOK_BEHIND_CALLS: Duration = Duration::from_secs(5);

/// Jobs taken back in one look; what is left waits for the next.
const RECLAIMED_AT_ONCE: u32 = 500;

/// What running jobs may take at most to end of themselves when the process is asked to stop: with [`BREAKING_OFF`] ten seconds,
/// after which an operator's tools would kill it.
const ENDING: Duration = Duration::from_secs(7);

/// What they may take then to break off.
const BREAKING_OFF: Duration = Duration::from_secs(3);

/// How long a claim may take once the process is asked to stop. Jobs whose claim was committed all the same are taken back when their
/// leases end.
const LAST_CLAIM: Duration = Duration::from_secs(2);

/// Which jobs a process runs, and how many at once.
#[derive(Debug, Clone)]
pub struct Room {
    /// The kinds.
    pub kinds: Vec<JobKind>,
    /// Chunks converted at once.
    pub conversions: usize,
    /// How long running jobs may take to end once the process is asked to stop.
    pub shutdown: Duration,
}

impl Room {
    /// What the settings say, for all kinds.
    pub fn of(config: &Config) -> Self {
        let conversions = match usize::try_from(config.jobs.concurrency).unwrap_or(usize::MAX) {
            // One more than there are model threads, so that none is idle while audio is being stored.
            0 => voices::threads(config) + 1,
            some => some,
        };
        let shutdown = Duration::from_secs(config.http.shutdown_seconds).min(ENDING);
        Self { kinds: JobKind::ALL.to_vec(), conversions, shutdown }
    }
}

/// What the loop and the jobs under way share.
struct Floor {
    shop: Workshop,
    store: Outage,
    storage: Outage,
    room: Outage,
    engines: Outage,
    /// Jobs that the last look could not queue again, and that were told of.
    kept: Mutex<BTreeSet<String>>,
    /// Cancelled when running jobs must break off.
    closing: CancellationToken,
}

/// Runs jobs until `stop` is cancelled. Those under way then end within the shutdown time or break off: their claims are
/// given back, and others go on with them at once.
pub async fn run(workshop: Workshop, room: Room, stop: CancellationToken) {
    let floor = Arc::new(Floor {
        shop: workshop,
        store: Outage::new("the store"),
        storage: Outage::new("object storage"),
        room: Outage::new("room for temporary files"),
        engines: Outage::new("an engine of chunks that are to be converted"),
        kept: Mutex::default(),
        closing: CancellationToken::new(),
    });
    let under_way = TaskTracker::new();
    tracing::info!(jobs.conversions = room.conversions, jobs.worker = &*floor.shop.base.word, "jobs are run");
    let asked = async {
        stop.cancelled().await;
        Instant::now()
    };
    let (asked, ..) = tokio::join!(
        asked,
        claim_until(&floor, &room, &under_way, &stop),
        super::runner::every("lost leases", LOOK_EVERY, stop.clone(), || take_back(&floor)),
    );
    under_way.close();
    // Of which the last claim and the last round have had their part.
    if tokio::time::timeout_at(asked + room.shutdown, under_way.wait()).await.is_err() {
        tracing::info!(jobs = under_way.len(), "jobs are broken off and given back");
        floor.closing.cancel();
        if tokio::time::timeout(BREAKING_OFF, under_way.wait()).await.is_err() {
            tracing::warn!(jobs = under_way.len(), "jobs did not break off; their leases end by themselves");
        }
    }
}

async fn claim_until(floor: &Arc<Floor>, room: &Room, under_way: &TaskTracker, stop: &CancellationToken) {
    let slots = Slots::new(&room.kinds, room.conversions);
    let queue = &floor.shop.base.queue;
    let mut calls = queue.calls(&room.kinds);
    let one_by_one = calls.come_one_by_one();
    let mut looks = true;
    // Not put off by calls: what a lost one stood for may be of another kind than those that come.
    let mut looked = Instant::now();
    while !stop.is_cancelled() {
        if looks && floor.away().is_none() {
            let free = floor.free(&slots);
            until_late(stop, LAST_CLAIM, Box::pin(claim(floor, &slots, under_way, free, Vec::new()))).await;
            looked = Instant::now();
        }
        looks = false;
        // What failed just now may have begun an outage.
        let away = floor.away();
        let look_every = if one_by_one && !queue.is_away() { LOOK_BEHIND_CALLS } else { LOOK_EVERY };
        let free = if away.is_none() { floor.free(&slots) } else { Vec::new() };
        let call = tokio::select! {
            () = stop.cancelled() => None,
            () = tokio::time::sleep_until(away.unwrap_or(looked + look_every)) => Some(Call::Look),
            // Also while something is away, for the queue is to know that there is no room.
            call = calls.next(&free) => Some(call),
            () = slots.freed(), if away.is_none() => (!one_by_one).then_some(Call::Look),
        };
        match call {
            None => {}
            Some(Call::Look) => looks = true,
            Some(Call::Tickets(tickets)) => {
                let rest =
                    away.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
                let (wanted, tickets) = admit(tickets, &floor.free(&slots), rest, away.is_some()).await;
                until_late(stop, LAST_CLAIM, Box::pin(claim(floor, &slots, under_way, wanted, tickets)))
                    .await;
            }
        }
    }
}

/// Those of the tickets that there is room for, and the room that they want; the others are given back to come again after `rest`.
async fn admit(
    tickets: Vec<Ticket>,
    free: &[(JobKind, usize)],
    rest: Duration,
    is_away: bool,
) -> (Vec<(JobKind, usize)>, Vec<Ticket>) {
    let mut wanted: Vec<(JobKind, usize)> = free.iter().map(|(kind, _)| (*kind, 0)).collect();
    let mut admitted = Vec::new();
    for ticket in tickets {
        let room = free.iter().find(|(kind, _)| *kind == ticket.kind).map_or(0, |(_, free)| *free);
        let lane = wanted.iter_mut().find(|(kind, _)| *kind == ticket.kind);
        match lane.filter(|(_, taken)| !is_away && *taken < room) {
            Some((_, taken)) => {
                *taken += 1;
                admitted.push(ticket);
            }
            None => ticket.again(rest).await,
        }
    }
    (wanted, admitted)
}

/// Claims what is due, as far as `wanted` goes and there is room, and sets it going, each job with a ticket of its kind while there
/// are some.
async fn claim(
    floor: &Arc<Floor>,
    slots: &Slots,
    under_way: &TaskTracker,
    mut wanted: Vec<(JobKind, usize)>,
    mut tickets: Vec<Ticket>,
) {
    let base = &floor.shop.base;
    while wanted.iter().any(|(_, jobs)| *jobs > 0) {
        let claiming = Claiming {
            worker: &base.word,
            room: &wanted,
            now: base.clock.now(),
            lease_until: base.lease_end(),
        };
        let claims = match jobs::claim(&base.store, &claiming).await {
            Ok(claims) => claims,
            Err(error) => {
                floor.store.failed(&error, Instant::now());
                for ticket in tickets {
                    ticket.again(LOOK_EVERY).await;
                }
                return;
            }
        };
        floor.store.over();
        if claims.is_empty() {
            break;
        }
        for claim in claims {
            if let Some((_, jobs)) = wanted.iter_mut().find(|(kind, _)| *kind == claim.kind) {
                *jobs = jobs.saturating_sub(1);
            }
            let ticket = tickets.iter().position(|ticket| ticket.kind == claim.kind);
            let ticket = ticket.map(|at| tickets.swap_remove(at));
            // Only what is free was asked for, and nobody else takes.
            if let Some(slot) = slots.take(claim.kind) {
                under_way.spawn(supervision::see_through(Arc::clone(floor), claim, ticket, slot));
            }
        }
    }
    // Somebody else has done what these stood for.
    for ticket in tickets {
        ticket.done().await;
    }
}

/// Queues the jobs again whose leases ended, whoever had them.
async fn take_back(floor: &Floor) -> Result<()> {
    if floor.store.until(Instant::now()).is_some() {
        return Ok(());
    }
    let base = &floor.shop.base;
    match jobs::reclaim_lost(&base.store, RECLAIMED_AT_ONCE, base.writing()).await {
        Ok(reclaimed) => {
            let lost = u64::from(reclaimed.requeued) + reclaimed.buried.len() as u64;
            metrics::counter!("lectern_job_leases_lost_total").increment(lost);
            if reclaimed.requeued > 0 {
                tracing::warn!(
                    jobs = reclaimed.requeued,
                    "jobs of a process that fell silent were queued again"
                );
                base.signals.jobs_queued();
            }
            for dead in &reclaimed.buried {
                supervision::put_aside(base, dead, "its workers stopped without a word").await;
                tracing::error!(job.id = %dead.id, job.kind = dead.kind.as_str(), "a job lost too many leases and is dead");
            }
            for material in reclaimed.materials {
                base.signals.material_changed(material);
            }
            let mut kept = floor.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let known = std::mem::take(&mut *kept);
            for (job, error) in reclaimed.failures {
                if error.is_transient() {
                    floor.store.failed(&error, Instant::now());
                    continue;
                }
                // Once, although it is tried again each time.
                if !known.contains(&job) {
                    tracing::error!(
                        error = chain(&error),
                        job.id = job,
                        "a job of a process that fell silent cannot be queued again"
                    );
                }
                kept.insert(job);
            }
        }
        Err(error) => floor.store.failed(&error, Instant::now()),
    }
    Ok(())
}

impl Floor {
    /// How many more jobs of each kind are to be claimed.
    fn free(&self, slots: &Slots) -> Vec<(JobKind, usize)> {
        let mut room = slots.room();
        if self.engines.until(Instant::now()).is_some() {
            // Other processes may have the engine: this one is not to snatch the chunks from them again and again.
            room.retain(|(kind, _)| *kind != JobKind::ConvertChunk);
        }
        if self.room.until(Instant::now()).is_some() {
            // Chunks are made in memory; uploads and whole books need files.
            room.retain(|(kind, _)| *kind == JobKind::ConvertChunk);
        }
        room
    }

    /// Until when nothing is to be claimed, because something that every job needs is away.
    fn away(&self) -> Option<Instant> {
        let now = Instant::now();
        self.store.until(now).max(self.storage.until(now))
    }
}
