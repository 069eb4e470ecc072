//! Rate limiting in a fixed amount of memory, without lists of timestamps.
//!
//! GCRA (ITU-T I.371) keeps one instant per key: its theoretical arrival time, when its whole
//! allowance is available again. A whole window's allowance may be used at once; it refills evenly.
//! The instants are in a set-associative table with eight entries per set: a full set evicts the
//! key with the earliest instant, which is furthest from its limit. So millions of invented keys
//! cost neither more memory nor a search, and a key at its limit is evicted last.

use std::sync::{Mutex, PoisonError};

use lectern_types::Timestamp;

/// Entries per set.
const WAYS: usize = 8;

/// A set: `WAYS` tags (0 marks a free entry), then their instants.
type Set = [u64; 2 * WAYS];

/// The largest difference between the clocks of threads or processes that share counters. An
/// instant this far beyond its window is still counted.
pub(in crate::services) const MAX_CLOCK_SKEW_MICROS: i64 = 10_000_000;

/// A count per window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The count; at least 1.
    pub count: u64,
    /// The window in seconds; at least 1.
    pub window_seconds: u64,
}

impl Limit {
    /// The window in microseconds.
    pub fn window_micros(self) -> i64 {
        i64::try_from(self.window_seconds.max(1).saturating_mul(1_000_000)).unwrap_or(i64::MAX)
    }

    /// The time after which one more request is allowed, in microseconds.
    pub fn step_micros(self) -> i64 {
        (self.window_micros() / i64::try_from(self.count.max(1)).unwrap_or(i64::MAX)).max(1)
    }
}

/// The state after a successful count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The number of requests allowed right now.
    pub remaining: u64,
    /// Microseconds until the whole allowance is available again.
    pub reset_micros: i64,
}

/// A refusal, after which nothing was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// Microseconds until the whole allowance is available again.
    pub reset_micros: i64,
    /// Microseconds until one more request is allowed.
    pub retry_after_micros: i64,
}

/// Microseconds as whole seconds for `Retry-After`: rounded up, at least 1.
pub fn whole_seconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
}

/// Counters for a limited number of keys.
pub struct Table {
    sets: Mutex<Vec<Set>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Table(…)")
    }
}

impl Table {
    /// A table for about `keys` keys, 16 bytes each. Memory pages that are never used are never
    /// touched.
    pub fn new(keys: usize) -> Self {
        let sets = keys.div_ceil(WAYS).next_power_of_two();
        Self { sets: Mutex::new(vec![[0; 2 * WAYS]; sets]) }
    }

    /// Counts one for every key against its limit, or none of them when a limit is exceeded. Keys
    /// are hashes: evenly distributed, and unpredictable to anyone who wants collisions.
    ///
    /// # Errors
    /// [`Refused`], for the limit with the longest wait.
    pub fn take(&self, keys: &[(u64, Limit)], now: Timestamp) -> Result<Counted, Refused> {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut refused: Option<Refused> = None;
        for (key, limit) in keys {
            let ahead = find(&sets, *key).map_or(0, |at| ahead(at, now, *limit)) + limit.step_micros();
            let over = ahead - limit.window_micros();
            if over > 0 && refused.is_none_or(|so_far| so_far.retry_after_micros < over) {
                let reset_micros = ahead - limit.step_micros();
                refused = Some(Refused { reset_micros, retry_after_micros: over });
            }
        }
        if let Some(refused) = refused {
            for (key, limit) in keys {
                discard_future_instant(&mut sets, *key, *limit, now);
            }
            return Err(refused);
        }
        let mut counted = Counted { remaining: u64::MAX, reset_micros: 0 };
        for (key, limit) in keys {
            let slot = slot(&mut sets, *key, now);
            let ahead = ahead(*slot, now, *limit) + limit.step_micros();
            *slot = u64::try_from(now.0.saturating_add(ahead)).unwrap_or(0);
            let remaining = (limit.window_micros() - ahead) / limit.step_micros();
            counted.remaining = counted.remaining.min(u64::try_from(remaining).unwrap_or(0));
            counted.reset_micros = counted.reset_micros.max(ahead);
        }
        Ok(counted)
    }

    /// Undoes one count of a key.
    pub fn undo(&self, (key, limit): (u64, Limit), now: Timestamp) {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        // An evicted key has nothing to undo.
        if let Some(at) = find(&sets, key) {
            let ahead = (ahead(at, now, limit) - limit.step_micros()).max(0);
            *slot(&mut sets, key, now) = u64::try_from(now.0.saturating_add(ahead)).unwrap_or(0);
        }
    }
}

/// Microseconds until the whole allowance of a key with the instant `at` is available. An instant
/// beyond the window was written before the clock was set back. It is ignored, so that nobody is
/// locked out by it.
fn ahead(at: u64, now: Timestamp, limit: Limit) -> i64 {
    let ahead = i64::try_from(at).unwrap_or(0).saturating_sub(now.0).max(0);
    if ahead > limit.window_micros().saturating_add(MAX_CLOCK_SKEW_MICROS) { 0 } else { ahead }
}

/// Resets the instant of a key if it was written before the clock was set back. Otherwise it would
/// count again once the clock approaches it.
fn discard_future_instant(sets: &mut [Set], key: u64, limit: Limit, now: Timestamp) {
    let (tags, instants) = sets[key as usize & (sets.len() - 1)].split_at_mut(WAYS);
    if let Some(entry) = tags.iter().position(|other_tag| *other_tag == tag(key))
        && ahead(instants[entry], now, limit) == 0
    {
        instants[entry] = u64::try_from(now.0).unwrap_or(0);
    }
}

/// The tag of a key. 0 marks a free entry, so the key 0 gets another tag.
fn tag(key: u64) -> u64 {
    key.max(1)
}

fn find(sets: &[Set], key: u64) -> Option<u64> {
    let (tags, instants) = sets[key as usize & (sets.len() - 1)].split_at(WAYS);
    tags.iter().position(|other_tag| *other_tag == tag(key)).map(|entry| instants[entry])
}

/// The instant of `key`. A new key in a full set replaces the one with the earliest instant.
fn slot(sets: &mut [Set], key: u64, now: Timestamp) -> &mut u64 {
    let index = key as usize & (sets.len() - 1);
    let (tags, instants) = sets[index].split_at_mut(WAYS);
    let entry = tags.iter().position(|other_tag| *other_tag == tag(key)).unwrap_or_else(|| {
        let soonest = (0..WAYS).min_by_key(|entry| instants[*entry]).unwrap_or(0);
        tags[soonest] = tag(key);
        instants[soonest] = u64::try_from(now.0).unwrap_or(0);
        soonest
    });
    &mut instants[entry]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Limit = Limit { count: 3, window_seconds: 60 };
    const HOUR: Limit = Limit { count: 4, window_seconds: 3600 };
    const NOW: Timestamp = Timestamp(1_795_244_891_524_000);

    fn later(seconds: i64) -> Timestamp {
        NOW.plus_seconds(seconds)
    }

    // Negative control: if counting starts before all keys are checked, the fourth of `HOUR` in the
    // last line is refused.
    #[test]
    fn a_refused_attempt_uses_nothing() {
        let table = Table::new(64);
        let both = [(7, MINUTE), (8, HOUR)];
        for remaining in [2, 1, 0] {
            assert_eq!(table.take(&both, NOW).map(|c| c.remaining), Ok(remaining));
        }
        for _ in 0..10 {
            assert_eq!(table.take(&both, NOW).map_err(|r| r.retry_after_micros), Err(20_000_000));
        }
        assert_eq!(table.take(&[(8, HOUR)], NOW).map(|c| c.remaining), Ok(0));
    }

    #[test]
    fn an_undone_count_can_be_used_again_and_no_more_than_that() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], NOW).unwrap();
        }
        table.undo((7, MINUTE), NOW);
        assert_eq!(table.take(&[(7, MINUTE)], NOW).map(|c| c.remaining), Ok(0));
        assert!(table.take(&[(7, MINUTE)], NOW).is_err());
        // Neither an unknown key nor a fully refilled one gets more than its window.
        for key in [7, 8] {
            table.undo((key, MINUTE), later(60));
            assert_eq!(table.take(&[(key, MINUTE)], later(60)).map(|c| c.remaining), Ok(2), "{key}");
        }
    }

    #[test]
    fn the_longest_wait_is_reported_and_exact() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], NOW).unwrap();
        }
        for _ in 0..4 {
            table.take(&[(8, HOUR)], NOW).unwrap();
        }
        let refused = table.take(&[(7, MINUTE), (8, HOUR)], NOW).unwrap_err();
        assert_eq!(whole_seconds(refused.retry_after_micros), 900);
        assert!(table.take(&[(7, MINUTE), (8, HOUR)], later(899)).is_err());
        assert!(table.take(&[(7, MINUTE), (8, HOUR)], later(900)).is_ok());
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out_and_the_limit_holds_from_then_on() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], later(86_400)).unwrap();
        }
        for remaining in [2, 1, 0] {
            assert_eq!(table.take(&[(7, MINUTE)], NOW).map(|counted| counted.remaining), Ok(remaining));
        }
        let refused = table.take(&[(7, MINUTE)], NOW).unwrap_err();
        assert_eq!(whole_seconds(refused.retry_after_micros), 20);
        assert!(table.take(&[(7, MINUTE)], later(20)).is_ok());
    }

    // Negative control: without `discard_future_instant` the last line is refused, because the
    // clock has approached the instant written before it was set back.
    #[test]
    fn an_instant_from_before_the_clock_was_set_back_does_not_count_again() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], later(1_800)).unwrap();
        }
        for _ in 0..4 {
            table.take(&[(8, HOUR)], NOW).unwrap();
        }
        assert!(table.take(&[(7, MINUTE), (8, HOUR)], NOW).is_err());
        assert!(table.take(&[(7, MINUTE)], later(1_799)).is_ok());
    }

    #[test]
    fn after_a_small_step_back_the_reported_wait_is_exact() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], later(0)).unwrap();
        }
        let refused = table.take(&[(7, MINUTE)], later(-5)).unwrap_err();
        assert_eq!(whole_seconds(refused.retry_after_micros), 25);
        assert!(table.take(&[(7, MINUTE)], later(19)).is_err());
        assert!(table.take(&[(7, MINUTE)], later(20)).is_ok());
    }

    // Negative control: if a set evicts the latest instant instead, the key at its limit is allowed
    // again.
    #[test]
    fn millions_of_keys_take_no_more_memory_and_a_key_at_its_limit_is_kept() {
        let table = Table::new(10_000);
        let capacity = table.sets.lock().unwrap().capacity();
        for _ in 0..4 {
            table.take(&[(u64::MAX, HOUR)], NOW).unwrap();
        }
        for n in 1..=2_000_000_u64 {
            // A cheap spread over the whole range, like that of hashes.
            table.take(&[(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), HOUR)], NOW).unwrap();
        }
        assert_eq!(table.sets.lock().unwrap().capacity(), capacity);
        assert!(capacity * size_of::<Set>() <= 512 * 1024, "{capacity} sets");
        assert!(table.take(&[(u64::MAX, HOUR)], NOW).is_err());
    }

    #[test]
    fn a_refilled_key_makes_room_for_another() {
        let table = Table::new(WAYS);
        for key in 1..=WAYS as u64 {
            table.take(&[(key, MINUTE)], NOW).unwrap();
        }
        table.take(&[(99, MINUTE)], later(60)).unwrap();
        assert_eq!(table.take(&[(99, MINUTE)], later(60)).map(|c| c.remaining), Ok(1));
    }
}
