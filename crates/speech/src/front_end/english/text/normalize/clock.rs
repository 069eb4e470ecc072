//! Times of day, and what else is written with colons: durations, ratios, chapter and verse.

use super::{Reader, scan};
use crate::front_end::english::text::figures;

/// Reads a time: `9:30am`, `14:05`, `9:30:15`, `5pm`, `10 a.m.`
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if duration(r) {
        return true;
    }
    let hour_end = scan::digits(r.t, r.at);
    let Ok(hour) = scan::slice(r.t, r.at..hour_end).parse::<u64>() else { return false };
    if hour_end - r.at > 2 {
        return military(r, hour_end) || ratio(r, hour_end);
    }
    if !scan::tail(r.t, hour_end).starts_with(':') {
        return stopped(r, hour, hour_end) || bare_hour(r, hour, hour_end);
    }
    let minute_end = scan::digits(r.t, hour_end + 1);
    let minute = scan::slice(r.t, hour_end + 1..minute_end).parse::<u64>().unwrap_or(60);
    let decimals = scan::tail(r.t, minute_end).starts_with('.') && scan::digit_at(r.t, minute_end + 1);
    if decimals && minute_end - hour_end == 3 && minute < 60 {
        return stopwatch(r, hour, minute, minute_end);
    }
    if is_scale(r, minute_end) {
        return ratio(r, hour_end);
    }
    // "She won the 10K in 29:31."
    let is_lasting =
        ["in", "of"].contains(&r.word_before()) && (25..60).contains(&hour) && scan::edge(r.t, minute_end);
    if is_lasting && minute_end - hour_end == 3 && minute < 60 && !decimals {
        let words = of_day(r, hour, minute, true);
        r.say(&words, minute_end);
        return true;
    }
    if minute_end - hour_end != 3 || minute > 59 || hour > 24 || decimals {
        return ratio(r, hour_end);
    }
    if scan::tail(r.t, minute_end).starts_with(':') && scan::digit_at(r.t, minute_end + 1) {
        return with_seconds(r, hour, minute, minute_end);
    }
    let half = half_of_day(r.t, minute_end);
    if half.is_none() && !scan::edge(r.t, minute_end) && !scan::tail(r.t, minute_end).starts_with('Z') {
        return false;
    }
    // `22:00 hrs`
    let lasts =
        ["lasts", "lasted", "took", "takes", "for", "of", "about", "every"].contains(&r.word_before());
    if let Some((from, to)) = hours_at(r.t, minute_end).filter(|_| hour_end - r.at == 2 && !lasts) {
        let words = on_24_hours(r, hour, minute);
        r.say(&words, minute_end);
        r.skip(from);
        r.say("hours", to);
        return true;
    }
    let words = of_day(r, hour, minute, half.is_some());
    r.say(&words, minute_end);
    half_after(r);
    until(r);
    true
}

/// Where the word for hours after a time starts and ends. "14:00 hours of sleep" is none.
fn hours_at(t: &str, at: usize) -> Option<(usize, usize)> {
    let from = scan::past_space(t, at);
    let to = scan::letters(t, from);
    let is_length = scan::word(t, scan::past_space(t, to)) == "of";
    (!is_length && ["hours", "hrs"].contains(&scan::slice(t, from..to))).then_some((from, to))
}

/// How a time is said where hours are counted to 24: "oh six hundred", "twenty two fifteen".
fn on_24_hours(r: &Reader<'_>, hour: u64, minute: u64) -> String {
    let figures = &r.language.figures;
    let oh = if (1..10).contains(&hour) { "oh " } else { "" };
    let minutes = match minute {
        0 => "hundred".to_owned(),
        1..=9 => format!("oh {}", figures.number(minute)),
        _ => figures.number(minute),
    };
    format!("{oh}{} {minutes}", figures.number(hour))
}

/// `0830 hours`, `at 1400 hrs`, `from 0600 to 0800`; elsewhere `1400 hours` is a length of time.
fn military(r: &mut Reader<'_>, end: usize) -> bool {
    const BEFORE: [&str; 3] = ["at", "until", "till"];
    const BEFORE_ALONE: [&str; 10] =
        ["at", "until", "till", "by", "from", "since", "before", "after", "around", "between"];
    let Some((hour, minute)) = four_digits(r.t, r.at, end) else { return false };
    let is_zero = scan::tail(r.t, r.at).starts_with('0');
    let before = r.word_before().to_lowercase();
    let hours = hours_at(r.t, end);
    let is_clock = match hours {
        Some(_) => is_zero || BEFORE.contains(&before.as_str()),
        None => is_zero && BEFORE_ALONE.contains(&before.as_str()) && scan::edge(r.t, end),
    };
    if !is_clock {
        return false;
    }
    let words = on_24_hours(r, hour, minute);
    r.say(&words, end);
    if let Some((from, to)) = hours {
        r.skip(from);
        r.say("hours", to);
        return true;
    }
    let links = [("-", "to"), ("–", "to"), (" to ", "to"), (" and ", "and"), (" until ", "until")];
    for (written, said) in links {
        let start = end + written.len();
        let stop = scan::digits(r.t, start);
        if scan::tail(r.t, end).starts_with(written)
            && scan::edge(r.t, stop)
            && let Some((hour, minute)) = four_digits(r.t, start, stop)
        {
            r.say(said, start);
            let words = on_24_hours(r, hour, minute);
            r.say(&words, stop);
            break;
        }
    }
    true
}

/// The hour and the minute of four digits: `0830`.
fn four_digits(t: &str, at: usize, end: usize) -> Option<(u64, u64)> {
    let written = scan::slice(t, at..end);
    let hour = written.get(..2)?.parse().ok()?;
    let minute = written.get(2..)?.parse().ok()?;
    (written.len() == 4 && (1..=23).contains(&hour) && minute < 60).then_some((hour, minute))
}

/// `6.45pm`, `14h30`, `the 7.52 to Leeds`: hours and minutes with another sign than a colon.
fn stopped(r: &mut Reader<'_>, hour: u64, hour_end: usize) -> bool {
    let sign = scan::char_at(r.t, hour_end).filter(|c| matches!(c, '.' | 'h'));
    let end = scan::digits(r.t, hour_end + 1);
    let minute = scan::slice(r.t, hour_end + 1..end).parse::<u64>().unwrap_or(60);
    if sign.is_none() || end - hour_end != 3 || minute > 59 || hour > 23 {
        return false;
    }
    let half = half_of_day(r.t, end).is_some();
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let train = r.word_before().eq_ignore_ascii_case("the")
        && ["to", "from", "train", "service", "bus", "departure"].contains(&next);
    let alone = sign == Some('h') && scan::edge(r.t, end);
    if !(alone || half || train) {
        return false;
    }
    let words = of_day(r, hour, minute, half);
    r.say(&words, end);
    half_after(r);
    until(r);
    true
}

/// `3:42.5`: minutes, seconds and their decimals.
fn stopwatch(r: &mut Reader<'_>, minutes: u64, seconds: u64, seconds_end: usize) -> bool {
    let end = scan::digits(r.t, seconds_end + 1);
    if !scan::edge(r.t, end) {
        return false;
    }
    let words = of_day(r, minutes, seconds, true);
    let decimals = figures::each(scan::slice(r.t, seconds_end + 1..end));
    r.say(&words, seconds_end);
    r.say(&format!("point {decimals}"), end);
    true
}

/// Whether two numbers with a colon that end at `end` are a scale or a mixture, not a time: "a 1:24
/// model", "a ratio of 3:10".
fn is_scale(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let head = scan::slice(r.t, ..r.at).trim_end();
    let head = head.strip_suffix("of").unwrap_or(head).trim_end();
    let grouped = scan::tail(r.t, end).starts_with(',') && scan::digits(r.t, end + 1) == end + 4;
    grouped
        || ["dilution", "map", "mix", "mixture", "model", "odds", "ratio", "replica", "scale"].contains(&next)
        || ["ratio", "scale", "Scale", "odds"].iter().any(|word| head.ends_with(word))
}

/// Where the time after a dash at `at` starts: `-5pm`, ` - 17:00`.
fn later(t: &str, at: usize) -> Option<usize> {
    let dash = scan::past_space(t, at);
    let sign = scan::char_at(t, dash).filter(|c| matches!(c, '-' | '–' | '—'))?;
    let start = scan::past_space(t, dash + sign.len_utf8());
    if ["noon", "midnight"].contains(&scan::word(t, start)) {
        return Some(start);
    }
    let end = scan::digits(t, start);
    let two = scan::digits(t, end + 1) == end + 3;
    let minutes = (scan::tail(t, end).starts_with(':') && two && !scan::tail(t, end + 3).starts_with(':'))
        || (scan::tail(t, end).starts_with('.') && two && half_of_day(t, end + 3).is_some());
    ((1..=2).contains(&(end - start)) && (minutes || half_of_day(t, end).is_some())).then_some(start)
}

/// The dash between two times is "to"; the second is read on its own.
fn until(r: &mut Reader<'_>) {
    if let Some(start) = later(r.t, r.at) {
        r.say("to", start);
    }
}

/// `5h 30m`, `2m30s`: at least two parts, from the longest unit to the shortest. A single `m` would
/// be meters.
fn duration(r: &mut Reader<'_>) -> bool {
    const UNITS: [(&[&str], &str); 4] = [
        (&["d"], "day"),
        (&["h", "hr", "hrs"], "hour"),
        (&["m", "min"], "minute"),
        (&["s", "sec"], "second"),
    ];
    let mut parts = Vec::new();
    let (mut at, mut next_unit) = (r.at, 0);
    loop {
        let start = if parts.is_empty() { at } else { scan::past_space(r.t, at) };
        let digits_end = scan::digits(r.t, start);
        let end = scan::letters(r.t, digits_end);
        let written = scan::slice(r.t, digits_end..end);
        let found = UNITS.iter().enumerate().skip(next_unit).find(|(_, (short, _))| short.contains(&written));
        let (Some((index, (_, name))), Ok(value)) =
            (found, scan::slice(r.t, start..digits_end).parse::<u64>())
        else {
            break;
        };
        parts.push((value, *name, end));
        (at, next_unit) = (end, index + 1);
    }
    if parts.len() < 2 || !scan::edge(r.t, at) {
        return false;
    }
    for (value, name, end) in parts {
        let words =
            format!("{} {name}{}", r.language.figures.number(value), if value == 1 { "" } else { "s" });
        r.say(&words, end);
    }
    true
}

fn of_day(r: &Reader<'_>, hour: u64, minute: u64, halved: bool) -> String {
    let hour_words = r.language.figures.number(hour);
    match (hour, minute) {
        (_, 0) if halved => hour_words,
        (0 | 24, 0) => "midnight".to_owned(),
        (1..=12, 0) => format!("{hour_words} o'clock"),
        (_, 0) => format!("{hour_words} hundred"),
        (_, 1..=9) => format!("{hour_words} oh {}", r.language.figures.number(minute)),
        _ => format!("{hour_words} {}", r.language.figures.number(minute)),
    }
}

fn with_seconds(r: &mut Reader<'_>, hour: u64, minute: u64, minute_end: usize) -> bool {
    let end = scan::digits(r.t, minute_end + 1);
    let Some(second) =
        scan::slice(r.t, minute_end + 1..end).parse::<u64>().ok().filter(|second| *second < 60)
    else {
        return false;
    };
    let decimals_end = scan::digits(r.t, end + 1);
    let has_decimals = scan::tail(r.t, end).starts_with('.') && decimals_end > end + 1;
    let whole_end = if has_decimals { decimals_end } else { end };
    let count = |value: u64, name: &str| {
        format!("{} {name}{}", r.language.figures.number(value), if value == 1 { "" } else { "s" })
    };
    let seconds = if has_decimals {
        let decimals = figures::each(scan::slice(r.t, end + 1..decimals_end));
        format!("{} point {decimals} seconds", r.language.figures.number(second))
    } else {
        count(second, "second")
    };
    // "He finished in 1:58:04", "00:12:34.5": how long it took.
    let before = r.word_before().to_lowercase();
    let is_named =
        ["in", "took", "lasted", "of", "for", "runtime", "duration", "length"].contains(&before.as_str());
    let is_measured = has_decimals && before != "at" && r.before() != Some('T');
    let timed = ["finish", "finisher", "marathon", "race", "recording", "run", "runner", "video"];
    let is_run = !["at", "from"].contains(&before.as_str())
        && timed.contains(&scan::word(r.t, scan::past_space(r.t, whole_end)));
    let is_record = hour < 7
        && !["UTC", "GMT"].contains(&scan::word(r.t, scan::past_space(r.t, whole_end)))
        && !r.t.contains("time to ")
        && scan::has_words(
            r.t,
            &[
                "best time",
                "finishing time",
                "marathon record",
                "marathon time",
                "record time",
                "winning time",
            ],
        );
    let lasted = ((is_named || is_run || is_record) && hour > 0) || is_measured;
    if lasted && half_of_day(r.t, whole_end).is_none() {
        let hours = if hour > 0 { count(hour, "hour") + " " } else { String::new() };
        let minutes = if hour > 0 && minute == 0 { String::new() } else { count(minute, "minute") + " " };
        r.say(&format!("{hours}{minutes}and {seconds}"), whole_end);
        return true;
    }
    let words = of_day(r, hour, minute, false);
    r.say(&words, minute_end);
    if second > 0 || has_decimals {
        r.say(&format!("and {seconds}"), whole_end);
    }
    r.skip(whole_end);
    half_after(r);
    true
}

/// `16:9`, `3:1`, `1:100`: "to"; `3:16` is a time by its form and sounds right as chapter and
/// verse, too.
fn ratio(r: &mut Reader<'_>, first_end: usize) -> bool {
    let second = scan::quantity(r.t, first_end + 1);
    let fraction = second.as_ref().map_or("", |second| second.fraction);
    let end = second.as_ref().map_or(first_end + 1, |second| second.end);
    let digits = second.map_or_else(String::new, |second| second.whole);
    if !scan::tail(r.t, first_end).starts_with(':')
        || end == first_end + 1
        || !scan::edge(r.t, end)
        || scan::tail(r.t, end).starts_with(':')
    {
        return false;
    }
    let (first, second) = (
        r.language.figures.cardinal(scan::slice(r.t, r.at..first_end)),
        if fraction.is_empty() {
            r.language.figures.cardinal(&digits)
        } else {
            r.language.figures.decimal(&digits, fraction)
        },
    );
    let book = r.word_before().starts_with(char::is_uppercase);
    let long_verse = book && first_end - r.at <= 3 && end - first_end == 4;
    r.say(&first, first_end);
    if !long_verse {
        r.say("to", first_end + 1);
    }
    r.skip(first_end + 1);
    r.say(&second, end);
    true
}

/// `5pm`, `10 a.m.`, `9–5pm` (the second number).
fn bare_hour(r: &mut Reader<'_>, hour: u64, hour_end: usize) -> bool {
    let opens = later(r.t, hour_end).is_some() && !scan::tail(r.t, hour_end).starts_with(' ');
    if !(opens || half_of_day(r.t, hour_end).is_some()) || !(1..=12).contains(&hour) {
        return false;
    }
    let words = r.language.figures.number(hour);
    r.say(&words, hour_end);
    half_after(r);
    until(r);
    true
}

/// `am`, `PM`, `a.m.` at `at`, with or without a space: how it is said, and where it ends.
fn half_of_day(t: &str, at: usize) -> Option<(&'static str, usize, usize)> {
    let start = scan::past_space(t, at);
    let rest = scan::tail(t, start);
    for (written, said) in
        [("a.m.", "a.m."), ("p.m.", "p.m."), ("a.m", "a.m."), ("p.m", "p.m."), ("am", "a.m."), ("pm", "p.m.")]
    {
        let end = start + written.len();
        let same = rest.get(..written.len()).is_some_and(|head| head.eq_ignore_ascii_case(written));
        // "I am at 10 am I not" is not a time; "at 10 am" with a space is one only in small print
        // or capitals.
        if same && scan::edge(t, end) {
            return Some((said, start, end));
        }
    }
    None
}

fn half_after(r: &mut Reader<'_>) {
    if let Some((said, start, end)) = half_of_day(r.t, r.at) {
        r.skip(start);
        r.say(said, end);
    }
    if r.rest().starts_with('Z')
        && scan::edge(r.t, r.at + 1)
        && r.before().is_some_and(|c| c.is_ascii_digit())
    {
        r.say("UTC", r.at + 1);
    }
}
