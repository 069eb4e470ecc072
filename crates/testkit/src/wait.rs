//! Waiting for something to happen: every test polls through here, with one interval and a time
//! limit.

use std::time::{Duration, Instant};

/// The pause between two polls.
const INTERVAL: Duration = Duration::from_millis(20);

/// The usual time limit; generous, because many tests share a machine.
const LIMIT: Duration = Duration::from_secs(30);

/// Polls until `condition` holds, for 30 seconds at most.
pub async fn until(what: &str, condition: impl AsyncFnMut() -> bool) {
    until_within(LIMIT, what, condition).await;
}

/// Polls until `condition` holds, for `limit` at most.
pub async fn until_within(limit: Duration, what: &str, condition: impl AsyncFnMut() -> bool) {
    assert!(holds_within(limit, condition).await, "{what} did not happen within {limit:?}");
}

/// Polls until `condition` holds or `limit` has passed; returns whether it held. For tests that
/// must clean up before they fail.
pub async fn holds_within(limit: Duration, mut condition: impl AsyncFnMut() -> bool) -> bool {
    let started = Instant::now();
    while !condition().await {
        if started.elapsed() >= limit {
            return false;
        }
        tokio::time::sleep(INTERVAL).await;
    }
    true
}

/// Like [`holds_within`], but blocks the thread.
pub fn holds_within_blocking(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while !condition() {
        if started.elapsed() >= limit {
            return false;
        }
        std::thread::sleep(INTERVAL);
    }
    true
}
