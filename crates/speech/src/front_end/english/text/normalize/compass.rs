//! Points of the compass that stand alone: `Wind SW at 15 kt`, `20 mi. N of the river`, `N 45° E`.

use super::{Reader, scan};

const POINTS: [(&str, &str); 16] = [
    ("N", "north"),
    ("E", "east"),
    ("S", "south"),
    ("W", "west"),
    ("NE", "northeast"),
    ("NW", "northwest"),
    ("SE", "southeast"),
    ("SW", "southwest"),
    ("NNE", "north northeast"),
    ("NNW", "north northwest"),
    ("ENE", "east northeast"),
    ("ESE", "east southeast"),
    ("SSE", "south southeast"),
    ("SSW", "south southwest"),
    ("WNW", "west northwest"),
    ("WSW", "west southwest"),
];

/// Reads a point of two or three letters in a text about winds and courses, and any point between a distance and "of".
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let written = scan::word(r.t, r.at);
    let end = r.at + written.len();
    let Some((_, name)) = POINTS.iter().find(|(point, _)| *point == written) else { return false };
    let before = r.word_before().trim_end_matches('.');
    let measured = ["mi", "mile", "miles", "km", "kilometers", "kilometres", "blocks", "yards", "feet"]
        .contains(&before);
    let of = scan::tail(r.t, end).strip_prefix(" of ");
    let of_place = of.is_some_and(|place| place.starts_with(char::is_uppercase) || place.starts_with("the "))
        && before.starts_with(char::is_lowercase);
    let is_from = of.is_some() && (measured || of_place);
    // "Wind SW at 15 kt", "veering NNW", "a course of NE"
    let blows = ["Wind", "wind", "Winds", "winds", "veering", "backing", "heading", "bearing", "gusting"]
        .contains(&before);
    let is_wind = written.len() > 1
        && (blows || (before == "to" && scan::has_words(r.t, &["wind", "Wind", "winds", "Winds"])));
    // `N 45° E`: the bearing of a line.
    let degrees = scan::digits(r.t, scan::past_space(r.t, end));
    let is_bearing = matches!(written, "N" | "S")
        && scan::digit_at(r.t, scan::past_space(r.t, end))
        && ["° E", "° W", "°E", "°W"].iter().any(|sign| scan::tail(r.t, degrees).starts_with(sign));
    if !scan::edge(r.t, end) || scan::tail(r.t, end).starts_with('-') || !(is_from || is_wind || is_bearing) {
        return false;
    }
    r.say(name, end);
    true
}
