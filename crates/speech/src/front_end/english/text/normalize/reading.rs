//! How a number is said when its kind is known: as a count, a year, a code or part of a name.

use super::{
    Reader,
    scan::{self, Quantity},
};
use crate::front_end::{
    english::text::{figures, words},
    normalize::numbers,
};

/// From this many digits on, a plain number is a code and is read digit by digit, unless it is
/// round.
const CODE: usize = 8;

/// From this many digits on, the number in a name is read digit by digit.
const LONG_NAME: usize = 6;

/// Digits one by one, in groups when there are many.
pub(super) fn code(digits: &str) -> String {
    numbers::code(digits, figures::each)
}

/// The last two digits of a year: `oh five`, `ninety five`.
pub(super) fn two_digits(r: &Reader<'_>, value: u64) -> String {
    if value < 10 {
        format!("oh {}", r.language.figures.number(value))
    } else {
        r.language.figures.number(value)
    }
}

/// How a plain or grouped number is read on its own; `year` when it may be one.
pub(super) fn reading(r: &Reader<'_>, quantity: &Quantity<'_>, year: bool) -> String {
    if !quantity.fraction.is_empty() {
        return r.language.figures.decimal(&quantity.whole, quantity.fraction);
    }
    let digits = quantity.whole.as_str();
    let round = digits.ends_with("000");
    if quantity.grouped {
        return r.language.figures.cardinal(digits);
    }
    if (digits.len() > 1 && digits.starts_with('0'))
        || (digits.len() >= CODE && !(round && digits.len() <= 15))
    {
        return code(digits);
    }
    match digits.parse::<u64>() {
        Ok(value) if (1000..10_000).contains(&value) && value % 100 == 0 && value % 1000 != 0 => {
            format!("{} hundred", r.language.figures.number(value / 100))
        }
        Ok(value) if year && (1010..2100).contains(&value) => r.language.figures.year(value),
        Ok(value) => r.language.figures.number(value),
        Err(_) => figures::each(digits),
    }
}

/// Digits inside or after a word: `B12`, `H2O`, `SHA-256`.
pub(super) fn inside(r: &mut Reader<'_>) {
    let end = scan::digits(r.t, r.at);
    let words = name_number(r, scan::slice(r.t, r.at..end));
    r.say(&words, end);
    // `PM2.5`, but not the three parts of a version.
    let decimals = scan::digits(r.t, end + 1);
    let dotted = scan::tail(r.t, end).starts_with('.') && decimals > end + 1;
    if dotted
        && scan::edge(r.t, decimals)
        && !(scan::tail(r.t, decimals).starts_with('.') && scan::digit_at(r.t, decimals + 1))
    {
        let words = figures::each(scan::slice(r.t, end + 1..decimals));
        r.say(&format!("point {words}"), decimals);
    }
}

/// The plural of a number in words: `nineties`, `sixes`.
pub(super) fn plural(number: &str) -> String {
    match number.strip_suffix('y') {
        Some(head) => format!("{head}ies"),
        None if number.ends_with('x') => format!("{number}es"),
        None => format!("{number}s"),
    }
}

/// The number in a name is said in pairs: `two fifty six`, `five oh nine`, `twenty eight twenty
/// two`.
pub(super) fn name_number(r: &Reader<'_>, digits: &str) -> String {
    let value = digits.parse::<u64>().unwrap_or(0);
    match (digits.len(), digits.len() > 1 && digits.starts_with('0')) {
        (_, true) => code(digits),
        (3, _) if value % 100 >= 10 => {
            format!("{} {}", r.language.figures.number(value / 100), r.language.figures.number(value % 100))
        }
        (3, _) if value % 100 > 0 => {
            format!("{} oh {}", r.language.figures.number(value / 100), r.language.figures.number(value % 10))
        }
        (4, _) => r.language.figures.year(value),
        // `KB5034441`
        (..LONG_NAME, _) => r.language.figures.number(value),
        _ => code(digits),
    }
}

/// Whether digits after this word name something and count nothing: `order #4471`, `No. 1234567`.
pub(super) fn names_something(before: &str, digits: &str) -> bool {
    digits.len() >= 4 && takes_name(before)
}

/// Whether what follows this word names a thing: `order`, `lot`.
pub(super) fn takes_name(before: &str) -> bool {
    const NAMED: [&str; 27] = [
        "account",
        "acct",
        "box",
        "lot",
        "model",
        "serial",
        "booking",
        "bug",
        "case",
        "claim",
        "confirmation",
        "customer",
        "file",
        "invoice",
        "issue",
        "item",
        "member",
        "order",
        "parcel",
        "part",
        "policy",
        "reference",
        "request",
        "reservation",
        "room",
        "ticket",
        "tracking",
    ];
    NAMED.contains(&before.trim_end_matches('.').to_lowercase().as_str())
}

/// The digits of such a name: in pairs when there are four, else one by one.
pub(super) fn name_code(r: &Reader<'_>, digits: &str) -> String {
    if digits.len() == 4 { name_number(r, digits) } else { code(digits) }
}

/// A hyphen after a number that ties it to a word (`20-year-old`) is a space, and so are those
/// after it.
pub(super) fn hyphen_to_space(r: &mut Reader<'_>) {
    while r.rest().starts_with('-') && scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic) {
        r.out.space(r.at..r.at + 1);
        r.skip(r.at + 1);
        let end = scan::letters(r.t, r.at);
        r.copy(end);
    }
}

/// Whether a plain number of four digits is more likely a count than a year, by its neighbors.
pub(super) fn counts_things(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let before = r.word_before();
    let plural = next.starts_with(char::is_lowercase)
        && ((next.len() > 3 && next.ends_with('s') && !next.ends_with("ss") && !next.ends_with("'s"))
            || ["men", "women", "people", "children"].contains(&next));
    let verbs = ["was", "is", "has", "goes", "sees", "becomes", "this", "plus", "minus", "times"];
    let place = [
        "in", "since", "by", "until", "till", "from", "to", "the", "year", "during", "before", "after", "of",
        "this",
    ];
    plural
        && !verbs.contains(&next)
        && !place.contains(&before.to_lowercase().as_str())
        && words::month(before).is_none()
}

/// Whether a small word after an amount is not one of those that end the amount.
pub(super) fn is_noun_like(word: &str) -> bool {
    const CLOSED: &[&str] = &[
        "a", "after", "ago", "and", "are", "as", "at", "away", "because", "before", "but", "by", "each",
        "for", "from", "had", "has", "if", "in", "into", "is", "less", "more", "of", "off", "on", "or",
        "out", "over", "per", "so", "than", "that", "the", "then", "to", "under", "until", "up", "was",
        "were", "when", "which", "while", "who", "will", "with", "would",
    ];
    word.starts_with(|c: char| c.is_lowercase()) && CLOSED.binary_search(&word).is_err()
}
