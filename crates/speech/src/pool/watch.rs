//! Finds threads that hang: an utterance that takes many times what it should is given up. Its
//! reader gets an error and another thread takes the place of its own, which cannot be ended. One
//! that comes back works on.

use std::{
    io,
    sync::{Arc, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{Lane, LaneQueue, in_hand::InHand, threads};
use crate::engines::EngineError;

/// How often the work in hand is looked at.
const TICK: Duration = Duration::from_secs(1);

/// Starts the thread that watches a lane; it ends with the lane.
///
/// # Errors
/// The system's, when it gives no thread.
pub(super) fn start(lane: &Arc<Lane>) -> io::Result<()> {
    let of_thread = Arc::clone(lane);
    let name = format!("watch-{}", lane.settings.name);
    thread::Builder::new().name(name).stack_size(1 << 18).spawn(move || watch(&of_thread)).map(drop)
}

fn watch(lane: &Arc<Lane>) {
    let tick = TICK.min(lane.settings.patience / 4).max(Duration::from_millis(1));
    let mut queue = lane.lock();
    loop {
        if queue.closing && queue.alive == 0 {
            return;
        }
        if queue.in_hand.is_empty() {
            queue = lane.watch.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let begun = Instant::now();
        queue = lane.watch.wait_timeout(queue, tick).unwrap_or_else(PoisonError::into_inner).0;
        let passed = begun.elapsed().min(2 * tick);
        queue.in_hand.values_mut().for_each(|work| work.spend(passed));
        for (number, overdue) in overdue(&mut queue) {
            give_up(lane, &mut queue, number, &overdue);
        }
    }
}

/// Takes out what has taken too long.
fn overdue(queue: &mut LaneQueue) -> Vec<(u64, InHand)> {
    queue.in_hand.extract_if(|_, work| work.is_overdue()).collect()
}

fn give_up(lane: &Arc<Lane>, queue: &mut LaneQueue, number: u64, overdue: &InHand) {
    let job = &overdue.job;
    tracing::error!(
        lane = lane.settings.name,
        engine = job.request.spec.engine,
        turn = number,
        seconds = overdue.spent().as_secs(),
        expected_seconds = job.work.as_secs_f64(),
        "an engine does not come back from an utterance; its thread is given up"
    );
    job.abandoned.set();
    let _ = job.events.send(job.failed(EngineError::TimedOut));
    queue.turns.remove(job.id);
    if let Some(meter) = queue.meters.get_mut(job.engine) {
        meter.totals.timed_out += 1;
    }
    queue.alive = queue.alive.saturating_sub(1);
    queue.hanging += 1;
    // A thread that hangs keeps its memory, and its core if it computes.
    if queue.hanging <= lane.all_threads()
        && let Err(error) = threads::start_locked(lane, queue)
    {
        tracing::error!(%error, lane = lane.settings.name, "no thread to replace the one that hangs");
    }
    if queue.alive == 0 {
        // Nobody is left to say what waits.
        queue.drop_all();
    }
    lane.progress.notify_all();
    lane.work.notify_all();
}
