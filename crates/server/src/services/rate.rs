//! The request limit of each account, counted in this process.
//!
//! GCRA (ITU-T I.371): for each account one instant is kept, the time at which everything it has used will have
//! flowed off again. The whole minute's allowance may be used at once; it comes back evenly.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use lectern_types::{AccountId, Timestamp};

/// The window that the limit speaks of, in seconds.
const WINDOW_SECONDS: u64 = 60;

/// The same in microseconds.
const WINDOW_MICROS: i64 = 60_000_000;

/// Entries above which those that have flowed off are thrown away.
const CROWDED: usize = 10_000;

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
    limit: u64,
    flowed_off_at: Mutex<HashMap<AccountId, i64>>,
}

impl RequestLimiter {
    /// A limiter of `limit` requests a minute for each account.
    pub fn new(limit: u64) -> Self {
        Self { limit: limit.max(1), flowed_off_at: Mutex::default() }
    }

    /// Counts one request of `account`.
    ///
    /// # Errors
    /// [`Over`] when the limit is used up; the request is not counted then.
    pub fn take(&self, account: AccountId, now: Timestamp) -> Result<Allowance, Over> {
        let window = WINDOW_MICROS;
        let step = (window / i64::try_from(self.limit).unwrap_or(i64::MAX)).max(1);
        let mut all = self.flowed_off_at.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > CROWDED {
            all.retain(|_, at| *at > now.0);
        }
        let at = all.entry(account).or_insert(now.0);
        let used_until = (*at).max(now.0).saturating_add(step);
        let ahead = used_until.saturating_sub(now.0);
        if ahead > window {
            let allowance = self.allowance(0, seconds(ahead - step));
            return Err(Over { allowance, retry_after_seconds: seconds(ahead - window) });
        }
        *at = used_until;
        Ok(self.allowance(u64::try_from((window - ahead) / step).unwrap_or(0), seconds(ahead)))
    }

    fn allowance(&self, remaining: u64, reset_seconds: u64) -> Allowance {
        Allowance { limit: self.limit, window_seconds: WINDOW_SECONDS, remaining, reset_seconds }
    }
}

/// Microseconds as whole seconds, rounded up, at least 1.
fn seconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Ids};

    // Negative control: without `ahead > window` the fourth request is allowed and the test fails.
    #[test]
    fn the_limit_is_each_accounts_own_and_flows_off() {
        let clock = Clock::standing_at(Timestamp(1_000_000_000));
        let ids = Ids::new(clock.clone());
        let (one, other) = (ids.make(), ids.make());
        let limiter = RequestLimiter::new(3);
        for remaining in [2, 1, 0] {
            assert_eq!(limiter.take(one, clock.now()).map(|a| a.remaining), Ok(remaining));
        }
        let over = limiter.take(one, clock.now()).unwrap_err();
        assert_eq!((over.retry_after_seconds, over.allowance.remaining), (20, 0));
        assert!(limiter.take(other, clock.now()).is_ok());
        clock.advance_seconds(20);
        assert!(limiter.take(one, clock.now()).is_ok());
        assert!(limiter.take(one, clock.now()).is_err());
    }
}
