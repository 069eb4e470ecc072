//! Money of Britain before 1971: `£1 10s. 6d.`, `10s. 6d.`

use super::{Reader, scan};

/// Reads shillings and pence after pounds, if they follow: ` 10s. 6d.`
pub(super) fn after(r: &mut Reader<'_>) {
    let start = scan::past_space(r.t, r.at);
    if start > r.at
        && let Some(end) = part(r.t, start, 's').filter(|_| count(r.t, start) < 20)
    {
        r.skip(start);
        say(r, end, ["shilling", "shillings"]);
        pence(r);
    }
}

/// Reads `10s. 6d.` where a number starts. Shillings alone would be seconds.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(end) = part(r.t, r.at, 's').filter(|_| count(r.t, r.at) < 20) else { return false };
    let next = scan::past_space(r.t, end);
    if part(r.t, next, 'd').is_none_or(|_| count(r.t, next) > 11) {
        return false;
    }
    say(r, end, ["shilling", "shillings"]);
    pence(r);
    true
}

fn pence(r: &mut Reader<'_>) {
    let start = scan::past_space(r.t, r.at);
    if let Some(end) = part(r.t, start, 'd').filter(|_| count(r.t, start) < 12) {
        r.skip(start);
        say(r, end, ["penny", "pence"]);
    }
}

fn count(t: &str, at: usize) -> u64 {
    scan::slice(t, at..scan::digits(t, at)).parse().unwrap_or(u64::MAX)
}

/// Where a number with this letter ends, with the letter's stop.
fn part(t: &str, at: usize, letter: char) -> Option<usize> {
    let end = scan::digits(t, at);
    if !(1..=2).contains(&(end - at)) || !scan::tail(t, end).starts_with(letter) || !scan::edge(t, end + 1) {
        return None;
    }
    Some(end + 1 + usize::from(scan::tail(t, end + 1).starts_with('.')))
}

fn say(r: &mut Reader<'_>, end: usize, [one, many]: [&str; 2]) {
    let value = count(r.t, r.at);
    let words = format!("{} {}", r.language.figures.number(value), if value == 1 { one } else { many });
    // The stop that also ends the sentence is kept.
    let stopped = scan::slice(r.t, r.at..end).ends_with('.') && super::dates::ends_here(r.t, end);
    r.say(&words, end - usize::from(stopped));
}
