//! Where a number, a sign or a currency stands: which kind of number it is, asked from the most
//! telling form to the plainest. The kinds with rules of their own have their own files.

use super::{
    Reader, addresses, amounts, clock, codes, coordinates, dates, fractions, money, named,
    reading::{self, hyphen_to_space, two_digits},
    scan, scripture, shillings,
};
use crate::front_end::{english::text::figures, normalize::numbers::is_negative};

/// Reads the number that starts here, if one does.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    if c.is_ascii_digit() {
        return numeral(r);
    }
    if money::signed(r) || shortened_year(r) {
        return true;
    }
    let starts_number = |at: usize| {
        scan::digit_at(r.t, at) || (scan::char_at(r.t, at) == Some('.') && scan::digit_at(r.t, at + 1))
    };
    match c {
        '.' if starts_number(r.at) => amounts::read(r),
        '-' | '−' | '–'
            if is_negative(r, c)
                && (starts_number(r.at + c.len_utf8()) || money::at(r.t, r.at + c.len_utf8())) =>
        {
            r.say("minus", r.at + c.len_utf8());
            money::signed(r) || numeral(r) || amounts::read(r)
        }
        '+' if codes::international(r) => true,
        '+' if starts_number(r.at + 1) => {
            r.say("plus", r.at + 1);
            numeral(r) || amounts::read(r)
        }
        '½' | '⅓' | '⅔' | '¼' | '¾' | '⅕' | '⅖' | '⅗' | '⅘' | '⅙' | '⅚' | '⅛' | '⅜' | '⅝' | '⅞' => {
            fractions::vulgar(r)
        }
        '(' => codes::telephone(r),
        _ => false,
    }
}

fn numeral(r: &mut Reader<'_>) -> bool {
    scripture::read(r)
        || shillings::read(r)
        || addresses::house(r)
        || coordinates::read(r)
        || dates::numeric(r)
        || codes::read(r)
        || clock::read(r)
        || dates::day_first(r)
        || ordinal(r)
        || multitude(r)
        || seconds(r)
        || decade(r)
        || named::digit_by_digit(r)
        || money::after(r)
        || amounts::read(r)
}

/// `1st`, `22nd`, `1,000th`.
fn ordinal(r: &mut Reader<'_>) -> bool {
    let Some(quantity) = scan::quantity(r.t, r.at).filter(|quantity| quantity.fraction.is_empty()) else {
        return false;
    };
    let end = quantity.end + 2;
    let Some(ending) = r.t.get(quantity.end..end) else { return false };
    let short = regiment(r, quantity.end);
    let end = if short { quantity.end + 1 } else { end };
    if !(short || ["st", "nd", "rd", "th"].contains(&ending.to_ascii_lowercase().as_str()))
        || !scan::edge(r.t, end)
    {
        return false;
    }
    let Ok(value) = quantity.whole.parse::<u64>() else { return false };
    if quantity.whole.len() > figures::MOST_DIGITS {
        return false;
    }
    let words = r.language.figures.ordinal(value);
    r.say(&words, end);
    // `a 17th-c. chest`
    if r.rest().starts_with("-c.") {
        r.skip(end + 1);
        r.say("century", end + 3 - usize::from(dates::ends_here(r.t, end + 3)));
    }
    hyphen_to_space(r);
    true
}

/// `the 2d Cavalry`: the old short form of second and third, before a name.
fn regiment(r: &Reader<'_>, end: usize) -> bool {
    let name =
        scan::tail(r.t, end).strip_prefix("d ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    name && scan::slice(r.t, ..end).ends_with(['2', '3']) && r.word_before().eq_ignore_ascii_case("the")
}

/// Words before a time that is measured.
const MEASURES: [&str; 12] =
    ["a", "about", "after", "every", "for", "lasted", "lasts", "takes", "took", "under", "wait", "within"];

/// Words before a measured time, and before a decade that describes something: "another 30s", "another 80s movie".
const MEASURES_OR_NAMES: [&str; 8] =
    ["another", "around", "exactly", "extra", "further", "pause", "roughly", "than"];

/// Words after a time that is measured.
const MEASURED: [&str; 14] = [
    "ago",
    "apart",
    "break",
    "countdown",
    "delay",
    "each",
    "elapsed",
    "interval",
    "later",
    "left",
    "more",
    "pause",
    "remaining",
    "timeout",
];

/// Those of them that no decade and no age stands before: "men in their 50s more often vote".
const MEASURED_ALWAYS: [&str; 5] = ["countdown", "delay", "elapsed", "remaining", "timeout"];

/// `a 2s delay`, `after 90s`, `30s more`: seconds, beside a word that measures a time. "The 90s" are years.
fn seconds(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    let before = r.word_before().to_lowercase();
    let tail = scan::tail(r.t, end);
    if !tail.starts_with('s') || !scan::edge(r.t, end + 1) || end - r.at > 3 {
        return false;
    }
    let next = scan::word(r.t, scan::past_space(r.t, end + 1));
    let digits = scan::slice(r.t, r.at..end);
    let is_decade = digits.len() == 2 && digits.ends_with('0') && !digits.starts_with('1');
    let follows = MEASURES.contains(&before.as_str())
        || (MEASURES_OR_NAMES.contains(&before.as_str()) && !(is_decade && reading::is_noun_like(next)));
    let precedes = if is_decade {
        MEASURED_ALWAYS.contains(&next) || (before == "then" && MEASURED.contains(&next))
    } else {
        MEASURED.contains(&next)
    };
    let is_measured = follows || precedes;
    if !is_measured {
        return false;
    }
    let words = r.language.figures.cardinal(digits);
    let one = words == "one" || (before == "a" && tail[1..].starts_with(' '));
    r.say(&words, end);
    r.say(if one { "second" } else { "seconds" }, end + 1);
    true
}

/// `1,000s`, `100s of people`: roughly how many.
fn multitude(r: &mut Reader<'_>) -> bool {
    let Some(quantity) = scan::quantity(r.t, r.at).filter(|quantity| quantity.fraction.is_empty()) else {
        return false;
    };
    let said = match quantity.whole.as_str() {
        // "after 10s of silence"
        "10" if MEASURES.contains(&r.word_before().to_lowercase().as_str()) => return false,
        "10" => "tens",
        "100" => "hundreds",
        "1000" => "thousands",
        "10000" => "tens of thousands",
        "100000" => "hundreds of thousands",
        "1000000" => "millions",
        _ => return false,
    };
    let end = quantity.end + 1;
    let is_grouped = scan::slice(r.t, r.at..quantity.end).contains(',');
    let is_of = scan::word(r.t, scan::past_space(r.t, end)) == "of";
    if !(is_grouped || is_of) || !scan::tail(r.t, quantity.end).starts_with('s') || !scan::edge(r.t, end) {
        return false;
    }
    r.say(said, end);
    true
}

/// `1990s`, `1990's`, `80s`; other plurals of numbers too.
fn decade(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    let rest = scan::tail(r.t, end);
    let ending = if rest.starts_with("'s") { 2 } else { usize::from(rest.starts_with('s')) };
    if ending == 0 || !scan::edge(r.t, end + ending) || end - r.at > 4 {
        return false;
    }
    let Ok(value) = scan::slice(r.t, r.at..end).parse::<u64>() else { return false };
    let is_decade = value % 10 == 0 && (value >= 1000 || (20..=90).contains(&value));
    if ending == 2 && !is_decade {
        return false;
    }
    let words = if is_decade {
        r.language.figures.decade(value)
    } else {
        reading::plural(&r.language.figures.number(value))
    };
    r.say(&words, end + ending);
    true
}

/// `'76`, `'90s`.
fn shortened_year(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = scan::digits(r.t, start);
    if r.char() != Some('\'') || end - start != 2 {
        return false;
    }
    let Ok(value) = scan::slice(r.t, start..end).parse::<u64>() else { return false };
    if scan::tail(r.t, end).starts_with('s') && scan::edge(r.t, end + 1) && value % 10 == 0 && value > 0 {
        let words = r.language.figures.decade(value);
        r.say(&words, end + 1);
        return true;
    }
    // A quotation that starts with a number also has its closing mark.
    if !scan::edge(r.t, end) || scan::tail(r.t, end).contains('\'') {
        return false;
    }
    let words = two_digits(r, value);
    r.say(&words, end);
    true
}
