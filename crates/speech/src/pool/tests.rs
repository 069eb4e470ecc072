//! The pool's promises, with an engine whose every word is under the test's control. Nothing here
//! sleeps: tests wait for what threads tell them.
//!
//! Negative controls, each seen to fail once by breaking the guard it names: turns taken first
//! come, first served; `SANDBOX_SHARE` ignored; `forget` left out of `Narrating::drop`; `ahead`
//! without limit; the queue's limit ignored; `BACKGROUND_SHARE` ignored; the works of an account
//! not told apart; books counted into the same limit.

mod early;
mod engines;
mod simulation;
mod turns;

use std::{
    ops::Range,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use super::*;
use crate::{
    engines::{Engine, EngineError, Speech, Unit, Utterance, WordTiming},
    front_end::{Pause, Span},
    language::Language,
    spec::PauseAt,
};

/// What a test's engines share: who said what, and gates that hold them back.
#[derive(Default)]
struct Stage {
    said: Mutex<Vec<String>>,
    open: Mutex<Vec<String>>,
    opened: Condvar,
    instances: AtomicUsize,
}

impl Stage {
    /// Lets the piece `name` be said, now or when its turn comes.
    fn open(&self, name: &str) {
        self.open.lock().unwrap().push(name.to_owned());
        self.opened.notify_all();
    }

    fn wait_for(&self, name: &str) {
        let mut open = self.open.lock().unwrap();
        while !open.iter().any(|other| other == name) {
            open = self.opened.wait(open).unwrap();
        }
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }

    fn count(&self, prefix: &str) -> usize {
        self.said().iter().filter(|piece| piece.starts_with(prefix)).count()
    }
}

/// Says the pieces between `|`. `hold…` waits until the test opens it, `…boom` panics, `fail` fails,
/// `wait` waits to be abandoned.
struct Actor {
    stage: Arc<Stage>,
    started: mpsc::Sender<String>,
}

impl Engine for Actor {
    fn name(&self) -> &'static str {
        "actor"
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
        let mut at = stretch.start;
        let ranges = text[stretch].split('|').map(|piece| {
            let range = at..at + piece.len();
            at = range.end + 1;
            range
        });
        let said = ranges.filter(|range| !range.is_empty());
        Ok(said.map(|range| Span { range, pause: Pause::Sentence }).collect())
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let piece = utterance.text();
        let _ = self.started.send(piece.to_owned());
        if piece.starts_with("hold") {
            self.stage.wait_for(piece);
        }
        while piece == "wait" && !utterance.abandoned.is_set() {
            std::thread::yield_now();
        }
        self.stage.said.lock().unwrap().push(piece.to_owned());
        assert!(!piece.ends_with("boom"), "the actor panics on purpose");
        if piece == "fail" {
            return Err(EngineError::Failed("the actor fails on purpose".to_owned()));
        }
        // The seed makes the samples, so that a test can see it.
        let samples = vec![utterance.seed as f32; piece.len()];
        Ok(Speech { samples, sample_rate_hz: 1000, pause_samples: 50, ..Speech::default() })
    }

    /// The first two letters of pieces that are held, before they are held.
    fn say_early(
        &mut self,
        utterance: &Utterance,
        begin: &mut dyn FnMut(Speech),
    ) -> Result<Speech, EngineError> {
        let ahead = if utterance.text().starts_with("hold") { 2 } else { 0 };
        if ahead > 0 {
            let start = utterance.span.range.start;
            let word = WordTiming { source: start..start + ahead, start_sample: 0, end_sample: 2 };
            let samples = vec![0.0; ahead];
            begin(Speech { samples, sample_rate_hz: 1000, words: vec![word], ..Speech::default() });
        }
        let mut speech = self.say(utterance)?;
        speech.samples.drain(..ahead);
        Ok(speech)
    }
}

struct Theatre {
    pool: Pool,
    stage: Arc<Stage>,
    started: mpsc::Receiver<String>,
}

impl Theatre {
    fn new(threads: usize, queue: usize) -> Self {
        let stage = Arc::new(Stage::default());
        let (started, starts) = mpsc::channel();
        let of_factory = Arc::clone(&stage);
        let factory: Factory = Arc::new(move || {
            of_factory.instances.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(Actor { stage: Arc::clone(&of_factory), started: started.clone() }))
        });
        let entry = |name: &str| EngineEntry {
            name: name.to_owned(),
            cost: Cost { seconds_a_character: 0.1, samples_a_character: 1.0 },
            factory: Arc::clone(&factory),
        };
        // What pieces cost is what the test expects, however long they take.
        let lane = |name: &str, engine: &str| LaneSettings {
            learns: false,
            ..LaneSettings::new(name, threads, queue, vec![entry(engine)])
        };
        let pool = Pool::start(vec![lane("models", "actor"), lane("upstream", "far")]).unwrap();
        Self { pool, stage, started: starts }
    }

    fn request(account: &str, text: &str) -> Request {
        Request {
            account: account.to_owned(),
            work: String::new(),
            early: false,
            priority: Priority::Live,
            spec: Arc::new(NarrationSpec {
                seed: 1,
                ..NarrationSpec::new("actor", "any", Language::EN_US, text)
            }),
        }
    }

    fn with(account: &str, text: &str, change: impl FnOnce(&mut NarrationSpec)) -> Request {
        let mut request = Self::request(account, text);
        change(Arc::make_mut(&mut request.spec));
        request
    }

    fn submit(&self, account: &str, text: &str) -> Narrating {
        self.pool.submit(Self::request(account, text)).unwrap()
    }

    fn submit_sandbox(&self, account: &str, text: &str) -> Narrating {
        self.pool.submit(Request { priority: Priority::Sandbox, ..Self::request(account, text) }).unwrap()
    }

    fn submit_book(&self, account: &str, work: &str, text: &str) -> Narrating {
        let request = Self::request(account, text);
        let request = Request { priority: Priority::Background, work: work.to_owned(), ..request };
        self.pool.submit(request).unwrap()
    }

    /// Occupies the only thread until `hold` is opened.
    fn hold(&self) -> Narrating {
        let holding = self.submit("holder", "hold");
        self.wait_until_started("hold");
        holding
    }

    fn wait_until_started(&self, piece: &str) {
        let soon = Duration::from_secs(20);
        while self.started.recv_timeout(soon).expect("the piece is said sooner or later") != piece {}
    }

    /// How many pieces that begin with `prefix` were said before `piece`.
    fn before(&self, prefix: &str, piece: &str) -> usize {
        let said = self.stage.said();
        said.iter().take_while(|other| *other != piece).filter(|other| other.starts_with(prefix)).count()
    }

    fn release(&self) {
        self.stage.open("hold");
    }
}

/// Reads to the end: how long the pieces are, and the error if there is one.
fn read(mut narrating: Narrating) -> (Vec<usize>, Option<EngineError>) {
    let mut lengths = Vec::new();
    while let Some(speech) = narrating.blocking_next() {
        match speech {
            Ok(speech) => lengths.push(speech.samples.len()),
            Err(error) => {
                assert!(narrating.blocking_next().is_none(), "nothing follows an error");
                return (lengths, Some(error));
            }
        }
    }
    (lengths, None)
}

#[test]
fn utterances_come_back_in_order_whichever_thread_is_first() {
    let theatre = Theatre::new(2, 9);
    let narrating = theatre.submit("a", "hold-it|bb|c");
    theatre.wait_until_started("bb");
    theatre.wait_until_started("c");
    theatre.stage.open("hold-it");
    assert_eq!(read(narrating).0, [7, 2, 1]);
    assert_eq!(theatre.before("bb", "hold-it"), 1, "the second was said before the first");
}

#[test]
fn the_silence_of_a_break_follows_the_utterance_before_it() {
    let theatre = Theatre::new(1, 9);
    let text = "one|two|three";
    let pauses = [PauseAt { at: 4, pause_ms: 600 }, PauseAt { at: 8, pause_ms: 20 }];
    let mut narrating =
        theatre.pool.submit(Theatre::with("a", text, |spec| spec.pauses = pauses.into())).unwrap();
    let mut pauses = Vec::new();
    while let Some(Ok(speech)) = narrating.blocking_next() {
        pauses.push(speech.pause_samples);
    }
    // The actor speaks 1,000 samples a second and rests for 50 of them by itself: the longer
    // counts, not the sum.
    assert_eq!(pauses, [600, 50, 50]);
}

#[test]
fn an_abandoned_request_costs_nothing() {
    let theatre = Theatre::new(1, 9);
    let _holding = theatre.hold();
    let abandoned = theatre.submit("a", "a1|a2");
    let kept = theatre.submit("b", "b");
    drop(abandoned);
    assert_eq!(theatre.pool.state()[0].waiting, 1, "it left the queue at once");
    theatre.release();
    read(kept);
    assert_eq!(theatre.stage.said(), ["hold", "b"]);
}

#[test]
fn a_request_abandoned_halfway_is_not_said_to_its_end() {
    let theatre = Theatre::new(1, 9);
    let halfway = theatre.submit("a", "hold|a2|a3");
    theatre.wait_until_started("hold");
    drop(halfway);
    theatre.release();
    read(theatre.submit("b", "b"));
    assert_eq!(theatre.stage.said(), ["hold", "b"]);
}

#[test]
fn a_panic_fails_one_request_and_replaces_the_thread() {
    let theatre = Theatre::new(1, 9);
    let (lengths, error) = read(theatre.submit("a", "ok|boom|never"));
    assert_eq!(lengths, [2]);
    assert!(matches!(error, Some(EngineError::Panicked)));
    assert_eq!(read(theatre.submit("a", "again")).0, [5]);
    assert_eq!(theatre.stage.count("never"), 0);
    let state = &theatre.pool.state()[0];
    assert_eq!((state.panics, state.threads), (1, 1));
    theatre.pool.close(Duration::ZERO);
    assert_eq!(theatre.stage.instances.load(Ordering::Relaxed), 2 + 1, "one a lane, and one after the panic");
}

#[test]
fn a_failure_ends_its_request_and_leaves_the_engine_usable() {
    let theatre = Theatre::new(1, 9);
    let (lengths, error) = read(theatre.submit("a", "ok|fail|never"));
    assert_eq!(lengths, [2]);
    assert!(matches!(error, Some(EngineError::Failed(_))));
    assert_eq!(read(theatre.submit("a", "again")).0, [5]);
    assert_eq!(theatre.stage.said(), ["ok", "fail", "again"]);
}

#[test]
fn a_full_queue_refuses_at_once_and_takes_again_when_there_is_room() {
    let theatre = Theatre::new(1, 2);
    let _holding = theatre.hold();
    let first = theatre.submit("a", "a");
    let _second = theatre.submit("b", "b");
    let refused = theatre.pool.submit(Theatre::request("c", "c"));
    assert!(matches!(refused.err(), Some(PoolError::Full { .. })));
    drop(first);
    let third = theatre.pool.submit(Theatre::request("c", "c")).unwrap();
    theatre.release();
    assert_eq!(read(third).0, [1]);
}

#[test]
fn a_slow_reader_has_no_more_than_a_few_utterances_waiting() {
    let theatre = Theatre::new(1, 9);
    let text: Vec<String> = (0..20).map(|n| format!("a{n}")).collect();
    let mut slow = theatre.submit("a", &text.join("|"));
    // Each of these takes turns with the slow one, so without a limit it would be said to its
    // middle by then.
    for _ in 0..10 {
        read(theatre.submit("b", "b"));
    }
    let ahead = 1 + 2;
    assert_eq!(theatre.stage.count("a"), ahead);
    assert!(slow.blocking_next().is_some_and(|speech| speech.is_ok()));
    for _ in 0..3 {
        read(theatre.submit("b", "b"));
    }
    assert_eq!(theatre.stage.count("a"), ahead + 1, "one was read, one more is said");
    assert_eq!(read(slow).0.len(), 19);
}

#[test]
fn a_lane_that_waits_holds_no_thread_of_another() {
    let theatre = Theatre::new(1, 9);
    let far = theatre.pool.submit(Theatre::with("a", "hold", |spec| spec.engine = "far".to_owned())).unwrap();
    theatre.wait_until_started("hold");
    assert_eq!(read(theatre.submit("a", "near")).0, [4]);
    let busy: Vec<usize> = theatre.pool.state().iter().map(|lane| lane.busy).collect();
    assert_eq!(busy[1], 1);
    theatre.release();
    assert_eq!(read(far).0, [4]);
}

#[test]
fn a_text_with_nothing_to_say_ends_at_once() {
    let theatre = Theatre::new(1, 9);
    let mut narrating = theatre.submit("a", "||");
    assert!(narrating.blocking_next().is_none());
    assert_eq!(narrating.utterances(), Some(0));
}

#[test]
fn utterances_have_seeds_of_their_own_that_follow_from_the_request() {
    let theatre = Theatre::new(1, 9);
    let seeds = |seed: u64| {
        let mut narrating =
            theatre.pool.submit(Theatre::with("a", "x|x|x", |spec| spec.seed = seed)).unwrap();
        let mut seeds = Vec::new();
        while let Some(Ok(speech)) = narrating.blocking_next() {
            seeds.push(speech.samples[0].to_bits());
        }
        seeds
    };
    let first = seeds(7);
    assert_eq!(first, seeds(7));
    assert_ne!(first, seeds(8));
    assert!(
        first[0] != first[1] && first[1] != first[2],
        "a sentence that comes twice is not said twice alike"
    );
}

#[test]
fn the_state_tells_who_waits_and_who_works() {
    let theatre = Theatre::new(1, 9);
    let holding = theatre.hold();
    let waiting = theatre.submit("a", "a");
    let state = &theatre.pool.state()[0];
    assert_eq!((state.busy, state.waiting, state.running), (1, 1, 0));
    assert!(state.oldest.is_some());
    theatre.release();
    read(waiting);
    read(holding);
    assert_eq!(theatre.pool.state()[0].waiting, 0);
    assert_eq!(theatre.pool.engines().collect::<Vec<_>>(), ["actor", "far"]);
}

#[test]
fn an_engine_nobody_has_is_named() {
    let theatre = Theatre::new(1, 9);
    let refused = theatre.pool.submit(Theatre::with("a", "a", |spec| spec.engine = "kazoo".to_owned()));
    assert_eq!(refused.err(), Some(PoolError::UnknownEngine("kazoo".to_owned())));
}

#[test]
fn closing_finishes_what_is_queued_and_takes_nothing_new() {
    let theatre = Theatre::new(1, 9);
    let holding = theatre.hold();
    let queued = theatre.submit("a", "a1|a2");
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| theatre.pool.close(Duration::from_mins(1)));
        // Closing has begun when nothing is taken any more.
        while theatre.pool.submit(Theatre::request("b", "b")).is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(theatre.pool.submit(Theatre::request("b", "b")).err(), Some(PoolError::Closed));
        theatre.release();
        closing.join().unwrap();
    });
    assert_eq!(read(queued).0, [2, 2]);
    assert_eq!(read(holding).0, [4]);
}

#[test]
fn closing_without_patience_drops_what_is_queued_and_tells_its_readers() {
    let theatre = Theatre::new(1, 9);
    let saying = theatre.submit("a", "wait");
    theatre.wait_until_started("wait");
    let queued = theatre.submit("b", "b");
    theatre.pool.close(Duration::ZERO);
    assert!(matches!(read(queued), (lengths, Some(EngineError::Failed(_))) if lengths.is_empty()));
    assert_eq!(read(saying).0, [4], "what was being said gave up by itself and was heard");
    assert_eq!(theatre.stage.count("b"), 0);
}

#[test]
fn a_cancelled_wait_loses_nothing() {
    let theatre = Theatre::new(1, 9);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let mut narrating = theatre.submit("a", "hold|b");
        tokio::select! {
            biased;
            _ = narrating.next() => panic!("it is held"),
            () = std::future::ready(()) => {}
        }
        theatre.release();
        let mut lengths = Vec::new();
        while let Some(speech) = narrating.next().await {
            lengths.push(speech.unwrap().samples.len());
        }
        assert_eq!(lengths, [4, 1]);
        assert!(narrating.waited().is_some());
    });
}
