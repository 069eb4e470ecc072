//! Which of several processes has the duties of all.

use std::time::Duration;

use lectern_store::{Store, StoreOptions};
use tokio::time::timeout;

use crate::fixture::Fixture;

/// Sees that connections that hold an advisory lock in this database end, as when a machine dies; how many there were.
const END_HOLDERS: &str =
    "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()";

// Negative control: with `TAKE_DUTIES` saying 1 whatever the lock says, the second has them as well.
#[tokio::test]
async fn one_process_has_the_duties_and_another_takes_them_over() {
    let f = Fixture::postgres().await;
    let other = Store::open(&StoreOptions::new(f.url.as_str())).await.expect("it opens");
    let (mut first, mut second) = (f.store.duties(), other.duties());
    assert!(first.are_ours().await.expect("it answers"));
    for _ in 0..3 {
        assert!(!second.are_ours().await.expect("it answers"), "two have them");
        assert!(first.are_ours().await.expect("it answers"), "who has them keeps them");
    }
    first.leave().await;
    assert!(second.are_ours().await.expect("it answers"), "nobody had them");

    // Its connection ends without a word: it learns that it has lost them, and whoever asks next has them.
    let mut third = f.store.duties();
    assert!(!third.are_ours().await.expect("it answers"));
    assert_eq!(f.sql(END_HOLDERS).await.expect("they end"), 1);
    // PostgreSQL says so before the connection has ended.
    let taken = async { while !third.are_ours().await.expect("it answers") {} };
    timeout(Duration::from_secs(20), taken).await.expect("the lock ends with its connection");
    assert!(second.are_ours().await.is_err(), "it goes on as if it had them");
    assert!(!second.are_ours().await.expect("it answers"));
    third.leave().await;
    other.close().await;
    f.end().await;
}

#[tokio::test]
async fn on_sqlite_every_process_has_them() {
    let f = Fixture::sqlite().await;
    let (mut first, mut second) = (f.store.duties(), f.store.duties());
    assert!(first.are_ours().await.expect("it answers") && second.are_ours().await.expect("it answers"));
    f.end().await;
}
