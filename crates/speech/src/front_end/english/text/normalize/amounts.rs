//! Numbers of things: decimals, fractions, ranges, percentages, and numbers with a unit of measure.

use super::{
    Reader, codes, dates, magnitudes, maths, reading,
    scan::{self, Quantity},
    units,
};
use crate::front_end::english::text::figures;
use crate::front_end::normalize::numbers;

/// Reads a number that is neither a date, a time, a code nor money.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let read = amount(r);
    if read {
        by(r);
    }
    read
}

/// ` x ` between two amounts, `12 ft x 10 ft`, is "by"; in a sum or before a power it is "times".
/// `×` is "times", unless lengths are measured.
fn by(r: &mut Reader<'_>) {
    let sign = scan::past_space(r.t, r.at);
    let Some(cross) = scan::char_at(r.t, sign).filter(|c| matches!(c, 'x' | '×')) else { return };
    let spaced = sign > r.at;
    let second = sign + cross.len_utf8();
    let second = if spaced { scan::past_space(r.t, second) } else { second };
    if !scan::digit_at(r.t, second) || (spaced && !scan::slice(r.t, ..second).ends_with(' ')) {
        return;
    }
    let end = scan::quantity(r.t, second).map_or(second, |quantity| quantity.end);
    let equation = r.t.contains(['=', '+', '÷', '≈']);
    // "4K at 3840 × 2160": the sizes of a screen.
    let large = |digits: &str| digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let head = scan::slice(r.t, ..r.at);
    let first = &head[head.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let pixels = large(first) && large(scan::slice(r.t, second..end));
    let measured = pixels || !r.before().is_some_and(|c| c.is_ascii_digit()) || is_length(r.t, end);
    let times = is_power(r.t, end) || equation || (cross == '×' && !measured);
    r.say(if times { "times" } else { "by" }, second);
    // Right after a letter, the number would be read as part of a word.
    if !spaced && cross == 'x' {
        read(r);
    }
}

/// Whether a length is measured by the number that ends at `at`, or by one after a further `×`.
fn is_length(t: &str, at: usize) -> bool {
    let sign = scan::past_space(t, at);
    if scan::tail(t, sign).starts_with(['x', '×']) {
        let next = sign + scan::char_at(t, sign).map_or(1, char::len_utf8);
        return scan::quantity(t, scan::past_space(t, next)).is_some_and(|next| is_length(t, next.end));
    }
    let meters = units::at(t, at)
        .is_some_and(|unit| ["meter", "inch", "foot", "yard"].iter().any(|m| unit.one.ends_with(m)));
    meters || scan::tail(t, at).starts_with(['"', '\''])
}

/// Whether there is an exponent at `at`.
fn is_power(t: &str, at: usize) -> bool {
    matches!(scan::char_at(t, at), Some('^' | '⁰'..='⁹' | '¹' | '²' | '³' | '⁻'))
}

fn amount(r: &mut Reader<'_>) -> bool {
    if height(r) || inch(r) || fraction(r) {
        return true;
    }
    let continental = scan::continental(r.t, r.at).filter(|quantity| units::at(r.t, quantity.end).is_some());
    let Some(first) = continental.or_else(|| scan::quantity(r.t, r.at)) else { return false };
    if codes::docket(r, &first) || range(r, &first) || out_of(r, &first) || maths::scientific(r, &first) {
        return true;
    }
    if dimensions(r, &first) {
        units::inch_adjective(r);
        return true;
    }
    if mixed(r, &first) {
        units::after(r, false);
        return true;
    }
    if let Some((name, end)) = magnitudes::of_count(r.t, &first) {
        let words = reading::reading(r, &first, false);
        r.say(&format!("{words} {name}"), end);
        if r.rest().starts_with('-') && scan::digit_at(r.t, end + 1) {
            r.say("to", end + 1);
        }
        reading::hyphen_to_space(r);
        return true;
    }
    let singular = first.is_one();
    let adjective = takes_singular(r, first.end);
    let measured = units::at(r.t, first.end).is_some();
    let year = !measured && !reading::counts_things(r, first.end);
    let words = if in_name(r, &first, measured) || (first.is_plain() && subsection(r.t, first.end).is_some())
    {
        reading::name_number(r, &first.whole)
    } else {
        reading::reading(r, &first, year)
    };
    r.say(&words, first.end);
    subsections(r);
    if r.rest().starts_with('-') && scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic) {
        let point = r.at + 3;
        if scan::tail(r.t, r.at).starts_with("-pt") && scan::edge(r.t, point) {
            // Of type, of an index.
            r.skip(r.at + 1);
            let stopped = scan::tail(r.t, point).starts_with('.');
            r.say("point", point + usize::from(stopped && !dates::ends_here(r.t, point + 1)));
        } else if !units::inch_adjective(r)
            && let Some(unit) = units::at(r.t, r.at + 1)
        {
            r.skip(r.at + 1);
            r.say(unit.one, unit.end);
        }
        reading::hyphen_to_space(r);
    } else {
        units::after(r, singular || adjective);
    }
    true
}

/// What stands in brackets right after a number: `5(1)`, `401(k)`, and where the brackets end.
fn subsection(t: &str, at: usize) -> Option<(&str, usize)> {
    let (inner, _) = scan::tail(t, at).strip_prefix('(')?.split_once(')')?;
    let fits =
        (1..=4).contains(&inner.len()) && inner != "s" && inner.bytes().all(|b| b.is_ascii_alphanumeric());
    let end = at + inner.len() + 2;
    (fits && scan::edge(t, end)).then_some((inner, end))
}

/// Reads `(3)(a)(ii)` after the number of a section.
fn subsections(r: &mut Reader<'_>) {
    while let Some((inner, end)) = subsection(r.t, r.at).filter(|_| !r.sum) {
        let numeral = figures::roman(&inner.to_uppercase()).filter(|_| inner.len() > 1);
        let words = if inner.bytes().all(|byte| byte.is_ascii_digit()) {
            r.language.figures.cardinal(inner)
        } else {
            numeral.map_or_else(|| inner.to_owned(), |value| r.language.figures.number(value))
        };
        r.say(&words, end);
    }
}

/// `9.8/10`: "out of".
fn out_of(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    let end = scan::digits(r.t, first.end + 1);
    let best = scan::tail(r.t, first.end).starts_with('/') && scan::edge(r.t, end);
    if first.fraction.is_empty()
        || !best
        || !["5", "10", "100"].contains(&scan::slice(r.t, first.end + 1..end))
    {
        return false;
    }
    let words = reading::reading(r, first, false);
    r.say(&words, first.end);
    r.say("out of", first.end + 1);
    let words = r.language.figures.cardinal(scan::slice(r.t, r.at..end));
    r.say(&words, end);
    true
}

/// Whether a number belongs to a name in capitals: `RFC 2822`, `SHA-256`.
fn in_name(r: &Reader<'_>, quantity: &Quantity<'_>, measured: bool) -> bool {
    let before = scan::slice(r.t, ..r.at);
    let tied = before.strip_suffix(['-', '.']).is_some_and(|name| name.ends_with(char::is_alphabetic))
        || magnitudes::is_in_code(r.t, r.at);
    let name = r.word_before();
    let capitals = name.len() >= 2 && name.len() <= 5 && name.chars().all(|c| c.is_ascii_uppercase());
    let standard = capitals && !r.shouted && before.ends_with(' ') && quantity.whole.len() == 4;
    quantity.is_plain() && !measured && (tied || standard)
}

/// Whether a measure is used like an adjective: `a 5 km run`.
fn takes_singular(r: &Reader<'_>, number_end: usize) -> bool {
    let article = ["a", "an", "A", "An"].contains(&r.word_before());
    let Some(unit) = units::at(r.t, number_end) else { return false };
    let next = scan::word(r.t, scan::past_space(r.t, unit.end));
    article && is_noun_like(next)
}

/// Whether a small word after an amount is not one of those that end the amount.
pub(super) fn is_noun_like(word: &str) -> bool {
    const CLOSED: &[&str] = &[
        "a", "after", "ago", "and", "are", "as", "at", "away", "because", "before", "but", "by", "each",
        "for", "from", "had", "has", "if", "in", "into", "is", "less", "more", "of", "off", "on", "or",
        "out", "over", "per", "so", "than", "that", "the", "then", "to", "under", "until", "up", "was",
        "were", "when", "which", "while", "who", "will", "with", "would",
    ];
    word.starts_with(|c: char| c.is_lowercase()) && CLOSED.binary_search(&word).is_err()
}

/// `3–5`, `1990-95`, `5–10 km`, `3-2`.
fn range(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    let Some((dash, second)) = second_number(r.t, first) else { return false };
    let spaced = scan::slice(r.t, first.end..dash).contains(' ');
    if spaced && r.sum && !scan::slice(r.t, first.end..second.start).contains('–') {
        return false;
    }
    let years = |q: &Quantity<'_>| q.small().is_some_and(|value| (1010..2100).contains(&value));
    let measured = units::at(r.t, second.end).is_some();
    let is_years =
        years(first) && !measured && (years(&second) || (second.is_plain() && second.whole.len() == 2));
    let words = reading::reading(r, first, is_years);
    r.say(&words, first.end);
    r.say("to", second.start);
    if let Some((name, end)) = magnitudes::of_count(r.t, &second) {
        let words = reading::reading(r, &second, false);
        r.say(&format!("{words} {name}"), end);
        return true;
    }
    let words = match second.small() {
        Some(value) if is_years && value < 100 => reading::two_digits(r, value),
        _ => reading::reading(r, &second, is_years),
    };
    r.say(&words, second.end);
    units::after(r, false);
    reading::hyphen_to_space(r);
    true
}

/// The number after a dash, and where the dash is.
pub(super) fn second_number<'a>(t: &'a str, first: &Quantity<'_>) -> Option<(usize, Quantity<'a>)> {
    let dash = scan::past_space(t, first.end);
    let sign = scan::char_at(t, dash).filter(|c| matches!(c, '-' | '–' | '—' | '−'))?;
    let start = dash + sign.len_utf8();
    let spaced = dash > first.end;
    let start = if spaced { scan::past_space(t, start) } else { start };
    if spaced && start == dash + sign.len_utf8() {
        return None;
    }
    let second = scan::quantity(t, start).filter(|second| scan::digit_at(t, second.start))?;
    // A third part makes it a code. A letter right after it may be a unit, but not an ordinal or
    // part of another code.
    let goes_on =
        scan::tail(t, second.end).starts_with(['-', '–', '/', ':']) && scan::digit_at(t, second.end + 1);
    let codes = !scan::edge(t, second.end)
        && units::at(t, second.end).is_none()
        && magnitudes::of_count(t, &second).is_none();
    (!goes_on && !codes).then_some((dash, second))
}

/// `1920x1080`, `5 × 7`: "by".
fn dimensions(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    if !scan::tail(r.t, first.end).starts_with(['x', '×']) {
        return false;
    }
    let sign = scan::char_at(r.t, first.end).map_or(1, char::len_utf8);
    let Some(second) =
        scan::quantity(r.t, first.end + sign).filter(|second| scan::digit_at(r.t, second.start))
    else {
        if scan::edge(r.t, first.end + sign) && sign == 1 {
            let words = reading::reading(r, first, false);
            r.say(&words, first.end);
            // In a formula, `2x` has a variable.
            r.say(if r.sum { "x" } else { "times" }, first.end + sign);
            return true;
        }
        return false;
    };
    // A power is multiplied: `6.022×10^23`.
    let power = is_power(r.t, second.end);
    let words = reading::reading(r, first, !power);
    r.say(&words, first.end);
    if power {
        r.say("times", second.start);
        let words = reading::reading(r, &second, false);
        r.say(&words, second.end);
        return true;
    }
    r.say("by", second.start);
    // A third dimension is read by the same rule.
    if scan::tail(r.t, second.end).starts_with(['x', '×']) && scan::digit_at(r.t, second.end + 1) {
        return dimensions(r, &second);
    }
    let words = reading::reading(r, &second, true);
    r.say(&words, second.end);
    units::after(r, false);
    true
}

/// `1/2`, `3/4`, `22/7`.
fn fraction(r: &mut Reader<'_>) -> bool {
    let Some((top, bottom, end)) = simple_fraction(r.t, r.at) else { return false };
    // `2019/20`: a season, or a year that starts in the midst of one.
    let season = (1900..2100).contains(&top) && (top + 1) % 100 == bottom && bottom >= 10;
    let beats = matches!(bottom, 2 | 4 | 8 | 16)
        && [
            "time",
            "meter",
            "metre",
            "beat",
            "signature",
            "rhythm",
            "groove",
            "feel",
            "march",
            "waltz",
            "bar",
        ]
        .contains(&scan::word(r.t, scan::past_space(r.t, end)));
    let words = if beats {
        format!("{} {}", r.language.figures.number(top), r.language.figures.number(bottom))
    } else if season {
        format!("{} to {}", r.language.figures.year(top), r.language.figures.number(bottom))
    } else {
        fraction_words(r, top, bottom)
    };
    r.say(&words, end);
    reading::hyphen_to_space(r);
    units::after(r, top < bottom);
    true
}

/// The two numbers of a fraction and its end.
fn simple_fraction(t: &str, at: usize) -> Option<(u64, u64, usize)> {
    let slash = scan::digits(t, at);
    let end = scan::digits(t, slash + 1);
    if !scan::tail(t, slash).starts_with('/') || end == slash + 1 || slash == at {
        return None;
    }
    let goes_on = scan::tail(t, end).starts_with(['/', '.', ',']) && scan::digit_at(t, end + 1);
    if goes_on || slash - at > 4 || end - slash > 5 {
        return None;
    }
    let numbers = (scan::slice(t, at..slash).parse().ok()?, scan::slice(t, slash + 1..end).parse().ok()?);
    // `2/3rds`, `5/8ths`.
    let ending = scan::letters(t, end);
    if ["rd", "rds", "th", "ths"].contains(&scan::slice(t, end..ending)) && scan::edge(t, ending) {
        return Some((numbers.0, numbers.1, ending));
    }
    let letter = scan::char_at(t, end).is_some_and(char::is_alphabetic) && units::at(t, end).is_none();
    // `Gas 6/200°C` has two settings of an oven.
    let degrees = units::at(t, end).is_some_and(|unit| unit.one.starts_with("degree"));
    if letter || degrees {
        return None;
    }
    Some((numbers.0, numbers.1, end))
}

fn fraction_words(r: &Reader<'_>, top: u64, bottom: u64) -> String {
    let top_words = r.language.figures.number(top);
    let many = top != 1;
    let named = (2..=20).contains(&bottom) || [25, 30, 32, 40, 50, 60, 64, 100, 1000].contains(&bottom);
    match bottom {
        2 => format!("{top_words} {}", if many { "halves" } else { "half" }),
        4 => format!("{top_words} quarter{}", if many { "s" } else { "" }),
        _ if named && top > 0 && (top < bottom || top <= 30) => {
            format!("{top_words} {}{}", r.language.figures.ordinal(bottom), if many { "s" } else { "" })
        }
        // `2016/679`: an act of its year.
        _ if (1950..2100).contains(&top) && (100..10_000).contains(&bottom) => {
            let figures = &r.language.figures;
            format!("{} slash {}", figures.year(top), figures.number(bottom))
        }
        _ => format!("{top_words} over {}", r.language.figures.number(bottom)),
    }
}

/// `3 1/2`, `3½`, `3 ¾`: "three and a half".
fn mixed(r: &mut Reader<'_>, whole: &Quantity<'_>) -> bool {
    if !whole.is_plain() || whole.whole.len() > 4 {
        return false;
    }
    let start = scan::past_space(r.t, whole.end);
    let written = simple_fraction(r.t, start)
        .filter(|&(top, bottom, _)| start > whole.end && 0 < top && top < bottom && bottom <= 100);
    let sign = scan::char_at(r.t, start)
        .and_then(|c| numbers::vulgar(c).map(|(top, bottom)| (top, bottom, start + c.len_utf8())));
    let Some((top, bottom, end)) = written.or(sign) else { return false };
    let words = reading::reading(r, whole, false);
    r.say(&words, whole.end);
    let words = if top == 1 {
        let one = fraction_words(r, 1, bottom);
        let named = one.strip_prefix("one ").unwrap_or(&one);
        format!("and {} {named}", if named.starts_with("eigh") { "an" } else { "a" })
    } else {
        format!("and {}", fraction_words(r, top, bottom))
    };
    r.say(&words, end);
    inch_sign(r, false);
    reading::hyphen_to_space(r);
    true
}

/// The sign of inches after `8½`, or after `½` alone.
fn inch_sign(r: &mut Reader<'_>, singular: bool) {
    let is_sign = r.rest().starts_with('"') && scan::edge(r.t, r.at + 1);
    if !is_sign || is_quoted(scan::slice(r.t, ..r.at)) {
        return;
    }
    let next = scan::word(r.t, scan::past_space(r.t, r.at + 1));
    let described =
        is_noun_like(next) && !["across", "deep", "high", "long", "tall", "thick", "wide"].contains(&next);
    r.say(if singular || described { "inch" } else { "inches" }, r.at + 1);
}

/// `½` and its like, alone.
pub(super) fn vulgar(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let Some((top, bottom)) = numbers::vulgar(c) else { return false };
    let words = fraction_words(r, top, bottom);
    r.say(&words, r.at + c.len_utf8());
    inch_sign(r, true);
    units::after(r, true);
    true
}

/// `12"`, `8.5"`, `3/8"`, `12"x18"`.
fn inch(r: &mut Reader<'_>) -> bool {
    let fraction = simple_fraction(r.t, r.at);
    let Some(value) = scan::quantity(r.t, r.at) else { return false };
    let end = fraction.map_or(value.end, |(_, _, end)| end);
    let ends = scan::edge(r.t, end + 1) || scan::tail(r.t, end + 1).starts_with('x');
    if !scan::tail(r.t, end).starts_with('"') || is_quoted(scan::slice(r.t, ..r.at)) || !ends {
        return false;
    }
    let words = match fraction {
        Some((top, bottom, _)) => fraction_words(r, top, bottom),
        None => reading::reading(r, &value, false),
    };
    let article = ["a", "an", "A", "An"].contains(&r.word_before());
    let next = scan::word(r.t, scan::past_space(r.t, end + 1));
    let described = article && next != "x" && is_noun_like(next);
    let one = fraction.is_some() || value.is_one() || described;
    r.say(&words, end);
    r.say(if one { "inch" } else { "inches" }, end + 1);
    true
}

/// Whether a quotation is open at the end of a text. A mark right after a digit opens none: it is
/// inches, or closes.
fn is_quoted(head: &str) -> bool {
    let mut open = false;
    for (at, _) in head.match_indices('"') {
        let after_digit = head[..at].ends_with(char::is_numeric);
        open = !open && !after_digit;
    }
    open
}

/// Whether a sentence tells of a match with goals and bookings, so that `40'` is a minute.
fn tells_of_goals(r: &Reader<'_>) -> bool {
    const TOLD: [&str; 12] = [
        "goal",
        "goals",
        "scored",
        "scores",
        "equalised",
        "equalized",
        "booked",
        "penalty",
        "header",
        "substituted",
        "kick-off",
        "volley",
    ];
    r.t.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| TOLD.contains(&word))
}

/// `5'10"`, `6'2`, `6'`.
fn height(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    let Ok(feet) = scan::slice(r.t, r.at..end).parse::<u64>() else { return false };
    if !scan::tail(r.t, end).starts_with('\'')
        || r.language.quoted
        || end - r.at > 3
        || scan::digits(r.t, end + 1) > end + 3
    {
        return false;
    }
    let inches_start = scan::past_space(r.t, end + 1);
    let inches_end = scan::digits(r.t, inches_start);
    let inches = scan::slice(r.t, inches_start..inches_end).parse::<u64>().ok().filter(|inches| *inches < 12);
    let marked = scan::tail(r.t, inches_end).starts_with('"');
    let words = r.language.figures.number(feet);
    match inches {
        Some(inches) if marked || (feet < 9 && inches_start == end + 1 && scan::edge(r.t, inches_end)) => {
            r.say(&words, end);
            r.say("foot", end + 1);
            let words = r.language.figures.number(inches);
            r.say(&words, inches_end + usize::from(marked));
            true
        }
        // The minute of a match.
        None if scan::edge(r.t, end + 1) && tells_of_goals(r) && feet < 130 => {
            let words = r.language.figures.ordinal(feet);
            r.say(&format!("{words} minute"), end + 1);
            true
        }
        None if scan::edge(r.t, end + 1) && inches_end == inches_start => {
            r.say(&words, end);
            r.say(if feet == 1 { "foot" } else { "feet" }, end + 1);
            true
        }
        _ => false,
    }
}
