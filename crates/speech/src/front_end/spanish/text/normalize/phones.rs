//! Telephone numbers: groups of digits, each read as a number with a pause after it.

use super::Reader;
use crate::front_end::{
    scan,
    spanish::text::figures::{self, Form},
};

/// The number of digits in a telephone number without its country code.
const DIGITS: std::ops::RangeInclusive<usize> = 9..=12;

/// Reads `612 345 678`, `91 234 56 78`, `555-123-4567`, `612345678`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let groups = groups(r.t, r.at);
    let Some(&(_, end)) = groups.last() else { return false };
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    let goes_on = scan::char_at(r.t, end)
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '€' | '$'))
        || (scan::tail(r.t, end).starts_with(['.', ',', '/', ':']) && scan::digit_at(r.t, end + 1));
    let mobile = scan::tail(r.t, r.at).starts_with(['6', '7', '8', '9']);
    if goes_on || scan::tail(r.t, end).starts_with(" €") || scan::tail(r.t, end).starts_with(" de ") {
        return false;
    }
    let spaced = scan::slice(r.t, r.at..end).contains(' ');
    let threes = groups.iter().skip(1).all(|(from, to)| to - from == 3);
    let is_phone = match groups.len() {
        1 => total == 9 && mobile && !scan::slice(r.t, r.at..end).ends_with("000") && announced(r),
        // Thousands are also separated with spaces.
        _ if spaced && threes => {
            total == 9
                && mobile
                && super::counting::noun(r, false, end).is_none()
                && !scan::slice(r.t, r.at..end).ends_with("000")
        }
        2 => false,
        _ => DIGITS.contains(&total),
    };
    if !is_phone {
        return false;
    }
    if let [(from, to)] = groups[..] {
        say(r, &[(from, from + 3), (from + 3, from + 5), (from + 5, from + 7), (from + 7, to)]);
    } else {
        say(r, &groups);
    }
    true
}

/// Whether a plain number of nine digits can be a telephone number: no noun that it counts follows.
fn announced(r: &Reader<'_>) -> bool {
    super::counting::noun(r, false, scan::digits(r.t, r.at)).is_none()
}

/// Reads `+34 612 345 678`.
pub(super) fn international(r: &mut Reader<'_>) -> bool {
    let groups = groups(r.t, r.at + 1);
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    if !(9..=15).contains(&total) {
        return false;
    }
    r.say("más", r.at + 1);
    if let [(from, to)] = groups[..] {
        let mut parts = vec![(from, from + 2)];
        let mut at = from + 2;
        while at < to {
            let next = if to - at == 4 { at + 2 } else { (at + 3).min(to) };
            parts.push((at, next));
            at = next;
        }
        say(r, &parts);
    } else {
        say(r, &groups);
    }
    true
}

/// Groups of digits separated by a space or hyphen, the first at `at`.
fn groups(t: &str, at: usize) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let mut from = at;
    let mut sign = None;
    loop {
        let to = scan::digits(t, from);
        let fits = if groups.is_empty() { to > from } else { (2..=4).contains(&(to - from)) };
        if !fits {
            return groups;
        }
        groups.push((from, to));
        let Some(c) = scan::char_at(t, to).filter(|c| matches!(c, ' ' | '-')) else { return groups };
        // The separator must be the same between all groups.
        if groups.len() > 5 || *sign.get_or_insert(c) != c {
            return groups;
        }
        from = to + 1;
    }
}

fn say(r: &mut Reader<'_>, groups: &[(usize, usize)]) {
    for (index, &(from, to)) in groups.iter().enumerate() {
        if index > 0 {
            r.out.comma(from..from);
        }
        r.skip(from);
        let digits = scan::slice(r.t, from..to);
        let words = match digits.len() {
            4 if !digits.starts_with('0') => {
                format!("{} {}", pair(&digits[..2]), pair(&digits[2..]))
            }
            _ => pair(digits),
        };
        r.say(&words, to);
    }
}

/// A group as a number, after its leading zeros.
fn pair(digits: &str) -> String {
    let significant = digits.trim_start_matches('0');
    let mut words = "cero ".repeat(digits.len() - significant.len());
    if significant.is_empty() {
        return words.trim_end().to_owned();
    }
    if significant.len() > 3 {
        return figures::each(digits);
    }
    words.push_str(&figures::cardinal(significant, Form::Alone));
    words
}
