//! Model threads: who speaks next, on which thread, and how a request's pieces come back in order.
//!
//! A [`Pool`] has lanes, each with threads of its own: engines that compute share one lane with a
//! thread a core, engines that wait for another server have a second one, so that waiting never
//! holds a core. A lane hands out one utterance at a time: round-robin over accounts, then over the
//! account's works, then over a work's requests. Live work goes before sandbox work, which still
//! gets every [`SANDBOX_SHARE`]th turn, and books come last and get every [`BACKGROUND_SHARE`]th. A
//! request whose reader is slow or gone costs nothing: at most a few utterances run ahead of the
//! reader, and none once it is dropped.
//!
//! The order of turns is in `turns`, where utterances lie in `plan`, the threads in `threads`, the
//! reader's side in `narrating`. Nothing here knows what an engine does.

mod narrating;
mod plan;
mod threads;
mod turns;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

pub use narrating::Narrating;
use turns::{Entry, Turns};

use crate::{
    engines::{Abandoned, Factory},
    spec::NarrationSpec,
};

/// Sandbox work gets one turn in this many when live work is waiting as well.
pub const SANDBOX_SHARE: u32 = 8;

/// Background work gets one turn in this many when anything else is waiting as well.
pub const BACKGROUND_SHARE: u32 = 12;

/// An engine of a lane, by the name requests ask for.
#[derive(Clone)]
pub struct EngineEntry {
    /// The name, such as `hibari`.
    pub name: String,
    /// Makes an instance; called once a thread, and again after a panic.
    pub factory: Factory,
}

/// Threads that run certain engines.
#[derive(Clone)]
pub struct LaneSettings {
    /// A short name for threads, logs and metrics: `models`, `upstream`.
    pub name: String,
    /// How many threads; at least one is started.
    pub threads: usize,
    /// How many unfinished requests it admits, and as many of background work besides.
    pub queue: usize,
    /// The engines its threads run.
    pub engines: Vec<EngineEntry>,
}

impl std::fmt::Debug for LaneSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engines: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        f.debug_struct("LaneSettings")
            .field("name", &self.name)
            .field("threads", &self.threads)
            .field("queue", &self.queue)
            .field("engines", &engines)
            .finish()
    }
}

/// Which work goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Paid work.
    Live,
    /// Test keys, and anything that can wait.
    Sandbox,
    /// Books: they take what the others leave. They wait in a queue of their own, so that neither a
    /// crowd of short requests keeps a book out nor many books the short ones.
    Background,
}

/// A text to say.
#[derive(Debug, Clone)]
pub struct Request {
    /// Whose turn it uses; any string that tells accounts apart.
    pub account: String,
    /// What it is a part of, such as a book's id: the works of an account take turns however many
    /// requests each has. Empty for requests that stand alone, which are one work together.
    pub work: String,
    /// Which work goes first.
    pub priority: Priority,
    /// What is to be said; its utterances are planned on a model thread.
    pub spec: Arc<NarrationSpec>,
}

/// Why a request is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// As many requests as the lane admits are unfinished; background work is counted by itself.
    #[error("all model threads are busy and the queue is full")]
    Full,
    /// No lane has the engine.
    #[error("there is no engine {0:?}")]
    UnknownEngine(String),
    /// The pool is shutting down.
    #[error("the speech engine is shutting down")]
    Closed,
    /// The system gave no thread.
    #[error("no thread could be started: {0}")]
    Threads(String),
}

/// What a lane is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneState {
    /// The lane's name.
    pub name: String,
    /// Its threads.
    pub threads: usize,
    /// How many of them are at work.
    pub busy: usize,
    /// Requests that wait for their first turn.
    pub waiting: usize,
    /// Requests that are partly said.
    pub running: usize,
    /// How long the request that waits longest has waited for its first turn.
    pub oldest: Option<Duration>,
    /// How often a thread panicked and was replaced.
    pub panics: u64,
}

/// Model threads behind a bounded, fair queue. Dropping it closes it without waiting.
#[derive(Debug)]
pub struct Pool {
    lanes: Vec<Arc<Lane>>,
}

/// One lane's queue and what its threads need.
pub(crate) struct Lane {
    settings: LaneSettings,
    /// Utterances of one request that may be said and unread at a time.
    ahead: usize,
    state: Mutex<LaneQueue>,
    /// Told when there may be work, and when the lane closes.
    work: Condvar,
    /// Told when a request leaves the queue or a thread ends.
    progress: Condvar,
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct LaneQueue {
    turns: Turns,
    /// Nothing new is taken; threads end when there is nothing left.
    closing: bool,
    /// The work in hand, by the number it was given, and how to tell it that nobody waits.
    in_hand: HashMap<u64, Abandoned>,
    handed_out: u64,
    alive: usize,
    panics: u64,
}

impl LaneQueue {
    /// Drops what waits and tells what is in hand that nobody does.
    fn drop_all(&mut self) {
        self.turns.clear();
        self.in_hand.values().for_each(Abandoned::set);
    }
}

impl Lane {
    /// The queue. A panic while it is held leaves it as consistent as before: every change is a
    /// plain assignment.
    fn lock(&self) -> MutexGuard<'_, LaneQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reader took one more utterance.
    fn read_one(&self, request: u64) {
        if self.lock().turns.read_one(request) {
            self.work.notify_one();
        }
    }

    /// Nobody wants the request any more.
    fn forget(&self, request: u64) {
        let removed = self.lock().turns.remove(request);
        if removed.is_some() {
            self.progress.notify_all();
        }
    }
}

impl Pool {
    /// Starts every lane's threads.
    ///
    /// # Errors
    /// [`PoolError::Threads`] when the system gives no threads.
    pub fn start(lanes: Vec<LaneSettings>) -> Result<Self, PoolError> {
        let pool = Self {
            lanes: lanes
                .into_iter()
                .map(|settings| {
                    let threads = settings.threads.max(1);
                    Arc::new(Lane {
                        // One being read, one ready, and what the threads are saying.
                        ahead: threads + 2,
                        settings: LaneSettings { threads, ..settings },
                        state: Mutex::default(),
                        work: Condvar::new(),
                        progress: Condvar::new(),
                    })
                })
                .collect(),
        };
        for lane in &pool.lanes {
            for _ in 0..lane.settings.threads {
                threads::start(lane).map_err(|error| PoolError::Threads(error.to_string()))?;
            }
        }
        Ok(pool)
    }

    /// Takes a request, or refuses it at once.
    ///
    /// # Errors
    /// [`PoolError`]; [`PoolError::Full`] is worth a later try.
    pub fn submit(&self, request: Request) -> Result<Narrating, PoolError> {
        let named =
            |lane: &&Arc<Lane>| lane.settings.engines.iter().any(|engine| engine.name == request.spec.engine);
        let lane = self
            .lanes
            .iter()
            .find(named)
            .ok_or_else(|| PoolError::UnknownEngine(request.spec.engine.clone()))?;
        let (events, received) = tokio::sync::mpsc::unbounded_channel();
        let abandoned = Abandoned::default();
        let mut queue = lane.lock();
        if queue.closing {
            return Err(PoolError::Closed);
        }
        let background = request.priority == Priority::Background;
        if queue.turns.unfinished(background) >= lane.settings.queue {
            return Err(PoolError::Full);
        }
        let id = queue.turns.add(Entry::new(Arc::new(request), events, abandoned.clone(), Instant::now()));
        drop(queue);
        lane.work.notify_one();
        Ok(Narrating::new(Arc::clone(lane), id, received, abandoned))
    }

    /// The names of all engines.
    pub fn engines(&self) -> impl Iterator<Item = &str> {
        self.lanes.iter().flat_map(|lane| lane.settings.engines.iter().map(|engine| engine.name.as_str()))
    }

    /// What every lane is doing now.
    pub fn state(&self) -> Vec<LaneState> {
        let now = Instant::now();
        self.lanes
            .iter()
            .map(|lane| {
                let queue = lane.lock();
                let (waiting, oldest) = queue.turns.waiting();
                LaneState {
                    name: lane.settings.name.clone(),
                    threads: lane.settings.threads,
                    busy: queue.in_hand.len(),
                    waiting,
                    running: queue.turns.len() - waiting,
                    oldest: oldest.map(|since| now.saturating_duration_since(since)),
                    panics: queue.panics,
                }
            })
            .collect()
    }

    /// Takes no new work, waits up to `patience` for what is queued, then drops the rest: its
    /// readers get an error. Blocks until the threads have ended: a model finishes its sentence,
    /// what waits for a server gives up.
    pub fn close(&self, patience: Duration) {
        let until = Instant::now() + patience;
        for lane in &self.lanes {
            lane.lock().closing = true;
            lane.work.notify_all();
        }
        for lane in &self.lanes {
            let mut queue = lane.lock();
            while !queue.turns.is_empty() {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    queue.drop_all();
                    break;
                }
                queue = lane.progress.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
            }
            lane.work.notify_all();
            while queue.alive > 0 {
                let left = until.saturating_duration_since(Instant::now());
                queue = if left.is_zero() {
                    queue.drop_all();
                    lane.progress.wait(queue).unwrap_or_else(PoisonError::into_inner)
                } else {
                    lane.progress.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0
                };
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for lane in &self.lanes {
            let mut queue = lane.lock();
            queue.closing = true;
            queue.drop_all();
            drop(queue);
            lane.work.notify_all();
        }
    }
}

/// How many threads a lane of computing engines wants on this machine: one a core.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
