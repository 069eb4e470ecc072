//! How long a job that failed is left alone before it is tried again.

use std::time::Duration;

use crate::clock;

/// The rest after the first attempt.
const FIRST: Duration = Duration::from_secs(2);

/// Rests grow no longer than this, before chance.
const LONGEST: Duration = Duration::from_secs(50);

/// Chance makes a rest so much shorter or longer at most: jobs that failed together do not come back together.
const SPREAD: f64 = 0.2;

/// The rest of a job that failed when it had been tried `attempts` times before: 2 s, doubled for each of them, at most
/// 60 s, all ±20 %.
pub(super) fn after(attempts: u32) -> Duration {
    spread(FIRST.saturating_mul(1 << attempts.min(16)).min(LONGEST))
}

/// About `rest`: ±20 %.
pub(super) fn spread(rest: Duration) -> Duration {
    let chance = f64::from(u32::from_be_bytes(clock::random())) / f64::from(u32::MAX);
    rest.mul_f64(1.0 - SPREAD + 2.0 * SPREAD * chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_double_up_to_a_minute_and_differ() {
        for (attempts, seconds) in [(0, 2.0), (1, 4.0), (2, 8.0), (3, 16.0), (4, 32.0), (5, 50.0), (99, 50.0)]
        {
            let rests: Vec<f64> = (0..200).map(|_| after(attempts).as_secs_f64()).collect();
            let (least, most) = (0.8 * seconds - 1e-6, 1.2 * seconds + 1e-6);
            assert!(rests.iter().all(|rest| (least..=most).contains(rest)), "{attempts}: {rests:?}");
            let early = rests.iter().filter(|rest| **rest < seconds).count();
            assert!((50..150).contains(&early), "{attempts}: {early} of 200 came early");
        }
    }
}
