//! What a number counts: a measure or a percentage after it.

use super::{Reader, units};
use crate::front_end::scan;

/// Says what is counted by the number before: a measure or a percentage.
pub(super) fn tail(r: &mut Reader<'_>, singular: bool) {
    if let Some((name, end)) = percent(r, r.at) {
        r.skip(scan::past_space(r.t, r.at));
        r.say(name, end);
    } else if let Some(measure) = units::at(r, r.at) {
        r.skip(measure.start);
        let name = if singular { &measure.one } else { &measure.many };
        r.say(name, measure.end);
        // The stop of an abbreviation in a sentence.
        let rest = scan::tail(r.t, r.at);
        let stop = (rest.starts_with(". ") && scan::char_at(r.t, r.at + 2).is_some_and(char::is_lowercase))
            || [".,", ".;", ".)", "./"].iter().any(|marks| rest.starts_with(marks));
        if stop {
            r.skip(r.at + 1);
        }
        // `1 comp./8 h`
        if scan::tail(r.t, r.at).starts_with('/') && scan::digit_at(r.t, r.at + 1) {
            // `5 V/2 A`: two measures after each other.
            let clock = r.grammar().clock();
            let turn = units::at(r, scan::digits(r.t, r.at + 1));
            let timed = turn.is_some_and(|turn| {
                [clock.hour.0, clock.minute.0].contains(&turn.one.as_str()) || turn.many.starts_with("di")
            });
            if timed {
                r.say(r.amounts().every, r.at + 1);
            } else {
                r.out.comma(r.at..r.at);
                r.skip(r.at + 1);
            }
        }
    } else if scan::tail(r.t, r.at).starts_with('-')
        && scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic)
    {
        r.space(r.at + 1);
    }
}

/// `%` or `‰` after a number, and where it ends.
pub(super) fn percent(r: &Reader<'_>, at: usize) -> Option<(&'static str, usize)> {
    let start = scan::past_space(r.t, at);
    match scan::char_at(r.t, start)? {
        '%' => Some((r.amounts().percent, start + 1)),
        '‰' => Some((r.amounts().per_mille, start + '‰'.len_utf8())),
        _ => None,
    }
}
