//! Durations that are written without spaces, `2h03'45"`, `9"58`, and what else has primes: the
//! minutes of a match and heights in feet.

use super::Reader;
use crate::front_end::{romance::figures::Form, scan};

/// The parts of a duration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Hours,
    Minutes,
    Seconds,
}

/// Reads `2h03'45"`, `3min08s`, `12'37"5`, `9"58`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    const SIGNS: [(&str, Part); 9] = [
        ("h", Part::Hours),
        ("min", Part::Minutes),
        ("mn", Part::Minutes),
        ("''", Part::Seconds),
        ("'", Part::Minutes),
        ("′", Part::Minutes),
        ("\"", Part::Seconds),
        ("″", Part::Seconds),
        ("s", Part::Seconds),
    ];
    let mut at = r.at;
    let mut parts: Vec<(u64, Part)> = Vec::new();
    let mut fraction = None;
    let mut named = false;
    loop {
        let end = scan::digits(r.t, at);
        let Some(value) = scan::slice(r.t, at..end).parse::<u64>().ok().filter(|value| *value < 100) else {
            break;
        };
        // `3 h 20 min 15 s`
        let end = if scan::tail(r.t, end).starts_with([' ']) { end + 1 } else { end };
        let Some(&(sign, part)) = SIGNS.iter().find(|(sign, _)| scan::tail(r.t, end).starts_with(sign))
        else {
            break;
        };
        if parts.last().is_some_and(|(_, last)| *last >= part) {
            break;
        }
        parts.push((value, part));
        at = end + sign.len();
        if part != Part::Seconds && scan::tail(r.t, at).starts_with(' ') && scan::digit_at(r.t, at + 1) {
            at += 1;
        }
        named |= sign == "min" || sign == "mn";
        if part == Part::Seconds {
            let stop = scan::digits(r.t, at);
            if (1..=3).contains(&(stop - at)) {
                fraction = scan::slice(r.t, at..stop).parse::<u64>().ok();
                at = stop;
            }
            break;
        }
    }
    let seconds = matches!(parts.last(), Some((_, Part::Seconds)));
    let enough = parts.len() == 3 || (parts.len() == 2 && named) || fraction.is_some();
    if !seconds || !enough || !scan::edge(r.t, at) {
        return false;
    }
    let words = said(r, &parts, fraction);
    r.say(&words, at);
    true
}

/// "Dos horas, tres minutos y cuatro segundos".
fn said(r: &Reader<'_>, parts: &[(u64, Part)], fraction: Option<u64>) -> String {
    let clock = r.grammar().clock();
    let mut words = String::new();
    for (index, &(value, part)) in parts.iter().enumerate() {
        if index > 0 {
            let last = index + 1 == parts.len();
            words.push_str(if last { " " } else { ", " });
            words.push_str(if last { clock.duration_join } else { "" });
        }
        words.push_str(&match part {
            Part::Hours => count(r, value, Form::Feminine, clock.hour),
            Part::Minutes => count(r, value, clock.minute_form, clock.minute),
            Part::Seconds => count(r, value, clock.second_form, clock.second),
        });
    }
    if let Some(fraction) = fraction {
        words.push(' ');
        words.push_str(clock.duration_join);
        words.push_str(&r.number(fraction, Form::Alone));
    }
    words
}

/// Reads a number with a prime after it.
pub(super) fn primes(r: &mut Reader<'_>, value: u64, end: usize) -> bool {
    minutes_and_seconds(r, value, end) || minute_of_match(r, value, end)
}

/// A number and what it counts, in words.
pub(super) fn count(r: &Reader<'_>, value: u64, form: Form, (one, many): (&str, &str)) -> String {
    if value == 1
        && let Some(said) = r.grammar().one_before(one, form)
    {
        let gap = if said.ends_with('\'') { "" } else { " " };
        return format!("{said}{gap}{one}");
    }
    let single = value == 1 || (value == 0 && r.grammar().is_singular_below_two());
    format!("{} {}", r.number(value, form), if single { one } else { many })
}

/// Reads `87'`, the minute of a match, and the minutes that were added, `90+4'`.
fn minute_of_match(r: &mut Reader<'_>, minute: u64, minute_end: usize) -> bool {
    let end = minute_end + scan::char_at(r.t, minute_end).map_or(1, char::len_utf8);
    let head = scan::slice(r.t, ..r.at);
    let quoted = head.starts_with('\'') || head.contains(" '");
    if minute > 200 || quoted || !scan::edge(r.t, end) {
        return false;
    }
    let added = r.before() == Some('+');
    let before = r.word_before().to_lowercase();
    let words = if added {
        Some(r.number(minute, Form::Alone))
    } else {
        r.grammar().minute_of_match(minute, &before)
    };
    let Some(words) = words else { return false };
    r.say(&words, end);
    true
}

/// Says `5'10"` as a height.
fn feet_and_inches(r: &mut Reader<'_>, feet: u64, inches: u64, stop: usize) -> bool {
    let clock = r.grammar().clock();
    let unit = |sign: &str| r.amounts().units.iter().find(|unit| unit.0 == sign);
    let (Some(&(_, foot, all_feet, foot_form)), Some(&(_, inch, all_inches, inch_form))) =
        (unit("ft"), unit("\""))
    else {
        return false;
    };
    let words = format!(
        "{} {}{}",
        count(r, feet, foot_form, (foot, all_feet)),
        clock.duration_join,
        count(r, inches, inch_form, (inch, all_inches))
    );
    r.say(&words, stop);
    true
}

/// Reads `3'30"`: minutes and seconds, unless the words before it show a height in feet.
fn minutes_and_seconds(r: &mut Reader<'_>, minute: u64, minute_end: usize) -> bool {
    const HEIGHTS: [&str; 10] =
        ["mid", "mesur", "med", "alt", "statur", "estatur", "taille", "haut", "pied", "pés"];
    let sign = scan::char_at(r.t, minute_end).map_or(1, char::len_utf8);
    let start = minute_end + sign;
    let end = scan::digits(r.t, start);
    let seconds = scan::slice(r.t, start..end).parse::<u64>().ok().filter(|second| *second < 60);
    let Some(second) = seconds.filter(|_| minute < 60) else { return false };
    let written = ["''", "\"", "″", "′′"].into_iter().find(|mark| scan::tail(r.t, end).starts_with(mark));
    let Some(stop) = written.map(|mark| end + mark.len()).filter(|stop| scan::edge(r.t, *stop)) else {
        return false;
    };
    let head = scan::slice(r.t, ..r.at);
    let near = head[head.ceil_char_boundary(head.len().saturating_sub(32))..].to_lowercase();
    let height = near.split(' ').any(|word| HEIGHTS.iter().any(|height| word.starts_with(height)));
    // Seconds below ten are written with a zero, inches are not.
    if (height && second < 12) || end == start + 1 {
        return feet_and_inches(r, minute, second, stop);
    }
    if height || end != start + 2 {
        return false;
    }
    let clock = r.grammar().clock();
    let minutes = count(r, minute, clock.minute_form, clock.minute);
    let words = if second == 0 {
        minutes
    } else {
        format!("{minutes} {}{}", clock.duration_join, r.number(second, Form::Alone))
    };
    r.say(&words, stop);
    true
}
