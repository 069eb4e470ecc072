//! Whose turn it is. Plain data: no threads, no locks, no clocks of its own.
//!
//! What counts is not the number of turns but the time they take, by the estimate of
//! [`super::costs`]. Live work goes first; sandbox work and books have their parts of the time.
//! Within these the engines share the time, then the accounts of an engine, then an account's works
//! ([`super::shares`]); the requests of a work take turns.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::mpsc::UnboundedSender;

use super::{
    BACKGROUND_SHARE, Priority, Request, SANDBOX_SHARE,
    costs::Meter,
    narrating::Event,
    plan::Planned,
    shares::{Owed, Standings},
};
use crate::engines::{Abandoned, EngineError};

/// What cutting a text into utterances counts as: it takes no longer, whatever the engine.
const PLANNING: Duration = Duration::from_millis(1);

/// A request in the queue.
pub(super) struct Entry {
    id: u64,
    request: Arc<Request>,
    /// Its engine's place in the lane.
    engine: usize,
    events: UnboundedSender<Event>,
    abandoned: Abandoned,
    arrived: Instant,
    plan: Plan,
    /// The utterance to say next.
    next: usize,
    /// Utterances the reader has taken.
    read: usize,
    last_turn: u64,
    /// What is left to say, by `costs::weight`.
    weight: f64,
}

enum Plan {
    Pending,
    /// A thread is making it.
    InHand,
    Made(Arc<[Planned]>),
}

impl Entry {
    pub(super) fn new(
        request: Arc<Request>,
        engine: usize,
        weight: f64,
        events: UnboundedSender<Event>,
        abandoned: Abandoned,
    ) -> Self {
        Self {
            id: 0,
            request,
            engine,
            events,
            abandoned,
            arrived: Instant::now(),
            plan: Plan::Pending,
            next: 0,
            read: 0,
            last_turn: 0,
            weight,
        }
    }

    fn group(&self) -> (Priority, usize) {
        (self.request.priority, self.engine)
    }

    fn account(&self) -> (Priority, usize, String) {
        (self.request.priority, self.engine, self.request.account.clone())
    }

    fn runnable(&self, ahead: usize) -> bool {
        match &self.plan {
            Plan::Pending => true,
            Plan::InHand => false,
            Plan::Made(pieces) => self.next < pieces.len() && !self.waits_for_reader(ahead),
        }
    }

    /// Whether as much is said as may be before its reader takes it.
    fn waits_for_reader(&self, ahead: usize) -> bool {
        self.next - self.read.min(self.next) >= ahead
    }

    /// What its next turn costs.
    fn next_work(&self, meters: &[Meter]) -> Duration {
        match &self.plan {
            Plan::Made(pieces) => {
                let weight = pieces.get(self.next).map_or(0.0, |piece| piece.weight);
                meters.get(self.engine).map_or(Duration::ZERO, |meter| meter.work(weight))
            }
            Plan::Pending | Plan::InHand => PLANNING,
        }
    }
}

/// One piece of work.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) request: Arc<Request>,
    /// Its engine's place in the lane.
    pub(super) engine: usize,
    pub(super) events: UnboundedSender<Event>,
    pub(super) abandoned: Abandoned,
    pub(super) task: Task,
    /// How long it should take.
    pub(super) work: Duration,
}

impl Job {
    /// What its reader hears when it failed.
    pub(super) fn failed(&self, error: EngineError) -> Event {
        match &self.task {
            Task::Plan(_) => Event::Unplanned(error),
            Task::Say(index, _) => Event::Said(*index, Err(error)),
        }
    }
}

#[derive(Clone)]
pub(super) enum Task {
    /// Cut the text into utterances. The time is when the request came.
    Plan(Instant),
    /// Say one of them.
    Say(usize, Planned),
}

/// What a thread may take up now.
pub(super) struct Room<'a> {
    /// How many utterances may be said and unread.
    pub(super) ahead: usize,
    pub(super) meters: &'a [Meter],
    /// How many turns are in hand that count against the threads.
    pub(super) threads: usize,
    /// The work in hand: its priority, and its engine's place.
    pub(super) in_hand: &'a [(Priority, usize)],
}

impl Room<'_> {
    /// Whether work may begin. When all threads are busy, work that somebody waits for goes beside
    /// them if its engine has no turn in hand and nothing in hand is more urgent: a short sentence
    /// does not wait for the long one of a heavy engine.
    ///
    /// Work that is owed its part of the time goes beside as well: two engines whose work takes turns
    /// beside each other would leave it no thread for ever.
    fn admits(&self, entry: &Entry, is_owed: bool) -> bool {
        if self.in_hand.len() < self.threads {
            return true;
        }
        let (own, engine) = entry.group();
        let is_urgent = || {
            own != Priority::Background
                && self.in_hand.iter().all(|(theirs, of)| *of != engine && own <= *theirs)
        };
        self.in_hand.len() == self.threads && (is_owed || is_urgent())
    }
}

/// All unfinished requests of a lane.
pub(super) struct Turns {
    entries: Vec<Entry>,
    engines: Standings<Priority, usize>,
    /// The accounts of an engine, the priorities apart.
    accounts: Standings<(Priority, usize), String>,
    /// The works of an account.
    works: Standings<(Priority, usize, String), String>,
    turn: u64,
    next_id: u64,
    sandbox: Owed,
    background: Owed,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            engines: Standings::default(),
            accounts: Standings::default(),
            works: Standings::default(),
            turn: 0,
            next_id: 0,
            sandbox: Owed::one_in(SANDBOX_SHARE),
            background: Owed::one_in(BACKGROUND_SHARE),
        }
    }
}

/// Requests of an engine that wait for the threads. One that waits for its reader does not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Waiting {
    pub(super) requests: usize,
    /// What no thread has taken up yet, by `costs::weight`.
    pub(super) weight: f64,
}

impl Turns {
    /// Unfinished requests.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The requests of an engine that wait for the threads, of certain priorities. `ahead` is how many
    /// utterances may be said and unread.
    pub(super) fn waiting_of(
        &self,
        engine: usize,
        ahead: usize,
        is_counted: impl Fn(Priority) -> bool,
    ) -> Waiting {
        let waits = |entry: &&Entry| {
            entry.engine == engine && is_counted(entry.request.priority) && !entry.waits_for_reader(ahead)
        };
        self.entries.iter().filter(waits).fold(Waiting::default(), |sum, entry| Waiting {
            requests: sum.requests + 1,
            weight: sum.weight + entry.weight,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many requests have had no turn, and since when the oldest of them waits.
    pub(super) fn waiting(&self) -> (usize, Option<Instant>) {
        let waiting = || self.entries.iter().filter(|entry| matches!(entry.plan, Plan::Pending));
        (waiting().count(), waiting().map(|entry| entry.arrived).min())
    }

    /// Adds a request after all others and returns its id.
    pub(super) fn add(&mut self, mut entry: Entry) -> u64 {
        self.next_id += 1;
        entry.id = self.next_id;
        entry.last_turn = self.turn;
        let (priority, engine) = entry.group();
        self.engines.arrived(priority, engine, self.turn);
        self.accounts.arrived(entry.group(), entry.request.account.clone(), self.turn);
        self.works.arrived(entry.account(), entry.request.work.clone(), self.turn);
        self.entries.push(entry);
        self.next_id
    }

    /// Takes a request out, wherever it is.
    pub(super) fn remove(&mut self, id: u64) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.id == id)?;
        let entry = self.entries.remove(at);
        let (priority, engine) = entry.group();
        self.engines.left(&priority, &engine);
        self.accounts.left(&entry.group(), &entry.request.account);
        self.works.left(&entry.account(), &entry.request.work);
        Some(entry)
    }

    /// Drops everything; what is abandoned tells engines that wait to stop.
    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            entry.abandoned.set();
        }
        self.engines = Standings::default();
        self.accounts = Standings::default();
        self.works = Standings::default();
    }

    /// The reader took an utterance; whether that may have made work.
    pub(super) fn read_one(&mut self, id: u64) -> bool {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        entry.is_some_and(|entry| {
            entry.read += 1;
            true
        })
    }

    /// The utterances of a request are known. A request without any is finished.
    pub(super) fn planned(&mut self, id: u64, pieces: Arc<[Planned]>) {
        if pieces.is_empty() {
            self.remove(id);
        } else if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            entry.weight = pieces.iter().map(|piece| piece.weight).sum();
            entry.plan = Plan::Made(pieces);
        }
    }

    /// The next piece of work, if there is any: a request leaves with its last utterance.
    pub(super) fn next(&mut self, room: &Room<'_>) -> Option<Job> {
        let of = |priority| self.first(priority, room, false);
        let owed_to =
            |priority, owed: &Owed| self.first(priority, room, true).filter(|(_, work)| owed.covers(*work));
        let live = of(Priority::Live);
        let sandbox = live.and_then(|_| owed_to(Priority::Sandbox, &self.sandbox));
        let short = sandbox.or(live).or_else(|| of(Priority::Sandbox));
        let book = short.and_then(|_| owed_to(Priority::Background, &self.background));
        let (at, work) = book.or(short).or_else(|| of(Priority::Background))?;
        Some(self.hand_out(at, work))
    }

    /// Who goes first of a priority, and what the turn costs.
    fn first(&self, priority: Priority, room: &Room<'_>, is_owed: bool) -> Option<(usize, Duration)> {
        let may_go = |entry: &Entry| {
            entry.request.priority == priority && entry.runnable(room.ahead) && room.admits(entry, is_owed)
        };
        self.entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| may_go(entry))
            .min_by_key(|(_, entry)| self.place(entry))
            .map(|(at, entry)| (at, entry.next_work(room.meters)))
    }

    /// Where a request stands: the least goes first.
    fn place(&self, entry: &Entry) -> impl Ord + use<> {
        let (priority, engine) = entry.group();
        (
            self.engines.of(&priority, &engine),
            self.accounts.of(&entry.group(), &entry.request.account),
            self.works.of(&entry.account(), &entry.request.work),
            (entry.last_turn, entry.id),
        )
    }

    fn hand_out(&mut self, at: usize, work: Duration) -> Job {
        self.turn += 1;
        let entry = &mut self.entries[at];
        entry.last_turn = self.turn;
        let (priority, engine) = entry.group();
        match priority {
            Priority::Live => self.sandbox.others_had(work),
            Priority::Sandbox => self.sandbox.had(),
            Priority::Background => {}
        }
        match priority {
            Priority::Background => self.background.had(),
            Priority::Live | Priority::Sandbox => self.background.others_had(work),
        }
        self.engines.had(&priority, &engine, self.turn, work);
        self.accounts.had(&entry.group(), &entry.request.account, self.turn, work);
        self.works.had(&entry.account(), &entry.request.work, self.turn, work);
        let mut last = false;
        let task = match &entry.plan {
            Plan::Made(pieces) => {
                let index = entry.next;
                let piece = pieces[index].clone();
                entry.next += 1;
                entry.weight = (entry.weight - piece.weight).max(0.0);
                last = entry.next == pieces.len();
                Task::Say(index, piece)
            }
            Plan::Pending | Plan::InHand => {
                entry.plan = Plan::InHand;
                Task::Plan(entry.arrived)
            }
        };
        let job = Job {
            id: entry.id,
            request: Arc::clone(&entry.request),
            engine,
            events: entry.events.clone(),
            abandoned: entry.abandoned.clone(),
            task,
            work,
        };
        if last {
            self.remove(job.id);
        }
        job
    }
}
