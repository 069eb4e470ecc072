//! Dates in digits: `3/4/2025`, `3-4-25`, `2025-04-03`; and days before the name of their month.

use super::Reader;
use crate::front_end::{roman::value, romance::figures::Form, scan};

/// Reads `3/4/2025`, `03-04-2025`, `3.4.2025` and `2025-04-03`.
pub(super) fn numeric(r: &mut Reader<'_>) -> bool {
    if roman_month(r) {
        return true;
    }
    let t = r.t;
    let first_digits = scan::digits(t, r.at);
    // `1º/3`, `1er/03/2025`
    let mark = ["°/", "er/"].into_iter().find(|mark| scan::tail(t, first_digits).starts_with(mark));
    let mark = mark.filter(|_| scan::slice(t, r.at..first_digits) == "1").map_or(0, |mark| mark.len() - 1);
    let first = first_digits + mark;
    let Some(separator) = scan::char_at(t, first).filter(|c| matches!(c, '/' | '-' | '.')) else {
        return false;
    };
    let second = scan::digits(t, first + 1);
    let third = scan::digits(t, second + 1);
    let same = scan::tail(t, second).starts_with(separator);
    let goes_on = scan::tail(t, third).starts_with(separator) && scan::digit_at(t, third + 1);
    let (one, two, three) =
        (first_digits - r.at, second.saturating_sub(first + 1), third.saturating_sub(second + 1));
    let value = |from: usize, to: usize| scan::slice(t, from..to).parse::<u64>().unwrap_or(0);
    if same && !goes_on && scan::edge(t, third) {
        let parts = [value(r.at, first_digits), value(first + 1, second), value(second + 1, third)];
        let lengths = (one, two, three);
        let date = match lengths {
            // `03.09.22`, which may be a version, an article or a chapter, too.
            (2, 2, 2) if separator == '.' && has_zero(r, r.at, first + 1) => Some(parts.into()),
            (1..=2, 1..=2, 4 | 2) if separator != '.' || three == 4 => Some(parts.into()),
            (4, 1..=2, 1..=2) => Some((parts[2], parts[1], parts[0])),
            _ => None,
        };
        // The month comes first only where it cannot come second.
        let date =
            date.map(|(day, month, year)| if month > 12 { (month, day, year) } else { (day, month, year) });
        if let Some((day, month, year)) = date
            && (1..=31).contains(&day)
            && let Some(name) = r.words().month_name(month)
        {
            let year = match (three, year) {
                (2, 0..=49) if one != 4 => 2000 + year,
                (2, _) if one != 4 => 1900 + year,
                _ => year,
            };
            let words = elided_day(r, day, r.grammar().date(day, name, Some(year)));
            r.say(&words, third);
            return true;
        }
    }
    let named = r.words().days;
    let day_before = r.word_before().trim_end_matches('.').to_lowercase();
    let is_short_day = r.words().weekdays.iter().any(|names| names.contains(&day_before.as_str()));
    let weekday = is_short_day
        || named.contains(&r.word_before().to_lowercase().as_str())
        || scan::slice(t, ..r.at)
            .strip_suffix(", ")
            .is_some_and(|head| named.iter().any(|day| head.to_lowercase().ends_with(day)));
    let (day, month) = (value(r.at, first_digits), value(first + 1, second));
    // `04/09`: a fraction is not written with a zero before it, and its upper number is not so high.
    let zero =
        (one, two) == (2, 2) && (scan::slice(t, r.at..second).split('/').any(|part| part.starts_with('0')));
    // No one speaks of eleven ninths.
    let improper = day > month && month > 6 && !r.sum && super::units::at(r, second).is_none();
    let high = (improper || day > 12) && !matches!((day, month), (22 | 24, 7) | (16, 9));
    let part = [" de ", " d'", " di ", " del", " da ", " do ", " dei", " des ", " dos ", "%", " %", "\""];
    // "El 3/5 de 2020"
    let year_at = second + " de ".len();
    let year = scan::digits(t, year_at) == year_at + 4 && scan::tail(t, second).starts_with(" de ");
    let fraction = part.iter().any(|part| scan::tail(t, second).starts_with(part)) && !year;
    // "Dia 2/5, às 8h": a time follows.
    let timed = before_time(r, second);
    if separator == '/'
        && !super::fractions::is_set(r, day, month, second)
        && (((weekday || timed || is_one_of_two(r, second)) && !fraction)
            || zero
            || mark > 0
            || (high && !fraction))
        && !same
        && (1..=2).contains(&one)
        && (1..=2).contains(&two)
        && (1..=31).contains(&day)
        && scan::edge(t, second)
        && let Some(name) = r.words().month_name(month)
    {
        let words = elided_day(r, day, r.grammar().date(day, name, None));
        r.say(&words, second);
        return true;
    }
    false
}

/// Whether the day or the month, which start here, has a zero in front, and no other thing is numbered so.
fn has_zero(r: &Reader<'_>, day: usize, month: usize) -> bool {
    const NUMBERED: [&str; 12] =
        ["art", "chap", "cap", "firmware", "para", "rev", "sect", "sez", "sec", "v", "vers", "release"];
    let before = r.word_before().to_lowercase();
    // "L'article 05.02.10"
    let before = before.rsplit('\'').next().unwrap_or_default();
    let zero = |at: usize| scan::tail(r.t, at).starts_with('0');
    (zero(day) || zero(month))
        && !NUMBERED.iter().any(|word| before.starts_with(word))
        && !matches!(r.before(), Some('v' | '§'))
}

/// Whether another day follows or went before: `de 10/1 a 20/2`. Parts of a whole are not so high.
fn is_one_of_two(r: &Reader<'_>, end: usize) -> bool {
    let day = |text: &str| {
        let (day, month) = text.split_once('/')?;
        let fits = day.len() <= 2 && month.len() <= 2;
        let (day, month) = (day.parse::<u64>().ok()?, month.parse::<u64>().ok()?);
        (fits && (1..=31).contains(&day) && (1..=12).contains(&month)).then_some(day)
    };
    let head = scan::slice(r.t, ..r.at);
    let links = [" a ", " al ", " au "];
    let pair =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '/').len();
    let next = links.iter().find_map(|link| {
        let rest = scan::tail(r.t, end).strip_prefix(*link)?;
        day(&rest[..pair(rest)])
    });
    let previous = links.iter().find_map(|link| day(head.strip_suffix(*link)?.rsplit(' ').next()?));
    let own = scan::slice(r.t, r.at..end).split('/').next().and_then(|day| day.parse::<u64>().ok());
    next.or(previous).zip(own).is_some_and(|(other, own)| other.max(own) > 12)
}

/// Whether a time of day follows what ends at `end`: `, às 8h`, ` a las 20:00`.
fn before_time(r: &Reader<'_>, end: usize) -> bool {
    const AT: [&str; 9] = ["às ", "à ", "das ", "a las ", "a la ", "alle ", "dalle ", "ore ", "à partir de "];
    let rest = scan::tail(r.t, end);
    let rest = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' ')).unwrap_or("");
    let Some(time) = AT.iter().find_map(|at| rest.strip_prefix(at)) else { return false };
    let digits = scan::digits(time, 0);
    (1..=2).contains(&digits) && time[digits..].trim_start().starts_with(['h', 'H', ':', '.'])
}

/// "Dall'uno febbraio": after an elided word the first is no ordinal.
fn elided_day(r: &Reader<'_>, day: u64, date: String) -> String {
    if day != 1 || r.before() != Some('\'') {
        return date;
    }
    date.replacen(&r.grammar().day(1), &r.number(1, Form::Alone), 1)
}

/// `7-XI-1952`
fn roman_month(r: &mut Reader<'_>) -> bool {
    let t = r.t;
    let day_end = scan::digits(t, r.at);
    let Some(sign) = scan::char_at(t, day_end).filter(|c| matches!(c, '-' | '/' | '.')) else { return false };
    let month_end = scan::letters(t, day_end + 1);
    let year_end = scan::digits(t, month_end + 1);
    let numeral = scan::slice(t, day_end + 1..month_end);
    let number = |from: usize, to: usize| scan::slice(t, from..to).parse::<u64>().ok();
    let (Some(day), Some(month)) = (number(r.at, day_end), value(numeral)) else { return false };
    let Some(year) = number(month_end + 1, year_end) else {
        // "El 31-XII"
        let before = r.word_before().to_lowercase();
        let named = r.words().days.contains(&before.as_str()) && scan::edge(t, month_end) && sign != '.';
        let name = r.words().month_name(month).filter(|_| named && (1..=31).contains(&day));
        return name.is_some_and(|name| {
            let words = r.grammar().date(day, name, None);
            r.say(&words, month_end);
            true
        });
    };
    let fits =
        scan::tail(t, month_end).starts_with(sign) && year_end == month_end + 5 && scan::edge(t, year_end);
    let Some(name) = r.words().month_name(month).filter(|_| fits && (1..=31).contains(&day)) else {
        return false;
    };
    let words = r.grammar().date(day, name, Some(year));
    r.say(&words, year_end);
    true
}

/// Reads a day that its month follows: `3 abr. 2025`, `3-abr-2025`, `1 de enero`, `1 janvier`.
pub(super) fn day_first(r: &mut Reader<'_>) -> bool {
    let t = r.t;
    let end = scan::digits(t, r.at);
    let Some(day) =
        scan::slice(t, r.at..end).parse::<u64>().ok().filter(|day| (1..=31).contains(day) && end - r.at <= 2)
    else {
        return false;
    };
    if let Some(rest) = scan::tail(t, end).strip_prefix(r.grammar().before_month()) {
        // Other words ("1 de cada") are no dates; the rest is read as it is written.
        let month = scan::word(rest, 0);
        // `3 de feb. de 2025`
        let after = end + r.grammar().before_month().len() + month.len();
        let short =
            r.words().month(month).filter(|_| scan::tail(t, after).starts_with('.') && month.len() < 6);
        if let Some(name) = short.filter(|_| r.grammar().before_month() != " ") {
            let words = r.grammar().date(day, name, None);
            let stop = super::ends_here(t, after + 1);
            r.say(&words, after + usize::from(!stop));
            return true;
        }
        if r.words().months.contains(&month.to_lowercase().as_str()) {
            let words = r.grammar().day(day);
            r.say(&words, end);
            return true;
        }
        if r.grammar().before_month() != " " {
            return false;
        }
    }
    let Some(separator) = scan::char_at(t, end).filter(|c| matches!(c, ' ' | '-')) else { return false };
    let start = end + 1;
    let short = scan::word(t, start);
    let Some(month) = r
        .words()
        .month(short)
        .filter(|_| short.len() <= 5 || separator == '-' || scan::digit_at(t, start + short.len() + 1))
    else {
        return false;
    };
    // "3 mar" may be anything without a year.
    let mut stop = start + short.len();
    let stopped = scan::tail(t, stop).starts_with('.') && short.len() <= 6;
    stop += usize::from(stopped);
    let year_at = stop + 1;
    let year_end = scan::digits(t, year_at);
    let year = matches!(scan::char_at(t, stop), Some(' ' | '-')) && year_end - year_at.min(year_end) == 4;
    let abbreviated = stopped && !super::ends_here(t, stop);
    if !year && !stopped {
        return false;
    }
    let stop = if abbreviated || year { stop } else { stop - usize::from(stopped) };
    let year_value = scan::slice(t, year_at..year_end).parse::<u64>().ok().filter(|_| year);
    let words = r.grammar().date(day, month, year_value);
    r.say(&words, if year { year_end } else { stop });
    true
}
