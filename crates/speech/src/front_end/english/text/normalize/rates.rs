//! What is measured by something else: `5 mg/kg/day`, `3 J/(kg·K)`, `10 req/s`, `km/h` alone.

use super::{Reader, reading, scan, units};

/// Units that stand only below a slash.
const BELOW: [(&str, &str); 6] = [
    ("s²", "second squared"),
    ("s2", "second squared"),
    ("s^2", "second squared"),
    ("d", "day"),
    ("yr", "year"),
    ("y", "year"),
];

/// Things that are counted in short form before a slash, one and many.
const COUNTED: [(&str, &str, &str); 9] = [
    ("req", "request", "requests"),
    ("reqs", "request", "requests"),
    ("msg", "message", "messages"),
    ("msgs", "message", "messages"),
    ("ops", "operation", "operations"),
    ("tok", "token", "tokens"),
    ("img", "image", "images"),
    ("pkt", "packet", "packets"),
    ("rev", "revolution", "revolutions"),
];

/// What things are counted by, in full.
const SPANS: [&str; 16] = [
    "capita",
    "day",
    "fortnight",
    "game",
    "head",
    "hour",
    "household",
    "minute",
    "month",
    "night",
    "person",
    "pupil",
    "quarter",
    "second",
    "week",
    "year",
];

/// `km/h`, `mg/dL` without a number; asked where a word starts.
pub(super) fn alone(r: &mut Reader<'_>) -> bool {
    const LETTERS: [&str; 8] = ["m/s", "g/L", "g/l", "V/m", "W/m", "J/K", "L/h", "l/h"];
    let slash = scan::run(r.t, r.at, |c| c.is_alphabetic() || matches!(c, '²' | '³'));
    if !scan::tail(r.t, slash).starts_with('/') {
        return false;
    }
    let written = scan::slice(r.t, r.at..slash);
    let Some(many) = units::called(written) else { return false };
    let below = units::at(r.t, slash + 1)
        .map(|unit| unit.end)
        .or_else(|| {
            let end = scan::letters(r.t, slash + 1);
            SPANS.contains(&scan::slice(r.t, slash + 1..end)).then_some(end)
        })
        .filter(|end| !scan::slice(r.t, slash..*end).contains(' '));
    let Some(below) = below else { return false };
    let known = LETTERS.iter().any(|pair| r.rest().starts_with(pair));
    if !known
        && (written.len() < 2
            || ["mi", "mo", "min", "sec", "cal", "mm"].contains(&written) && below - slash > 3)
    {
        return false;
    }
    r.say(many, slash);
    per(r);
    true
}

/// `/day`, `/kg/day`, `/(kg·K)` after a unit or an amount of money.
pub(super) fn per(r: &mut Reader<'_>) {
    while one(r) {}
}

/// One slash and what follows it; whether there may be one more.
fn one(r: &mut Reader<'_>) -> bool {
    if !r.rest().starts_with('/') {
        return false;
    }
    let start = r.at + 1;
    if let Some((words, end)) = product(r.t, start) {
        r.say("per", start);
        r.say(&words, end);
        // The stop of a short form, within a sentence: "$60/yr., i.e. $5 a month".
        let next = scan::char_at(r.t, scan::past_space(r.t, end + 1));
        let goes_on =
            next.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit() || matches!(c, ',' | ';' | ')'));
        if r.rest().starts_with('.') && goes_on {
            r.skip(end + 1);
        }
        return true;
    }
    if let Some(amount) = scan::quantity(r.t, start)
        && let Some(unit) = units::at(r.t, amount.end)
        && (matches!(amount.whole.as_str(), "100" | "1000") || is_dose(r.t, r.at, &unit))
    {
        // `8 l/100 km`, `250 mg/5 mL`
        per_amount(r, &amount, &unit);
        return true;
    }
    let end = scan::letters(r.t, start);
    if end <= start + 1 {
        return false;
    }
    r.say("per", start);
    // The other rules read the word, unless one more slash follows it, which they would not take for "per".
    let goes_on = scan::tail(r.t, end).starts_with('/');
    if goes_on {
        r.copy(end);
    }
    goes_on
}

/// Says `/100 km` at its slash.
fn per_amount(r: &mut Reader<'_>, amount: &scan::Quantity<'_>, unit: &units::Unit) {
    r.say("per", amount.start);
    let words = reading::reading(r, amount, false);
    r.say(&words, amount.end);
    let unit_at = scan::past_space(r.t, r.at);
    r.skip(unit_at);
    r.say(if amount.is_one() { unit.one } else { unit.many }, unit.end);
}

/// Whether a medicine is measured before the slash at `at`, and `below` is what it is in: `250 mg/5 mL`. Cooks write the same
/// amount twice: `250 g/9 oz`.
fn is_dose(t: &str, at: usize, below: &units::Unit) -> bool {
    let medicine = ["mg", "mcg", "μg", "units", "IU"].iter().any(|sign| scan::slice(t, ..at).ends_with(sign));
    medicine && ["milliliter", "liter", "hour", "tablet"].contains(&below.one)
}

/// The units at `at` that are multiplied, with or without brackets: `kg`, `(kg·K)`, `m²K`. Their words, and where
/// they end.
fn product(t: &str, at: usize) -> Option<(String, usize)> {
    let is_bracketed = scan::tail(t, at).starts_with('(');
    let (first, mut end) = factor(t, at + usize::from(is_bracketed), is_bracketed)?;
    let mut words = first.to_owned();
    loop {
        let sign = scan::char_at(t, end).filter(|c| matches!(c, '·' | '⋅' | '*')).map_or(0, char::len_utf8);
        let is_apart = sign > 0 || scan::slice(t, ..end).ends_with(['²', '³']);
        let Some((next, next_end)) = factor(t, end + sign, true).filter(|_| is_apart) else { break };
        words.push(' ');
        words.push_str(next);
        end = next_end;
    }
    if is_bracketed {
        end += scan::tail(t, end).starts_with(')').then_some(1)?;
    }
    Some((words, end))
}

/// One unit at `at`, and where it ends. `is_sure` tells that nothing but a unit can stand there.
fn factor(t: &str, at: usize, is_sure: bool) -> Option<(&'static str, usize)> {
    if scan::tail(t, at).starts_with(' ') {
        return None;
    }
    let below =
        BELOW.iter().find(|(sign, _)| scan::tail(t, at).starts_with(sign) && scan::edge(t, at + sign.len()));
    if let Some((sign, name)) = below {
        return Some((name, at + sign.len()));
    }
    if let Some(unit) = units::at(t, at) {
        return Some((unit.one, unit.end));
    }
    let kelvin = scan::tail(t, at).starts_with('K');
    if let Some(found) = units::factor(t, at).filter(|_| is_sure || kelvin) {
        return Some(found);
    }
    // `K` of "60 W/m²K" ends the word, `m²` before it does not.
    let end = scan::letters(t, at);
    let power = scan::char_at(t, end).filter(|c| matches!(c, '²' | '³'))?;
    let end = end + power.len_utf8();
    let one = units::named(scan::slice(t, at..end))?;
    units::factor(t, end).is_some().then_some((one, end))
}

/// `10 req/s`, `3 apples/day`: what is counted is no unit of measure, and what it is counted by is a time or a person. Asked
/// after a number.
pub(super) fn counted(r: &mut Reader<'_>, singular: bool) -> bool {
    let start = scan::past_space(r.t, r.at);
    let end = scan::letters(r.t, start);
    let written = scan::slice(r.t, start..end);
    if start == r.at || !scan::tail(r.t, end).starts_with('/') {
        return false;
    }
    let below = scan::slice(r.t, end + 1..scan::letters(r.t, end + 1));
    let many = scan::quantity(r.t, end + 1).and_then(|amount| {
        let unit = units::at(r.t, amount.end)?;
        ["day", "hour", "minute", "second", "week"].contains(&unit.one).then_some((amount, unit))
    });
    let is_span = many.is_some()
        || SPANS.contains(&below)
        || matches!(below, "s" | "sec" | "min" | "h" | "hr" | "wk" | "mo" | "yr" | "d" | "y");
    let short = COUNTED.iter().find(|(sign, ..)| *sign == written);
    // "2 and/or 3", "5 his/her": what is counted has a plural, unless there is one.
    let is_thing = short.is_some() || written.len() > 3 && (singular || written.ends_with('s'));
    if !is_span || !is_thing {
        return false;
    }
    r.skip(start);
    match short {
        Some((_, one, many)) => r.say(if singular { one } else { many }, end),
        None => r.copy(end),
    }
    if let Some((amount, unit)) = many {
        per_amount(r, &amount, &unit);
    }
    per(r);
    true
}
