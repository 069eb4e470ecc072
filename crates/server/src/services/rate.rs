//! The request limit of each account, counted in this process.

use std::hash::{BuildHasher as _, RandomState};

use lectern_types::AccountId;

use super::gcra::{Limit, Table, whole_seconds};
use crate::clock::{Clock, Steady};

/// The window that the limit speaks of, in seconds.
const WINDOW_SECONDS: u64 = 60;

/// Accounts that are told apart at once; beyond them the least busy are forgotten.
const ACCOUNTS: usize = 1 << 18;

/// What is left of a limit after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Requests a window.
    pub limit: u64,
    /// The window in seconds.
    pub window_seconds: u64,
    /// Requests that may follow at once.
    pub remaining: u64,
    /// Seconds until all of the limit is free again.
    pub reset_seconds: u64,
}

/// A refusal, and when to come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Over {
    /// What is left: nothing, and until when.
    pub allowance: Allowance,
    /// Whole seconds until one more request is allowed; at least 1.
    pub retry_after_seconds: u64,
}

/// The counters of all accounts.
#[derive(Debug)]
pub struct RequestLimiter {
    limit: Limit,
    table: Table,
    time: Steady,
    hasher: RandomState,
}

impl RequestLimiter {
    /// A limiter of `limit` requests a minute for each account. Setting the machine's clock changes nothing.
    pub fn new(limit: u64, clock: &Clock) -> Self {
        Self {
            limit: Limit { count: limit.max(1), window_seconds: WINDOW_SECONDS },
            table: Table::new(ACCOUNTS),
            time: clock.steady(),
            hasher: RandomState::new(),
        }
    }

    /// Counts one request of `account`.
    ///
    /// # Errors
    /// [`Over`] when the limit is used up; the request is not counted then.
    pub fn take(&self, account: AccountId) -> Result<Allowance, Over> {
        let key = self.hasher.hash_one(account);
        match self.table.take(&[(key, self.limit)], self.time.now()) {
            Ok(counted) => Ok(self.allowance(counted.remaining, whole_seconds(counted.until_free_micros))),
            Err(refused) => Err(Over {
                allowance: self.allowance(0, whole_seconds(refused.until_free_micros)),
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
    fn the_limit_is_each_accounts_own_and_flows_off() {
        let clock = Clock::standing_at(Timestamp(1_000_000_000));
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
