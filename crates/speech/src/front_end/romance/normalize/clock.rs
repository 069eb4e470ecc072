//! Times of day, and other numbers with colons: durations and ratios.

use super::{
    Reader,
    stopwatch::{self, count},
};
use crate::front_end::{romance::figures::Form, scan};

/// Reads a time: `14:30`, `14:30 h`, `14.30 h`, `14h30`, `14 h 30`, `9:15 a. m.`, `21 h`, `1:45:10`,
/// `16:9`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if stopwatch::read(r) {
        return true;
    }
    let t = r.t;
    let hour_end = scan::digits(t, r.at);
    let Some(hour) = scan::slice(t, r.at..hour_end).parse::<u64>().ok() else { return false };
    let sign = scan::char_at(t, hour_end);
    let minute_at = hour_end + 1;
    let minute_end = scan::digits(t, minute_at);
    let minute = scan::slice(t, minute_at..minute_end).parse::<u64>().ok();
    let is_minute = minute_end == minute_at + 2 && minute.is_some_and(|minute| minute < 60);
    let is_hour = hour_end - r.at <= 2 && hour <= 24;
    let scale = sign == Some(':')
        && super::quantity::at(r, minute_at).is_some_and(|number| number.quantity.grouped)
        && hour > 0;
    match sign {
        Some(':') if scale => ratio(r, hour_end),
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
                && (scan::edge(t, minute_end) || hours_after(r, minute_end).is_some()) =>
        {
            of_day(r, hour, minute.unwrap_or(0), minute_end);
            true
        }
        Some(':')
            if minute.is_some()
                && scan::edge(t, minute_end)
                && !scan::tail(t, minute_end).starts_with(':') =>
        {
            ratio(r, hour_end)
        }
        // With a period it is a time only if the text says so.
        Some('.')
            if is_hour
                && is_minute
                && (hours_after(r, minute_end).is_some()
                    || half_of_day(t, minute_end).is_some()
                    || after_clock(r)
                    || spans_hours(r, hour, minute_end)
                    || is_opening(r, minute.unwrap_or(1), minute_end)
                    || is_closing(r, minute.unwrap_or(1)))
                && scan::edge(t, minute_end) =>
        {
            of_day(r, hour, minute.unwrap_or(0), minute_end);
            true
        }
        Some('h' | 'H') if is_hour && is_minute => {
            let named = scan::tail(t, minute_end).starts_with("min");
            let end = minute_end + if named { 3 } else { 0 };
            if !scan::edge(t, end) {
                return false;
            }
            let minute = minute.unwrap_or(0);
            let clock = r.grammar().clock();
            let lasts = clock.durations.contains(&r.word_before().to_lowercase().as_str());
            if (named || lasts) && !after_clock(r) && !clock.duration_join.is_empty() {
                let words = match minute {
                    0 if !named => count(r, hour, Form::Feminine, clock.hour),
                    // "Uma hora e meia".
                    30 if !named => {
                        format!("{} {}", count(r, hour, Form::Feminine, clock.hour), r.amounts().and_half.1)
                    }
                    _ => hours_and_minutes(r, hour, minute),
                };
                r.say(&words, end);
            } else {
                of_day(r, hour, minute, end);
            }
            true
        }
        Some('\'' | '′') => stopwatch::primes(r, hour, hour_end),
        _ => spaced(r, hour, hour_end, is_hour) || bare_hour(r, hour, hour_end, is_hour),
    }
}

/// `de 8.30 a 10.15`: from one time to a later one, both of full five minutes.
fn spans_hours(r: &Reader<'_>, hour: u64, end: usize) -> bool {
    let to = format!(" {} ", r.amounts().to);
    let time = |at: usize| {
        let point = scan::digits(r.t, at);
        let stop = scan::digits(r.t, point + 1);
        let hour = scan::slice(r.t, at..point).parse::<u64>().ok().filter(|hour| *hour <= 24)?;
        let minute = scan::slice(r.t, point + 1..stop).parse::<u64>().ok().filter(|minute| *minute < 60)?;
        let fits = scan::tail(r.t, point).starts_with('.') && stop == point + 3 && scan::edge(r.t, stop);
        (fits && minute.is_multiple_of(5)).then_some((hour, stop))
    };
    let measured = |at: usize| {
        super::units::at(r, at).is_some()
            || scan::tail(r.t, scan::past_space(r.t, at)).starts_with(['%', '€', '$'])
    };
    let begins = ["de", "da", "das"].contains(&r.word_before().to_lowercase().as_str());
    let first = begins
        && scan::tail(r.t, end).starts_with(&to)
        && time(r.at).is_some()
        && time(end + to.len()).is_some_and(|(later, stop)| later > hour && !measured(stop));
    // The second time stands after one that was said.
    let head = scan::slice(r.t, ..r.at);
    let second = head.strip_suffix(&to).is_some_and(|head| {
        let start = head.rfind(' ').map_or(0, |space| space + 1);
        let before = scan::word_ending(r.t, start).to_lowercase();
        ["de", "da", "das"].contains(&before.as_str())
            && time(start).is_some_and(|(earlier, stop)| stop == head.len() && earlier < hour)
    });
    first || (second && time(r.at).is_some() && !measured(end))
}

/// `15.30-19`: opening hours, which have full quarters.
fn is_opening(r: &Reader<'_>, minute: u64, end: usize) -> bool {
    let next = end + scan::char_at(r.t, end).filter(|c| matches!(c, '-' | '–')).map_or(0, char::len_utf8);
    let stop = scan::digits(r.t, next);
    let hour = scan::slice(r.t, next..stop).parse::<u64>().is_ok_and(|hour| hour <= 24);
    minute.is_multiple_of(15) && next > end && hour && super::units::at(r, stop).is_none()
}

/// `9.00-12.30`: the second of two times with full quarters.
fn is_closing(r: &Reader<'_>, minute: u64) -> bool {
    let Some(head) = scan::slice(r.t, ..r.at).strip_suffix(['-', '–']) else { return false };
    let minutes = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let Some((hours, first)) = scan::slice(head, ..head.len() - minutes)
        .strip_suffix('.')
        .zip(scan::slice(head, head.len() - minutes..).parse::<u64>().ok())
    else {
        return false;
    };
    minutes == 2
        && hours.ends_with(|c: char| c.is_ascii_digit())
        && first < 60
        && first.is_multiple_of(15)
        && minute.is_multiple_of(15)
}

/// Reads `14 h 30`, a time, and `1 h 52 min`, a duration.
fn spaced(r: &mut Reader<'_>, hour: u64, hour_end: usize, is_hour: bool) -> bool {
    let Some(minutes) = scan::tail(r.t, hour_end).strip_prefix(" h ").filter(|_| is_hour) else {
        return false;
    };
    let end = scan::digits(minutes, 0);
    let Some(minute) = minutes[..end].parse::<u64>().ok().filter(|minute| *minute < 60 && end <= 2) else {
        return false;
    };
    let stop = hour_end + " h ".len() + end;
    if !scan::edge(r.t, stop) {
        return false;
    }
    let unit = scan::past_space(r.t, stop);
    if let Some(written) = ["min", "mn"].into_iter().find(|written| *written == scan::word(r.t, unit)) {
        // "Às 21 h 30 min": a time.
        if after_clock(r) {
            of_day(r, hour, minute, unit + written.len());
        } else {
            let words = hours_and_minutes(r, hour, minute);
            r.say(&words, unit + written.len());
        }
        return true;
    }
    if end != 2 {
        return false;
    }
    of_day(r, hour, minute, stop);
    true
}

/// A duration in words: "una hora y treinta minutos".
fn hours_and_minutes(r: &Reader<'_>, hour: u64, minute: u64) -> String {
    let clock = r.grammar().clock();
    let hours = count(r, hour, Form::Feminine, clock.hour);
    format!("{hours} {}{}", clock.duration_join, count(r, minute, clock.minute_form, clock.minute))
}

/// Whether the words before a number introduce a time: "a las 8.30".
fn after_clock(r: &Reader<'_>) -> bool {
    let near = scan::slice(r.t, ..r.at);
    let head = near[near.floor_char_boundary(near.len().saturating_sub(24))..].to_lowercase();
    let introduced = |words: &&str| {
        let before = head.strip_suffix(*words);
        before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
    };
    let end = scan::digits(r.t, scan::digits(r.t, r.at) + 1);
    let percent = scan::tail(r.t, scan::past_space(r.t, end)).starts_with('%');
    r.grammar().clock().introductions.iter().any(introduced) && !percent
}

/// The end of ` h`, `h`, ` hs`, `hrs` or `horas` after a time.
fn hours_after(r: &Reader<'_>, at: usize) -> Option<usize> {
    let t = r.t;
    let start = scan::past_space(t, at);
    let word = scan::word(t, start);
    let end = start + word.len();
    let known = r.grammar().clock().hours_after.contains(&word);
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

/// Reads a time of day that is written up to `end`, and the words that belong to it.
fn of_day(r: &mut Reader<'_>, hour: u64, minute: u64, end: usize) {
    let hours = hours_after(r, end);
    let half = half_of_day(r.t, end).filter(|_| (1..=12).contains(&hour));
    let said = r.grammar().time(hour, minute, hours.is_some());
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
    let part = r.grammar().part_of_day(hour, after_noon);
    if part.is_empty() {
        r.skip(end - usize::from(ends));
    } else {
        r.say(part, end - usize::from(ends));
    }
}

/// Reads the dash between two times as "to".
fn until(r: &mut Reader<'_>) {
    let dash = scan::past_space(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, dash).filter(|c| matches!(c, '-' | '–' | '—')) else { return };
    let next = scan::past_space(r.t, dash + sign.len_utf8());
    if scan::digit_at(r.t, next) {
        r.skip(dash);
        r.say(r.amounts().to, next);
        if read(r) {
            return;
        }
        super::things::read(r);
    }
}

/// Reads `21 h` and `3 p. m.`; "1 h" is left to the units.
fn bare_hour(r: &mut Reader<'_>, hour: u64, hour_end: usize, is_hour: bool) -> bool {
    let Some((after_noon, end)) = half_of_day(r.t, hour_end).filter(|_| is_hour && (1..=12).contains(&hour))
    else {
        return false;
    };
    let words = r.number(hour, Form::Feminine);
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
    let clock = r.grammar().clock();
    let named = |value: u64, form: Form, (one, many): (&str, &str)| {
        format!("{} {}", r.number(value, form), if value == 1 { one } else { many })
    };
    let words = format!(
        "{}, {} {} {}",
        named(hour, Form::Feminine, clock.hour),
        named(minute, clock.minute_form, clock.minute),
        r.signs().names.and,
        named(second, clock.second_form, clock.second)
    );
    r.say(&words, end);
    true
}

/// The sides of a picture, `16:9`, where the language says them as a fraction.
fn sides(r: &Reader<'_>, first: &str, second: &str) -> Option<String> {
    let known = matches!((first, second), ("16", "9" | "10") | ("21", "9") | ("4", "3"));
    if !known || !r.grammar().has_sides_as_parts() {
        return None;
    }
    let part = r.grammar().part(second.parse().ok()?, true)?;
    Some(format!("{} {part}", r.cardinal(first, Form::Masculine)))
}

/// Reads the colon in `16:9`, `3:1` and `1:25.000` as "to".
fn ratio(r: &mut Reader<'_>, first_end: usize) -> bool {
    let Some(second) = super::quantity::at(r, first_end + 1) else { return false };
    if let Some(words) = sides(r, scan::slice(r.t, r.at..first_end), &second.quantity.whole) {
        r.say(&words, second.quantity.end);
        return true;
    }
    let first = r.cardinal(scan::slice(r.t, r.at..first_end), Form::Alone);
    let end = second.quantity.end;
    let second = super::reading::reading(r.grammar(), &second, Form::Alone);
    r.say(&first, first_end);
    r.say(r.amounts().ratio, first_end + 1);
    r.say(&second, end);
    true
}
