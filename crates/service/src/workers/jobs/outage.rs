//! The outage of a dependency that every job needs: the store or object storage. The dependency is
//! retried after growing pauses, and the log says once that it failed and once that it recovered.

use std::{
    error::Error,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::error::chain;

/// The first pause.
const FIRST: Duration = Duration::from_secs(1);

/// The longest pause, and so the longest time after which a recovery is noticed.
const LONGEST: Duration = Duration::from_secs(5);

/// The state of one dependency.
#[derive(Debug)]
pub(in crate::workers) struct Outage {
    of: &'static str,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    until: Option<Instant>,
}

impl Outage {
    /// No outage is known yet; `of` names the dependency in the log.
    pub(in crate::workers) fn new(of: &'static str) -> Self {
        Self { of, state: Mutex::default() }
    }

    /// Records a failure. A failure during a pause comes from work that had already begun, and does
    /// not lengthen the pause.
    pub(in crate::workers) fn failed(&self, error: &dyn Error, now: Instant) {
        let mut state = self.state();
        if state.until.is_some_and(|until| until > now) {
            return;
        }
        if state.failures == 0 {
            tracing::error!(
                error = chain(error),
                outage.of = self.of,
                "jobs are paused: something they need is down"
            );
        }
        let delay = FIRST.saturating_mul(1 << state.failures.min(8)).min(LONGEST);
        *state = State { failures: state.failures + 1, until: Some(now + delay) };
    }

    /// Records a success.
    pub(in crate::workers) fn over(&self) {
        let mut state = self.state();
        if state.failures > 0 {
            tracing::info!(
                outage.of = self.of,
                outage.failures = state.failures,
                "jobs continue: it is back"
            );
            *state = State::default();
        }
    }

    /// When the pause ends; `None` when there is none.
    pub(in crate::workers) fn until(&self, now: Instant) -> Option<Instant> {
        self.state().until.filter(|until| *until > now)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_a_limit_and_end_with_the_outage() {
        let outage = Outage::new("the store");
        let error = std::io::Error::other("away");
        let (mut now, mut delays) = (Instant::now(), Vec::new());
        for _ in 0..6 {
            outage.failed(&error, now);
            // A second job fails together with the first.
            outage.failed(&error, now);
            let until = outage.until(now).unwrap();
            delays.push((until - now).as_secs());
            now = until;
        }
        assert_eq!(delays, [1, 2, 4, 5, 5, 5]);
        outage.over();
        assert_eq!(outage.until(now - FIRST), None);
    }
}
