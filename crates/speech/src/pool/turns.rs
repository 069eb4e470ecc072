//! Whose turn it is. Plain data: no threads, no locks, no clocks of its own.
//!
//! Every hand-out advances a count of turns. An account stands where it last had a turn, a new one
//! where the count is now, and the account that stands furthest back goes next: round-robin,
//! however requests come and go. The works of one account take turns among themselves the same way,
//! and the requests of one work.

use std::{collections::HashMap, hash::Hash, sync::Arc, time::Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::{BACKGROUND_SHARE, Priority, Request, SANDBOX_SHARE, narrating::Event, plan::Planned};
use crate::engines::Abandoned;

/// A request in the queue.
pub(super) struct Entry {
    id: u64,
    request: Arc<Request>,
    events: UnboundedSender<Event>,
    abandoned: Abandoned,
    arrived: Instant,
    plan: Plan,
    /// The utterance to say next.
    next: usize,
    /// Utterances the reader has taken.
    read: usize,
    last_turn: u64,
}

enum Plan {
    Wanted,
    /// A thread is making it.
    InHand,
    Made(Arc<[Planned]>),
}

impl Entry {
    pub(super) fn new(
        request: Arc<Request>,
        events: UnboundedSender<Event>,
        abandoned: Abandoned,
        arrived: Instant,
    ) -> Self {
        Self {
            id: 0,
            request,
            events,
            abandoned,
            arrived,
            plan: Plan::Wanted,
            next: 0,
            read: 0,
            last_turn: 0,
        }
    }

    fn account(&self) -> (Priority, String) {
        (self.request.priority, self.request.account.clone())
    }

    fn work(&self) -> (Priority, String, String) {
        (self.request.priority, self.request.account.clone(), self.request.work.clone())
    }

    fn runnable(&self, ahead: usize) -> bool {
        match &self.plan {
            Plan::Wanted => true,
            Plan::InHand => false,
            Plan::Made(pieces) => self.next < pieces.len() && self.next - self.read.min(self.next) < ahead,
        }
    }
}

/// One piece of work.
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) request: Arc<Request>,
    pub(super) events: UnboundedSender<Event>,
    pub(super) abandoned: Abandoned,
    pub(super) task: Task,
}

pub(super) enum Task {
    /// Cut the text into utterances. The time is when the request came.
    Plan(Instant),
    /// Say one of them.
    Say(usize, Planned),
}

/// All unfinished requests of a lane.
#[derive(Default)]
pub(super) struct Turns {
    entries: Vec<Entry>,
    /// Where each account with requests stands, the priorities apart.
    accounts: Standings<(Priority, String)>,
    /// The same for each work of an account.
    works: Standings<(Priority, String, String)>,
    turn: u64,
    next_id: u64,
    /// Live turns since sandbox work last had one.
    live_in_a_row: u32,
    /// Other turns since background work last had one.
    others_in_a_row: u32,
}

/// Who has had the last turn when, for as long as there are requests.
struct Standings<K>(HashMap<K, Standing>);

struct Standing {
    last_turn: u64,
    requests: usize,
}

impl<K> Default for Standings<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Hash + Eq> Standings<K> {
    fn of(&self, key: &K) -> u64 {
        self.0.get(key).map_or(0, |standing| standing.last_turn)
    }

    fn arrived(&mut self, key: K, turn: u64) {
        self.0.entry(key).or_insert(Standing { last_turn: turn, requests: 0 }).requests += 1;
    }

    fn left(&mut self, key: &K) {
        if let Some(standing) = self.0.get_mut(key) {
            standing.requests -= 1;
            if standing.requests == 0 {
                self.0.remove(key);
            }
        }
    }

    fn had(&mut self, key: &K, turn: u64) {
        if let Some(standing) = self.0.get_mut(key) {
            standing.last_turn = turn;
        }
    }
}

impl Turns {
    /// Unfinished requests.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Unfinished requests of background work, or of all other.
    pub(super) fn unfinished(&self, background: bool) -> usize {
        let of_kind = |entry: &&Entry| (entry.request.priority == Priority::Background) == background;
        self.entries.iter().filter(of_kind).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many requests have had no turn, and since when the oldest of them waits.
    pub(super) fn waiting(&self) -> (usize, Option<Instant>) {
        let waiting = || self.entries.iter().filter(|entry| matches!(entry.plan, Plan::Wanted));
        (waiting().count(), waiting().map(|entry| entry.arrived).min())
    }

    /// Adds a request after all others and returns its id.
    pub(super) fn add(&mut self, mut entry: Entry) -> u64 {
        self.next_id += 1;
        entry.id = self.next_id;
        entry.last_turn = self.turn;
        self.accounts.arrived(entry.account(), self.turn);
        self.works.arrived(entry.work(), self.turn);
        self.entries.push(entry);
        self.next_id
    }

    /// Takes a request out, wherever it is.
    pub(super) fn remove(&mut self, id: u64) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.id == id)?;
        let entry = self.entries.remove(at);
        self.accounts.left(&entry.account());
        self.works.left(&entry.work());
        Some(entry)
    }

    /// Drops everything; what is abandoned tells engines that wait to stop.
    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            entry.abandoned.set();
        }
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
            entry.plan = Plan::Made(pieces);
        }
    }

    /// The next piece of work, if there is any: a request leaves with its last utterance.
    pub(super) fn next(&mut self, ahead: usize) -> Option<Job> {
        let of = |priority: Priority| {
            self.entries
                .iter()
                .enumerate()
                .filter(|(_, entry)| entry.request.priority == priority && entry.runnable(ahead))
                .min_by_key(|(_, entry)| {
                    let account = self.accounts.of(&entry.account());
                    (account, self.works.of(&entry.work()), entry.last_turn, entry.id)
                })
                .map(|(at, _)| at)
        };
        let (live, sandbox, background) =
            (of(Priority::Live), of(Priority::Sandbox), of(Priority::Background));
        let short = match (live, sandbox) {
            (Some(_), Some(sandbox)) if self.live_in_a_row + 1 >= SANDBOX_SHARE => Some(sandbox),
            (live, sandbox) => live.or(sandbox),
        };
        let at = match (short, background) {
            (Some(_), Some(background)) if self.others_in_a_row + 1 >= BACKGROUND_SHARE => background,
            (short, background) => short.or(background)?,
        };
        Some(self.hand_out(at))
    }

    fn hand_out(&mut self, at: usize) -> Job {
        self.turn += 1;
        let entry = &mut self.entries[at];
        entry.last_turn = self.turn;
        match entry.request.priority {
            Priority::Live => self.live_in_a_row = self.live_in_a_row.saturating_add(1),
            Priority::Sandbox => self.live_in_a_row = 0,
            Priority::Background => {}
        }
        self.others_in_a_row = match entry.request.priority {
            Priority::Background => 0,
            Priority::Live | Priority::Sandbox => self.others_in_a_row.saturating_add(1),
        };
        self.accounts.had(&entry.account(), self.turn);
        self.works.had(&entry.work(), self.turn);
        let mut last = false;
        let task = match &entry.plan {
            Plan::Made(pieces) => {
                let index = entry.next;
                entry.next += 1;
                last = entry.next == pieces.len();
                Task::Say(index, pieces[index].clone())
            }
            Plan::Wanted | Plan::InHand => {
                entry.plan = Plan::InHand;
                Task::Plan(entry.arrived)
            }
        };
        let job = Job {
            id: entry.id,
            request: Arc::clone(&entry.request),
            events: entry.events.clone(),
            abandoned: entry.abandoned.clone(),
            task,
        };
        if last {
            self.remove(job.id);
        }
        job
    }
}
