//! Ordinals in figures: `1.º`, `2ª`, `3.er`, `5to`, `1.os`.

use super::{Reader, original_at};
use crate::front_end::scan;

/// Reads the ordinal that starts here.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some((value, digits_end)) = counted(r) else { return false };
    let stopped = scan::tail(r.t, digits_end).starts_with('.');
    let at = digits_end + usize::from(stopped);
    let (feminine, short, many, end) = match scan::char_at(r.t, at) {
        Some('ª') => (true, false, false, at + 'ª'.len_utf8()),
        // Cleaning writes º as °, which is a degree elsewhere.
        Some('°')
            if stopped
                || original_at(r, at) == Some('º')
                || before_month(r, at)
                || counts_a_noun(r, at)
                || follows_article(r) =>
        {
            let end = at + '°'.len_utf8();
            if !stopped && is_degrees(r, value, end) {
                return false;
            }
            (false, names_a_noun(r, end), false, end)
        }
        Some(c) if c.is_lowercase() => {
            let end = scan::letters(r.t, at);
            let ending = scan::slice(r.t, at..end);
            let Some(&(_, feminine, short)) =
                r.amounts().ordinal_endings.iter().find(|(written, ..)| *written == ending)
            else {
                return false;
            };
            (feminine, short, ending.ends_with('s'), end)
        }
        _ => return false,
    };
    // `1ºs`, `2ªs`
    let plural =
        !many && scan::tail(r.t, end).starts_with('s') && scan::slice(r.t, ..end).ends_with(['°', 'ª']);
    let (many, end) = if plural { (true, end + 1) } else { (many, end) };
    if !scan::edge(r.t, end) {
        return false;
    }
    let grammar = r.grammar();
    let words =
        if short { grammar.ordinal_before(value, feminine) } else { grammar.ordinal(value, feminine) };
    let words = if many { grammar.ordinals(words) } else { words };
    let words = grammar.weekday_of(value, scan::tail(r.t, end)).map_or(words, str::to_owned);
    r.say(&words, end);
    true
}

/// The number of an ordinal, `23` or `1.000`, and where it ends.
fn counted(r: &Reader<'_>) -> Option<(u64, usize)> {
    let (digits, end) = match super::quantity::at(r, r.at) {
        Some(number) if number.quantity.grouped && number.quantity.fraction.is_empty() => {
            (number.quantity.whole, number.quantity.end)
        }
        _ => {
            let end = scan::digits(r.t, r.at);
            (scan::slice(r.t, r.at..end).to_owned(), end)
        }
    };
    let value = digits.parse::<u64>().ok()?;
    ((1..=1000).contains(&value) || (value == 1_000_000 && digits.len() == 7)).then_some((value, end))
}

/// `23.º puesto`: a noun in small letters follows the ordinal.
fn names_a_noun(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(scan::tail(r.t, end).strip_prefix(' ').unwrap_or(""), 0);
    next.chars().count() > 3
        && next.starts_with(char::is_lowercase)
        && !next.ends_with(['ó', 'á', 'é', 'í'])
        && !r.words().closed.contains(&next)
        && !r.words().sides.contains(&next)
}

/// `2° piano`, where the language writes ordinals with the degree sign.
fn counts_a_noun(r: &Reader<'_>, at: usize) -> bool {
    let rest = scan::tail(r.t, at + '°'.len_utf8());
    let next = scan::word(rest.trim_start(), 0);
    r.grammar().has_degrees_as_ordinals()
        && rest.starts_with(' ')
        && (next.chars().count() > 1 || scan::tail(r.t, at + '°'.len_utf8()).starts_with(" p."))
        && !r.words().closed.contains(&next)
}

/// `il 1°, il 2°`, where the language writes ordinals with the degree sign.
fn follows_article(r: &Reader<'_>) -> bool {
    const RANKS: [&str; 7] = ["arrivat", "classificat", "giunt", "terminat", "finit", "chius", "piazzat"];
    let before = r.word_before().to_lowercase();
    if !r.grammar().has_degrees_as_ordinals() {
        return false;
    }
    // "È arrivata 3ª, lui 10°": a rank.
    let head = scan::slice(r.t, ..r.at);
    let near = head[head.ceil_char_boundary(head.len().saturating_sub(40))..].to_lowercase();
    let rank = near.split(' ').any(|word| RANKS.iter().any(|stem| word.starts_with(stem)));
    rank || r.grammar().romans().articles.contains(&before.as_str())
}

/// Whether `º` stands for a degree, as it often does: `20 ºC`, `hace 30º`. Low numbers, and those
/// that a word follows, are ordinals.
fn is_degrees(r: &Reader<'_>, value: u64, end: usize) -> bool {
    let rest = scan::tail(r.t, end);
    let next = scan::word(rest.trim_start(), 0);
    if ["C", "F", "K"].contains(&next) {
        return true;
    }
    value > 20 && !(rest.starts_with(' ') && !next.is_empty() && !r.words().closed.contains(&next))
}

/// `1° de mayo`, `1° maggio`.
fn before_month(r: &Reader<'_>, at: usize) -> bool {
    let rest = scan::tail(r.t, at + '°'.len_utf8());
    let rest = rest.strip_prefix(r.grammar().before_month());
    rest.is_some_and(|rest| r.words().month(scan::word(rest, 0)).is_some())
}
