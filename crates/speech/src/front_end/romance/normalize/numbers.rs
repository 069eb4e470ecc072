//! Where a number or a sign before one stands: which kind of number it is, asked from the most
//! telling form to the plainest. The kinds with rules of their own have their own files.

use super::{
    Reader, amounts, clock, currencies, dates, fractions, measured, ordinals, phones, quantity,
    reading::plain, scripture, things,
};
use crate::front_end::{
    normalize::numbers::is_negative,
    romance::figures::{self, Form},
    scan,
};

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
        '-' | '−' | '–' if (starts_number(next) || starts_money(r, next)) && is_negative(r, c) => {
            r.say(r.signs().names.minus, next);
            amounts::signed_money(r) || numeral(r)
        }
        '+' if phones::international(r) => true,
        '+' if starts_number(next) => {
            r.say(r.signs().names.plus, next);
            numeral(r)
        }
        _ => fractions::vulgar(r),
    }
}

/// `R$ 250`: the sign of a currency and a number.
fn starts_money(r: &Reader<'_>, at: usize) -> bool {
    currencies::currency(r, at).is_some_and(|(_, end)| scan::digit_at(r.t, scan::past_space(r.t, end)))
}

/// `.5`, `,5`.
fn leading_point(r: &mut Reader<'_>, sign: char) -> bool {
    let end = scan::digits(r.t, r.at + 1);
    let words = format!(
        "{} {}",
        if sign == '.' { r.amounts().point } else { r.amounts().comma },
        figures::fraction(r.grammar(), scan::slice(r.t, r.at + 1..end))
    );
    r.say(&words, end);
    measured::tail(r, false);
    true
}

fn numeral(r: &mut Reader<'_>) -> bool {
    if !scan::digit_at(r.t, r.at) {
        return false;
    }
    dates::numeric(r)
        || scripture::numbered(r)
        || phones::read(r)
        || clock::read(r)
        || ordinals::read(r)
        || dates::day_first(r)
        || dotted(r)
        || things::read(r)
}

/// `'98`, `'98/99`.
fn shortened_year(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = scan::digits(r.t, start);
    let quoted = scan::tail(r.t, end).contains('\'');
    if r.char() != Some('\'') || end - start != 2 || !scan::edge(r.t, end) || quoted {
        return false;
    }
    let words = r.cardinal(scan::slice(r.t, start..end), Form::Alone);
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
        let words = plain(r.grammar(), scan::slice(r.t, r.at..stop), Form::Alone);
        r.say(&words, stop);
        if r.at < end {
            r.say(r.amounts().point, stop + 1);
        }
    }
    true
}
