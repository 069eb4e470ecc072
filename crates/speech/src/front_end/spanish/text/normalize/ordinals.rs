//! Ordinals in figures: `1.º`, `2ª`, `3.er`, `5to`, `1.os`.

use super::{Reader, original_at};
use crate::front_end::{
    scan,
    spanish::text::{figures, words},
};

/// Endings of ordinals as letters: written, feminine, short before a noun.
const ENDINGS: [(&str, bool, bool); 25] = [
    ("er", false, true),
    ("ero", false, false),
    ("era", true, false),
    ("ro", false, false),
    ("ra", true, false),
    ("do", false, false),
    ("da", true, false),
    ("to", false, false),
    ("ta", true, false),
    ("mo", false, false),
    ("ma", true, false),
    ("vo", false, false),
    ("va", true, false),
    ("no", false, false),
    ("na", true, false),
    ("os", false, false),
    ("as", true, false),
    ("ros", false, false),
    ("ras", true, false),
    ("dos", false, false),
    ("das", true, false),
    ("tos", false, false),
    ("tas", true, false),
    ("vos", false, false),
    ("vas", true, false),
];

/// Reads the ordinal that starts here.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let digits_end = scan::digits(r.t, r.at);
    let Some(value) =
        scan::slice(r.t, r.at..digits_end).parse::<u64>().ok().filter(|value| (1..=1000).contains(value))
    else {
        return false;
    };
    let stopped = scan::tail(r.t, digits_end).starts_with('.');
    let at = digits_end + usize::from(stopped);
    let (feminine, short, many, end) = match scan::char_at(r.t, at) {
        Some('ª') => (true, false, false, at + 'ª'.len_utf8()),
        // Cleaning writes º as °, which is a degree elsewhere.
        Some('°') if stopped || original_at(r, at) == Some('º') || before_month(r, at) => {
            let end = at + '°'.len_utf8();
            if !stopped && is_degrees(r, value, end) {
                return false;
            }
            (false, false, false, end)
        }
        Some(c) if c.is_ascii_lowercase() => {
            let end = scan::letters(r.t, at);
            let ending = scan::slice(r.t, at..end);
            let Some(&(_, feminine, short)) = ENDINGS.iter().find(|(written, ..)| *written == ending) else {
                return false;
            };
            (feminine, short, ending.ends_with('s'), end)
        }
        _ => return false,
    };
    if !scan::edge(r.t, end) {
        return false;
    }
    let mut words =
        if short { figures::ordinal_before(value, feminine) } else { figures::ordinal(value, feminine) };
    if many {
        words.push('s');
    }
    r.say(&words, end);
    true
}

/// Whether `º` stands for a degree, as it often does: `20 ºC`, `hace 30º`. Low numbers, and those
/// that a word follows, are ordinals.
fn is_degrees(r: &Reader<'_>, value: u64, end: usize) -> bool {
    let rest = scan::tail(r.t, end);
    let next = scan::word(rest.trim_start(), 0);
    if ["C", "F", "K"].contains(&next) {
        return true;
    }
    value > 20 && !(rest.starts_with(' ') && !next.is_empty() && !words::is_closed(next))
}

/// `1° de mayo`.
fn before_month(r: &Reader<'_>, at: usize) -> bool {
    let rest = scan::tail(r.t, at + '°'.len_utf8());
    rest.strip_prefix(" de ").is_some_and(|rest| words::month(scan::word(rest, 0)).is_some())
}
