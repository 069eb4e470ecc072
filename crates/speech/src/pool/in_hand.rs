//! The utterance that a thread is saying, and how long it may take.

use std::time::Duration;

use super::turns::Job;

/// An utterance may take this many times its estimate: the estimate may be of a machine ten times as
/// fast, whose cores do nothing else.
const TIMES: u32 = 30;

/// Work that a thread has taken up.
pub(super) struct InHand {
    pub(super) job: Job,
    /// How long it may take.
    allowed: Duration,
    /// How long it has taken so far. Counted in ticks, so that a process that stood still gives
    /// nothing up when it goes on.
    spent: Duration,
}

impl InHand {
    pub(super) fn new(job: Job, patience: Duration) -> Self {
        let allowed = patience.max(job.work.saturating_mul(TIMES));
        Self { job, allowed, spent: Duration::ZERO }
    }

    /// How long it should still take.
    pub(super) fn left(&self) -> Duration {
        self.job.work.saturating_sub(self.spent)
    }

    /// Counts time that it has taken.
    pub(super) fn spend(&mut self, passed: Duration) {
        self.spent += passed;
    }

    /// How long it has taken so far.
    pub(super) fn spent(&self) -> Duration {
        self.spent
    }

    /// Whether it takes longer than it may.
    pub(super) fn is_overdue(&self) -> bool {
        self.spent > self.allowed
    }
}
