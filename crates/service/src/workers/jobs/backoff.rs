//! The delay before a failed job is retried.

use std::time::Duration;

use crate::clock;

/// The delay after the first attempt.
const FIRST: Duration = Duration::from_secs(2);

/// The longest delay, before jitter.
const LONGEST: Duration = Duration::from_secs(50);

/// The jitter, as a part of the delay, so that jobs that failed together are not retried together.
const SPREAD: f64 = 0.2;

/// The delay of a job that failed after `attempts` earlier attempts: 2 s, doubled for each of them,
/// at most 60 s, all ±20 %.
pub(super) fn after(attempts: u32) -> Duration {
    spread(FIRST.saturating_mul(1 << attempts.min(16)).min(LONGEST))
}

/// `delay` ±20 %.
pub(super) fn spread(delay: Duration) -> Duration {
    let chance = f64::from(u32::from_be_bytes(clock::random())) / f64::from(u32::MAX);
    delay.mul_f64(1.0 - SPREAD + 2.0 * SPREAD * chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_minute_and_differ() {
        for (attempts, seconds) in [(0, 2.0), (1, 4.0), (2, 8.0), (3, 16.0), (4, 32.0), (5, 50.0), (99, 50.0)]
        {
            let delays: Vec<f64> = (0..200).map(|_| after(attempts).as_secs_f64()).collect();
            let (least, most) = (0.8 * seconds - 1e-6, 1.2 * seconds + 1e-6);
            assert!(delays.iter().all(|delay| (least..=most).contains(delay)), "{attempts}: {delays:?}");
            let early = delays.iter().filter(|delay| **delay < seconds).count();
            assert!((50..150).contains(&early), "{attempts}: {early} of 200 came early");
        }
    }
}
