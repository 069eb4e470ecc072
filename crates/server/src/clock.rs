//! Time, ids and randomness: the only places of the server where they are made, so that a test can move the
//! clock and a reader knows where chance comes in.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use lectern_types::{Id, Kind, Timestamp};
use rand::{TryRng as _, rngs::SysRng};
use uuid::Builder;

/// Where the time is read. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    System,
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start` until it is moved.
    pub fn standing_at(start: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(start.0))))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => system_now(),
            Source::Set(micros) => Timestamp(micros.load(Ordering::SeqCst)),
        }
    }

    /// Moves a standing clock forward; the system's clock stays as it is.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Set(micros) = &self.0 {
            micros.fetch_add(seconds.saturating_mul(1_000_000), Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one home of the system's clock")]
fn system_now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

/// Where ids and secrets are made.
#[derive(Debug, Clone)]
pub struct Ids {
    clock: Clock,
}

impl Ids {
    /// Ids whose time part is read from `clock`.
    pub fn new(clock: Clock) -> Self {
        Self { clock }
    }

    /// A new id, unique, and sorting after those of earlier milliseconds.
    pub fn make<K: Kind>(&self) -> Id<K> {
        let millis = u64::try_from(self.clock.now().0.div_euclid(1000)).unwrap_or(0);
        Id::from_uuid(Builder::from_unix_timestamp_millis(millis, &random()).into_uuid())
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
