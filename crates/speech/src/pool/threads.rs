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
};

use super::{
    Lane,
    narrating::Event,
    plan::plan,
    turns::{Job, Task},
};
use crate::{
    engines::{Engine, EngineError, Utterance},
    seed,
};

/// The stack of a model thread: inference keeps its buffers on the heap, regular expressions may
/// recurse.
const STACK_BYTES: usize = 4 << 20;

/// Starts one more thread of a lane.
///
/// # Errors
/// The system's, when it gives no thread.
pub(super) fn start(lane: &Arc<Lane>) -> io::Result<()> {
    let of_thread = Arc::clone(lane);
    lane.lock().alive += 1;
    let started = thread::Builder::new()
        .name(format!("speech-{}", lane.settings.name))
        .stack_size(STACK_BYTES)
        .spawn(move || work(&of_thread));
    if started.is_err() {
        ended(lane);
    }
    started.map(drop)
}

fn ended(lane: &Lane) {
    lane.lock().alive -= 1;
    lane.progress.notify_all();
}

/// Works until the lane closes or an engine panics.
fn work(lane: &Arc<Lane>) {
    let mut engines = HashMap::new();
    // Made before the first request wants them; what fails is tried again when it is wanted.
    for entry in &lane.settings.engines {
        let made = catch_unwind(AssertUnwindSafe(|| (entry.factory)()));
        if let Ok(Ok(engine)) = made {
            engines.insert(entry.name.clone(), engine);
        }
    }
    while let Some((number, job)) = next_job(lane) {
        let panicked = catch_unwind(AssertUnwindSafe(|| run(lane, &job, &mut engines))).is_err();
        lane.lock().in_hand.remove(&number);
        if panicked {
            fail(lane, &job, EngineError::Panicked);
            lane.lock().panics += 1;
            tracing::error!(
                lane = lane.settings.name,
                engine = job.request.spec.engine,
                "a model thread panicked"
            );
            // The engine's state cannot be trusted, and neither can its destructor.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(engines)));
            if let Err(error) = start(lane) {
                tracing::error!(%error, lane = lane.settings.name, "no thread to replace the one that panicked");
            }
            break;
        }
    }
    ended(lane);
}

/// Waits for a turn, which has a number; `None` when the lane is closed and has nothing left.
fn next_job(lane: &Lane) -> Option<(u64, Job)> {
    let mut queue = lane.lock();
    loop {
        if let Some(job) = queue.turns.next(lane.ahead) {
            queue.handed_out += 1;
            let number = queue.handed_out;
            queue.in_hand.insert(number, job.abandoned.clone());
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

fn run(lane: &Lane, job: &Job, engines: &mut HashMap<String, Box<dyn Engine>>) {
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
            lane.lock().turns.planned(job.id, pieces);
            // One utterance for this thread and, if there are more, for the others.
            lane.work.notify_all();
            lane.progress.notify_all();
        }
        Task::Say(index, piece) => {
            let utterance = Utterance {
                spec: Arc::clone(&job.request.spec),
                span: piece.span.clone(),
                seed: seed::of_part(job.request.spec.seed, *index),
                abandoned: job.abandoned.clone(),
            };
            match engine.say(&utterance) {
                Ok(mut speech) => {
                    let least = u64::from(piece.pause_ms) * u64::from(speech.sample_rate_hz) / 1000;
                    speech.pause_samples = speech.pause_samples.max(least);
                    speech.asked = piece.asked;
                    let _ = job.events.send(Event::Said(*index, Ok(speech)));
                }
                Err(error) => fail(lane, job, error),
            }
        }
    }
}

fn engine_for<'a>(
    lane: &Lane,
    name: &str,
    engines: &'a mut HashMap<String, Box<dyn Engine>>,
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
    let event = match &job.task {
        Task::Plan(_) => Event::Unplanned(error),
        Task::Say(index, _) => Event::Said(*index, Err(error)),
    };
    let _ = job.events.send(event);
    lane.forget(job.id);
}
