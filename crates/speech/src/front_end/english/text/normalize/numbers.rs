//! Where a number, a sign or a currency stands: which kind of number it is, asked from the most
//! telling form to the plainest. The kinds with rules of their own have their own files.

use super::{
    Reader, amounts, clock, codes, dates, money,
    scan::{self, Quantity},
    scripture,
};
use crate::front_end::{
    english::text::{figures, words},
    marks,
};

/// From this many digits on, a plain number is a code and is read digit by digit, unless it is
/// round.
const CODE: usize = 8;

/// From this many digits on, digits are read in groups with a breath between.
const FLOOD: usize = 12;

/// Digits to a breath.
const BREATH: usize = 3;

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
            amounts::vulgar(r)
        }
        '(' => codes::telephone(r),
        _ => false,
    }
}

/// The number of a list item: read with a breath after it instead of a full stop.
pub(super) fn item(r: &mut Reader<'_>) {
    let length = marks::item_number(r.t);
    if length > 1 && scan::slice(r.t, ..length - 1).bytes().all(|byte| byte.is_ascii_digit()) {
        let words = r.figures.cardinal(scan::slice(r.t, ..length - 1));
        r.say(&words, length - 1);
        r.out.comma(length - 1..length);
        r.skip(length);
    }
}

fn numeral(r: &mut Reader<'_>) -> bool {
    scripture::read(r)
        || dates::numeric(r)
        || codes::read(r)
        || clock::read(r)
        || dates::day_first(r)
        || ordinal(r)
        || decade(r)
        || dates::spoken_for(r)
        || money::after(r)
        || amounts::read(r)
}

/// A minus sign, not a hyphen: nothing sticks to it on the left.
fn is_negative(r: &Reader<'_>, sign: char) -> bool {
    match r.before() {
        None | Some('(' | '[' | '=' | '<' | '>' | '±' | '*' | '×' | '/' | '"' | '\'' | '$') => true,
        Some(' ') => sign != '–' || !r.word_before().ends_with(|c: char| c.is_ascii_digit()),
        _ => sign == '−' && r.before() != Some('^'),
    }
}

/// `1st`, `22nd`, `1,000th`.
fn ordinal(r: &mut Reader<'_>) -> bool {
    let Some(quantity) = scan::quantity(r.t, r.at).filter(|quantity| quantity.fraction.is_empty()) else {
        return false;
    };
    let end = quantity.end + 2;
    let Some(ending) = r.t.get(quantity.end..end) else { return false };
    if !["st", "nd", "rd", "th"].contains(&ending.to_ascii_lowercase().as_str()) || !scan::edge(r.t, end) {
        return false;
    }
    let Ok(value) = quantity.whole.parse::<u64>() else { return false };
    if quantity.whole.len() > figures::MOST_DIGITS {
        return false;
    }
    let words = r.figures.ordinal(value);
    r.say(&words, end);
    hyphen_to_space(r);
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
    let words = if is_decade { r.figures.decade(value) } else { plural(&r.figures.number(value)) };
    r.say(&words, end + ending);
    true
}

fn plural(number: &str) -> String {
    match number.strip_suffix('y') {
        Some(head) => format!("{head}ies"),
        None if number.ends_with('x') => format!("{number}es"),
        None => format!("{number}s"),
    }
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
        let words = r.figures.decade(value);
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

/// The last two digits of a year: `oh five`, `ninety five`.
pub(super) fn two_digits(r: &Reader<'_>, value: u64) -> String {
    if value < 10 { format!("oh {}", r.figures.number(value)) } else { r.figures.number(value) }
}

/// How a plain or grouped number is read on its own; `year` when it may be one.
pub(super) fn reading(r: &Reader<'_>, quantity: &Quantity<'_>, year: bool) -> String {
    if !quantity.fraction.is_empty() {
        return r.figures.decimal(&quantity.whole, quantity.fraction);
    }
    let digits = quantity.whole.as_str();
    let round = digits.ends_with("000");
    if quantity.grouped {
        return r.figures.cardinal(digits);
    }
    if (digits.len() > 1 && digits.starts_with('0'))
        || (digits.len() >= CODE && !(round && digits.len() <= 15))
    {
        return code(digits);
    }
    match digits.parse::<u64>() {
        Ok(value) if (1000..10_000).contains(&value) && value % 100 == 0 && value % 1000 != 0 => {
            format!("{} hundred", r.figures.number(value / 100))
        }
        Ok(value) if year && (1010..2100).contains(&value) => r.figures.year(value),
        Ok(value) => r.figures.number(value),
        Err(_) => figures::each(digits),
    }
}

/// Digits one by one, in groups when there are many.
pub(super) fn code(digits: &str) -> String {
    if digits.len() < FLOOD {
        return figures::each(digits);
    }
    let mut words = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 {
            words.push_str(if index % BREATH == 0 { ", " } else { " " });
        }
        words.push_str(&figures::each(digit.encode_utf8(&mut [0; 4])));
    }
    words
}

/// Digits inside or after a word: `B12`, `H2O`, `SHA-256`.
pub(super) fn inside(r: &mut Reader<'_>) {
    let end = scan::digits(r.t, r.at);
    let words = name_number(r, scan::slice(r.t, r.at..end));
    r.say(&words, end);
}

/// The number in a name is said in pairs: `two fifty six`, `five oh nine`, `twenty eight twenty
/// two`.
pub(super) fn name_number(r: &Reader<'_>, digits: &str) -> String {
    let value = digits.parse::<u64>().unwrap_or(0);
    match (digits.len(), digits.len() > 1 && digits.starts_with('0')) {
        (_, true) => code(digits),
        (3, _) if value % 100 >= 10 => {
            format!("{} {}", r.figures.number(value / 100), r.figures.number(value % 100))
        }
        (3, _) if value % 100 > 0 => {
            format!("{} oh {}", r.figures.number(value / 100), r.figures.number(value % 10))
        }
        (4, _) => r.figures.year(value),
        (..CODE, _) => r.figures.number(value),
        _ => code(digits),
    }
}

/// A hyphen after a number that ties it to a word (`20-year-old`) is a space, and so are those
/// after it.
pub(super) fn hyphen_to_space(r: &mut Reader<'_>) {
    while r.rest().starts_with('-') && scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic) {
        r.out.space(r.at..r.at + 1);
        r.skip(r.at + 1);
        let end = scan::letters(r.t, r.at);
        r.copy(end);
    }
}

/// Whether a plain number of four digits is more likely a count than a year, by its neighbors.
pub(super) fn counts_things(r: &Reader<'_>, end: usize) -> bool {
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let before = r.word_before();
    let plural = next.starts_with(char::is_lowercase)
        && ((next.len() > 3 && next.ends_with('s') && !next.ends_with("ss") && !next.ends_with("'s"))
            || ["men", "women", "people", "children"].contains(&next));
    let verbs = ["was", "is", "has", "goes", "sees", "becomes", "this", "plus", "minus", "times"];
    let place = [
        "in", "since", "by", "until", "till", "from", "to", "the", "year", "during", "before", "after", "of",
        "this",
    ];
    plural
        && !verbs.contains(&next)
        && !place.contains(&before.to_lowercase().as_str())
        && words::month(before).is_none()
}
