//! Numbers with their separators as Spanish writes them: `1.234,5`, `1 234 567`, `3,14`, and with
//! a point in America.

use super::Reader;
use crate::front_end::{
    scan::{self, Quantity, digit_at, digits, groups, slice, tail},
    spanish::Accent,
};

/// A number and what is said between whole and fraction.
#[derive(Debug, Clone)]
pub(super) struct Number<'a> {
    pub(super) quantity: Quantity<'a>,
    /// `coma` or `punto`.
    pub(super) point: &'static str,
}

/// The number at `at`. Three digits after a single separator are thousands where the accent writes
/// thousands so: after a point in Spain, after a comma in America.
pub(super) fn at<'a>(r: &Reader<'a>, at: usize) -> Option<Number<'a>> {
    let t = r.t;
    let mut end = digits(t, at);
    let mut whole = slice(t, at..end).to_owned();
    let mut grouped = false;
    let mut decimal = [',', '.'];
    if (1..=3).contains(&(end - at)) && !whole.starts_with('0') {
        for separator in ['.', ',', ' '] {
            let (joined, stop) = groups(t, end, separator);
            let count = joined.len() / 3;
            let thousands = match separator {
                ' ' => {
                    count > 1
                        || (count == 1
                            && (joined == "000" || is_thin(r, end) || end - at > 1 && counts(r, stop)))
                }
                '.' => {
                    count > 1 || (count == 1 && (r.accent == Accent::Castilian || is_decimal(t, stop, ',')))
                }
                _ => count > 1 || (count == 1 && (r.accent == Accent::American || is_decimal(t, stop, '.'))),
            };
            // `192.168.100.200.7`, `1.234.56`
            let goes_on = separator != ' ' && tail(t, stop).starts_with(separator) && digit_at(t, stop + 1);
            if count > 0 && thousands && !goes_on {
                whole.push_str(&joined);
                (end, grouped) = (stop, true);
                match separator {
                    '.' => decimal = [',', ','],
                    ',' => decimal = ['.', '.'],
                    _ => {}
                }
                break;
            }
        }
    }
    let mut fraction = "";
    let mut point = "coma";
    for sign in decimal.into_iter().chain((!grouped).then_some('\'')) {
        let stop = digits(t, end + 1);
        // `3'5` is old for `3,5`; with more digits it is something else.
        let short = sign != '\'' || (stop - end <= 3 && end > at);
        if tail(t, end).starts_with(sign)
            && stop > end + 1
            && short
            && !(tail(t, stop).starts_with(sign) && digit_at(t, stop + 1))
        {
            fraction = slice(t, end + 1..stop);
            point = if sign == '.' { "punto" } else { "coma" };
            end = stop;
            break;
        }
    }
    (end > at).then_some(Number { quantity: Quantity { start: at, end, whole, fraction, grouped }, point })
}

/// Whether a decimal sign and digits follow.
fn is_decimal(t: &str, at: usize, sign: char) -> bool {
    tail(t, at).starts_with(sign) && digit_at(t, at + 1)
}

/// Whether the space at `at` is one that ties what stands around it: thin, or without a break.
fn is_thin(r: &Reader<'_>, at: usize) -> bool {
    matches!(r.original_at(at), Some('\u{A0}' | '\u{2009}' | '\u{202F}' | '\u{2006}'))
}

/// Whether what follows a number at `at` is counted by it.
fn counts(r: &Reader<'_>, at: usize) -> bool {
    let word = scan::word(r.t, scan::past_space(r.t, at));
    super::units::at(r.t, at).is_some()
        || super::amounts::currency_after(r, at).is_some()
        || tail(r.t, at).starts_with(" de ")
        || (word.chars().count() > 3 && word.ends_with('s'))
}
