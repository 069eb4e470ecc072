//! How a lane's threads share their time between a light engine and one that costs fifty times as
//! much: the real order of turns on simulated cores, without threads and clocks. When more turns are
//! in hand than there are cores, each goes on more slowly.
//!
//! Negative controls, each seen to fail: without the thread more for another engine, calls take 1.3 s
//! in the mean; with every turn counted as a second, the light engine has a fiftieth of the time.

use super::super::{
    plan::Planned,
    turns::{Job, Room, Task},
};
use super::*;
use crate::engines::AskedPauses;

/// Seconds of work for an utterance.
const LIGHT: f64 = 0.05;
const HEAVY: f64 = 50.0 * LIGHT;

/// The engines' places in the lane.
const LIGHT_ENGINE: usize = 0;
const HEAVY_ENGINE: usize = 1;

/// How long a simulation lasts, in seconds.
const LASTS: f64 = 600.0;

struct Simulated {
    turns: Turns,
    meters: Vec<Meter>,
    cores: usize,
    now: f64,
    /// What is in hand, and how much work it still takes.
    running: Vec<(Job, f64)>,
    /// When requests came.
    arrived: HashMap<u64, f64>,
    /// How long calls took, and how much work each engine did.
    took: Vec<f64>,
    done: [f64; 2],
    done_of: HashMap<Priority, f64>,
}

impl Simulated {
    fn new(cores: usize) -> Self {
        // A weight of one is an utterance.
        let meter =
            |seconds| Meter::new(Cost { seconds_a_character: seconds, samples_a_character: 1.0 }, false);
        Self {
            turns: Turns::default(),
            meters: vec![meter(LIGHT), meter(HEAVY)],
            cores,
            now: 0.0,
            running: Vec::new(),
            arrived: HashMap::new(),
            took: Vec::new(),
            done: [0.0; 2],
            done_of: HashMap::new(),
        }
    }

    fn submit(&mut self, engine: usize, priority: Priority, account: &str, utterances: usize) {
        let request = Request { priority, ..Theatre::request(account, "x") };
        let (events, _) = tokio::sync::mpsc::unbounded_channel();
        let weight = utterances as f64;
        let entry = Entry::new(Arc::new(request), engine, weight, events, Abandoned::default());
        let id = self.turns.add(entry);
        self.arrived.insert(id, self.now);
        let piece = Planned {
            span: Span { range: 0..1, pause: Pause::Sentence },
            pause_ms: 0,
            asked: AskedPauses::default(),
            weight: 1.0,
        };
        self.turns.planned(id, vec![piece; utterances].into());
        // Its reader takes whatever is said.
        for _ in 0..utterances {
            self.turns.read_one(id);
        }
    }

    fn start(&mut self) {
        loop {
            let in_hand: Vec<(Priority, usize)> =
                self.running.iter().map(|(job, _)| (job.request.priority, job.engine)).collect();
            if in_hand.len() > self.cores {
                return;
            }
            let room = Room { ahead: 1, meters: &self.meters, threads: self.cores, in_hand: &in_hand };
            let Some(job) = self.turns.next(&room) else { return };
            assert!(matches!(job.task, Task::Say(..)));
            let work = job.work.as_secs_f64();
            self.running.push((job, work));
        }
    }

    /// Goes on until the next utterance is said, and at most until this time.
    fn go_on(&mut self, until: f64) {
        self.start();
        let pace = self.cores as f64 / (self.running.len().max(self.cores)) as f64;
        let least = self.running.iter().map(|(_, left)| left / pace).fold(until - self.now, f64::min);
        self.now += least;
        for (job, left) in &mut self.running {
            *left -= least * pace;
            self.done[job.engine] += least * pace;
            *self.done_of.entry(job.request.priority).or_default() += least * pace;
        }
        let now = self.now;
        let (took, arrived) = (&mut self.took, &self.arrived);
        self.running.retain(|(job, left)| {
            let goes_on = *left > 1e-9;
            if !goes_on && job.engine == LIGHT_ENGINE {
                took.push(now - arrived[&job.id]);
            }
            goes_on
        });
    }

    /// Light calls of one utterance at this interval, from three accounts.
    fn calls(&mut self, every: f64) {
        let mut call = 0;
        while self.now < LASTS {
            let next = f64::from(call) * every;
            if self.now >= next {
                self.submit(LIGHT_ENGINE, Priority::Live, &format!("caller {}", call % 3), 1);
                call += 1;
            } else {
                self.go_on(next.min(LASTS));
            }
        }
    }

    fn mean(&self) -> f64 {
        self.took.iter().sum::<f64>() / self.took.len() as f64
    }

    /// The part of all cores' time that was used.
    fn use_of_cores(&self) -> f64 {
        self.done.iter().sum::<f64>() / (LASTS * self.cores as f64)
    }

    fn part_of(&self, engine: usize) -> f64 {
        self.done[engine] / self.done.iter().sum::<f64>()
    }

    fn part_of_priority(&self, priority: Priority) -> f64 {
        self.done_of.get(&priority).copied().unwrap_or_default() / self.done.iter().sum::<f64>()
    }
}

/// More than can be done in the time.
const BOOK: usize = 3_000;

#[test]
fn calls_beside_a_heavy_book_take_about_as_long_as_alone_and_no_core_is_idle() {
    for cores in [1, 2, 4] {
        let mut alone = Simulated::new(cores);
        alone.calls(0.2);
        assert!(alone.mean() < 1.01 * LIGHT, "{}", alone.mean());
        for priority in [Priority::Background, Priority::Sandbox, Priority::Live] {
            let mut beside = Simulated::new(cores);
            for account in 0..=cores {
                beside.submit(HEAVY_ENGINE, priority, &format!("reader {account}"), BOOK);
            }
            beside.calls(0.2);
            // They share the cores with what is in hand: half of a single one.
            let times = beside.mean() / alone.mean();
            assert!(times < 1.01 + 1.0 / cores as f64, "{cores} cores, {priority:?}: {times} times as long");
            assert!(beside.took.iter().all(|took| *took < 4.0 * LIGHT), "{cores} cores, {priority:?}");
            assert!(beside.use_of_cores() > 0.999, "{cores} cores: {}", beside.use_of_cores());
            assert_eq!(alone.took.len(), beside.took.len());
        }
    }
}

#[test]
fn engines_that_always_have_work_share_the_time() {
    for cores in [1, 2, 4] {
        let mut both = Simulated::new(cores);
        for account in 0..=cores {
            both.submit(HEAVY_ENGINE, Priority::Live, &format!("h{account}"), BOOK);
            both.submit(LIGHT_ENGINE, Priority::Live, &format!("l{account}"), 50 * BOOK);
        }
        while both.now < LASTS {
            both.go_on(LASTS);
        }
        assert!((0.4..0.6).contains(&both.part_of(HEAVY_ENGINE)), "{cores}: {}", both.part_of(HEAVY_ENGINE));
        assert!(both.use_of_cores() > 0.999);
    }
}

#[test]
fn a_heavy_book_has_its_twelfth_of_the_time_and_not_of_the_turns() {
    for cores in [1, 2, 4] {
        let mut both = Simulated::new(cores);
        for account in 0..=cores {
            both.submit(HEAVY_ENGINE, Priority::Background, "reader", BOOK);
            both.submit(LIGHT_ENGINE, Priority::Live, &format!("l{account}"), 50 * BOOK);
        }
        while both.now < LASTS {
            both.go_on(LASTS);
        }
        let part = both.part_of(HEAVY_ENGINE);
        assert!((0.07..0.1).contains(&part), "{cores} cores: {part}");
        assert!(both.use_of_cores() > 0.999);
    }
}

// Negative control: when only urgent work goes beside, sandbox work and books have nothing at all on one core.
#[test]
fn two_engines_with_live_work_leave_sandbox_work_and_books_their_parts() {
    for cores in [1, 2, 4] {
        let mut all = Simulated::new(cores);
        for engine in [LIGHT_ENGINE, HEAVY_ENGINE] {
            for priority in [Priority::Live, Priority::Sandbox, Priority::Background] {
                for account in 0..=cores {
                    all.submit(engine, priority, &format!("{account}"), 50 * BOOK);
                }
            }
        }
        while all.now < LASTS {
            all.go_on(LASTS);
        }
        let [sandbox, books] = [Priority::Sandbox, Priority::Background].map(|of| all.part_of_priority(of));
        // Somewhat less than an eighth and a twelfth: what is owed beyond a turn is not carried over.
        assert!((0.06..0.13).contains(&sandbox), "{cores} cores: {sandbox}");
        assert!((0.04..0.09).contains(&books), "{cores} cores: {books}");
        assert!(all.use_of_cores() > 0.999);
    }
}
