//! Addresses: directions in the names of streets (`12 W. 43rd St.`, `88 E 10th St`, `on N. Main Street`), quarters of
//! cities, states.

use super::{Reader, chemistry, reading, scan};

/// How far from a direction its street may end, in words.
const STREET_WORDS: usize = 5;

/// Reads the number of a house when a direction and a street follow.
pub(super) fn house(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    if hyphened_house(r, end) {
        return true;
    }
    if lettered_house(r, end) {
        return true;
    }
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

/// `88-14 Queens Blvd.`: the street across and the house, in two parts of one number.
fn hyphened_house(r: &mut Reader<'_>, first_end: usize) -> bool {
    let end = scan::digits(r.t, first_end + 1);
    let is_house = (2..=3).contains(&(first_end - r.at))
        && scan::tail(r.t, first_end).starts_with('-')
        && end == first_end + 3
        // Going up, it is a range of houses.
        && (first_end - r.at == 3 || scan::slice(r.t, r.at..first_end) >= scan::slice(r.t, first_end + 1..end))
        && scan::tail(r.t, end).starts_with(' ')
        && street_follows(scan::tail(r.t, end + 1));
    if is_house {
        let words = reading::name_number(r, scan::slice(r.t, r.at..first_end));
        r.say(&words, first_end);
        r.skip(first_end + 1);
        let words = reading::name_number(r, scan::slice(r.t, r.at..end));
        r.say(&words, end);
    }
    is_house
}

/// `221B Baker St.`: one of the homes of a house.
fn lettered_house(r: &mut Reader<'_>, end: usize) -> bool {
    let letter = scan::slice(r.t, end..scan::letters(r.t, end));
    let after = end + letter.len();
    let is_house = (1..=4).contains(&(end - r.at))
        && matches!(letter.as_bytes(), [b'A'..=b'H'])
        && scan::tail(r.t, after).starts_with(' ')
        && street_follows(scan::tail(r.t, after + 1));
    if is_house {
        let words = reading::name_number(r, scan::slice(r.t, r.at..end));
        r.say(&words, end);
        match letter {
            "A" => chemistry::pronounce_a(r, after),
            letter => r.say(letter, after),
        }
    }
    is_house
}

/// Whether a text ends with a city and the full name of its state, as before a postal code: `Des Moines, Iowa 50309`.
pub(super) fn ends_with_state(head: &str) -> bool {
    STATES.iter().any(|(_, name)| head.strip_suffix(name).is_some_and(|city| city.ends_with(", ")))
}

/// Reads a direction before a street, at the start of a word.
pub(super) fn direction(r: &mut Reader<'_>) -> bool {
    let found = direction_at(r.t, r.at).or_else(|| on_highway(r.t, r.at));
    let Some((said, end)) = found else { return false };
    r.say(said, end);
    true
}

/// `I-95 N`, `Route 9 W.`: where a highway goes.
fn on_highway(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let written = scan::word(t, at);
    let said = direction_name(written).filter(|_| written.len() == 1)?;
    let end = at + written.len();
    let is_road = ends_with_road(scan::slice(t, ..at).strip_suffix(' ')?);
    let closes = !scan::tail(t, end).starts_with(['.', '-', '\'', '&']) || scan::tail(t, end) == ".";
    (is_road && closes && scan::edge(t, end)).then_some((said, end))
}

/// Whether a text ends with the number of a highway: `I-95`, `Route 9`.
pub(super) fn ends_with_road(head: &str) -> bool {
    let road = head.trim_end_matches(|c: char| c.is_ascii_digit());
    road.len() < head.len()
        && ["I-", "Interstate ", "Route ", "Rte. ", "US-", "US ", "U.S. ", "Highway ", "Hwy ", "Hwy. "]
            .iter()
            .any(|name| road.ends_with(name))
}

/// What a direction before a street is called, with or without its stop.
pub(super) fn direction_of(written: &str) -> Option<&'static str> {
    direction_name(written.trim_end_matches('.'))
}

/// Reads a quarter of a city after its street: `1600 Pennsylvania Ave NW`.
pub(super) fn quarter(r: &mut Reader<'_>) -> bool {
    let before = r.word_before();
    if !is_quarter(r.t, r.at) || !STREETS.contains(&before.trim_end_matches('.')) {
        return false;
    }
    let written = scan::word(r.t, r.at);
    let Some(said) = direction_name(written) else { return false };
    r.say(said, r.at + written.len());
    true
}

/// Whether the quarter of a city is at `at`: `NW`.
pub(super) fn is_quarter(t: &str, at: usize) -> bool {
    matches!(scan::word(t, at), "NE" | "NW" | "SE" | "SW")
}

/// Reads the code of a state before a postal code, and after a city: `Springfield, IL 62704`, `Reno, NV.`
pub(super) fn state(r: &mut Reader<'_>) -> bool {
    let written = scan::word(r.t, r.at);
    let Some((_, said)) = STATES.iter().find(|(code, _)| *code == written) else { return false };
    let end = r.at + written.len();
    let zip = scan::past_space(r.t, end);
    let has_zip = zip > end && scan::digits(r.t, zip) == zip + 5 && scan::edge(r.t, zip + 5);
    let city = scan::slice(r.t, ..r.at).strip_suffix(", ").map(|head| scan::word_ending(head, head.len()));
    let in_city = city.is_some_and(|city| city.starts_with(char::is_uppercase) && city.len() > 2)
        && !IS_MORE_THAN_A_STATE.contains(&written)
        && !scan::tail(r.t, end).starts_with(['-', '\'', '/', '&']);
    if !(has_zip || in_city) || r.shouted {
        return false;
    }
    r.say(said, end);
    true
}

/// Codes that are words, degrees or other initialisms, too; they are states before a postal code alone.
const IS_MORE_THAN_A_STATE: [&str; 14] =
    ["AL", "CO", "DE", "HI", "IA", "ID", "IN", "MA", "MD", "ME", "MS", "OK", "OR", "PA"];

const STATES: [(&str, &str); 50] = [
    ("AK", "Alaska"),
    ("AL", "Alabama"),
    ("AR", "Arkansas"),
    ("AZ", "Arizona"),
    ("CA", "California"),
    ("CO", "Colorado"),
    ("CT", "Connecticut"),
    ("DE", "Delaware"),
    ("FL", "Florida"),
    ("GA", "Georgia"),
    ("HI", "Hawaii"),
    ("IA", "Iowa"),
    ("ID", "Idaho"),
    ("IL", "Illinois"),
    ("IN", "Indiana"),
    ("KS", "Kansas"),
    ("KY", "Kentucky"),
    ("LA", "Louisiana"),
    ("MA", "Massachusetts"),
    ("MD", "Maryland"),
    ("ME", "Maine"),
    ("MI", "Michigan"),
    ("MN", "Minnesota"),
    ("MO", "Missouri"),
    ("MS", "Mississippi"),
    ("MT", "Montana"),
    ("NC", "North Carolina"),
    ("ND", "North Dakota"),
    ("NE", "Nebraska"),
    ("NH", "New Hampshire"),
    ("NJ", "New Jersey"),
    ("NM", "New Mexico"),
    ("NV", "Nevada"),
    ("NY", "New York"),
    ("OH", "Ohio"),
    ("OK", "Oklahoma"),
    ("OR", "Oregon"),
    ("PA", "Pennsylvania"),
    ("RI", "Rhode Island"),
    ("SC", "South Carolina"),
    ("SD", "South Dakota"),
    ("TN", "Tennessee"),
    ("TX", "Texas"),
    ("UT", "Utah"),
    ("VA", "Virginia"),
    ("VT", "Vermont"),
    ("WA", "Washington"),
    ("WI", "Wisconsin"),
    ("WV", "West Virginia"),
    ("WY", "Wyoming"),
];

/// The direction at `at` before the name of a street, and where it ends with its stop.
fn direction_at(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let written = scan::word(t, at);
    let name = direction_name(written)?;
    let end = at + written.len();
    let end = end + usize::from(scan::tail(t, end).starts_with('.'));
    (scan::tail(t, end).starts_with(' ') && street_follows(scan::tail(t, end + 1))).then_some((name, end))
}

/// Whether a text starts with the name of a street.
pub(super) fn street_follows(text: &str) -> bool {
    let names = text.split(' ').take(STREET_WORDS);
    let mut names =
        names.take_while(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    names.any(|word| STREETS.contains(&word.trim_end_matches(['.', ',', ';', ':', '!', '?'])))
}

/// What a direction is called.
fn direction_name(written: &str) -> Option<&'static str> {
    Some(match written {
        "N" => "North",
        "S" => "South",
        "E" => "East",
        "W" => "West",
        "NE" => "Northeast",
        "NW" => "Northwest",
        "SE" => "Southeast",
        "SW" => "Southwest",
        _ => return None,
    })
}

/// The words that end the name of a street.
const STREETS: &[&str] = &[
    "Ave",
    "Avenue",
    "Blvd",
    "Boulevard",
    "Court",
    "Ct",
    "Dr",
    "Drive",
    "Highway",
    "Hwy",
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
