//! Model threads: who speaks next, on which thread, and how a request's pieces come back in order.
//!
//! A [`Pool`] has lanes, each with threads of its own: engines that compute share one lane with a
//! thread a core, engines that wait for another server have a second one, so that waiting never
//! holds a core. A lane hands out one utterance at a time. What is shared is the time of the
//! threads, by an estimate of what each utterance takes: between engines, then between the accounts
//! of an engine, then between an account's works; the requests of a work take turns. Live work goes
//! before sandbox work, which still gets one second in [`SANDBOX_SHARE`], and books come last and get
//! one in [`BACKGROUND_SHARE`]. An engine whose sentences are short waits for none of a heavy one: a
//! lane with several engines has a thread more for it. A request whose reader is slow or gone costs
//! nothing: at most a few utterances run ahead of the reader, and none once it is dropped.
//!
//! What is admitted is in `admission`, the order of turns in `turns` and `shares`, what utterances
//! cost in `costs`, where they lie in `plan`, the threads in `threads`, who notices that one hangs in
//! `watch`, the reader's side in `narrating` and, of several voices, in `reading`. Nothing here knows what an engine does.

mod admission;
mod costs;
mod in_hand;
mod narrating;
mod plan;
mod reading;
mod shares;
mod threads;
mod turns;
mod watch;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use costs::Meter;
pub use costs::Totals;
use in_hand::InHand;
pub use narrating::Narrating;
pub use reading::{Reading, Said};
use turns::{Entry, Turns};

use crate::{
    engines::{Abandoned, Cost, Factory, LocalEngine},
    spec::NarrationSpec,
};

/// Sandbox work gets one second of the threads' time in this many when live work waits as well.
pub const SANDBOX_SHARE: u32 = 8;

/// Background work gets one second in this many when anything else waits as well.
pub const BACKGROUND_SHARE: u32 = 12;

/// How long any utterance may take, however short.
const PATIENCE: Duration = Duration::from_mins(1);

/// An engine of a lane, by the name requests ask for.
#[derive(Clone)]
pub struct EngineEntry {
    /// The name, such as `hibari`.
    pub name: String,
    /// What speech costs it, before anything is measured.
    pub cost: Cost,
    /// Makes an instance; called once a thread, and again after a panic.
    pub factory: Factory,
}

impl EngineEntry {
    /// An engine that speaks in this process.
    pub fn local(engine: &LocalEngine, factory: Factory) -> Self {
        Self { name: engine.name.to_owned(), cost: engine.cost, factory }
    }
}

/// Threads that run certain engines.
#[derive(Clone)]
pub struct LaneSettings {
    /// A short name for threads, logs and metrics: `models`, `upstream`.
    pub name: String,
    /// How many threads; at least one is started.
    pub threads: usize,
    /// How many requests of an engine and a priority it admits that wait for its threads.
    pub queue: usize,
    /// How long the work of an engine that waits may take all threads: live work alone for a live
    /// request, sandbox work as well for one of the sandbox. A request that nothing of its engine waits
    /// before is admitted whatever it takes.
    pub queue_work: Duration,
    /// How long any utterance may take. A long one may take many times what it should.
    pub patience: Duration,
    /// Whether estimates follow what is measured; otherwise engines are taken at their word.
    pub learns: bool,
    /// The engines its threads run.
    pub engines: Vec<EngineEntry>,
}

impl LaneSettings {
    /// A lane with room for this many requests, whatever they take.
    pub fn new(name: &str, threads: usize, queue: usize, engines: Vec<EngineEntry>) -> Self {
        Self {
            name: name.to_owned(),
            threads,
            queue,
            queue_work: Duration::MAX,
            patience: PATIENCE,
            learns: true,
            engines,
        }
    }
}

impl std::fmt::Debug for LaneSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engines: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        f.debug_struct("LaneSettings")
            .field("name", &self.name)
            .field("threads", &self.threads)
            .field("queue", &self.queue)
            .field("queue_work", &self.queue_work)
            .field("engines", &engines)
            .finish_non_exhaustive()
    }
}

/// Which work goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Whether the beginning of an utterance may come before the rest, as a part of its own, where the
    /// engine has it earlier. Its listener waits for it.
    pub early: bool,
}

/// Why a request is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// As many requests of the engine as the lane admits wait, or their work would take too long.
    #[error("all model threads are busy and the queue is full")]
    Full {
        /// When there will be room, by the estimate.
        retry_after: Duration,
    },
    /// All threads hang.
    #[error("the speech engine does not answer")]
    Hanging,
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
#[derive(Debug, Clone, PartialEq)]
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
    /// Its engines.
    pub engines: Vec<EngineState>,
}

/// What an engine of a lane is doing, and what it has done.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineState {
    /// The engine's name.
    pub name: String,
    /// How long what waits takes one thread, by the estimate: background work apart from the rest.
    pub waiting_work: Duration,
    /// The same of background work.
    pub background_work: Duration,
    /// Seconds that a thread takes for a character, as of now.
    pub seconds_a_character: f64,
    /// What it has done since the start.
    pub totals: Totals,
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
    /// Told when there is work in hand after there was none, and when the lane closes.
    watch: Condvar,
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("settings", &self.settings).finish_non_exhaustive()
    }
}

struct LaneQueue {
    turns: Turns,
    /// What each engine costs, in the order of the settings.
    meters: Vec<Meter>,
    /// Nothing new is taken; threads end when there is nothing left.
    closing: bool,
    /// The work in hand, by the number it was given.
    in_hand: HashMap<u64, InHand>,
    handed_out: u64,
    /// Threads that work or wait for work.
    alive: usize,
    /// Threads that were given up and have not come back.
    hanging: usize,
    panics: u64,
}

impl LaneQueue {
    /// Drops what waits and tells what is in hand that nobody does.
    fn drop_all(&mut self) {
        self.turns.clear();
        self.in_hand.values().for_each(|work| work.job.abandoned.set());
    }
}

impl Lane {
    fn new(settings: LaneSettings) -> Self {
        let threads = settings.threads.max(1);
        let meters = settings.engines.iter().map(|entry| Meter::new(entry.cost, settings.learns)).collect();
        Self {
            // One being read, one ready, and what the threads are saying.
            ahead: threads + 2,
            settings: LaneSettings { threads, ..settings },
            state: Mutex::new(LaneQueue {
                turns: Turns::default(),
                meters,
                closing: false,
                in_hand: HashMap::new(),
                handed_out: 0,
                alive: 0,
                hanging: 0,
                panics: 0,
            }),
            work: Condvar::new(),
            progress: Condvar::new(),
            watch: Condvar::new(),
        }
    }

    /// How many threads it has: one more than are to be busy where engines differ in their costs, so
    /// that the work of one need not wait for another's.
    fn all_threads(&self) -> usize {
        self.settings.threads + usize::from(self.settings.engines.len() > 1)
    }

    fn engine_states(&self, queue: &LaneQueue) -> Vec<EngineState> {
        let engines = self.settings.engines.iter().zip(&queue.meters).enumerate();
        let waiting = |at, is_background| {
            let is_counted = |priority| (priority == Priority::Background) == is_background;
            queue.turns.waiting_of(at, self.ahead, is_counted).weight
        };
        let state = |(at, (entry, meter)): (usize, (&EngineEntry, &Meter))| EngineState {
            name: entry.name.clone(),
            waiting_work: meter.work(waiting(at, false)),
            background_work: meter.work(waiting(at, true)),
            seconds_a_character: meter.seconds_a_character(),
            totals: meter.totals,
        };
        engines.map(state).collect()
    }

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
        let pool = Self { lanes: lanes.into_iter().map(|settings| Arc::new(Lane::new(settings))).collect() };
        let failed = |error: std::io::Error| PoolError::Threads(error.to_string());
        for lane in &pool.lanes {
            for _ in 0..lane.all_threads() {
                threads::start(lane).map_err(failed)?;
            }
            watch::start(lane).map_err(failed)?;
        }
        Ok(pool)
    }

    /// Takes a request, or refuses it at once.
    ///
    /// # Errors
    /// [`PoolError`]; [`PoolError::Full`] is worth a later try.
    pub fn submit(&self, request: Request) -> Result<Narrating, PoolError> {
        let (lane, engine) = self
            .lane_of(&request.spec.engine)
            .ok_or_else(|| PoolError::UnknownEngine(request.spec.engine.clone()))?;
        let weight = costs::weight(&request.spec, &request.spec.own_text());
        let (events, received) = tokio::sync::mpsc::unbounded_channel();
        let abandoned = Abandoned::default();
        let mut queue = lane.lock();
        lane.admit(&queue, engine, request.priority, weight)?;
        let entry = Entry::new(Arc::new(request), engine, weight, events, abandoned.clone());
        let id = queue.turns.add(entry);
        drop(queue);
        lane.work.notify_one();
        Ok(Narrating::new(Arc::clone(lane), id, received, abandoned))
    }

    /// How many samples a text is likely to take, its pauses not counted; none when there is no
    /// such engine.
    pub fn expected_samples(&self, spec: &NarrationSpec) -> usize {
        let Some((lane, engine)) = self.lane_of(&spec.engine) else { return 0 };
        let weight = costs::weight(spec, &spec.own_text());
        let queue = lane.lock();
        queue.meters.get(engine).map_or(0, |meter| (weight * meter.samples_a_character()) as usize)
    }

    /// The lane of an engine, and the engine's place in it.
    fn lane_of(&self, engine: &str) -> Option<(&Arc<Lane>, usize)> {
        let place = |lane: &Lane| lane.settings.engines.iter().position(|entry| entry.name == engine);
        self.lanes.iter().find_map(|lane| Some((lane, place(lane)?)))
    }

    /// Whether a lane has engines and a thread that does not hang.
    pub fn answers(&self) -> bool {
        self.lanes.iter().any(|lane| !lane.settings.engines.is_empty() && lane.lock().alive > 0)
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
                    engines: lane.engine_states(&queue),
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
            lane.watch.notify_all();
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
            // Threads that hang are not waited for.
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
            lane.watch.notify_all();
        }
    }
}

/// How many threads a lane of computing engines wants on this machine: one a core.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
