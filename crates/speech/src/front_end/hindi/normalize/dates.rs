//! Dates in digits, and numbers that are years.

use super::{Reader, word_after, word_before};
use crate::front_end::{
    hindi::{figures, words},
    scan::{self, Quantity},
};

/// Reads `25/11/2026`, `25-11-2026`, `25.11.2026` or `2026-11-25`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some((parts, end)) = parts(r.t, r.at) else { return false };
    let [first, second, third] = parts;
    let (day, month, year) = if first.len() == 4 { (third, second, first) } else { (first, second, third) };
    let fits = day.len() <= 2 && month.len() <= 2 && matches!(year.len(), 2 | 4);
    let number = |part: &str| part.parse::<u64>().unwrap_or_default();
    let (day, month_index) = (number(day), number(month));
    let month = (month_index as usize).checked_sub(1).and_then(|index| words::MONTHS.get(index));
    let Some(month) = month.filter(|_| fits && (1..=31).contains(&day)) else { return false };
    let words = format!("{} {month} {}", figures::number(day), figures::year(number(year)));
    r.say(&words, end);
    true
}

/// Three groups of digits with the same sign between them.
fn parts(t: &str, at: usize) -> Option<([&str; 3], usize)> {
    let first = scan::digits(t, at);
    let sign = scan::char_at(t, first).filter(|c| matches!(c, '/' | '-' | '.'))?;
    let second = scan::digits(t, first + 1);
    if scan::char_at(t, second) != Some(sign) {
        return None;
    }
    let third = scan::digits(t, second + 1);
    let goes_on = scan::char_at(t, third).is_some_and(|c| c == sign && scan::digit_at(t, third + 1));
    if goes_on || !scan::edge(t, third) {
        return None;
    }
    let groups =
        [scan::slice(t, at..first), scan::slice(t, first + 1..second), scan::slice(t, second + 1..third)];
    groups.iter().all(|group| (1..=4).contains(&group.len())).then_some((groups, third))
}

/// Whether a number of four digits is a year, by the words around it.
pub(super) fn is_year(r: &Reader<'_>, quantity: &Quantity<'_>) -> bool {
    if !quantity.is_plain() || quantity.whole.len() != 4 {
        return false;
    }
    let comma_before = scan::slice(r.t, ..r.at)
        .strip_suffix(", ")
        .is_some_and(|head| words::is_month(crate::front_end::hindi::script::word_ending(head)));
    let after = word_after(r, quantity.end);
    let second_after = word_after(r, scan::past_space(r.t, quantity.end) + after.len());
    // "1990 से 2000 तक".
    let from = scan::tail(r.t, quantity.end).strip_prefix(" से ");
    let until = from.is_some_and(|rest| {
        scan::digits(rest, 0) == 4 && scan::edge(rest, 4) && rest.starts_with(['1', '2'])
    });
    comma_before || until || is_year_word(word_before(r)) || is_after_year(after, second_after)
}

/// Whether the word before a year says so.
pub(super) fn is_year_word(word: &str) -> bool {
    words::is_month(word) || words::BEFORE_A_YEAR.contains(&word)
}

/// Whether the words after a year say so: `1947 में`, but not `1500 में से`; `1990 के दशक`.
pub(super) fn is_after_year(word: &str, then: &str) -> bool {
    words::AFTER_A_YEAR.contains(&word)
        || (word == "में" && then != "से")
        || (matches!(word, "के" | "का" | "की") && matches!(then, "दशक" | "दौरान" | "बाद" | "क्रांति" | "युद्ध"))
}
