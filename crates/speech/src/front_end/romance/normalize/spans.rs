//! From one day of the week or one month to another, `lun.-ven.`, `enero-marzo`: two names, full or
//! short, with a dash or a slash between them. A short name alone is an abbreviation of its own.

use super::Reader;
use crate::front_end::scan;

/// A name of a day or of a month as it is said, and where it ends, its stop included.
struct Name {
    said: &'static str,
    end: usize,
}

/// Reads `lun.-ven.`, `Lun - Ven`, `lundi-vendredi`, `janv.-mars`, `ene/feb`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    between(r, day) || between(r, month)
}

/// Reads a short day before a date, `Vie. 13/10`, `Sex., 13 de outubro`, which may be another word
/// elsewhere.
pub(super) fn short_day(r: &mut Reader<'_>) -> bool {
    let Some(name) = day(r, r.at).filter(|name| scan::slice(r.t, ..name.end).ends_with('.')) else {
        return false;
    };
    let comma = name.end + usize::from(scan::tail(r.t, name.end).starts_with(','));
    let before_date = scan::tail(r.t, comma).starts_with(' ') && scan::digit_at(r.t, comma + 1);
    if before_date {
        r.say(name.said, name.end);
    }
    before_date
}

/// Reads a short month before a year, `abr. 2020`.
pub(super) fn short_month(r: &mut Reader<'_>) -> bool {
    let Some(name) = month(r, r.at).filter(|name| scan::slice(r.t, ..name.end).ends_with('.')) else {
        return false;
    };
    let year = name.end + 1;
    let is_year = scan::tail(r.t, name.end).starts_with([' ', '/'])
        && scan::digits(r.t, year) == year + 4
        && scan::edge(r.t, year + 4)
        && scan::tail(r.t, year).starts_with(['1', '2']);
    if is_year {
        // "Abril de 2020", where dates have the word.
        let of = r.grammar().before_month().trim_start();
        r.say(&format!("{} {of}", name.said), year);
    }
    is_year
}

/// Reads two names that `name` finds, with "to" between them, or "and" where a slash stands.
fn between(r: &mut Reader<'_>, name: fn(&Reader<'_>, usize) -> Option<Name>) -> bool {
    let Some(first) = name(r, r.at) else { return false };
    let dash = scan::past_space(r.t, first.end);
    let Some(sign) = scan::char_at(r.t, dash).filter(|c| matches!(c, '-' | '–' | '—' | '/')) else {
        return false;
    };
    let start = scan::past_space(r.t, dash + sign.len_utf8());
    let Some(second) = name(r, start).filter(|second| second.said != first.said) else { return false };
    // A third name makes it a list or a double name.
    if scan::edge(r.t, second.end) && !scan::tail(r.t, second.end).starts_with('-') {
        let end = second.end - usize::from(closes(r, second.end));
        let words = if sign == '/' {
            format!("{} {} {}", first.said, r.signs().names.and, second.said)
        } else {
            r.grammar().span_of_names(first.said, second.said, opens(r))
        };
        r.say(&words, end);
        return true;
    }
    false
}

/// Whether nothing before the names says "from": `Aperto lun.-ven.`, but `dal lun.-ven.`
fn opens(r: &Reader<'_>) -> bool {
    let before = r.word_before().to_lowercase();
    before.is_empty() || !r.words().leaning.contains(&before.as_str())
}

/// Whether the stop before `at` also ends the sentence.
fn closes(r: &Reader<'_>, at: usize) -> bool {
    scan::slice(r.t, ..at).ends_with('.') && super::ends_here(r.t, at)
}

/// The day of the week at `at`.
fn day(r: &Reader<'_>, at: usize) -> Option<Name> {
    let written = name_at(r.t, at);
    let lower = written.to_lowercase();
    let names = r.words().weekdays.iter().find(|names| names.contains(&lower.as_str()))?;
    Some(Name { said: names[0], end: past_stop(r.t, at + written.len(), written, names[0]) })
}

/// The month at `at`.
fn month(r: &Reader<'_>, at: usize) -> Option<Name> {
    let written = scan::word(r.t, at);
    let said = r.words().month(written).filter(|_| written.len() > 2)?;
    Some(Name { said, end: past_stop(r.t, at + written.len(), written, said) })
}

/// Letters at `at`, with a hyphen inside: `segunda-feira`.
fn name_at(t: &str, at: usize) -> &str {
    let end = scan::letters(t, at);
    let whole = if scan::tail(t, end).starts_with("-feira") { end + "-feira".len() } else { end };
    scan::slice(t, at..whole)
}

/// The end of a name with the stop that shortens it.
fn past_stop(t: &str, end: usize, written: &str, said: &str) -> usize {
    let short = written.len() < said.len();
    end + usize::from(short && scan::tail(t, end).starts_with('.'))
}

/// Whether a day of the week has been said before, so that a short one is no other word.
pub(super) fn follows_day(r: &Reader<'_>, said: &str) -> bool {
    let is_day = |word: &str| r.words().weekdays.iter().any(|names| names[0] == word);
    is_day(said) && r.out.text.split([' ', ',']).any(is_day)
}
