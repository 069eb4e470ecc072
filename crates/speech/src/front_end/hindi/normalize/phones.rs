//! Telephone numbers: groups of digits, each read digit by digit with a pause after it.

use super::Reader;
use crate::front_end::{hindi::figures, scan};

/// Reads `98765 43210`, `011-23456789`, `1800-123-4567`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let groups = groups(r.t, r.at);
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    let Some((&(from, to), others)) = groups.split_first() else { return false };
    let first = scan::slice(r.t, from..to);
    let halves = matches!(others, [(from, to)] if first.len() == 5 && to - from == 5);
    if others.is_empty()
        || !(10..=13).contains(&total)
        || !(halves || first.starts_with('0') || first == "1800")
    {
        return false;
    }
    say(r, &groups);
    true
}

/// Reads `+91 98765 43210`.
pub(super) fn international(r: &mut Reader<'_>) -> bool {
    let groups = groups(r.t, r.at + 1);
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    if !(9..=15).contains(&total) {
        return false;
    }
    r.say("प्लस", r.at + 1);
    say(r, &groups);
    true
}

/// Groups of digits set apart by a space or a hyphen.
fn groups(t: &str, at: usize) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let mut from = at;
    loop {
        let to = scan::digits(t, from);
        let fits = if groups.is_empty() { to > from } else { (3..=10).contains(&(to - from)) };
        if !fits || to - from > 15 {
            return groups;
        }
        groups.push((from, to));
        let goes_on = scan::tail(t, to).starts_with([' ', '-']) && scan::digit_at(t, to + 1);
        if !goes_on || groups.len() > 4 {
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
        let words = figures::each(scan::slice(r.t, from..to));
        r.say(&words, to);
    }
}
