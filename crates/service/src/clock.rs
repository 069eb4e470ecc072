//! Time, ids and randomness. Nothing else in the server generates them, so that a test can set the
//! clock and a reader knows where randomness enters.
//!
//! Processes that share a PostgreSQL database also share its clock: one process grants a lease and
//! another judges it, so a machine whose clock is hours off would take over everyone's work, or
//! keep its own for hours after its lease ended. [`Clock::follow`] sets a process's clock from the
//! database's. Between calls it advances with the machine's monotonic clock, so changing the
//! machine's wall clock has no effect.

use std::{
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use lectern_store::Store;

use lectern_types::{Id, Kind, Timestamp};
use rand::{TryRng as _, rngs::SysRng};
use uuid::Uuid;

/// A clock. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The system clock, or the last reading of the followed clock and when it was taken.
    System(Arc<RwLock<Option<(Instant, Timestamp)>>>),
    Fixed(Arc<AtomicI64>),
}

impl Default for Source {
    fn default() -> Self {
        Self::System(Arc::default())
    }
}

/// A reading of the database's clock that took longer than this is too inaccurate to use.
const MAX_READING_TIME: Duration = Duration::from_millis(500);

/// A step above this is logged as a wrong clock.
const MAX_STEP_MICROS: i64 = 1_000_000;

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::default())
    }

    /// Sets this clock from the database's, if processes share one.
    ///
    /// # Errors
    /// The store's; the clock then stays as it was.
    pub async fn follow(&self, store: &Store) -> lectern_store::Result<()> {
        let Source::System(reading) = &self.0 else { return Ok(()) };
        let started = Instant::now();
        let Some(database_time) = store.clock().await? else { return Ok(()) };
        let round_trip = started.elapsed();
        let is_first = reading.read().unwrap_or_else(PoisonError::into_inner).is_none();
        if round_trip > MAX_READING_TIME && !is_first {
            return Ok(());
        }
        let before = self.now();
        *reading.write().unwrap_or_else(PoisonError::into_inner) =
            Some((started + round_trip / 2, database_time));
        let (step, off) = (self.now().0 - before.0, system_now().0 - self.now().0);
        metrics::gauge!("lectern_clock_offset_seconds").set(off as f64 / 1e6);
        if step.abs() > MAX_STEP_MICROS {
            tracing::warn!(
                clock.offset_s = off as f64 / 1e6,
                "this machine's clock differs from the database's; using the database's"
            );
        }
        Ok(())
    }

    /// A clock that stays at `start` until it is advanced.
    pub fn fixed_at(start: Timestamp) -> Self {
        Self(Source::Fixed(Arc::new(AtomicI64::new(start.0))))
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(reading) => match *reading.read().unwrap_or_else(PoisonError::into_inner) {
                Some((at, then)) => {
                    then.plus_micros(i64::try_from(at.elapsed().as_micros()).unwrap_or(i64::MAX))
                }
                None => system_now(),
            },
            Source::Fixed(micros) => Timestamp(micros.load(Ordering::SeqCst)),
        }
    }

    /// A monotonic clock for counters within this process. It starts at this clock's time and
    /// ignores later changes to the machine's clock. A fixed clock shows its own time.
    pub fn monotonic(&self) -> MonotonicClock {
        MonotonicClock { clock: self.clone(), origin: (Instant::now(), self.now()) }
    }

    /// Advances a fixed clock; does nothing to the system clock.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Fixed(micros) = &self.0 {
            micros.fetch_add(seconds.saturating_mul(1_000_000), Ordering::SeqCst);
        }
    }
}

/// See [`Clock::monotonic`].
#[derive(Debug, Clone)]
pub struct MonotonicClock {
    clock: Clock,
    origin: (Instant, Timestamp),
}

impl MonotonicClock {
    /// The current time; never less than before.
    pub fn now(&self) -> Timestamp {
        match &self.clock.0 {
            Source::System(_) => {
                let (at, then) = self.origin;
                then.plus_micros(i64::try_from(at.elapsed().as_micros()).unwrap_or(i64::MAX))
            }
            Source::Fixed(_) => self.clock.now(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the only reader of the system clock")]
fn system_now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

/// Generates ids. Clones share one sequence.
#[derive(Debug, Clone)]
pub struct Ids {
    clock: Clock,
    last: Arc<Mutex<Parts>>,
}

/// The parts of the last id.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    /// Milliseconds since 1970.
    millis: u64,
    /// The 74 bits of a `UUIDv7` that are neither time nor version nor variant.
    tail: u128,
}

/// How many bits [`Parts::tail`] has.
const TAIL_BITS: u32 = 74;

impl Ids {
    /// Ids whose time part is read from `clock`.
    pub fn new(clock: Clock) -> Self {
        Self { clock, last: Arc::default() }
    }

    /// A new id: a `UUIDv7` (RFC 9562 section 5.7) that sorts after every earlier id of this
    /// process, even within a millisecond and when the clock is set back (section 6.2, methods 2
    /// and 3).
    pub fn make<K: Kind>(&self) -> Id<K> {
        let millis = u64::try_from(self.clock.now().0.div_euclid(1000)).unwrap_or(0);
        let entropy = u128::from_be_bytes(random());
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = if millis > last.millis {
            // The highest bit stays free for increments within the millisecond.
            Parts { millis, tail: entropy >> (128 - TAIL_BITS + 1) }
        } else {
            // A step of up to 2^32 keeps the next id hard to guess, and the tail lasts for 2^41
            // steps.
            let tail = last.tail + 1 + (entropy >> 96);
            Parts { millis: last.millis + (tail >> TAIL_BITS) as u64, tail: tail & ((1 << TAIL_BITS) - 1) }
        };
        last.id()
    }
}

impl Parts {
    fn id<K: Kind>(self) -> Id<K> {
        let Self { millis, tail } = self;
        let (high, low) = (tail >> 62, tail & ((1 << 62) - 1));
        Id::from_uuid(Uuid::from_u128(u128::from(millis) << 80 | 7 << 76 | high << 64 | 0b10 << 62 | low))
    }
}

/// A new id that sorts as if it had been made `millis` milliseconds, at least one, before `other`.
pub fn id_before<K: Kind>(other: Id<K>, millis: u64) -> Id<K> {
    let then = u64::try_from(other.uuid().as_u128() >> 80).unwrap_or(0);
    let tail = u128::from_be_bytes(random()) >> (128 - TAIL_BITS);
    Parts { millis: then.saturating_sub(millis.max(1)), tail }.id()
}

/// `N` bytes from the operating system's generator.
///
/// # Panics
/// When the operating system has no randomness: nothing the service does would be safe then.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = SysRng.try_fill_bytes(&mut bytes) {
        panic!("the operating system's random generator failed: {error}");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Clock, Ids, id_before};
    use lectern_types::{SynthesisId, Timestamp};

    // Negative control: with a new tail for every id this fails within a few ids.
    #[test]
    fn ids_of_one_millisecond_and_of_a_clock_set_back_ascend() {
        let clock = Clock::fixed_at(Timestamp(1_795_244_891_524_000));
        let ids = Ids::new(clock.clone());
        let mut made: Vec<SynthesisId> = (0..1000).map(|_| ids.make()).collect();
        clock.advance_seconds(-60);
        made.extend((0..1000).map(|_| ids.make::<lectern_types::kinds::Synthesis>()));
        assert!(made.is_sorted_by(|a, b| a < b && a.to_string() < b.to_string()));
        assert!(made.iter().all(|id| id.uuid().get_version_num() == 7));
    }

    #[test]
    fn an_id_can_be_made_that_sorts_before_another() {
        let ids = Ids::new(Clock::fixed_at(Timestamp(1_795_244_891_524_000)));
        let last: SynthesisId = ids.make();
        let made = [id_before(last, 2), id_before(last, 1), last];
        assert!(made.is_sorted_by(|a, b| a < b && a.to_string() < b.to_string()), "{made:?}");
        assert_eq!(made[0].uuid().get_version_num(), 7);
        assert!(id_before(last, 0) < last);
    }

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        let clock = Clock::fixed_at(Timestamp(1_795_244_891_524_000));
        let ids = Ids::new(clock.clone());
        let first: SynthesisId = ids.make();
        clock.advance_seconds(1);
        let second: SynthesisId = ids.make();
        assert!(first < second && first.to_string() < second.to_string());
        assert_ne!(ids.make::<lectern_types::kinds::Key>(), ids.make());
    }
}
