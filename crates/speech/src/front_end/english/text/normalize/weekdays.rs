//! Days of the week in short form, and ranges of days and months: `Sat 14 Aug.`, `Mon–Fri`,
//! `Mar.–Oct.`, `March–May`.

use super::{Reader, dates, scan};
use crate::front_end::english::text::words;

/// Reads a range of days or months, or a day in short form before a date or a time.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    range(r) || short(r)
}

/// A day or month at `at`: its full name, where it ends with its stop, whether it is a day.
fn name_at(t: &str, at: usize) -> Option<(&'static str, usize, bool)> {
    let word = scan::word(t, at);
    let end = at + word.len();
    let day = words::weekday(word);
    let name = day.or_else(|| words::month(word))?;
    let stop = name.len() != word.len() && scan::tail(t, end).starts_with('.');
    scan::edge(t, end).then_some((name, end + usize::from(stop), day.is_some()))
}

fn range(r: &mut Reader<'_>) -> bool {
    let Some((first, first_end, is_day)) = name_at(r.t, r.at) else { return false };
    let dash = scan::past_space(r.t, first_end);
    let is_dash = |c: &char| matches!(c, '-' | '–' | '—');
    let start = match scan::char_at(r.t, dash).filter(is_dash) {
        Some(sign) => dash + sign.len_utf8(),
        None if dash > first_end && scan::word(r.t, dash) == "to" => dash + "to".len(),
        None => return false,
    };
    let start = if dash > first_end { scan::past_space(r.t, start) } else { start };
    let Some((last, end, _)) = name_at(r.t, start).filter(|(_, _, day)| *day == is_day) else { return false };
    let stopped = scan::slice(r.t, start..end).ends_with('.');
    let end = end - usize::from(stopped && dates::ends_here(r.t, end));
    r.say(first, first_end);
    r.say("to", start);
    // A month before a number is read as part of its date.
    if is_day || !scan::digit_at(r.t, scan::past_space(r.t, end)) {
        r.say(last, end);
    }
    true
}

fn short(r: &mut Reader<'_>) -> bool {
    let Some((name, end, true)) = name_at(r.t, r.at) else { return false };
    if scan::word(r.t, r.at) == name {
        return false;
    }
    let comma = end + usize::from(scan::tail(r.t, end).starts_with(','));
    let next = scan::past_space(r.t, comma);
    let paired = scan::tail(r.t, end).trim_start().starts_with(['&', '/'])
        && name_at(r.t, end + scan::tail(r.t, end).find(|c: char| c.is_alphabetic()).unwrap_or(0)).is_some();
    // "Sat & Sun 10–6"
    let head = scan::slice(r.t, ..r.at);
    let second = head.strip_suffix(" & ").or_else(|| head.strip_suffix(" and ")).is_some_and(|head| {
        words::weekday(head.trim_end_matches('.').rsplit(' ').next().unwrap_or("")).is_some()
    });
    let listed = !r.word_before().eq_ignore_ascii_case("the") && comma > end && is_short_day(r.t, comma + 1);
    if !(paired
        || after_time(head, r.t, end)
        || second
        || listed
        || after_short_day(head)
        || (next > comma && (dates::at(r.t, next) || is_time(r.t, next) || is_numeric_date(r.t, next))))
    {
        return false;
    }
    r.say(name, end);
    true
}

/// Whether a day in short form is at `at`: "Sat, Sun & Mon".
fn is_short_day(t: &str, at: usize) -> bool {
    name_at(t, at).is_some_and(|(name, _, is_day)| is_day && scan::word(t, at) != name)
}

/// Whether a text ends with a time of day, and the clause ends after the day: "at 5pm Mon."
fn after_time(head: &str, t: &str, end: usize) -> bool {
    let Some(head) = head.strip_suffix(' ') else { return false };
    let time = head.rsplit(' ').next().unwrap_or("");
    let halved = time.strip_suffix("am").or_else(|| time.strip_suffix("pm")).unwrap_or(time);
    let is_time = halved.starts_with(|c: char| c.is_ascii_digit())
        && halved.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        && (halved.len() < time.len() || halved.contains(':'));
    let closes = scan::char_at(t, end).is_none_or(|c| matches!(c, '.' | ',' | ';' | '!' | '?' | ')'))
        || ["and", "or", "at", "in", "to"].contains(&scan::word(t, scan::past_space(t, end)));
    is_time && closes
}

/// Whether a text ends with a day in short form and a comma.
fn after_short_day(head: &str) -> bool {
    let Some(head) = head.strip_suffix(", ") else { return false };
    let word = scan::word_ending(head, head.len());
    words::weekday(word).is_some_and(|name| name != word)
        && !head[..head.len() - word.len()].trim_end().to_lowercase().ends_with("the")
}

/// Whether a day and a month in digits start at `at`: `13/9`.
fn is_numeric_date(t: &str, at: usize) -> bool {
    let slash = scan::digits(t, at);
    let end = scan::digits(t, slash + 1);
    (1..=2).contains(&(slash - at))
        && scan::tail(t, slash).starts_with('/')
        && (2..=3).contains(&(end - slash))
        && (scan::edge(t, end) || scan::tail(t, end).starts_with('/'))
}

/// Whether a time of day starts at `at`: `9am`, `10:30`, `6.45 pm`.
fn is_time(t: &str, at: usize) -> bool {
    let hour = scan::digits(t, at);
    let minutes = scan::tail(t, hour).starts_with([':', '.']) && scan::digits(t, hour + 1) == hour + 3;
    let end = if minutes { hour + 3 } else { hour };
    // `1–5pm`
    let until = scan::char_at(t, end).filter(|c| matches!(c, '-' | '–')).map(|dash| end + dash.len_utf8());
    let end = until.filter(|start| scan::digit_at(t, *start)).map_or(end, |start| scan::digits(t, start));
    let half = scan::word(t, scan::past_space(t, end)).to_ascii_lowercase();
    let halved = ["a", "p", "am", "pm"].contains(&half.as_str());
    (1..=2).contains(&(hour - at)) && (halved || (minutes && scan::tail(t, hour).starts_with(':')))
}
