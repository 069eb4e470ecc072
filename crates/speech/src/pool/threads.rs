//! The threads of a lane: each takes a turn, runs an engine of its own, and tells the reader.
//!
//! A panic in an engine fails the request it was saying; the thread then ends and a fresh one, with
//! fresh engines, takes its place.

use std::{
    collections::HashMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError},
    thread,
    time::Instant,
};

use super::{
    Lane, LaneQueue, Priority,
    costs::Measured,
    in_hand::InHand,
    narrating::Event,
    plan::{Planned, plan},
    turns::{Job, Room, Task},
};
use crate::{
    engines::{AskedPauses, Engine, EngineError, Speech, Utterance, delivery, lengths},
    seed,
};

/// The stack of a model thread: inference keeps its buffers on the heap, regular expressions may
/// recurse.
const STACK_BYTES: usize = 4 << 20;

type Engines = HashMap<String, Box<dyn Engine>>;

/// Starts one more thread of a lane.
///
/// # Errors
/// The system's, when it gives no thread.
pub(super) fn start(lane: &Arc<Lane>) -> io::Result<()> {
    start_locked(lane, &mut lane.lock())
}

/// As [`start`], for one who has the lane's queue.
pub(super) fn start_locked(lane: &Arc<Lane>, queue: &mut LaneQueue) -> io::Result<()> {
    let of_thread = Arc::clone(lane);
    thread::Builder::new()
        .name(format!("speech-{}", lane.settings.name))
        .stack_size(STACK_BYTES)
        .spawn(move || work(&of_thread))?;
    queue.alive += 1;
    Ok(())
}

/// Works until the lane closes or an engine panics.
fn work(lane: &Arc<Lane>) {
    let mut engines = Engines::new();
    // Made before the first request wants them; what fails is tried again when it is wanted.
    for entry in &lane.settings.engines {
        let made = catch_unwind(AssertUnwindSafe(|| (entry.factory)()));
        if let Ok(Ok(engine)) = made {
            engines.insert(entry.name.clone(), engine);
        }
    }
    while let Some((number, job)) = next_job(lane) {
        let panicked = catch_unwind(AssertUnwindSafe(|| run(lane, &job, &mut engines))).is_err();
        let mut queue = lane.lock();
        if queue.in_hand.remove(&number).is_none() {
            // It was given up meanwhile, and its reader told. Another thread has its place, unless
            // too many hang.
            queue.hanging = queue.hanging.saturating_sub(1);
            if queue.alive >= lane.all_threads() {
                return;
            }
            if panicked {
                queue.panics += 1;
                drop(queue);
                start_another(lane, engines);
                return;
            }
            queue.alive += 1;
            continue;
        }
        if panicked {
            queue.panics += 1;
            drop(queue);
            replace(lane, &job, engines);
            break;
        }
    }
    lane.lock().alive -= 1;
    lane.progress.notify_all();
    lane.watch.notify_all();
}

/// Fails the request that panicked and starts another thread.
fn replace(lane: &Arc<Lane>, job: &Job, engines: Engines) {
    fail(lane, job, EngineError::Panicked);
    tracing::error!(lane = lane.settings.name, engine = job.request.spec.engine, "a model thread panicked");
    start_another(lane, engines);
}

/// Starts a thread in place of one whose engine panicked.
fn start_another(lane: &Arc<Lane>, engines: Engines) {
    // The engine's state cannot be trusted, and neither can its destructor.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(engines)));
    if let Err(error) = start(lane) {
        tracing::error!(%error, lane = lane.settings.name, "no thread to replace the one that panicked");
    }
}

/// Waits for a turn, which has a number; `None` when the lane is closed and has nothing left.
fn next_job(lane: &Lane) -> Option<(u64, Job)> {
    let mut queue = lane.lock();
    loop {
        if let Some(job) = queue.next(lane) {
            queue.handed_out += 1;
            let number = queue.handed_out;
            let work = InHand::new(job.clone(), lane.settings.patience);
            queue.in_hand.insert(number, work);
            lane.watch.notify_one();
            if queue.turns.is_empty() {
                lane.progress.notify_all();
            }
            return Some((number, job));
        }
        if queue.closing && queue.turns.is_empty() {
            return None;
        }
        queue = lane.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

impl LaneQueue {
    /// The next piece of work that may begin now.
    fn next(&mut self, lane: &Lane) -> Option<Job> {
        let in_hand: Vec<(Priority, usize)> =
            self.in_hand.values().map(|work| (work.job.request.priority, work.job.engine)).collect();
        let room = Room {
            ahead: lane.ahead,
            meters: &self.meters,
            threads: lane.settings.threads,
            in_hand: &in_hand,
        };
        self.turns.next(&room)
    }
}

fn run(lane: &Lane, job: &Job, engines: &mut Engines) {
    if job.abandoned.is_set() {
        return;
    }
    let engine = match engine_for(lane, &job.request.spec.engine, engines) {
        Ok(engine) => engine,
        Err(error) => return fail(lane, job, error),
    };
    match &job.task {
        Task::Plan(arrived) => {
            let waited = arrived.elapsed();
            let pieces: Arc<[_]> = match plan(engine.as_ref(), &job.request.spec) {
                Ok(pieces) => pieces.into(),
                Err(error) => return fail(lane, job, error),
            };
            // A reader that is gone has dropped the request already.
            let _ = job.events.send(Event::Planned(Arc::clone(&pieces), waited));
            let mut queue = lane.lock();
            queue.turns.planned(job.id, pieces);
            if let Some(meter) = queue.meters.get_mut(job.engine) {
                meter.totals.requests += 1;
            }
            drop(queue);
            // One utterance for this thread and, if there are more, for the others.
            lane.work.notify_all();
            lane.progress.notify_all();
        }
        Task::Say(index, piece) => {
            let utterance = Utterance {
                seed: seed::of_part(job.request.spec.seed, *index),
                abandoned: job.abandoned.clone(),
                ..Utterance::new(&job.request.spec, piece.span.clone())
            };
            let started = Instant::now();
            let mut ahead = 0;
            let mut begin = |speech: Speech| {
                ahead = speech.samples.len();
                let _ = job.events.send(Event::Begun(*index, beginning(speech, piece)));
            };
            let said = if lengths::is_asked(&utterance) {
                lengths::say(engine.as_mut(), &utterance, piece.pause_ms)
            } else if job.request.early {
                engine.say_early(&utterance, &mut begin)
            } else {
                engine.say(&utterance)
            };
            match said {
                Ok(mut speech) => {
                    let said = Measured {
                        weight: piece.weight,
                        characters: utterance.text().chars().count() as u64,
                        work: started.elapsed(),
                        samples: ahead + speech.samples.len(),
                        sample_rate_hz: speech.sample_rate_hz,
                        unknown_symbols: engine.unknown_symbols(),
                    };
                    // What was said several times to fit says nothing of what speech costs.
                    if !lengths::is_asked(&utterance)
                        && let Some(meter) = lane.lock().meters.get_mut(job.engine)
                    {
                        meter.note(&said);
                    }
                    let least = u64::from(piece.pause_ms) * u64::from(speech.sample_rate_hz) / 1000;
                    speech.pause_samples = speech.pause_samples.max(least);
                    let before_ms = if ahead > 0 { 0 } else { piece.asked.before_ms };
                    speech.asked = AskedPauses { before_ms, ..piece.asked };
                    delivery::level(&mut speech, &job.request.spec, piece.span.range.start);
                    let _ = job.events.send(Event::Said(*index, Ok(speech)));
                }
                Err(error) => fail(lane, job, error),
            }
        }
    }
}

/// The beginning of an utterance: silence that is asked for after it comes after the rest.
fn beginning(speech: Speech, piece: &Planned) -> Speech {
    Speech { asked: AskedPauses { after_ms: 0, ..piece.asked }, ..speech }
}

fn engine_for<'a>(
    lane: &Lane,
    name: &str,
    engines: &'a mut Engines,
) -> Result<&'a mut Box<dyn Engine>, EngineError> {
    let missing = || EngineError::Failed(format!("there is no engine {name:?}"));
    if !engines.contains_key(name) {
        let entry = lane.settings.engines.iter().find(|entry| entry.name == name).ok_or_else(missing)?;
        engines.insert(name.to_owned(), (entry.factory)()?);
    }
    engines.get_mut(name).ok_or_else(missing)
}

/// Tells the reader and drops what is left of the request.
fn fail(lane: &Lane, job: &Job, error: EngineError) {
    let _ = job.events.send(job.failed(error));
    lane.forget(job.id);
}
