//! Whose turn it is: accounts, their requests and books, live and sandbox work.

use super::*;

#[test]
fn accounts_take_turns_however_long_their_texts_are() {
    let theatre = Theatre::new(1, 9);
    let holding = theatre.hold();
    // Words that last as long as each other.
    let a = theatre.submit("a", "ann|ann|ann");
    let b = theatre.submit("b", "bob|bob");
    theatre.release();
    assert_eq!(read(b).0.len(), 2);
    assert_eq!(read(a).0.len(), 3);
    assert_eq!(theatre.stage.said(), ["hold", "ann", "bob", "ann", "bob", "ann"]);
    drop(holding);
}

#[test]
fn an_account_with_many_requests_has_no_more_turns_than_one_with_a_single_one() {
    let theatre = Theatre::new(1, 9);
    let _holding = theatre.hold();
    let many: Vec<Narrating> = ["a1|a2", "a3|a4", "a5|a6"].map(|text| theatre.submit("a", text)).into();
    let one = theatre.submit("b", "b1|b2");
    theatre.release();
    read(one);
    for narrating in many {
        assert_eq!(read(narrating).0.len(), 2);
    }
    assert!(theatre.before("a", "b2") <= 2, "{:?}", theatre.stage.said());
}

#[test]
fn a_long_text_does_not_starve_a_short_one_of_its_own_account() {
    let theatre = Theatre::new(1, 9);
    let _holding = theatre.hold();
    let long = theatre.submit("a", "l1|l2|l3|l4|l5|l6");
    let short = theatre.submit("a", "s");
    theatre.release();
    read(short);
    read(long);
    assert!(theatre.before("l", "s") <= 2, "{:?}", theatre.stage.said());
}

#[test]
fn live_work_goes_first_and_sandbox_work_still_gets_its_share() {
    let theatre = Theatre::new(1, 99);
    let _holding = theatre.hold();
    let sandbox: Vec<Narrating> = (0..5).map(|n| theatre.submit_sandbox(&format!("t{n}"), "tim")).collect();
    let live: Vec<Narrating> = (0..30).map(|n| theatre.submit(&format!("l{n}"), "len|len|len")).collect();
    theatre.release();
    for narrating in sandbox.into_iter().chain(live) {
        read(narrating);
    }
    let said = theatre.stage.said();
    let places: Vec<usize> = (0..said.len()).filter(|at| said[*at] == "tim").collect();
    assert_eq!(places.len(), 5);
    assert!(places[4] + 10 < said.len(), "sandbox did not wait for the last live piece: {said:?}");
    let share = SANDBOX_SHARE as usize;
    assert!(places.windows(2).all(|pair| pair[1] - pair[0] == share), "live goes first: {said:?}");
}

#[test]
fn books_go_last_and_still_get_their_share() {
    let theatre = Theatre::new(1, 99);
    let _holding = theatre.hold();
    let book = theatre.submit_book("a", "book", "bob|ben|bud");
    let live: Vec<Narrating> = (0..40).map(|n| theatre.submit(&format!("l{n}"), "len")).collect();
    theatre.release();
    for narrating in live {
        read(narrating);
    }
    read(book);
    let live_turns = 3 * (BACKGROUND_SHARE as usize - 1);
    assert_eq!(theatre.before("len", "bud"), live_turns, "{:?}", theatre.stage.said());
}

#[test]
fn sandbox_work_goes_before_books() {
    let theatre = Theatre::new(1, 9);
    let _holding = theatre.hold();
    let book = theatre.submit_book("a", "book", "b1|b2|b3");
    let sandbox = theatre.submit_sandbox("a", "t1|t2|t3");
    theatre.release();
    read(sandbox);
    read(book);
    assert_eq!(theatre.stage.said(), ["hold", "t1", "t2", "t3", "b1", "b2", "b3"]);
}

#[test]
fn a_short_text_waits_for_one_utterance_of_a_book_at_most() {
    let theatre = Theatre::new(1, 9);
    let book = theatre.submit_book("a", "book", "hold|b2|b3|b4");
    theatre.wait_until_started("hold");
    let short = theatre.submit("a", "s1|s2");
    theatre.release();
    read(short);
    read(book);
    assert_eq!(theatre.stage.said()[..3], ["hold", "s1", "s2"]);
}

#[test]
fn the_books_of_an_account_take_turns_however_many_chunks_each_has_under_way() {
    let theatre = Theatre::new(1, 99);
    let _holding = theatre.hold();
    let many: Vec<Narrating> =
        ["m1|m2", "m3|m4", "m5|m6"].map(|text| theatre.submit_book("a", "many", text)).into();
    let other = theatre.submit_book("a", "other", "o1|o2");
    let stranger = theatre.submit_book("b", "theirs", "x1|x2");
    theatre.release();
    for narrating in many.into_iter().chain([other, stranger]) {
        assert_eq!(read(narrating).0.len(), 2);
    }
    assert!(theatre.before("m", "o2") <= 2, "{:?}", theatre.stage.said());
    let ahead_of_stranger = theatre.before("m", "x2") + theatre.before("o", "x2");
    assert!(ahead_of_stranger <= 2, "an account with more books gets no more: {:?}", theatre.stage.said());
}

#[test]
fn many_books_do_not_keep_short_texts_out_nor_those_a_book() {
    let theatre = Theatre::new(1, 2);
    let _holding = theatre.hold();
    let first = theatre.submit_book("a", "one", "b1");
    let second = theatre.submit_book("a", "two", "b2");
    let book = Request { priority: Priority::Background, ..Theatre::request("b", "b3") };
    assert!(matches!(theatre.pool.submit(book).err(), Some(PoolError::Full { .. })));
    let short = theatre.submit("b", "s1");
    let another = theatre.submit("b", "s2");
    let third = theatre.pool.submit(Theatre::request("c", "s3"));
    assert!(matches!(third.err(), Some(PoolError::Full { .. })));
    theatre.release();
    for narrating in [first, second, short, another] {
        assert_eq!(read(narrating).0.len(), 1);
    }
}
