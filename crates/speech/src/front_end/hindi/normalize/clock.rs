//! Times of day. Half and quarter hours have words of their own before बजे.

use super::{Reader, word_after};
use crate::front_end::{hindi::figures, scan};

/// Words after which no ending is put to the minutes.
const POSTPOSITIONS: &[&str] = &["से", "तक", "के", "का", "की", "पर", "को", "में", "वाली", "वाला", "वाले"];

/// The word that says the hour.
const HOUR: &str = "बजे";

/// Reads `14:30`, `9:30 बजे`, `9.30 बजे` or `2:30:15`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let hour_end = scan::digits(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, hour_end).filter(|c| matches!(c, ':' | '.')) else { return false };
    let end = scan::digits(r.t, hour_end + 1);
    let number = |from: usize, to: usize| scan::slice(r.t, from..to).parse::<u64>().unwrap_or(99);
    let (hour, minute) = (number(r.at, hour_end), number(hour_end + 1, end));
    if hour_end - r.at > 2 || end != hour_end + 3 || hour > 24 || minute > 59 {
        return false;
    }
    let seconds = scan::digits(r.t, end + 1);
    if sign == ':' && scan::tail(r.t, end).starts_with(':') && seconds == end + 3 {
        let words = format!(
            "{} घंटे {} मिनट {} सेकंड",
            figures::number(hour),
            figures::number(minute),
            figures::number(number(end + 1, seconds))
        );
        r.say(&words, seconds);
        return true;
    }
    let before_hour = word_after(r, end) == HOUR;
    if (sign == '.' && !before_hour) || !scan::edge(r.t, end) {
        return false;
    }
    let hour_word = scan::past_space(r.t, end) + HOUR.len();
    let said = if before_hour { hour_word } else { end };
    let words = match (minute, hour) {
        (0, _) => format!("{} {HOUR}", figures::number(hour)),
        _ if before_hour && (1..=12).contains(&hour) && minute % 15 == 0 => {
            format!("{} {HOUR}", quarters(hour, minute))
        }
        _ => {
            let on = before_hour && !POSTPOSITIONS.contains(&word_after(r, said));
            let on = if on { " पर" } else { "" };
            format!("{} बजकर {} मिनट{on}", figures::number(hour), figures::number(minute))
        }
    };
    r.say(&words, said);
    true
}

/// A quarter past, half past or a quarter to an hour.
fn quarters(hour: u64, minute: u64) -> String {
    let next = if hour >= 12 { 1 } else { hour + 1 };
    match (hour, minute) {
        (_, 15) => format!("सवा {}", figures::number(hour)),
        (1, 30) => "डे\u{95D}".to_owned(),
        (2, 30) => "ढाई".to_owned(),
        (_, 30) => format!("सा\u{95D}े {}", figures::number(hour)),
        _ => format!("पौने {}", figures::number(next)),
    }
}
