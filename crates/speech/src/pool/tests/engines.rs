//! Two engines in one lane, one of which costs fifty times what the other does.
//!
//! How the time is shared is in `simulation`.

use super::*;

/// Seconds for a character of the light engine.
const LIGHT: f64 = 0.002;

/// The heavy engine's cost beside the light one's.
const TIMES: f64 = 50.0;

impl Theatre {
    /// One lane of this many threads with `light` and `heavy`.
    fn of_two(threads: usize, change: impl FnOnce(&mut LaneSettings)) -> Self {
        let stage = Arc::new(Stage::default());
        let (started, starts) = mpsc::channel();
        let of_factory = Arc::clone(&stage);
        let factory: Factory = Arc::new(move || {
            Ok(Box::new(Actor { stage: Arc::clone(&of_factory), started: started.clone() }))
        });
        let entry = |name: &str, seconds_a_character| EngineEntry {
            name: name.to_owned(),
            cost: Cost { seconds_a_character, samples_a_character: 1.0 },
            factory: Arc::clone(&factory),
        };
        let engines = vec![entry("light", LIGHT), entry("heavy", LIGHT * TIMES)];
        let mut lane = LaneSettings { learns: false, ..LaneSettings::new("models", threads, 99, engines) };
        change(&mut lane);
        Self { pool: Pool::start(vec![lane]).unwrap(), stage, started: starts }
    }

    fn on(engine: &str, account: &str, text: &str) -> Request {
        Self::with(account, text, |spec| spec.engine = engine.to_owned())
    }

    fn say(&self, engine: &str, account: &str, text: &str) -> Narrating {
        self.pool.submit(Self::on(engine, account, text)).unwrap()
    }

    fn heavy_book(&self, text: &str) -> Narrating {
        let request = Request { priority: Priority::Background, ..Self::on("heavy", "reader", text) };
        self.pool.submit(request).unwrap()
    }

    /// Both threads of a lane of one are held, by the heavy engine and by the light one.
    fn hold_both(&self) -> [Narrating; 2] {
        let heavy = self.say("heavy", "holder", "hold");
        self.wait_until_started("hold");
        let light = self.say("light", "holder", "hold2");
        self.wait_until_started("hold2");
        [heavy, light]
    }

    fn release_both(&self) {
        self.stage.open("hold");
        self.stage.open("hold2");
    }
}

#[test]
fn a_light_request_does_not_wait_for_a_heavy_utterance() {
    let theatre = Theatre::of_two(1, |_| {});
    let book = theatre.heavy_book("hold|b2");
    theatre.wait_until_started("hold");
    // The heavy engine does not come back before these are said.
    for _ in 0..5 {
        assert_eq!(read(theatre.say("light", "caller", "s1|s2")).0, [2, 2]);
    }
    theatre.release();
    assert_eq!(read(book).0, [4, 2]);
}

#[test]
fn work_of_the_same_urgency_goes_beside_and_a_book_beside_nothing() {
    let theatre = Theatre::of_two(1, |_| {});
    let live = theatre.say("heavy", "a", "hold");
    theatre.wait_until_started("hold");
    // Both cost more than they are owed.
    let long = "word ".repeat(99);
    let book = Request { priority: Priority::Background, ..Theatre::on("light", "b", &long) };
    let sandbox = Request { priority: Priority::Sandbox, ..Theatre::on("light", "c", &long) };
    let waiting = [book, sandbox].map(|request| theatre.pool.submit(request).unwrap());
    assert_eq!(read(theatre.say("light", "d", "live")).0, [4]);
    assert_eq!(theatre.stage.said(), ["live"]);
    theatre.release();
    for narrating in waiting.into_iter().chain([live]) {
        read(narrating);
    }
}

#[test]
fn nothing_waits_while_a_thread_is_free() {
    let theatre = Theatre::of_two(2, |_| {});
    let book = theatre.heavy_book("hold|hold2|b3");
    // Both threads take up the book although light calls could come.
    theatre.wait_until_started("hold");
    theatre.wait_until_started("hold2");
    assert_eq!(theatre.pool.state()[0].busy, 2);
    theatre.release_both();
    assert_eq!(read(book).0, [4, 5, 2]);
}

#[test]
fn what_waits_is_bounded_by_its_work_and_says_when_there_is_room() {
    let theatre = Theatre::of_two(1, |lane| lane.queue_work = Duration::from_secs(20));
    let _held = theatre.hold_both();
    let long = "The lamp was lit, and the keeper went down to the sea. ".repeat(4);
    let work_of = |text: &str| {
        Duration::from_secs_f64(costs::weight(&Theatre::request("a", text).spec, text) * LIGHT * TIMES)
    };
    let work = work_of(&long);
    assert!((15..30).contains(&work.as_secs()), "{work:?}");
    let refused = |request| match theatre.pool.submit(request) {
        Err(PoolError::Full { retry_after }) => retry_after,
        other => panic!("{other:?}"),
    };
    // Nothing waits, so it may be as long as it likes.
    let very_long = theatre.say("heavy", "a", &long.repeat(9));
    let after = refused(Theatre::on("heavy", "b", "short"));
    // What is beyond the twenty seconds, and the short one's own.
    let all = work_of(&long.repeat(9));
    let beyond = all.saturating_sub(Duration::from_secs(20));
    assert!((beyond..all).contains(&after), "{after:?} of {all:?}");
    // Another engine has a queue of its own, and so have books.
    let light: Vec<Narrating> = (0..20).map(|_| theatre.say("light", "c", &long)).collect();
    let book = theatre.heavy_book(&long.repeat(9));
    let again = refused(Theatre::on("heavy", "b", "short"));
    assert!(again > after, "the engines share the time: {again:?} after {after:?}");
    drop(very_long);
    let short = theatre.say("heavy", "b", "short");
    theatre.release_both();
    for narrating in light.into_iter().chain([short, book]) {
        read(narrating);
    }
}

#[test]
fn a_queue_full_of_requests_has_room_when_one_is_done() {
    let theatre = Theatre::of_two(1, |lane| lane.queue = 3);
    let _held = theatre.hold_both();
    let waiting: Vec<Narrating> = (0..3).map(|_| theatre.say("heavy", "a", "some words to say")).collect();
    let Err(PoolError::Full { retry_after }) = theatre.pool.submit(Theatre::on("heavy", "b", "x")) else {
        panic!("it has three");
    };
    let state = &theatre.pool.state()[0].engines[1];
    assert_eq!(state.name, "heavy");
    assert!(retry_after < state.waiting_work && retry_after > state.waiting_work / 4, "{retry_after:?}");
    let light = theatre.say("light", "b", "x");
    theatre.release_both();
    assert_eq!(read(light).0.len(), 1);
    for narrating in waiting {
        read(narrating);
    }
}

// Negative control: when what waits for its reader is counted, the last request is refused.
#[test]
fn readers_that_stand_still_refuse_nobody() {
    let theatre = Theatre::of_two(1, |lane| (lane.queue, lane.queue_work) = (1, Duration::from_millis(1)));
    let slow: Vec<Narrating> = ["a", "b"]
        .iter()
        .map(|name| {
            let text: Vec<String> = (0..9).map(|at| format!("{name}{at}")).collect();
            let narrating = theatre.say("heavy", name, &text.join("|"));
            // Three are said and unread.
            while theatre.stage.count(name) < 3 {
                std::thread::yield_now();
            }
            narrating
        })
        .collect();
    assert_eq!(theatre.pool.state()[0].engines[1].waiting_work, Duration::ZERO);
    assert_eq!(read(theatre.say("heavy", "c", "now")).0, [3]);
    for narrating in slow {
        assert_eq!(read(narrating).0.len(), 9);
    }
}

// Negative control: when both are counted together, the live request is refused.
#[test]
fn sandbox_work_keeps_no_live_work_out_but_waits_behind_it() {
    let theatre = Theatre::of_two(1, |lane| lane.queue = 2);
    let _held = theatre.hold_both();
    let sandbox = || Request { priority: Priority::Sandbox, ..Theatre::on("heavy", "t", "test words") };
    let mut waiting: Vec<Narrating> = (0..2).map(|_| theatre.pool.submit(sandbox()).unwrap()).collect();
    let refused = |request| match theatre.pool.submit(request) {
        Err(PoolError::Full { retry_after }) => retry_after,
        other => panic!("{other:?}"),
    };
    let before = refused(sandbox());
    waiting.extend((0..2).map(|_| theatre.say("heavy", "a", "live words")));
    refused(Theatre::on("heavy", "a", "one more"));
    assert!(refused(sandbox()) >= before);
    theatre.release_both();
    for narrating in waiting {
        read(narrating);
    }
    assert!(theatre.before("live", "test words") <= 2, "{:?}", theatre.stage.said());
}

// Negative control: when a thread that panics after it was given up is not replaced, nobody answers.
#[test]
fn a_thread_that_panics_after_it_was_given_up_is_replaced_where_too_many_hang() {
    let theatre = Theatre::of_two(1, |lane| {
        lane.patience = Duration::from_millis(20);
        lane.engines.iter_mut().for_each(|engine| engine.cost.seconds_a_character = 0.0);
    });
    for _ in 0..4 {
        assert!(matches!(read(theatre.say("heavy", "a", "hold, then boom")).1, Some(EngineError::TimedOut)));
    }
    assert!(!theatre.pool.answers());
    theatre.stage.open("hold, then boom");
    while !theatre.pool.answers() {
        std::thread::yield_now();
    }
    assert_eq!(read(theatre.say("light", "a", "x")).0, [1]);
}

#[test]
fn an_engine_that_hangs_is_given_up_and_its_thread_replaced() {
    let theatre = Theatre::of_two(1, |lane| {
        lane.patience = Duration::from_millis(20);
        // An allowance of nothing but the patience.
        lane.engines.iter_mut().for_each(|engine| engine.cost.seconds_a_character = 0.0);
    });
    let (lengths, error) = read(theatre.say("heavy", "a", "ok|hold|never"));
    assert_eq!(lengths, [2]);
    assert!(matches!(error, Some(EngineError::TimedOut)), "{error:?}");
    assert_eq!(read(theatre.say("heavy", "a", "again")).0, [5]);
    assert_eq!(theatre.pool.state()[0].engines[1].totals.timed_out, 1);
    assert!(theatre.pool.answers());
    // A thread that hangs holds up no shutdown.
    theatre.pool.close(Duration::ZERO);
    theatre.release();
}

#[test]
fn when_all_threads_hang_requests_are_refused_until_one_comes_back() {
    let theatre = Theatre::of_two(1, |lane| {
        lane.patience = Duration::from_millis(20);
        lane.engines.iter_mut().for_each(|engine| engine.cost.seconds_a_character = 0.0);
    });
    // Two threads, and one more for each that hangs.
    for _ in 0..4 {
        assert!(matches!(read(theatre.say("heavy", "a", "hold")).1, Some(EngineError::TimedOut)));
    }
    assert!(!theatre.pool.answers());
    assert_eq!(theatre.pool.submit(Theatre::on("light", "a", "x")).err(), Some(PoolError::Hanging));
    theatre.release();
    while !theatre.pool.answers() {
        std::thread::yield_now();
    }
    assert_eq!(read(theatre.say("light", "a", "x")).0, [1]);
}

#[test]
fn totals_say_what_an_engine_has_done() {
    let theatre = Theatre::of_two(1, |_| {});
    read(theatre.say("heavy", "a", "one|three"));
    let engines = &theatre.pool.state()[0].engines;
    let totals = engines[1].totals;
    assert_eq!((totals.requests, totals.characters, totals.timed_out), (1, 8, 0));
    // 1,000 samples a second, one for a byte.
    assert_eq!(totals.audio, Duration::from_millis(8));
    assert_eq!(engines[0].totals, Totals::default());
}
