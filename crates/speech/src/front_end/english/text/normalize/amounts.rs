//! Numbers of things: decimals, ranges, percentages, and numbers with a unit of measure.

use super::{
    Reader, codes, dates, feet, fractions, magnitudes, maths, measures, named, reading,
    scan::{self, Quantity},
    scores, units,
};
use crate::front_end::english::text::{figures, words};

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
    side(r);
    let sign = scan::past_space(r.t, r.at);
    let Some(cross) = scan::char_at(r.t, sign).filter(|c| matches!(c, 'x' | '×')) else { return };
    let spaced = sign > r.at;
    let second = sign + cross.len_utf8();
    let second = if spaced { scan::past_space(r.t, second) } else { second };
    // "W 60 cm x D 55 cm"
    let side = scan::word(r.t, second);
    if spaced
        && matches!(side, "L" | "W" | "H" | "D")
        && !r.before().is_some_and(|c| c.is_ascii_digit())
        && scan::tail(r.t, second + side.len()).starts_with(' ')
        && scan::digit_at(r.t, second + side.len() + 1)
    {
        r.say("by", second);
        return;
    }
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
    // "2 x 400g tins"
    let packs = !measured
        && units::at(r.t, end).is_some_and(|unit| {
            ["gram", "ounce", "pound", "liter"].iter().any(|name| unit.one.ends_with(name))
        });
    let times = is_power(r.t, end) || equation || packs || (cross == '×' && !measured);
    r.say(if times { "times" } else { "by" }, second);
    // Right after a letter, the number would be read as part of a word.
    if !spaced && cross == 'x' {
        read(r);
    }
}

/// `120 cm L × 80 cm W`: the letter of a side between a length and the sign.
fn side(r: &mut Reader<'_>) {
    let start = scan::past_space(r.t, r.at);
    let is_side = start > r.at
        && r.before().is_some_and(char::is_alphabetic)
        && matches!(scan::word(r.t, start), "L" | "W" | "H" | "D")
        && scan::tail(r.t, start + 1).starts_with([' '])
        && scan::tail(r.t, start + 2).starts_with(['×', 'x']);
    if is_side {
        r.space(start);
        r.copy(start + 1);
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
    meters || scan::tail(t, at).starts_with(['"', '\'']) || scan::tail(t, at).trim_start().starts_with("in.")
}

/// Whether there is an exponent at `at`.
fn is_power(t: &str, at: usize) -> bool {
    matches!(scan::char_at(t, at), Some('^' | '⁰'..='⁹' | '¹' | '²' | '³' | '⁻'))
}

fn amount(r: &mut Reader<'_>) -> bool {
    if feet::height(r) || feet::inch(r) || fractions::fraction(r) {
        return true;
    }
    let continental = scan::continental(r.t, r.at).filter(|quantity| units::at(r.t, quantity.end).is_some());
    let spaced = scan::spaced_thousands(r.t, r.at).filter(|quantity| is_vast(r, quantity.end));
    let Some(first) = continental.or(spaced).or_else(|| scan::quantity(r.t, r.at)) else { return false };
    if codes::docket(r, &first) || range(r, &first) || out_of(r, &first) || maths::scientific(r, &first) {
        return true;
    }
    if dimensions(r, &first) {
        measures::inch_adjective(r);
        return true;
    }
    if fractions::mixed(r, &first) {
        measures::after(r, false);
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
    let name = if first.is_plain() && !measured { named::read(r, &first) } else { None };
    let words = if let Some(name) = name {
        name
    } else if in_name(r, &first, measured) || (first.is_plain() && subsection(r.t, first.end).is_some()) {
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
        } else if !measures::inch_adjective(r)
            && let Some(unit) = units::at(r.t, r.at + 1)
        {
            r.skip(r.at + 1);
            r.say(unit.one, unit.end);
        }
        reading::hyphen_to_space(r);
    } else {
        measures::after(r, singular || adjective);
    }
    true
}

/// Whether the unit of a number whose thousands are set apart by a plain space measures what is not sold in packs: `12 500 km`, but
/// not "12 500 g bags".
fn is_vast(r: &Reader<'_>, at: usize) -> bool {
    const LARGE: [&str; 8] = [
        "kilometer",
        "square kilometer",
        "square meter",
        "hectare",
        "square mile",
        "mile",
        "kilogram",
        "ton",
    ];
    /// Words before a height or a length in meters; "do 5 200 m" has two numbers.
    const BEFORE_METERS: [&str; 14] = [
        "about", "at", "by", "from", "is", "nearly", "of", "over", "reached", "reaches", "some", "than",
        "to", "was",
    ];
    /// What has a number of its own: "in phase 2 300 km of track".
    const NUMBERED: [&str; 12] =
        ["bus", "day", "exit", "gate", "junction", "lap", "leg", "line", "phase", "stage", "step", "team"];
    let before = r.word_before();
    let Some(unit) = units::at(r.t, at) else { return false };
    let is_large = LARGE.contains(&unit.one)
        || ["watt", "watt hour", "kelvin"].iter().any(|name| unit.one.ends_with(name))
        || (unit.one == "meter" && BEFORE_METERS.contains(&before));
    let is_numbered = NUMBERED.contains(&before.to_lowercase().as_str()) || words::counts(before);
    is_large && !is_numbered && !are_packs(r.t, unit.end)
}

/// Whether things are named after `end`: "12 500 ml bottles", two numbers.
pub(super) fn are_packs(t: &str, end: usize) -> bool {
    let next = scan::word(t, scan::past_space(t, end));
    reading::is_noun_like(next) && next.ends_with('s')
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

/// `9.8/10`: "out of"; `3.9/4.0` of grades.
fn out_of(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    let Some(best) = scan::quantity(r.t, first.end + 1) else { return false };
    let is_grade = best.whole == "4"
        && best.fraction == "0"
        && scan::has_words(r.t, &["GPA", "G.P.A", "average", "grade"]);
    let is_best =
        best.fraction.is_empty() && best.is_plain() && ["5", "10", "100"].contains(&best.whole.as_str());
    if first.fraction.is_empty()
        || !scan::tail(r.t, first.end).starts_with('/')
        || !scan::edge(r.t, best.end)
        || !(is_best || is_grade)
    {
        return false;
    }
    let words = reading::reading(r, first, false);
    r.say(&words, first.end);
    r.say("out of", first.end + 1);
    let words = reading::reading(r, &best, false);
    r.say(&words, best.end);
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

/// Whether a measure is used like an adjective: `a 5 km run`, `two 500 mg tablets`, `2 x 400g tins`, `the 35mm camera`.
fn takes_singular(r: &Reader<'_>, number_end: usize) -> bool {
    const COUNTED: [&str; 11] =
        ["x", "×", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let Some(unit) = units::at(r.t, number_end) else { return false };
    let stop = usize::from(unit.end > number_end && scan::tail(r.t, unit.end).starts_with(". "));
    let next = scan::word(r.t, scan::past_space(r.t, unit.end + stop));
    let before = r.word_before().to_lowercase();
    let article = ["a", "an"].contains(&before.as_str());
    let counted = COUNTED.contains(&before.as_str()) && !is_direction(next);
    (reading::is_noun_like(next) && (article || counted)) || is_called_by_size(r.t, unit.end)
}

/// Words that follow a distance or a length, and are not what has it.
fn is_direction(word: &str) -> bool {
    [
        "above", "apart", "below", "deep", "east", "high", "long", "north", "south", "tall", "thick", "west",
        "wide",
    ]
    .contains(&word)
}

/// Whether what follows is called by its size: "a 35mm camera", "the 4x100m relay".
fn is_called_by_size(t: &str, end: usize) -> bool {
    const CALLED: [&str; 14] = [
        "backstroke",
        "breaststroke",
        "butterfly",
        "camera",
        "cannon",
        "dash",
        "film",
        "freestyle",
        "hurdles",
        "jack",
        "lens",
        "pistol",
        "relay",
        "sprint",
    ];
    CALLED.contains(&scan::word(t, scan::past_space(t, end)))
}

/// `3–5`, `1990-95`, `5–10 km`, `3-2`.
fn range(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    let Some((dash, second)) = second_number(r.t, first) else { return false };
    if vulnerability(r, first, &second) {
        return true;
    }
    let spaced = scan::slice(r.t, first.end..dash).contains(' ');
    if spaced && r.sum && !scan::slice(r.t, first.end..second.start).contains('–') {
        return false;
    }
    if let Some(words) = scores::read(r, first, &second) {
        r.say(&words, second.end);
        return true;
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
    measures::after(r, false);
    reading::hyphen_to_space(r);
    true
}

/// `CVE-2021-44228`: the year and the number of a weakness.
fn vulnerability(r: &mut Reader<'_>, first: &Quantity<'_>, second: &Quantity<'_>) -> bool {
    let is_named = scan::slice(r.t, ..r.at).ends_with("CVE-") && first.whole.len() == 4;
    if is_named {
        let year = reading::name_number(r, &first.whole);
        r.say(&year, first.end);
        r.skip(second.start);
        let number = reading::name_number(r, &second.whole);
        r.say(&number, second.end);
    }
    is_named
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
    // `2x4s`
    if scan::tail(r.t, second.end).starts_with('s') && scan::edge(r.t, second.end + 1) {
        r.say(&reading::plural(&words), second.end + 1);
        return true;
    }
    r.say(&words, second.end);
    // `4×100-m relay`
    if r.rest().starts_with('-')
        && let Some(unit) = units::at(r.t, r.at + 1)
    {
        r.skip(r.at + 1);
        r.say(unit.one, unit.end);
        return true;
    }
    let called = units::at(r.t, r.at).is_some_and(|unit| is_called_by_size(r.t, unit.end));
    measures::after(r, called);
    true
}
