//! Dates: in digits (`10/12/2019`, `2019-12-10`, `10.12.2019`), with the month first, with the day
//! first.

use super::{Reader, clock, scan};
use crate::front_end::english::text::words::{self, MONTHS};

/// Dates all in digits; ISO ones may carry a time.
pub(super) fn numeric(r: &mut Reader<'_>) -> bool {
    let first_end = scan::digits(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, first_end).filter(|c| matches!(c, '/' | '-' | '.' | '–')) else {
        return false;
    };
    let second = first_end + sign.len_utf8();
    let second_end = scan::digits(r.t, second);
    let third = second_end + sign.len_utf8();
    let numbers = |from: usize, to: usize| r.t.get(from..to).and_then(|digits| digits.parse::<u64>().ok());
    if !scan::tail(r.t, second_end).starts_with(sign) {
        return month_and_day(r, first_end, sign, second, second_end);
    }
    let third_end = scan::digits(r.t, third);
    let iso_time = scan::tail(r.t, third_end).starts_with('T') && scan::digit_at(r.t, third_end + 1);
    let goes_on =
        matches!(scan::char_at(r.t, third_end), Some('-' | '/' | '.')) && scan::digit_at(r.t, third_end + 1);
    if (!scan::edge(r.t, third_end) && !iso_time) || goes_on {
        return false;
    }
    let lengths = (first_end - r.at, second_end - second, third_end - third);
    let (Some(a), Some(b), Some(c)) =
        (numbers(r.at, first_end), numbers(second, second_end), numbers(third, third_end))
    else {
        return false;
    };
    let (year, month, day) = match lengths {
        (4, 1..=2, 1..=2) if sign != '.' => (a, b, c),
        (1..=2, 1..=2, 4) if sign == '.' => (c, b, a),
        (1..=2, 1..=2, 4) => by_country(r.language.figures.with_and, a, b, c),
        (1..=2, 1..=2, 2) if sign == '/' => {
            by_country(r.language.figures.with_and, a, b, if c < 50 { 2000 + c } else { 1900 + c })
        }
        _ => return false,
    };
    if !is_date(month, day) || !(1000..3000).contains(&year) {
        return false;
    }
    let month = MONTHS[month as usize - 1];
    let (day, year) = (r.language.figures.ordinal(day), r.language.figures.year(year));
    let words = if r.language.figures.with_and {
        format!("the {day} of {month}, {year}")
    } else {
        format!("{month} {day}, {year}")
    };
    r.say(&words, third_end);
    if iso_time {
        r.out.comma(third_end..third_end + 1);
        r.say("at", third_end + 1);
        clock::read(r);
    }
    true
}

/// Month and day in the country's order; the other order where only that can be right.
fn by_country(british: bool, a: u64, b: u64, year: u64) -> (u64, u64, u64) {
    if (british && b <= 12) || a > 12 { (year, b, a) } else { (year, a, b) }
}

fn is_date(month: u64, day: u64) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// `on 5/6`, and the one date that is always said as two numbers.
fn month_and_day(r: &mut Reader<'_>, first_end: usize, sign: char, second: usize, end: usize) -> bool {
    if sign != '/' || end == second || !scan::edge(r.t, end) {
        return false;
    }
    let written = scan::slice(r.t, r.at..end);
    if written == "9/11" {
        r.say("nine eleven", end);
        return true;
    }
    if written == "50/50" {
        r.say("fifty fifty", end);
        return true;
    }
    if written == "24/7" {
        r.say("twenty four seven", end);
        return true;
    }
    let before = r.word_before().to_lowercase();
    let head = scan::slice(r.t, ..r.at).trim_end_matches([' ', ',', '.']);
    let of_week = words::weekday(scan::word_ending(head, head.len())).is_some();
    let of_week = of_week || head.ends_with("the week of") || head.trim_start() == "Week of";
    if let Some(words) = month_and_year(r, first_end, second, end) {
        r.say(&words, end);
        return true;
    }
    // "Divide 6 2/3 by 1/4."
    let divides = before == "by"
        && scan::has_words(
            r.t,
            &["Divide", "divide", "divided", "dividing", "Multiply", "multiply", "multiplied"],
        );
    if !(of_week || DATED.contains(&before.as_str())) || divides || end - second > 2 {
        return false;
    }
    let Some(words) = in_digits(r, r.at, first_end, second, end) else { return false };
    r.say(&words, end);
    let Some(dash) = r.char().filter(|c| matches!(c, '-' | '–')) else { return true };
    let last = r.at + dash.len_utf8();
    let slash = scan::digits(r.t, last);
    let last_end = scan::digits(r.t, slash + 1);
    if scan::tail(r.t, slash).starts_with('/')
        && scan::edge(r.t, last_end)
        && let Some(words) = in_digits(r, last, slash, slash + 1, last_end)
    {
        r.say("to", last);
        r.say(&words, last_end);
    }
    true
}

/// Words after which two numbers with a slash are a date.
const DATED: [&str; 20] = [
    "exp.", "thru", "on", "by", "until", "till", "since", "before", "after", "from", "through", "begins",
    "closes", "dated", "due", "ends", "expires", "opens", "starts", "valid",
];

/// `exp. 03/27`, `08/2026`: a month and a year.
fn month_and_year(r: &Reader<'_>, first_end: usize, second: usize, end: usize) -> Option<String> {
    const EXPIRES: [&str; 5] = ["exp", "expires", "thru", "through", "valid"];
    const ACTS: [&str; 8] = ["no", "case", "regulation", "directive", "law", "act", "resolution", "decision"];
    let before = r.word_before().trim_end_matches('.').to_lowercase();
    let month: usize = scan::slice(r.t, r.at..first_end).parse().ok()?;
    let written = scan::slice(r.t, second..end);
    let year: u64 = written.parse().ok().filter(|_| written.len() <= 4)?;
    let name = MONTHS.get(month.checked_sub(1)?)?;
    let expires = EXPIRES.contains(&before.as_str());
    // `1/2000` is an exposure, `No 01/2003` an act.
    let is_dated =
        first_end - r.at == 2 || expires || ["in", "since", "until", "dated"].contains(&before.as_str());
    let year = match written.len() {
        4 if (1900..2100).contains(&year) && is_dated && !r.sum && !ACTS.contains(&before.as_str()) => year,
        2 if expires && first_end - r.at == 2 && (before == "exp" || year > 31) => 2000 + year,
        _ => return None,
    };
    Some(format!("{name} {}", r.language.figures.year(year)))
}

/// A month and a day in digits, in words: where the first number starts and ends, and the second.
fn in_digits(r: &Reader<'_>, from: usize, to: usize, second: usize, end: usize) -> Option<String> {
    let a = scan::slice(r.t, from..to).parse().ok()?;
    let b = scan::slice(r.t, second..end).parse().ok()?;
    let (_, month, day) = by_country(r.language.figures.with_and, a, b, 0);
    if !is_date(month, day) {
        return None;
    }
    let (month, day) = (MONTHS[month as usize - 1], r.language.figures.ordinal(day));
    Some(if r.language.figures.with_and { format!("the {day} of {month}") } else { format!("{month} {day}") })
}

/// Whether a date with its month in letters starts at `at`.
pub(super) fn at(t: &str, at: usize) -> bool {
    if let Some((_, end)) = month_at(t, at) {
        return scan::tail(t, end).starts_with(' ') && day_at(t, end + 1).is_some();
    }
    day_at(t, at)
        .is_some_and(|(_, end)| scan::tail(t, end).starts_with(' ') && month_at(t, end + 1).is_some())
}

/// The dash before a second date is "to".
fn until(r: &mut Reader<'_>) {
    let dash = scan::past_space(r.t, r.at);
    let Some(sign) = scan::char_at(r.t, dash).filter(|c| matches!(c, '-' | '–' | '—')) else { return };
    let start = scan::past_space(r.t, dash + sign.len_utf8());
    if at(r.t, start) {
        r.say("to", start);
    }
}

/// A month's name or short form at `at`: the full name, and where it ends with its stop.
fn month_at(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let word = scan::word(t, at);
    let end = at + word.len();
    let name = words::month(word)?;
    let stop = name.len() != word.len() && scan::tail(t, end).starts_with('.');
    scan::edge(t, end).then_some((name, end + usize::from(stop)))
}

/// The day at `at`, with or without `st`, `nd`, `rd`, `th`: value and end.
fn day_at(t: &str, at: usize) -> Option<(u64, usize)> {
    let digits_end = scan::digits(t, at);
    let value = scan::slice(t, at..digits_end).parse::<u64>().ok().filter(|day| (1..=31).contains(day))?;
    let ending = t.get(digits_end..digits_end + 2).unwrap_or("");
    let end = if ["st", "nd", "rd", "th"].contains(&ending) { digits_end + 2 } else { digits_end };
    let goes_on = matches!(scan::char_at(t, end), Some(':' | '/' | '%'))
        || (matches!(scan::char_at(t, end), Some('.' | ',')) && scan::digit_at(t, end + 1));
    (digits_end - at <= 2 && scan::edge(t, end) && !goes_on).then_some((value, end))
}

/// `5 Jan 2020`, `5th January`.
pub(super) fn day_first(r: &mut Reader<'_>) -> bool {
    let Some((day, day_end)) = day_at(r.t, r.at) else { return false };
    let later = later_day(r.t, day, day_end);
    let first = day;
    let (day, day_end) = later.map_or((day, day_end), |(day, _, end)| (day, end));
    let start = scan::past_space(r.t, day_end);
    let sign = usize::from(scan::tail(r.t, start).starts_with('-'));
    let Some((month, end)) = month_at(r.t, start + sign) else { return false };
    if start + sign == day_end || (month == "May" && scan::tail(r.t, start + sign).starts_with("may")) {
        return false;
    }
    // "the 5 March marches" is as rare as "5 March" is common; "1 Mar" needs a capital, which
    // month_at asks for.
    let before = r.word_before().to_lowercase();
    let article = if before == "the" || words::is_weekday(r.word_before()) && !r.language.figures.with_and {
        ""
    } else {
        "the "
    };
    if let Some((_, dash_end, _)) = later {
        r.say(&format!("{article}{} to", r.language.figures.ordinal(first)), dash_end);
    }
    let words = format!("{article}{} of", r.language.figures.ordinal(day));
    r.say(&words, start + sign);
    let stopped = scan::slice(r.t, start + sign..end).ends_with('.') && ends_here(r.t, end);
    r.say(month, end - usize::from(stopped));
    year_after(r, true);
    until(r);
    true
}

/// The second day of `12–15 May`: its value, its start, its end.
fn later_day(t: &str, day: u64, end: usize) -> Option<(u64, usize, usize)> {
    let dash = scan::char_at(t, end).filter(|c| matches!(c, '-' | '–'))?;
    let start = end + dash.len_utf8();
    let (later, end) = day_at(t, start).filter(|(later, _)| *later > day)?;
    (scan::tail(t, end).starts_with(' ') && month_at(t, end + 1).is_some()).then_some((later, start, end))
}

/// Reads a year after a date, with the comma or hyphen before it.
fn year_after(r: &mut Reader<'_>, hyphen: bool) {
    let comma = usize::from(r.rest().starts_with(','));
    let start =
        if hyphen && r.rest().starts_with('-') { r.at + 1 } else { scan::past_space(r.t, r.at + comma) };
    let end = scan::digits(r.t, start);
    let goes_on = matches!(scan::char_at(r.t, end), Some('.' | ',' | ':' | '/' | '-' | '–'))
        && scan::digit_at(r.t, end + 1);
    if end - start != 4 || start == r.at || !scan::edge(r.t, end) || goes_on {
        return;
    }
    let Ok(year) = scan::slice(r.t, start..end).parse::<u64>() else { return };
    if comma == 1 {
        r.out.comma(r.at..r.at + 1);
    }
    r.skip(start);
    let words = r.language.figures.year(year);
    r.say(&words, end);
}

/// `May 5, 2020`, `Jan. 5–7`, `Sept. 2019`: asked where a word starts.
pub(super) fn month_first(r: &mut Reader<'_>) -> bool {
    let Some((month, month_end)) = month_at(r.t, r.at) else { return false };
    let short = month_end - r.at != month.len();
    let start = scan::past_space(r.t, month_end);
    let Some((day, day_end)) = day_at(r.t, start).filter(|_| start > month_end) else {
        // Not a date: a short form keeps its meaning before a year and after "in", "since", "of"…
        let year = scan::digits(r.t, start) == start + 4 && start > month_end;
        let before = r.word_before().to_lowercase();
        let placed = [
            "in", "since", "until", "till", "by", "of", "from", "to", "last", "next", "this", "every",
            "early", "late", "mid", "between", "and", "on",
        ];
        let stopped = scan::slice(r.t, ..month_end).ends_with('.');
        if short && (year || (stopped && placed.contains(&before.as_str()))) {
            let keeps_stop = stopped && !year && ends_here(r.t, month_end);
            r.say(month, month_end - usize::from(keeps_stop));
            return true;
        }
        return false;
    };
    r.say(month, month_end);
    r.skip(start);
    let words = r.language.figures.ordinal(day);
    let words = if r.language.figures.with_and { format!("the {words}") } else { words };
    r.say(&words, day_end);
    let dash = r.char().filter(|c| matches!(c, '-' | '–'));
    if let Some(dash) = dash
        && let Some((last, end)) = day_at(r.t, r.at + dash.len_utf8())
        && last > day
    {
        r.say("to", r.at + dash.len_utf8());
        let words = r.language.figures.ordinal(last);
        r.say(&words, end);
    }
    year_after(r, false);
    until(r);
    true
}

/// Whether the stop before `at` also ends the sentence.
pub(super) fn ends_here(t: &str, at: usize) -> bool {
    scan::tail(t, at).trim_matches(['"', '\'', ')', ']', '*', '_', ' ']).is_empty()
}
