//! Counting against limits without keeping lists of instants, in memory of a fixed size.
//!
//! GCRA (ITU-T I.371): for each key one instant is kept, the time at which everything it has used will have flowed
//! off again. A whole window's allowance may be used at once; it comes back evenly. The instants lie in a table of sets
//! of eight: a full set forgets the key that will have flowed off first, the one that is furthest from its limit. So
//! millions of made-up keys cost neither more memory nor a search, and whoever is at a limit is forgotten last.

use std::sync::{Mutex, PoisonError};

use lectern_types::Timestamp;

/// Keys that a set holds.
const WAYS: usize = 8;

/// A set: `WAYS` keys (0: free), then the instants that belong to them.
type Set = [u64; 2 * WAYS];

/// How far the clocks may be apart of those who count together, threads or processes. A key that is so far ahead waits for
/// the difference as well.
pub(super) const APART_MICROS: i64 = 10_000_000;

/// So many in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// How many; at least 1.
    pub count: u64,
    /// The window in seconds; at least 1.
    pub window_seconds: u64,
}

impl Limit {
    /// The window in microseconds.
    pub fn window_micros(self) -> i64 {
        i64::try_from(self.window_seconds.max(1).saturating_mul(1_000_000)).unwrap_or(i64::MAX)
    }

    /// After how many microseconds one more has flowed off.
    pub fn step_micros(self) -> i64 {
        (self.window_micros() / i64::try_from(self.count.max(1)).unwrap_or(i64::MAX)).max(1)
    }
}

/// What one count came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How many more may follow at once.
    pub remaining: u64,
    /// Microseconds until everything has flowed off.
    pub until_free_micros: i64,
}

/// A refusal; nothing was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// Microseconds until everything has flowed off.
    pub until_free_micros: i64,
    /// Microseconds until one more is allowed.
    pub retry_after_micros: i64,
}

/// Microseconds as whole seconds, rounded up, at least 1: what `Retry-After` takes.
pub fn whole_seconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
}

/// The counters of a fixed number of keys.
pub struct Table {
    sets: Mutex<Vec<Set>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Table(…)")
    }
}

impl Table {
    /// A table for about `keys` keys, 16 bytes each. Pages of it that are never used are never touched.
    pub fn new(keys: usize) -> Self {
        let sets = keys.div_ceil(WAYS).next_power_of_two();
        Self { sets: Mutex::new(vec![[0; 2 * WAYS]; sets]) }
    }

    /// Counts one for every key against its limit, or none of them when one is over. Keys are hashes: evenly spread, and
    /// not to be guessed by those who would want them to collide.
    ///
    /// # Errors
    /// [`Refused`], of the limit that is over for the longest.
    pub fn take(&self, keys: &[(u64, Limit)], now: Timestamp) -> Result<Counted, Refused> {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut refused: Option<Refused> = None;
        for (key, limit) in keys {
            let ahead = find(&sets, *key).map_or(0, |at| ahead(at, now, *limit)) + limit.step_micros();
            let over = ahead - limit.window_micros();
            if over > 0 && refused.is_none_or(|so_far| so_far.retry_after_micros < over) {
                let until_free_micros = ahead - limit.step_micros();
                refused = Some(Refused { until_free_micros, retry_after_micros: over });
            }
        }
        if let Some(refused) = refused {
            for (key, limit) in keys {
                forget_the_future(&mut sets, *key, *limit, now);
            }
            return Err(refused);
        }
        let mut counted = Counted { remaining: u64::MAX, until_free_micros: 0 };
        for (key, limit) in keys {
            let slot = slot(&mut sets, *key, now);
            let ahead = ahead(*slot, now, *limit) + limit.step_micros();
            *slot = u64::try_from(now.0.saturating_add(ahead)).unwrap_or(0);
            let remaining = (limit.window_micros() - ahead) / limit.step_micros();
            counted.remaining = counted.remaining.min(u64::try_from(remaining).unwrap_or(0));
            counted.until_free_micros = counted.until_free_micros.max(ahead);
        }
        Ok(counted)
    }

    /// Takes back one that was counted for a key.
    pub fn give_back(&self, (key, limit): (u64, Limit), now: Timestamp) {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        // One that was forgotten in the meantime has nothing to give back.
        if let Some(at) = find(&sets, key) {
            let ahead = (ahead(at, now, limit) - limit.step_micros()).max(0);
            *slot(&mut sets, key, now) = u64::try_from(now.0.saturating_add(ahead)).unwrap_or(0);
        }
    }
}

/// Microseconds until a key whose instant is `at` has flowed off. What lies further ahead than the window was written
/// before the clock was set back, and says nothing any more: nobody is shut out by it.
fn ahead(at: u64, now: Timestamp, limit: Limit) -> i64 {
    let ahead = i64::try_from(at).unwrap_or(0).saturating_sub(now.0).max(0);
    if ahead > limit.window_micros().saturating_add(APART_MICROS) { 0 } else { ahead }
}

/// Rewrites the instant of a key when it was written before the clock was set back: else it would count once the clock
/// came near it.
fn forget_the_future(sets: &mut [Set], key: u64, limit: Limit, now: Timestamp) {
    let (tags, instants) = sets[key as usize & (sets.len() - 1)].split_at_mut(WAYS);
    if let Some(way) = tags.iter().position(|held| *held == tag(key))
        && ahead(instants[way], now, limit) == 0
    {
        instants[way] = u64::try_from(now.0).unwrap_or(0);
    }
}

/// 0 marks a free place, so that key becomes another.
fn tag(key: u64) -> u64 {
    key.max(1)
}

fn find(sets: &[Set], key: u64) -> Option<u64> {
    let (tags, instants) = sets[key as usize & (sets.len() - 1)].split_at(WAYS);
    tags.iter().position(|held| *held == tag(key)).map(|way| instants[way])
}

/// The instant of `key`, in place of the one that flows off first when it is new and its set is full.
fn slot(sets: &mut [Set], key: u64, now: Timestamp) -> &mut u64 {
    let index = key as usize & (sets.len() - 1);
    let (tags, instants) = sets[index].split_at_mut(WAYS);
    let way = tags.iter().position(|held| *held == tag(key)).unwrap_or_else(|| {
        let soonest = (0..WAYS).min_by_key(|way| instants[*way]).unwrap_or(0);
        tags[soonest] = tag(key);
        instants[soonest] = u64::try_from(now.0).unwrap_or(0);
        soonest
    });
    &mut instants[way]
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

    // Negative control: counting before all keys are judged makes the last line's fourth of `HOUR` a refusal.
    #[test]
    fn a_refused_attempt_uses_up_nothing() {
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
    fn what_is_given_back_can_be_taken_again_and_no_more_than_that() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], NOW).unwrap();
        }
        table.give_back((7, MINUTE), NOW);
        assert_eq!(table.take(&[(7, MINUTE)], NOW).map(|c| c.remaining), Ok(0));
        assert!(table.take(&[(7, MINUTE)], NOW).is_err());
        // Neither an unknown key nor one that has flowed off gets more than its window.
        for key in [7, 8] {
            table.give_back((key, MINUTE), later(60));
            assert_eq!(table.take(&[(key, MINUTE)], later(60)).map(|c| c.remaining), Ok(2), "{key}");
        }
    }

    #[test]
    fn the_longest_wait_is_the_one_that_is_told_and_it_is_exact() {
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
    fn a_clock_set_back_shuts_nobody_out_and_the_limit_holds_from_then_on() {
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

    // Negative control: without `forget_the_future` the last line is refused: the clock has come near what was written
    // before it was set back.
    #[test]
    fn what_was_written_before_the_clock_was_set_back_does_not_come_back() {
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
    fn a_small_step_back_is_told_of_truly() {
        let table = Table::new(64);
        for _ in 0..3 {
            table.take(&[(7, MINUTE)], later(0)).unwrap();
        }
        let refused = table.take(&[(7, MINUTE)], later(-5)).unwrap_err();
        assert_eq!(whole_seconds(refused.retry_after_micros), 25);
        assert!(table.take(&[(7, MINUTE)], later(19)).is_err());
        assert!(table.take(&[(7, MINUTE)], later(20)).is_ok());
    }

    // Negative control: with the fullest of a set forgotten instead, the key at its limit is let in again.
    #[test]
    fn millions_of_keys_take_no_more_room_and_whoever_is_at_a_limit_is_not_forgotten() {
        let table = Table::new(10_000);
        let room = table.sets.lock().unwrap().capacity();
        for _ in 0..4 {
            table.take(&[(u64::MAX, HOUR)], NOW).unwrap();
        }
        for n in 1..=2_000_000_u64 {
            // A cheap spread over the whole range, as hashes have it.
            table.take(&[(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), HOUR)], NOW).unwrap();
        }
        assert_eq!(table.sets.lock().unwrap().capacity(), room);
        assert!(room * size_of::<Set>() <= 512 * 1024, "{room} sets");
        assert!(table.take(&[(u64::MAX, HOUR)], NOW).is_err());
    }

    #[test]
    fn a_key_that_has_flowed_off_makes_room_for_another() {
        let table = Table::new(WAYS);
        for key in 1..=WAYS as u64 {
            table.take(&[(key, MINUTE)], NOW).unwrap();
        }
        table.take(&[(99, MINUTE)], later(60)).unwrap();
        assert_eq!(table.take(&[(99, MINUTE)], later(60)).map(|c| c.remaining), Ok(1));
    }
}
