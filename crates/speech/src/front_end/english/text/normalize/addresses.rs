//! Directions in the names of streets: `12 W. 43rd St.`, `88 E 10th St`, `on N. Main Street`.

use super::{Reader, reading, scan};

/// How far from a direction its street may end, in words.
const STREET_WORDS: usize = 5;

/// Reads the number of a house when a direction and a street follow.
pub(super) fn house(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    if end - r.at > 5 || !scan::tail(r.t, end).starts_with(' ') {
        return false;
    }
    let Some((said, direction_end)) = direction_at(r.t, end + 1) else { return false };
    let words = reading::name_number(r, scan::slice(r.t, r.at..end));
    r.say(&words, end);
    r.skip(end + 1);
    r.say(said, direction_end);
    true
}

/// Reads a direction before a street, at the start of a word.
pub(super) fn direction(r: &mut Reader<'_>) -> bool {
    let Some((said, end)) = direction_at(r.t, r.at) else { return false };
    r.say(said, end);
    true
}

/// The direction at `at` before the name of a street, and where it ends with its stop.
fn direction_at(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let written = scan::word(t, at);
    let name = match written {
        "N" => "North",
        "S" => "South",
        "E" => "East",
        "W" => "West",
        "NE" => "Northeast",
        "NW" => "Northwest",
        "SE" => "Southeast",
        "SW" => "Southwest",
        _ => return None,
    };
    let end = at + written.len();
    let end = end + usize::from(scan::tail(t, end).starts_with('.'));
    (scan::tail(t, end).starts_with(' ') && street_follows(scan::tail(t, end + 1))).then_some((name, end))
}

/// Whether a text starts with the name of a street.
fn street_follows(text: &str) -> bool {
    const STREETS: &[&str] = &[
        "Ave",
        "Avenue",
        "Blvd",
        "Boulevard",
        "Court",
        "Ct",
        "Dr",
        "Drive",
        "Lane",
        "Ln",
        "Parkway",
        "Pkwy",
        "Pl",
        "Place",
        "Rd",
        "Road",
        "St",
        "Street",
        "Terrace",
        "Way",
    ];
    let names = text.split(' ').take(STREET_WORDS);
    let mut names =
        names.take_while(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    names.any(|word| STREETS.contains(&word.trim_end_matches(['.', ',', ';', ':', '!', '?'])))
}
