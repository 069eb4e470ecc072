//! A measure after a number, read by its unit: `5 km`, `10 in.`, `40 hrs./wk.`, `a 13-in. pan`.

use super::{Reader, rates, scan, units};

/// Reads the unit after the number just read, and a unit after "per"; consumes the period of an
/// abbreviation.
pub(super) fn after(r: &mut Reader<'_>, singular: bool) {
    if inches(r, singular) || rates::counted(r, singular) {
        return;
    }
    let Some(unit) = units::at(r.t, r.at) else { return };
    let short = scan::slice(r.t, scan::past_space(r.t, r.at)..unit.end);
    let start = scan::past_space(r.t, r.at);
    r.skip(start);
    // "Bake 2 doz.": the stop that also ends the sentence is kept.
    let closes = scan::slice(r.t, ..unit.end).ends_with('.') && super::dates::ends_here(r.t, unit.end);
    r.say(if singular { unit.one } else { unit.many }, unit.end - usize::from(closes));
    if [
        "ft", "lb", "lbs", "oz", "hr", "hrs", "min", "mins", "sec", "secs", "yd", "yds", "mi", "gal", "tsp",
        "tbsp", "tsps", "tbsps", "yr", "yrs", "qt", "qts", "pts", "mo", "mos", "reb", "rebs", "ast", "asts",
    ]
    .iter()
    .any(|unit| short.rsplit(' ').next() == Some(unit))
        && r.rest().starts_with('.')
        && scan::char_at(r.t, scan::past_space(r.t, r.at + 1)).is_some_and(|c| {
            c.is_lowercase()
                || c.is_ascii_digit()
                || matches!(c, ',' | '×' | '@')
                || is_point_of(r.t, r.at + 1)
        })
    {
        r.skip(r.at + 1);
    }
    // `40 hrs./wk.`
    if r.rest().starts_with("./") {
        r.skip(r.at + 1);
    }
    rates::per(r);
}

/// Whether a point of the compass follows: "20 mi. N of the river".
fn is_point_of(t: &str, at: usize) -> bool {
    let point = scan::word(t, scan::past_space(t, at));
    let after = scan::tail(t, scan::past_space(t, at) + point.len());
    matches!(point, "N" | "E" | "S" | "W" | "NE" | "NW" | "SE" | "SW") && after.starts_with(" of ")
}

/// What is called by the inches of its sides: "8½ × 11 in. paper".
const SIZED: [&str; 16] = [
    "baking", "board", "canvas", "card", "cards", "dish", "envelope", "frame", "pad", "pan", "paper",
    "photo", "photos", "poster", "print", "sheet",
];

/// `10 in.` and `5 ft 10 in`: elsewhere "in" is a word.
fn inches(r: &mut Reader<'_>, singular: bool) -> bool {
    let start = scan::past_space(r.t, r.at);
    let rest = scan::tail(r.t, start);
    let end = start + 2;
    if !rest.starts_with("in") || !scan::edge(r.t, end) {
        return false;
    }
    let before = scan::slice(r.t, ..r.at).trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let after_feet = before.ends_with(" ft")
        || before.strip_suffix("ft").is_some_and(|feet| feet.ends_with(|c: char| c.is_ascii_digit()))
        || before.ends_with("ft.")
        || before.ends_with("feet")
        || before.ends_with("foot");
    let stopped = scan::tail(r.t, end).starts_with('.');
    let next = scan::char_at(r.t, scan::past_space(r.t, end + 1));
    let short_form = stopped && next.is_none_or(|c| c.is_lowercase() || c == ',');
    if !after_feet && !short_form && !is_measured(r.t, end) {
        return false;
    }
    r.skip(start);
    // "8½ × 11 in. paper"
    let is_side = before
        .trim_end_matches(['½', '¼', '¾'])
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end()
        .ends_with(['×', 'x']);
    let next_word = scan::word(r.t, scan::past_space(r.t, end + usize::from(stopped)));
    let described = is_side && short_form && SIZED.contains(&next_word);
    r.say(if singular || described { "inch" } else { "inches" }, end);
    if short_form && next.is_some() {
        r.skip(r.at + 1);
    }
    true
}

/// Whether what follows `2 in` tells that it is a length: "2 in thick", "3 in of rain".
fn is_measured(t: &str, end: usize) -> bool {
    let next_at = scan::past_space(t, end);
    let next = scan::word(t, next_at);
    let after_at = next_at + next.len();
    let after = scan::word(t, scan::past_space(t, after_at));
    let closes = match scan::char_at(t, after_at) {
        None | Some(',' | '.' | ';' | ')') => true,
        Some(' ') => {
            ["and", "at", "but", "by", "in", "is", "on", "or", "was", "when", "with", "x"].contains(&after)
        }
        Some(_) => false,
    };
    match next {
        "across" | "deep" | "high" | "long" | "tall" | "thick" | "wide" => closes,
        "of" => ["ice", "rain", "snow", "water"].contains(&after),
        _ => false,
    }
}

/// `a 13-in. pan`: the unit that is also a word.
pub(super) fn inch_adjective(r: &mut Reader<'_>) -> bool {
    let end = r.at + 3;
    let next = scan::char_at(r.t, scan::past_space(r.t, end + 1));
    let is_short_form = r.rest().starts_with("-in.") && next.is_some_and(char::is_lowercase);
    if is_short_form {
        r.skip(r.at + 1);
        r.say("inch", end + 1);
    }
    is_short_form
}
