//! Numbers with their separators: `1.234,5`, `1 234 567`, `3,14`, and with a point where a variety
//! writes them so.

use super::{Reader, original_at};
use crate::front_end::scan::{self, Quantity, digit_at, digits, groups, slice, tail};

/// A number and the word between whole and fraction.
#[derive(Debug, Clone)]
pub(super) struct Number<'a> {
    pub(super) quantity: Quantity<'a>,
    /// "coma" or "punto".
    pub(super) point: &'static str,
}

/// The number at `at`.
pub(super) fn at<'a>(r: &Reader<'a>, at: usize) -> Option<Number<'a>> {
    let t = r.t;
    let (whole, mut end, separator) = whole(r, at);
    let signs: &[char] = match separator {
        Some('.') => &[','],
        Some(',') => &['.'],
        Some(_) => &[',', '.'],
        None => &[',', '.', '\''],
    };
    let mut fraction = "";
    let mut point = r.amounts().comma;
    for &sign in signs {
        let stop = digits(t, end + 1);
        // `3'5` is old for `3,5`; with more digits it is something else.
        let short = sign != '\'' || (stop - end <= 3 && end > at);
        if tail(t, end).starts_with(sign)
            && stop > end + 1
            && short
            && !(tail(t, stop).starts_with(sign) && digit_at(t, stop + 1))
        {
            fraction = slice(t, end + 1..stop);
            point = if sign == '.' { r.amounts().point } else { r.amounts().comma };
            end = stop;
            break;
        }
    }
    let grouped = separator.is_some();
    (end > at).then_some(Number { quantity: Quantity { start: at, end, whole, fraction, grouped }, point })
}

/// The digits at `at` up to a decimal sign, where they end, and what sets thousands apart in them.
fn whole(r: &Reader<'_>, at: usize) -> (String, usize, Option<char>) {
    let t = r.t;
    let end = digits(t, at);
    let mut whole = slice(t, at..end).to_owned();
    if !(1..=3).contains(&(end - at)) || whole.starts_with('0') {
        return (whole, end, None);
    }
    for separator in ['.', ',', ' ', '\''] {
        let (joined, stop) = groups(t, end, separator);
        // `192.168.100.200.7`, `1.234.56`
        let goes_on = separator != ' ' && tail(t, stop).starts_with(separator) && digit_at(t, stop + 1);
        let one_group = joined.len() == 3;
        if !joined.is_empty() && !goes_on && (!one_group || are_thousands(r, at, end, separator)) {
            whole.push_str(&joined);
            return (whole, stop, Some(separator));
        }
    }
    (whole, end, None)
}

/// Whether the three digits after a single separator at `end` are thousands: where the variety
/// writes them so; after a space where something else says so.
fn are_thousands(r: &Reader<'_>, at: usize, end: usize, separator: char) -> bool {
    let stop = end + 4;
    match separator {
        '.' => r.grammar().has_thousands('.') || is_decimal(r.t, stop, ','),
        ',' => r.grammar().has_thousands(',') || is_decimal(r.t, stop, '.'),
        // As in Switzerland: `1'500`, but `1'32'456` is a time.
        '\'' => r.grammar().has_thousands('\'') && !slice(r.t, ..at).ends_with('\''),
        _ if is_thin(r, end) => true,
        // `iPhone 8 256 GB`
        _ if end - at == 1 && follows_name(r, at) => false,
        _ => {
            r.grammar().has_thousands(' ')
                || slice(r.t, end + 1..stop) == "000"
                || super::currencies::currency_after(r, stop).is_some()
                || (end - at > 1 && counts(r, stop))
        }
    }
}

/// Whether a capitalized word stands before `at` that does not begin the sentence.
fn follows_name(r: &Reader<'_>, at: usize) -> bool {
    let head = slice(r.t, ..at).trim_end();
    let word = head.rsplit(' ').next().unwrap_or("");
    let before = head[..head.len() - word.len()].trim_end();
    word.contains(char::is_uppercase)
        && word.ends_with(char::is_alphanumeric)
        && before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

/// Whether a decimal sign and digits follow.
fn is_decimal(t: &str, at: usize, sign: char) -> bool {
    tail(t, at).starts_with(sign) && digit_at(t, at + 1)
}

/// Whether the space at `at` is one that ties what stands around it: thin, or without a break.
fn is_thin(r: &Reader<'_>, at: usize) -> bool {
    matches!(original_at(r, at), Some('\u{A0}' | '\u{2009}' | '\u{202F}' | '\u{2006}'))
}

/// Whether what follows a number at `at` is counted by it.
fn counts(r: &Reader<'_>, at: usize) -> bool {
    let word = scan::word(r.t, scan::past_space(r.t, at));
    super::units::at(r, at).is_some()
        || super::currencies::currency_after(r, at).is_some()
        || tail(r.t, at).starts_with(" de ")
        || tail(r.t, at).starts_with(" di ")
        || (word.chars().count() > 3 && r.grammar().is_plural(word) && !r.words().closed.contains(&word))
}
