//! Dates in digits: `3/4/2025`, `3-4-25`, `2025-04-03`; and days before the name of their month.

use super::Reader;
use crate::front_end::{
    scan,
    spanish::{
        Accent,
        text::{
            figures::{self, Form},
            words,
        },
    },
};

/// Reads `3/4/2025`, `03-04-2025`, `3.4.2025` and `2025-04-03`.
pub(super) fn numeric(r: &mut Reader<'_>) -> bool {
    let t = r.t;
    let first = scan::digits(t, r.at);
    let Some(separator) = scan::char_at(t, first).filter(|c| matches!(c, '/' | '-' | '.')) else {
        return false;
    };
    let second = scan::digits(t, first + 1);
    let third = scan::digits(t, second + 1);
    let same = scan::tail(t, second).starts_with(separator);
    let goes_on = scan::tail(t, third).starts_with(separator) && scan::digit_at(t, third + 1);
    let (one, two, three) =
        (first - r.at, second.saturating_sub(first + 1), third.saturating_sub(second + 1));
    let value = |from: usize, to: usize| scan::slice(t, from..to).parse::<u64>().unwrap_or(0);
    if same && !goes_on && scan::edge(t, third) {
        let parts = [value(r.at, first), value(first + 1, second), value(second + 1, third)];
        let lengths = (one, two, three);
        let date = match lengths {
            (1..=2, 1..=2, 4 | 2) if separator != '.' || three == 4 => Some(parts.into()),
            (4, 1..=2, 1..=2) => Some((parts[2], parts[1], parts[0])),
            _ => None,
        };
        // The month comes first only where it cannot come second.
        let date =
            date.map(|(day, month, year)| if month > 12 { (month, day, year) } else { (day, month, year) });
        if let Some((day, month, year)) = date
            && (1..=31).contains(&day)
            && let Some(name) = words::month_name(month)
        {
            let year = match (three, year) {
                (2, 0..=49) if one != 4 => 2000 + year,
                (2, _) if one != 4 => 1900 + year,
                _ => year,
            };
            let day = day_words(r, day);
            let words = format!("{day} de {name} de {}", figures::number(year, Form::Alone));
            r.say(&words, third);
            return true;
        }
    }
    let named = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "día"];
    let weekday = named.contains(&r.word_before().to_lowercase().as_str())
        || scan::slice(t, ..r.at)
            .strip_suffix(", ")
            .is_some_and(|head| named.iter().any(|day| head.to_lowercase().ends_with(day)));
    let (day, month) = (value(r.at, first), value(first + 1, second));
    if separator == '/'
        && weekday
        && !same
        && (1..=2).contains(&one)
        && (1..=2).contains(&two)
        && (1..=31).contains(&day)
        && scan::edge(t, second)
        && let Some(name) = words::month_name(month)
    {
        let words = format!("{} de {name}", day_words(r, day));
        r.say(&words, second);
        return true;
    }
    false
}

/// Reads a day that its month follows: `3 abr. 2025`, `3-abr-2025`, `1.º de mayo`, `1 de enero`.
pub(super) fn day_first(r: &mut Reader<'_>) -> bool {
    let t = r.t;
    let end = scan::digits(t, r.at);
    let Some(day) =
        scan::slice(t, r.at..end).parse::<u64>().ok().filter(|day| (1..=31).contains(day) && end - r.at <= 2)
    else {
        return false;
    };
    if let Some(rest) = scan::tail(t, end).strip_prefix(" de ") {
        // Longer spans ("1 de cada") are no dates; the rest is read as it is written.
        let month = scan::word(rest, 0);
        if month.len() < 4 || words::month(month).is_none() {
            return false;
        }
        let words = day_words(r, day);
        r.say(&words, end);
        return true;
    }
    let Some(separator) = scan::char_at(t, end).filter(|c| matches!(c, ' ' | '-')) else { return false };
    let start = end + 1;
    let short = scan::word(t, start);
    let Some(month) = words::month(short)
        .filter(|_| short.len() <= 4 || separator == '-' || scan::digit_at(t, start + short.len() + 1))
    else {
        return false;
    };
    // "3 mar" may be anything without a year.
    let mut stop = start + short.len();
    let stopped = scan::tail(t, stop).starts_with('.') && short.len() <= 4;
    stop += usize::from(stopped);
    let year_at = stop + 1;
    let year_end = scan::digits(t, year_at);
    let year = matches!(scan::char_at(t, stop), Some(' ' | '-')) && year_end - year_at.min(year_end) == 4;
    let abbreviated = stopped && !super::ends_here(t, stop);
    if !year && !abbreviated {
        return false;
    }
    let words = day_words(r, day);
    r.say(&words, end);
    r.skip(start);
    r.say(&format!("de {month}"), stop);
    if year {
        r.skip(year_at);
        let words = figures::cardinal(scan::slice(t, year_at..year_end), Form::Alone);
        r.say(&format!("de {words}"), year_end);
    }
    true
}

/// The day of a month: in America the first is "primero".
fn day_words(r: &Reader<'_>, day: u64) -> String {
    if day == 1 && r.language.accent == Accent::American {
        "primero".to_owned()
    } else {
        figures::number(day, Form::Alone)
    }
}
