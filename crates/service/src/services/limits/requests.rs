//! The request limit per account, counted in this process.

use std::hash::{BuildHasher as _, RandomState};

use lectern_types::AccountId;

use super::gcra::{Limit, Table, whole_seconds};
use crate::clock::{Clock, MonotonicClock};

/// The window of the limit, in seconds.
const WINDOW_SECONDS: u64 = 60;

/// The most accounts that are tracked; beyond that, the least busy are evicted.
const MAX_ACCOUNTS: usize = 1 << 18;

/// The state of a limit after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    pub limit: u64,
    pub window_seconds: u64,
    /// Requests that may follow immediately.
    pub remaining: u64,
    /// Seconds until the whole limit is available again.
    pub reset_seconds: u64,
}

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitExceeded {
    /// The state of the limit, with nothing remaining.
    pub allowance: Allowance,
    /// Whole seconds until one more request is allowed; at least 1.
    pub retry_after_seconds: u64,
}

/// The counters of all accounts.
#[derive(Debug)]
pub struct RequestLimiter {
    limit: Limit,
    table: Table,
    time: MonotonicClock,
    hasher: RandomState,
}

impl RequestLimiter {
    /// Limits each account to `limit` requests per minute. Changes to the machine's clock have no
    /// effect.
    pub fn new(limit: u64, clock: &Clock) -> Self {
        Self {
            limit: Limit { count: limit.max(1), window_seconds: WINDOW_SECONDS },
            table: Table::new(MAX_ACCOUNTS),
            time: clock.monotonic(),
            hasher: RandomState::new(),
        }
    }

    /// Counts one request of `account`.
    ///
    /// # Errors
    /// [`RateLimitExceeded`] when the limit is used up; the request is then not counted.
    pub fn take(&self, account: AccountId) -> Result<Allowance, RateLimitExceeded> {
        let key = self.hasher.hash_one(account);
        match self.table.take(&[(key, self.limit)], self.time.now()) {
            Ok(counted) => Ok(self.allowance(counted.remaining, whole_seconds(counted.reset_micros))),
            Err(refused) => Err(RateLimitExceeded {
                allowance: self.allowance(0, whole_seconds(refused.reset_micros)),
                retry_after_seconds: whole_seconds(refused.retry_after_micros),
            }),
        }
    }

    fn allowance(&self, remaining: u64, reset_seconds: u64) -> Allowance {
        Allowance { limit: self.limit.count, window_seconds: WINDOW_SECONDS, remaining, reset_seconds }
    }
}

#[cfg(test)]
mod tests {
    use lectern_types::Timestamp;

    use super::*;
    use crate::clock::Ids;

    // Negative control: without `ahead > window` the fourth request is allowed and the test fails.
    #[test]
    fn each_account_has_its_own_limit_which_is_refilled() {
        let clock = Clock::fixed_at(Timestamp(1_000_000_000));
        let ids = Ids::new(clock.clone());
        let (one, other) = (ids.make(), ids.make());
        let limiter = RequestLimiter::new(3, &clock);
        for remaining in [2, 1, 0] {
            assert_eq!(limiter.take(one).map(|a| a.remaining), Ok(remaining));
        }
        let over = limiter.take(one).unwrap_err();
        assert_eq!((over.retry_after_seconds, over.allowance.remaining), (20, 0));
        assert!(limiter.take(other).is_ok());
        clock.advance_seconds(20);
        assert!(limiter.take(one).is_ok());
        assert!(limiter.take(one).is_err());
    }
}
