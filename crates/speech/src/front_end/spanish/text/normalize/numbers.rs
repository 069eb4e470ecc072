//! Where a number or a sign before one stands: which kind of number it is, asked from the most
//! telling form to the plainest. The kinds with rules of their own have their own files.

use super::{Reader, amounts, clock, counting, dates, ordinals, phones, quantity};
use crate::front_end::{
    marks,
    scan::{self, Quantity},
    spanish::text::figures::{self, Form},
};

/// From this many digits on, a plain number is a code and is read digit by digit, unless it is
/// round.
const CODE: usize = 10;

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
    if amounts::signed_money(r) || shortened_year(r) {
        return true;
    }
    let next = r.at + c.len_utf8();
    let starts_number = |at: usize| {
        scan::digit_at(r.t, at)
            || (matches!(scan::char_at(r.t, at), Some('.' | ',')) && scan::digit_at(r.t, at + 1))
    };
    match c {
        '.' | ',' if scan::digit_at(r.t, next) => leading_point(r, c),
        '-' | '−' | '–' if starts_number(next) && is_negative(r, c) => {
            r.say("menos", next);
            amounts::signed_money(r) || numeral(r)
        }
        '+' if phones::international(r) => true,
        '+' if starts_number(next) => {
            r.say("más", next);
            numeral(r)
        }
        _ => amounts::vulgar(r),
    }
}

/// `.5`, `,5`.
fn leading_point(r: &mut Reader<'_>, sign: char) -> bool {
    let end = scan::digits(r.t, r.at + 1);
    let words = format!(
        "{} {}",
        if sign == '.' { "punto" } else { "coma" },
        figures::fraction(scan::slice(r.t, r.at + 1..end))
    );
    r.say(&words, end);
    amounts::tail(r, false);
    true
}

fn numeral(r: &mut Reader<'_>) -> bool {
    if !scan::digit_at(r.t, r.at) {
        return false;
    }
    dates::numeric(r)
        || phones::read(r)
        || clock::read(r)
        || ordinals::read(r)
        || dates::day_first(r)
        || dotted(r)
        || amounts::read(r)
}

/// The number of a list item: read with a breath after it instead of a full stop.
pub(super) fn item(r: &mut Reader<'_>) {
    let length = marks::item_number(r.t);
    if length > 1 && scan::slice(r.t, ..length - 1).bytes().all(|byte| byte.is_ascii_digit()) {
        let words = figures::cardinal(scan::slice(r.t, ..length - 1), Form::Alone);
        r.say(&words, length - 1);
        r.out.comma(length - 1..length);
        r.skip(length);
    }
}

/// A minus sign, not a hyphen: nothing sticks to it on the left.
fn is_negative(r: &Reader<'_>, sign: char) -> bool {
    match r.before() {
        None | Some('(' | '[' | '=' | '<' | '>' | '±' | '*' | '×' | '/' | '"' | '\'' | '$') => true,
        Some(' ') => sign != '–' || !r.word_before().ends_with(|c: char| c.is_ascii_digit()),
        _ => sign == '−' && r.before() != Some('^'),
    }
}

/// `'98`, `'98/99`.
fn shortened_year(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = scan::digits(r.t, start);
    let quoted = scan::tail(r.t, end).contains('\'');
    if r.char() != Some('\'') || end - start != 2 || !scan::edge(r.t, end) || quoted {
        return false;
    }
    let words = figures::cardinal(scan::slice(r.t, start..end), Form::Alone);
    r.say(&words, end);
    true
}

/// `1.2.3`, `192.168.1.1`: a version or an address, each part a number.
fn dotted(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at, |c| c.is_ascii_digit() || c == '.');
    let code = scan::slice(r.t, r.at..end).trim_end_matches('.');
    let end = r.at + code.len();
    let parts = code.split('.').count();
    let thousands = quantity::at(r, r.at).is_some_and(|number| number.quantity.end >= end);
    if parts < 3 || thousands || code.contains("..") {
        return false;
    }
    while r.at < end {
        let stop = scan::digits(r.t, r.at);
        let words = plain(scan::slice(r.t, r.at..stop), Form::Alone);
        r.say(&words, stop);
        if r.at < end {
            r.say("punto", stop + 1);
        }
    }
    true
}

/// How a number is read: whole, decimal, or digit by digit.
pub(super) fn reading(number: &quantity::Number<'_>, form: Form) -> String {
    let Quantity { whole, fraction, grouped, .. } = &number.quantity;
    if !fraction.is_empty() {
        let whole = figures::cardinal(whole, Form::Alone);
        return format!("{whole} {} {}", number.point, figures::fraction(fraction));
    }
    if *grouped { figures::cardinal(whole, form) } else { plain(whole, form) }
}

/// Plain digits: a number, or a code when they lead with a zero or are very many.
pub(super) fn plain(digits: &str, form: Form) -> String {
    let round = digits.ends_with("000") && digits.len() <= 15;
    if (digits.len() > 1 && digits.starts_with('0')) || (digits.len() >= CODE && !round) {
        return code(digits);
    }
    figures::cardinal(digits, form)
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

/// Digits inside or after a word: `B12`, `H2O`, `COVID-19`.
pub(super) fn inside(r: &mut Reader<'_>) {
    let end = scan::digits(r.t, r.at);
    let words = plain(scan::slice(r.t, r.at..end), Form::Alone);
    r.say(&words, end);
}

/// The form of a plain number that starts at the reader's place.
pub(super) fn form(r: &Reader<'_>, quantity: &Quantity<'_>) -> Form {
    let value = quantity.fraction.is_empty().then(|| quantity.whole.parse().ok()).flatten();
    counting::form(r, value, quantity.end)
}
