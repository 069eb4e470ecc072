//! Time, ids and randomness: the only places of the server where they are made, so that a test can move the
//! clock and a reader knows where chance comes in.
//!
//! Processes that share a PostgreSQL database share its clock: leases are given by one process and judged by another, and a
//! machine whose clock is hours off would take everybody's work, or keep what it had for hours after its end.
//! [`Clock::follow`] sets a process's clock by the database's; in between it goes by the machine's monotonic one, so
//! that setting the machine's clock changes nothing.

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

/// Where the time is read. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The system's, or the one that is followed, as it was at an instant.
    System(Arc<RwLock<Option<(Instant, Timestamp)>>>),
    Set(Arc<AtomicI64>),
}

impl Default for Source {
    fn default() -> Self {
        Self::System(Arc::default())
    }
}

/// An answer that took longer says too little of the time.
const LONGEST_ASKING: Duration = Duration::from_millis(500);

/// From here on the machine's clock is told to be wrong.
const WRONG_MICROS: i64 = 1_000_000;

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::default())
    }

    /// Goes by the clock of the database that processes share from now on, if it is one that they share.
    ///
    /// # Errors
    /// The store's; the clock goes on as it did.
    pub async fn follow(&self, store: &Store) -> lectern_store::Result<()> {
        let Source::System(followed) = &self.0 else { return Ok(()) };
        let asked = Instant::now();
        let Some(theirs) = store.clock().await? else { return Ok(()) };
        let took = asked.elapsed();
        let is_first = followed.read().unwrap_or_else(PoisonError::into_inner).is_none();
        if took > LONGEST_ASKING && !is_first {
            return Ok(());
        }
        let before = self.now();
        *followed.write().unwrap_or_else(PoisonError::into_inner) = Some((asked + took / 2, theirs));
        let (step, off) = (self.now().0 - before.0, system_now().0 - self.now().0);
        metrics::gauge!("lectern_clock_offset_seconds").set(off as f64 / 1e6);
        if step.abs() > WRONG_MICROS {
            tracing::warn!(
                clock.offset_s = off as f64 / 1e6,
                "this machine's clock and the database's differ: the database's is gone by"
            );
        }
        Ok(())
    }

    /// A clock that stands at `start` until it is moved.
    pub fn standing_at(start: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(start.0))))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(followed) => match *followed.read().unwrap_or_else(PoisonError::into_inner) {
                Some((at, then)) => {
                    then.plus_micros(i64::try_from(at.elapsed().as_micros()).unwrap_or(i64::MAX))
                }
                None => system_now(),
            },
            Source::Set(micros) => Timestamp(micros.load(Ordering::SeqCst)),
        }
    }

    /// A time for counters of this process, which nobody sets: it goes on evenly, from where the clock stood when it was
    /// made, whatever becomes of the machine's clock. A standing clock shows its own.
    pub fn steady(&self) -> Steady {
        Steady { clock: self.clone(), began: (Instant::now(), self.now()) }
    }

    /// Moves a standing clock; the system's clock stays as it is.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Set(micros) = &self.0 {
            micros.fetch_add(seconds.saturating_mul(1_000_000), Ordering::SeqCst);
        }
    }
}

/// See [`Clock::steady`].
#[derive(Debug, Clone)]
pub struct Steady {
    clock: Clock,
    began: (Instant, Timestamp),
}

impl Steady {
    /// The time now; never less than before.
    pub fn now(&self) -> Timestamp {
        match &self.clock.0 {
            Source::System(_) => {
                let (at, then) = self.began;
                then.plus_micros(i64::try_from(at.elapsed().as_micros()).unwrap_or(i64::MAX))
            }
            Source::Set(_) => self.clock.now(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one home of the system's clock")]
fn system_now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

/// Where ids are made. Clones share one sequence.
#[derive(Debug, Clone)]
pub struct Ids {
    clock: Clock,
    last: Arc<Mutex<Made>>,
}

/// The parts of the last id.
#[derive(Debug, Clone, Copy, Default)]
struct Made {
    /// Milliseconds since 1970.
    millis: u64,
    /// The 74 bits of a `UUIDv7` that are neither time nor version nor variant.
    tail: u128,
}

/// How many bits [`Made::tail`] has.
const TAIL_BITS: u32 = 74;

impl Ids {
    /// Ids whose time part is read from `clock`.
    pub fn new(clock: Clock) -> Self {
        Self { clock, last: Arc::default() }
    }

    /// A new id: a `UUIDv7` (RFC 9562 section 5.7) that sorts after every id this process made before, also
    /// within a millisecond and when the clock is set back (section 6.2, methods 2 and 3).
    pub fn make<K: Kind>(&self) -> Id<K> {
        let millis = u64::try_from(self.clock.now().0.div_euclid(1000)).unwrap_or(0);
        let chance = u128::from_be_bytes(random());
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = if millis > last.millis {
            // The highest bit is left free for what is added within the millisecond.
            Made { millis, tail: chance >> (128 - TAIL_BITS + 1) }
        } else {
            // A step of up to 2^32: the next id stays hard to guess, and the tail lasts for 2^41 of them.
            let tail = last.tail + 1 + (chance >> 96);
            Made { millis: last.millis + (tail >> TAIL_BITS) as u64, tail: tail & ((1 << TAIL_BITS) - 1) }
        };
        let Made { millis, tail } = *last;
        drop(last);
        let (high, low) = (tail >> 62, tail & ((1 << 62) - 1));
        Id::from_uuid(Uuid::from_u128(u128::from(millis) << 80 | 7 << 76 | high << 64 | 0b10 << 62 | low))
    }
}

/// `N` bytes from the operating system's generator.
///
/// # Panics
/// When the operating system has no randomness to give; nothing the service does would be safe then.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = SysRng.try_fill_bytes(&mut bytes) {
        panic!("the operating system's random generator failed: {error}");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Clock, Ids};
    use lectern_types::{SynthesisId, Timestamp};

    // Negative control: with a fresh tail for every id this fails within a few of them.
    #[test]
    fn ids_of_one_millisecond_and_of_a_clock_set_back_ascend() {
        let clock = Clock::standing_at(Timestamp(1_795_244_891_524_000));
        let ids = Ids::new(clock.clone());
        let mut made: Vec<SynthesisId> = (0..1000).map(|_| ids.make()).collect();
        clock.advance_seconds(-60);
        made.extend((0..1000).map(|_| ids.make::<lectern_types::kinds::Synthesis>()));
        assert!(made.is_sorted_by(|a, b| a < b && a.to_string() < b.to_string()));
        assert!(made.iter().all(|id| id.uuid().get_version_num() == 7));
    }

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        let clock = Clock::standing_at(Timestamp(1_795_244_891_524_000));
        let ids = Ids::new(clock.clone());
        let first: SynthesisId = ids.make();
        clock.advance_seconds(1);
        let second: SynthesisId = ids.make();
        assert!(first < second && first.to_string() < second.to_string());
        assert_ne!(ids.make::<lectern_types::kinds::Key>(), ids.make());
    }
}
