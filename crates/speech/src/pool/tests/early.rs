//! Beginnings of utterances, for those who wait for them.

use super::*;

fn early(theatre: &Theatre, text: &str) -> Narrating {
    theatre.pool.submit(Request { early: true, ..Theatre::request("a", text) }).unwrap()
}

fn length(speech: Option<Result<Speech, EngineError>>) -> usize {
    speech.unwrap().unwrap().samples.len()
}

#[test]
fn the_beginning_comes_while_the_rest_is_being_said() {
    let theatre = Theatre::new(1, 9);
    let mut narrating = early(&theatre, "a|hold|bcd");
    assert_eq!(length(narrating.blocking_next()), 1);
    assert_eq!(narrating.reached(), 1);
    assert_eq!(length(narrating.blocking_next()), 2);
    assert_eq!(narrating.reached(), 4, "as far as its words");
    theatre.release();
    assert_eq!(length(narrating.blocking_next()), 2);
    assert_eq!(narrating.reached(), 6, "as far as the utterance");
    assert_eq!(length(narrating.blocking_next()), 3);
    assert!(narrating.blocking_next().is_none());
}

#[test]
fn who_does_not_ask_for_beginnings_gets_none() {
    let theatre = Theatre::new(1, 9);
    let narrating = theatre.submit("a", "hold|b");
    theatre.release();
    assert_eq!(read(narrating).0, [4, 1]);
}

#[test]
fn pauses_that_are_asked_for_are_around_the_whole() {
    let theatre = Theatre::new(1, 9);
    theatre.release();
    let mut narrating = early(&theatre, "[pause 300ms]hold[pause 500ms]");
    let asked = |speech: Option<Result<Speech, EngineError>>| {
        let asked = speech.unwrap().unwrap().asked;
        (asked.before_ms, asked.after_ms)
    };
    assert_eq!(asked(narrating.blocking_next()), (300, 0));
    assert_eq!(asked(narrating.blocking_next()), (0, 500));
}

#[test]
fn a_failure_after_the_beginning_ends_the_text() {
    let theatre = Theatre::new(1, 9);
    let mut narrating = early(&theatre, "hold-boom|b");
    assert_eq!(length(narrating.blocking_next()), 2);
    theatre.stage.open("hold-boom");
    assert!(matches!(narrating.blocking_next(), Some(Err(EngineError::Panicked))));
    assert!(narrating.blocking_next().is_none());
}
