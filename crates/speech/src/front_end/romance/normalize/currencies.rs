//! The signs and codes of currencies before and after a number.

use super::Reader;
use crate::front_end::{romance::grammar::Currency, scan};

/// The currency written at `at`, and where it ends.
pub(super) fn currency(r: &Reader<'_>, at: usize) -> Option<(&'static Currency, usize)> {
    let t = r.t;
    let rest = scan::tail(t, at);
    let mut found: Option<(&Currency, usize)> = None;
    for currency in r.amounts().currencies {
        for written in currency.written {
            let end = at + written.len();
            let letters = written.ends_with(char::is_alphabetic);
            if rest.starts_with(written)
                && (!letters || scan::edge(t, end))
                && found.is_none_or(|(_, stop)| end > stop)
            {
                found = Some((currency, end));
            }
        }
    }
    found
}

/// The currency after a number that ends at `at`, across one space at most: where it starts, ends.
pub(super) fn currency_after(r: &Reader<'_>, at: usize) -> Option<(&'static Currency, usize, usize)> {
    let start = scan::past_space(r.t, at);
    let (found, end) = currency(r, start)?;
    // "5 $100": the sign belongs to the number after it.
    (!(start > at && scan::digit_at(r.t, end))).then_some((found, start, end))
}

/// The plural of a currency whose sign stands for its name after a preposition: `millones de €`,
/// `prix en $`.
pub(super) fn counted_name(r: &Reader<'_>, sign: char) -> Option<&'static str> {
    const BEFORE: [&str; 7] = ["de", "en", "di", "in", "em", "d'", "por"];
    let before = r.word_before().to_lowercase();
    let mut written = [0; 4];
    let written: &str = sign.encode_utf8(&mut written);
    let found = r.amounts().currencies.iter().find(|currency| currency.written.contains(&written))?;
    BEFORE.contains(&before.as_str()).then_some(found.many)
}
