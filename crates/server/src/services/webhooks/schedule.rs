//! When a delivery that failed is tried again, and when no more.

use lectern_types::Timestamp;

use crate::clock;

/// Seconds from the end of the first, second, … attempt that failed to the next one.
const RESTS_SECONDS: [i64; 7] = [5, 5 * 60, 30 * 60, 2 * 60 * 60, 5 * 60 * 60, 10 * 60 * 60, 10 * 60 * 60];

/// Chance makes a rest so much shorter or longer at most: what failed together does not come back together.
const SPREAD: f64 = 0.1;

/// What a receiver asks for at most, in seconds: past this it would outlast what the schedule itself waits for.
const LONGEST_ASKED_SECONDS: i64 = 24 * 60 * 60;

/// When a delivery of which the `attempt`-th attempt (from 1) failed now is tried again; `None`: never. `asked_seconds` is what
/// the receiver asked for: it is not tried earlier than that.
pub(super) fn next(attempt: u32, now: Timestamp, asked_seconds: Option<i64>) -> Option<Timestamp> {
    let rest = *RESTS_SECONDS.get(usize::try_from(attempt.checked_sub(1)?).ok()?)?;
    let chance = f64::from(u32::from_be_bytes(clock::random())) / f64::from(u32::MAX);
    let rest_micros = (rest as f64 * 1e6 * (1.0 - SPREAD + 2.0 * SPREAD * chance)) as i64;
    let asked = asked_seconds.unwrap_or(0).clamp(0, LONGEST_ASKED_SECONDS);
    Some(now.plus_micros(rest_micros.max(asked * 1_000_000)))
}

/// The seconds that `Retry-After` asks for (RFC 9110, section 10.2.3): a number of them, or a date in one of
/// the three forms that HTTP knows (section 5.6.7).
pub(super) fn asked_seconds(retry_after: &[u8], now: Timestamp) -> Option<i64> {
    let text = std::str::from_utf8(retry_after).ok()?.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // What does not fit is longer than anybody waits.
        return Some(text.parse().unwrap_or(i64::MAX));
    }
    let date = httpdate::parse_http_date(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(i64::try_from(date.as_secs()).unwrap_or(i64::MAX).saturating_sub(now.unix_seconds()).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_244_891_000_000);

    fn rest(attempt: u32, asked: Option<i64>) -> Option<f64> {
        next(attempt, NOW, asked).map(|at| (at.0 - NOW.0) as f64 / 1e6)
    }

    // Negative control: with SPREAD set to zero no rest differs, with 0.2 some leave their bounds.
    #[test]
    fn rests_are_those_of_the_contract_give_or_take_a_tenth() {
        for (at, seconds) in RESTS_SECONDS.iter().enumerate() {
            let (attempt, seconds) = (at as u32 + 1, *seconds as f64);
            let rests: Vec<f64> = (0..200).filter_map(|_| rest(attempt, None)).collect();
            assert_eq!(rests.len(), 200);
            assert!(rests.iter().all(|rest| (0.9 * seconds - 0.01..=1.1 * seconds + 0.01).contains(rest)));
            let early = rests.iter().filter(|rest| **rest < seconds).count();
            assert!((50..150).contains(&early), "{early} of 200 came early");
        }
        assert_eq!(RESTS_SECONDS.iter().sum::<i64>(), 5 + 300 + 1_800 + 7_200 + 18_000 + 72_000);
        assert_eq!((rest(8, None), rest(9, None), rest(0, None)), (None, None, None));
    }

    #[test]
    fn what_the_receiver_asks_for_is_waited_for_within_reason() {
        assert_eq!(rest(1, Some(60)), Some(60.0));
        assert!(rest(2, Some(60)).is_some_and(|rest| rest >= 270.0), "sooner than the schedule");
        assert_eq!(rest(1, Some(i64::MAX)), Some(86_400.0));
        assert_eq!(rest(8, Some(60)), None, "it is given up all the same");
        let asked = |text: &str| asked_seconds(text.as_bytes(), NOW);
        assert_eq!(
            (asked("120"), asked(" 0 "), asked("99999999999999999999")),
            (Some(120), Some(0), Some(i64::MAX))
        );
        // 07:08:11 is now.
        assert_eq!(asked("Sat, 21 Nov 2026 07:10:11 GMT"), Some(120));
        assert_eq!(asked("Saturday, 21-Nov-26 07:10:11 GMT"), Some(120));
        assert_eq!(asked("Sat Nov 21 07:10:11 2026"), Some(120));
        assert_eq!(asked("Fri, 20 Nov 2026 07:10:11 GMT"), Some(0), "it is past");
        for nonsense in ["", "-1", "1.5", "soon", "Sat, 21 Nov 2026", "\u{fffd}"] {
            assert_eq!(asked(nonsense), None, "{nonsense}");
        }
    }
}
