//! Angles and places on the globe: `51°30′N`, `40.7° N, 74° W`, `30°15′26″`, `25.3N 71.2W`.

use super::{
    Reader, reading,
    scan::{self, Quantity},
};

/// Reads degrees that have minutes or a direction; other degrees are a unit.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    of_a_pair(r) || with_sign(r)
}

/// Either part of `25.3N 71.2W`, whose letters would be units elsewhere.
fn of_a_pair(r: &mut Reader<'_>) -> bool {
    let Some(part) = bare(r.t, r.at) else { return false };
    let other = if part.is_latitude {
        bare(r.t, scan::past_space(r.t, part.end + usize::from(scan::tail(r.t, part.end).starts_with(','))))
    } else {
        let head = scan::slice(r.t, ..r.at).trim_end().trim_end_matches(',');
        let number =
            head.trim_end_matches(['N', 'S']).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        bare(r.t, number.len()).filter(|before| before.end == head.len())
    };
    // "The motor delivers 2.5N, 4.8W at peak."
    let paired = other.is_some_and(|other| {
        other.is_latitude != part.is_latitude
            && (other.degrees.whole.len() > 1 || part.degrees.whole.len() > 1)
    });
    if paired {
        let words = reading::reading(r, &part.degrees, false);
        r.say(&words, part.degrees.end);
        r.say(part.direction, part.end);
    }
    paired
}

/// Degrees with decimals and a direction, without a sign.
struct Bare<'a> {
    degrees: Quantity<'a>,
    direction: &'static str,
    is_latitude: bool,
    end: usize,
}

fn bare(t: &str, at: usize) -> Option<Bare<'_>> {
    let degrees = scan::quantity(t, at).filter(|degrees| !degrees.fraction.is_empty())?;
    let (direction, from, end) = direction(t, degrees.end)?;
    let is_latitude = matches!(direction, "north" | "south");
    let most = if is_latitude { 90 } else { 180 };
    let is_place = from == degrees.end && degrees.whole.parse::<u32>().is_ok_and(|whole| whole <= most);
    is_place.then_some(Bare { degrees, direction, is_latitude, end })
}

fn with_sign(r: &mut Reader<'_>) -> bool {
    let Some(degrees) = scan::quantity(r.t, r.at) else { return false };
    let sign = scan::past_space(r.t, degrees.end);
    if !scan::tail(r.t, sign).starts_with('°') {
        return false;
    }
    let sign_end = sign + '°'.len_utf8();
    let minutes = part(r.t, sign_end, '\'');
    let seconds = minutes.as_ref().and_then(|(_, end)| part(r.t, *end, '"'));
    let end = seconds.as_ref().or(minutes.as_ref()).map_or(sign_end, |(_, end)| *end);
    let direction = direction(r.t, end);
    if minutes.is_none() && direction.is_none() {
        return false;
    }
    say(r, &degrees, "degree", sign_end);
    for (part, unit) in [(minutes, "minute"), (seconds, "second")] {
        if let Some((value, end)) = part {
            r.skip(value.start);
            say(r, &value, unit, end);
        }
    }
    if let Some((name, from, end)) = direction {
        r.skip(from);
        r.say(name, end);
    }
    true
}

fn say(r: &mut Reader<'_>, value: &Quantity<'_>, unit: &str, end: usize) {
    let written = value.whole.trim_start_matches('0');
    let words = if value.fraction.is_empty() && !written.is_empty() {
        r.language.figures.cardinal(written)
    } else {
        reading::reading(r, value, false)
    };
    let ending = if value.is_one() { "" } else { "s" };
    r.say(&words, value.end);
    r.say(&format!("{unit}{ending}"), end);
}

/// Minutes or seconds: a number right before its sign.
fn part(t: &str, at: usize, sign: char) -> Option<(Quantity<'_>, usize)> {
    let value = scan::quantity(t, scan::past_space(t, at)).filter(|value| scan::digit_at(t, value.start))?;
    scan::tail(t, value.end).starts_with(sign).then(|| {
        let end = value.end + 1;
        (value, end)
    })
}

/// The direction at `at`: its name, its start, its end.
fn direction(t: &str, at: usize) -> Option<(&'static str, usize, usize)> {
    let from = scan::past_space(t, at);
    let name = match scan::char_at(t, from)? {
        'N' => "north",
        'S' => "south",
        'E' => "east",
        'W' => "west",
        _ => return None,
    };
    let end = from + 1;
    (scan::edge(t, end) && !scan::tail(t, end).starts_with(['-', '\''])).then_some((name, from, end))
}
