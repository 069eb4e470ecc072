//! Times of day, and other numbers with colons: durations and ratios.

use super::Reader;
use crate::front_end::{
    scan,
    spanish::text::figures::{self, Form},
};

/// Reads a time: `14:30`, `14:30 h`, `14.30 h`, `14h30`, `9:15 a. m.`, `21 h`, `1:45:10`, `16:9`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let t = r.t;
    let hour_end = scan::digits(t, r.at);
    let Some(hour) = scan::slice(t, r.at..hour_end).parse::<u64>().ok() else { return false };
    let sign = scan::char_at(t, hour_end);
    let minute_at = hour_end + 1;
    let minute_end = scan::digits(t, minute_at);
    let minute = scan::slice(t, minute_at..minute_end).parse::<u64>().ok();
    let is_minute = minute_end == minute_at + 2 && minute.is_some_and(|minute| minute < 60);
    let is_hour = hour_end - r.at <= 2 && hour <= 24;
    match sign {
        Some(':')
            if is_hour
                && is_minute
                && scan::tail(t, minute_end).starts_with(':')
                && scan::digit_at(t, minute_end + 1) =>
        {
            duration(r, hour, minute.unwrap_or(0), minute_end)
        }
        Some(':')
            if is_hour
                && is_minute
                && (scan::edge(t, minute_end) || hours_after(t, minute_end).is_some()) =>
        {
            of_day(r, hour, minute.unwrap_or(0), minute_end);
            true
        }
        Some(':')
            if minute.is_some()
                && scan::edge(t, minute_end)
                && !scan::tail(t, minute_end).starts_with(':') =>
        {
            ratio(r, hour_end, minute_end)
        }
        // With a period it is a time only if the text says so.
        Some('.')
            if is_hour
                && is_minute
                && (hours_after(t, minute_end).is_some()
                    || half_of_day(t, minute_end).is_some()
                    || after_clock(r))
                && scan::edge(t, minute_end) =>
        {
            of_day(r, hour, minute.unwrap_or(0), minute_end);
            true
        }
        Some('h') if is_hour && is_minute && scan::edge(t, minute_end) => {
            of_day(r, hour, minute.unwrap_or(0), minute_end);
            true
        }
        _ => bare_hour(r, hour, hour_end, is_hour),
    }
}

/// Whether the words before a number introduce a time: "a las 8.30".
fn after_clock(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at).to_lowercase();
    [
        "a las ",
        "a la ",
        "desde las ",
        "hasta las ",
        "de las ",
        "sobre las ",
        "hacia las ",
        "entre las ",
        "y las ",
    ]
    .iter()
    .any(|words| head.ends_with(words))
        && !scan::tail(r.t, scan::digits(r.t, scan::digits(r.t, r.at) + 1)).starts_with(" %")
}

/// The end of ` h`, `h`, ` hs`, `hrs` or `horas` after a time.
fn hours_after(t: &str, at: usize) -> Option<usize> {
    let start = scan::past_space(t, at);
    let word = scan::word(t, start);
    let end = start + word.len();
    let known = ["h", "hs", "hrs", "hr", "horas", "hora"].contains(&word);
    // The period of "hrs." belongs to the abbreviation; the sentence's period does not.
    let stop = usize::from(
        known && word.len() < 4 && scan::tail(t, end).starts_with('.') && !super::ends_here(t, end + 1),
    );
    known.then_some(end + stop)
}

/// `a. m.`, `pm` and similar at `at`, with or without a space: whether it means after noon, and its
/// end.
fn half_of_day(t: &str, at: usize) -> Option<(bool, usize)> {
    let start = scan::past_space(t, at);
    let rest = scan::tail(t, start);
    for written in ["a. m.", "p. m.", "a.m.", "p.m.", "a.m", "p.m", "am", "pm"] {
        let same = rest.get(..written.len()).is_some_and(|head| head.eq_ignore_ascii_case(written));
        let end = start + written.len();
        if same && scan::edge(t, end) {
            return Some((written.starts_with('p'), end));
        }
    }
    None
}

/// The Spanish name of a part of the day: "de la mañana", "de la tarde", "de la noche".
fn part_of_day(hour: u64, after_noon: bool) -> &'static str {
    match (hour, after_noon) {
        (12, true) => "del mediodía",
        (12, false) | (8..=11, true) => "de la noche",
        (_, false) => "de la mañana",
        (_, true) => "de la tarde",
    }
}

/// Reads a time of day that is written up to `end`, and the words that belong to it.
fn of_day(r: &mut Reader<'_>, hour: u64, minute: u64, end: usize) {
    let hours = hours_after(r.t, end);
    let half = half_of_day(r.t, end).filter(|_| (1..=12).contains(&hour));
    let words = figures::number(hour, Form::Feminine);
    let minutes = figures::number(minute, Form::Alone);
    let all_hours = if hour == 1 { "hora" } else { "horas" };
    let said = match (minute, hours.is_some(), (1..=12).contains(&hour)) {
        (0, true, _) => format!("{words} {all_hours}"),
        (0, false, true) => words,
        (0, false, false) => format!("{words} horas"),
        (1..=9, true, _) => format!("{words} cero {minutes} {all_hours}"),
        (_, true, _) => format!("{words} {minutes} {all_hours}"),
        (15, false, true) => format!("{words} y cuarto"),
        (30, false, true) => format!("{words} y media"),
        (1..=29, false, true) => format!("{words} y {minutes}"),
        (1..=9, false, false) => format!("{words} cero {minutes}"),
        (_, false, _) => format!("{words} {minutes}"),
    };
    let stop = hours.unwrap_or(end);
    r.say(&said, stop);
    if let Some((after_noon, half_end)) = half.filter(|_| hours.is_none()) {
        say_half(r, hour, after_noon, half_end);
    }
    until(r);
}

/// Reads the half of the day that is written up to `end`, and keeps a period that also ends the
/// sentence.
fn say_half(r: &mut Reader<'_>, hour: u64, after_noon: bool, end: usize) {
    r.skip(scan::past_space(r.t, r.at));
    let ends = super::ends_here(r.t, end) && scan::slice(r.t, ..end).ends_with('.');
    r.say(part_of_day(hour, after_noon), end - usize::from(ends));
}

/// Reads the dash between two times as "a".
fn until(r: &mut Reader<'_>) {
    let dash = scan::past_space(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, dash).filter(|c| matches!(c, '-' | '–' | '—')) else { return };
    let next = scan::past_space(r.t, dash + sign.len_utf8());
    if scan::digit_at(r.t, next) {
        r.skip(dash);
        r.say("a", next);
        if read(r) {
            return;
        }
        super::amounts::read(r);
    }
}

/// Reads `21 h` and `3 p. m.`; "1 h" is left to the units.
fn bare_hour(r: &mut Reader<'_>, hour: u64, hour_end: usize, is_hour: bool) -> bool {
    let Some((after_noon, end)) = half_of_day(r.t, hour_end).filter(|_| is_hour && (1..=12).contains(&hour))
    else {
        return false;
    };
    let words = figures::number(hour, Form::Feminine);
    r.say(&words, hour_end);
    say_half(r, hour, after_noon, end);
    until(r);
    true
}

/// Reads `1:45:10` as a duration.
fn duration(r: &mut Reader<'_>, hour: u64, minute: u64, minute_end: usize) -> bool {
    let end = scan::digits(r.t, minute_end + 1);
    let Some(second) =
        scan::slice(r.t, minute_end + 1..end).parse::<u64>().ok().filter(|second| *second < 60)
    else {
        return false;
    };
    if end != minute_end + 3 || !scan::edge(r.t, end) {
        return false;
    }
    let count = |value: u64, form: Form, one: &str, many: &str| {
        format!("{} {}", figures::number(value, form), if value == 1 { one } else { many })
    };
    let words = format!(
        "{}, {} y {}",
        count(hour, Form::Feminine, "hora", "horas"),
        count(minute, Form::Masculine, "minuto", "minutos"),
        count(second, Form::Masculine, "segundo", "segundos")
    );
    r.say(&words, end);
    true
}

/// Reads the colon in `16:9` and `3:1` as "a".
fn ratio(r: &mut Reader<'_>, first_end: usize, end: usize) -> bool {
    let first = figures::cardinal(scan::slice(r.t, r.at..first_end), Form::Alone);
    let second = figures::cardinal(scan::slice(r.t, first_end + 1..end), Form::Alone);
    r.say(&first, first_end);
    r.say("a", first_end + 1);
    r.say(&second, end);
    true
}
