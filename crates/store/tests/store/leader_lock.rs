//! The leader among several processes.

use std::time::Duration;

use lectern_store::{Store, StoreOptions};
use tokio::time::timeout;

use crate::fixture::Fixture;

/// Ends the connections that hold an advisory lock in this database, as when a machine dies;
/// returns how many.
const END_HOLDERS: &str =
    "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()";

// Negative control: when `TAKE_LEADER_LOCK` always returns 1, the second process becomes a leader
// as well.
#[tokio::test]
async fn one_process_is_the_leader_and_another_takes_over() {
    let f = Fixture::postgres().await;
    let other = Store::open(&StoreOptions::new(f.url.as_str())).await.expect("it opens");
    let (mut first, mut second) = (f.store.leader_lock(), other.leader_lock());
    assert!(first.hold().await.expect("it answers"));
    for _ in 0..3 {
        assert!(!second.hold().await.expect("it answers"), "there are two leaders");
        assert!(first.hold().await.expect("it answers"), "the leader stays the leader");
    }
    first.release().await;
    // PostgreSQL frees the lock when it has read that the connection ended, which nobody waits for.
    let taken = async { while !second.hold().await.expect("it answers") {} };
    timeout(Duration::from_secs(20), taken).await.expect("the lock was released");

    // The leader's connection is cut off: the leader learns that it lost the lock, and the next
    // process to ask becomes the leader.
    let mut third = f.store.leader_lock();
    assert!(!third.hold().await.expect("it answers"));
    assert_eq!(f.sql(END_HOLDERS).await.expect("they end"), 1);
    // PostgreSQL answers before the connection has ended.
    let taken = async { while !third.hold().await.expect("it answers") {} };
    timeout(Duration::from_secs(20), taken).await.expect("the lock ends with its connection");
    assert!(second.hold().await.is_err(), "the old leader must notice the loss");
    assert!(!second.hold().await.expect("it answers"));
    third.release().await;
    other.close().await;
    f.end().await;
}

#[tokio::test]
async fn on_sqlite_every_process_is_a_leader() {
    let f = Fixture::sqlite().await;
    let (mut first, mut second) = (f.store.leader_lock(), f.store.leader_lock());
    assert!(first.hold().await.expect("it answers") && second.hold().await.expect("it answers"));
    f.end().await;
}
