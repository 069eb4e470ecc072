//! The retry schedule of failed deliveries.

use lectern_types::Timestamp;

use crate::clock;

/// Seconds from the first, second, … failed attempt to the next.
const RETRY_DELAYS_SECONDS: [i64; 7] =
    [5, 5 * 60, 30 * 60, 2 * 60 * 60, 5 * 60 * 60, 10 * 60 * 60, 10 * 60 * 60];

/// The largest random change to a delay, as a fraction, so that deliveries that failed together are
/// not retried together.
const JITTER: f64 = 0.1;

/// The most that a receiver's `Retry-After` may ask for, in seconds: more would outlast the
/// schedule itself.
const MAX_RETRY_AFTER_SECONDS: i64 = 24 * 60 * 60;

/// When to retry a delivery whose `attempt`-th attempt (from 1) failed now; `None` when attempts
/// are used up. `retry_after_seconds` is the receiver's `Retry-After`, which is the minimum.
pub(super) fn next(attempt: u32, now: Timestamp, retry_after_seconds: Option<i64>) -> Option<Timestamp> {
    let delay = *RETRY_DELAYS_SECONDS.get(usize::try_from(attempt.checked_sub(1)?).ok()?)?;
    let chance = f64::from(u32::from_be_bytes(clock::random())) / f64::from(u32::MAX);
    let delay_micros = (delay as f64 * 1e6 * (1.0 - JITTER + 2.0 * JITTER * chance)) as i64;
    let requested = retry_after_seconds.unwrap_or(0).clamp(0, MAX_RETRY_AFTER_SECONDS);
    Some(now.plus_micros(delay_micros.max(requested * 1_000_000)))
}

/// Parses `Retry-After` into seconds (RFC 9110, section 10.2.3): a number, or a date in one of
/// HTTP's three formats (section 5.6.7).
pub(super) fn retry_after_seconds(retry_after: &[u8], now: Timestamp) -> Option<i64> {
    let text = std::str::from_utf8(retry_after).ok()?.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // A number that overflows is longer than any wait.
        return Some(text.parse().unwrap_or(i64::MAX));
    }
    let date = httpdate::parse_http_date(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(i64::try_from(date.as_secs()).unwrap_or(i64::MAX).saturating_sub(now.unix_seconds()).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_244_891_000_000);

    fn delay(attempt: u32, requested: Option<i64>) -> Option<f64> {
        next(attempt, NOW, requested).map(|at| (at.0 - NOW.0) as f64 / 1e6)
    }

    // Negative control: with the jitter at zero no delay differs, with 0.2 some are out of bounds.
    #[test]
    fn retry_delays_are_those_of_the_contract_within_a_tenth() {
        for (at, seconds) in RETRY_DELAYS_SECONDS.iter().enumerate() {
            let (attempt, seconds) = (at as u32 + 1, *seconds as f64);
            let delays: Vec<f64> = (0..200).filter_map(|_| delay(attempt, None)).collect();
            assert_eq!(delays.len(), 200);
            assert!(delays.iter().all(|delay| (0.9 * seconds - 0.01..=1.1 * seconds + 0.01).contains(delay)));
            let early = delays.iter().filter(|delay| **delay < seconds).count();
            assert!((50..150).contains(&early), "{early} of 200 came early");
        }
        assert_eq!(RETRY_DELAYS_SECONDS.iter().sum::<i64>(), 5 + 300 + 1_800 + 7_200 + 18_000 + 72_000);
        assert_eq!((delay(8, None), delay(9, None), delay(0, None)), (None, None, None));
    }

    #[test]
    fn retry_after_is_respected_within_reason() {
        assert_eq!(delay(1, Some(60)), Some(60.0));
        assert!(delay(2, Some(60)).is_some_and(|delay| delay >= 270.0), "sooner than the schedule");
        assert_eq!(delay(1, Some(i64::MAX)), Some(86_400.0));
        assert_eq!(delay(8, Some(60)), None, "the attempts are used up nevertheless");
        let requested = |text: &str| retry_after_seconds(text.as_bytes(), NOW);
        assert_eq!(
            (requested("120"), requested(" 0 "), requested("99999999999999999999")),
            (Some(120), Some(0), Some(i64::MAX))
        );
        // The current time is 07:08:11.
        assert_eq!(requested("Sat, 21 Nov 2026 07:10:11 GMT"), Some(120));
        assert_eq!(requested("Saturday, 21-Nov-26 07:10:11 GMT"), Some(120));
        assert_eq!(requested("Sat Nov 21 07:10:11 2026"), Some(120));
        assert_eq!(requested("Fri, 20 Nov 2026 07:10:11 GMT"), Some(0), "it is past");
        for nonsense in ["", "-1", "1.5", "soon", "Sat, 21 Nov 2026", "\u{fffd}"] {
            assert_eq!(requested(nonsense), None, "{nonsense}");
        }
    }
}
