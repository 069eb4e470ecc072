//! Feet and inches by their signs, `5'10"`, `8½"`, and the minutes of a match, which look alike.

use super::{
    Reader,
    fractions::{fraction_words, is_quoted, simple_fraction},
    reading, scan,
};

/// What is called by its inches: `7" single`.
const SOLD_BY_INCHES: &[&str] = &[
    "display", "laptop", "monitor", "nails", "pan", "pipe", "pipes", "pizza", "record", "records", "screen",
    "screens", "single", "singles", "skillet", "tablet", "tires", "tyres", "LP", "LPs", "TV", "TVs", "vinyl",
    "wheels",
];

/// `12"`, `8.5"`, `3/8"`, `12"x18"`.
pub(super) fn inch(r: &mut Reader<'_>) -> bool {
    let fraction = simple_fraction(r.t, r.at);
    let Some(value) = scan::quantity(r.t, r.at) else { return false };
    let end = fraction.map_or(value.end, |(_, _, end)| end);
    let side = side(r.t, end + 1);
    let ends = scan::edge(r.t, end + 1) || scan::tail(r.t, end + 1).starts_with('x') || side.is_some();
    if !scan::tail(r.t, end).starts_with('"') || is_quoted(scan::slice(r.t, ..r.at)) || !ends {
        return false;
    }
    let words = match fraction {
        Some((top, bottom, _)) => fraction_words(r, top, bottom),
        None => reading::reading(r, &value, false),
    };
    let article = ["a", "an", "A", "An"].contains(&r.word_before());
    let next = scan::word(r.t, scan::past_space(r.t, end + 1));
    let described = (article && next != "x" && reading::is_noun_like(next)) || SOLD_BY_INCHES.contains(&next);
    // `36"-wide`
    let hyphened = scan::tail(r.t, end + 1).starts_with('-');
    let one = fraction.is_some() || value.is_one() || described || hyphened;
    r.say(&words, end);
    r.say(if one { "inch" } else { "inches" }, end + 1);
    if let Some(side) = side {
        r.say(side, end + 2);
    }
    true
}

/// `24"L x 18"W`: which side of a thing was measured.
fn side(t: &str, at: usize) -> Option<&'static str> {
    let name = match scan::char_at(t, at)? {
        'L' => "long",
        'W' => "wide",
        'H' => "high",
        'D' => "deep",
        _ => return None,
    };
    scan::edge(t, at + 1).then_some(name)
}

/// Whether a sentence tells of a match with goals and bookings, so that `40'` is a minute.
fn tells_of_goals(r: &Reader<'_>) -> bool {
    const TOLD: [&str; 12] = [
        "goal",
        "goals",
        "scored",
        "scores",
        "equalised",
        "equalized",
        "booked",
        "penalty",
        "header",
        "substituted",
        "kick-off",
        "volley",
    ];
    r.t.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| TOLD.contains(&word))
}

/// Whether a height or a depth is told: "6' deep", "a 6' striker".
fn is_height(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let article = ["a", "an", "A", "An"].contains(&r.word_before());
    article || ["deep", "high", "long", "tall", "wide", "of"].contains(&next)
}

/// Whether the feet that end at `end` are a side of what follows: "a 4' x 8' sheet".
fn describes(r: &Reader<'_>, end: usize) -> bool {
    let sides = [" x ", " × ", "x", "×"];
    let is_named = |at: usize| {
        let next = scan::word(r.t, scan::past_space(r.t, at));
        scan::tail(r.t, at).starts_with(' ')
            && reading::is_noun_like(next)
            && !["deep", "high", "long", "tall", "wide", "x"].contains(&next)
    };
    let article =
        |head: &str| ["a", "an", "the", "A", "An", "The"].contains(&scan::word_ending(head, head.len()));
    let head = scan::slice(r.t, ..r.at);
    let first = sides.iter().find_map(|side| head.strip_suffix(side));
    if let Some(first) = first {
        let first = first.strip_suffix('\'').unwrap_or("").trim_end_matches(|c: char| c.is_ascii_digit());
        return article(first) && is_named(end);
    }
    let second =
        sides.iter().find(|side| scan::tail(r.t, end).starts_with(**side)).map(|side| end + side.len());
    second.is_some_and(|second| {
        let second_end = scan::digits(r.t, second);
        second_end > second
            && scan::tail(r.t, second_end).starts_with('\'')
            && article(head)
            && is_named(second_end + 1)
    })
}

/// `90+4'`: a minute after the regular time of a match.
fn added_time(r: &mut Reader<'_>) -> bool {
    let plus = scan::digits(r.t, r.at);
    let regular = scan::slice(r.t, r.at..plus);
    let end = scan::digits(r.t, plus + 1);
    let is_added = ["45", "90", "105", "120"].contains(&regular)
        && scan::tail(r.t, plus).starts_with('+')
        && (plus + 2..=plus + 3).contains(&end)
        && scan::tail(r.t, end).starts_with('\'')
        && scan::edge(r.t, end + 1);
    if is_added {
        let first = r.language.figures.cardinal(regular);
        let second = r.language.figures.cardinal(scan::slice(r.t, plus + 1..end));
        r.say(&format!("{first} plus {second}"), end + 1);
    }
    is_added
}

/// `5'10"`, `6'2`, `6'`.
pub(super) fn height(r: &mut Reader<'_>) -> bool {
    if added_time(r) {
        return true;
    }
    let end = scan::digits(r.t, r.at);
    let Ok(feet) = scan::slice(r.t, r.at..end).parse::<u64>() else { return false };
    if !scan::tail(r.t, end).starts_with('\'')
        || r.language.quoted
        || end - r.at > 3
        || scan::digits(r.t, end + 1) > end + 3
    {
        return false;
    }
    let inches_start = scan::past_space(r.t, end + 1);
    let inches_end = scan::digits(r.t, inches_start);
    let inches = scan::slice(r.t, inches_start..inches_end).parse::<u64>().ok().filter(|inches| *inches < 12);
    let marked = scan::tail(r.t, inches_end).starts_with('"');
    let words = r.language.figures.number(feet);
    match inches {
        Some(inches) if marked || (feet < 9 && inches_start == end + 1 && scan::edge(r.t, inches_end)) => {
            r.say(&words, end);
            r.say("foot", end + 1);
            let words = r.language.figures.number(inches);
            r.say(&words, inches_end + usize::from(marked));
            true
        }
        // The minute of a match.
        None if scan::edge(r.t, end + 1) && tells_of_goals(r) && feet < 130 && !is_height(r, end + 1) => {
            let words = r.language.figures.ordinal(feet);
            r.say(&format!("{words} minute"), end + 1);
            true
        }
        None if scan::edge(r.t, end + 1) && inches_end == inches_start => {
            let one = feet == 1 || describes(r, end + 1);
            r.say(&words, end);
            r.say(if one { "foot" } else { "feet" }, end + 1);
            true
        }
        _ => false,
    }
}
