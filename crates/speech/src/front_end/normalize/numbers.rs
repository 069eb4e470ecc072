//! What languages share in reading numbers.

use super::{Language, Reader};
use crate::front_end::{marks, scan};

/// From this many digits on, digits are read in groups with a breath between.
const FLOOD: usize = 12;

/// Digits to a breath.
const BREATH: usize = 3;

/// The number of a list item: read with a breath after it instead of a full stop.
pub(super) fn item<'a, L: Language<'a>>(r: &mut Reader<'a, L>) {
    let length = marks::item_number(r.t);
    if length > 1 && scan::slice(r.t, ..length - 1).bytes().all(|byte| byte.is_ascii_digit()) {
        let words = r.language.cardinal(scan::slice(r.t, ..length - 1));
        r.say(&words, length - 1);
        r.out.comma(length - 1..length);
        r.skip(length);
    }
}

/// A minus sign, not a hyphen: nothing sticks to it on the left.
pub(in crate::front_end) fn is_negative<'a, L: Language<'a>>(r: &Reader<'a, L>, sign: char) -> bool {
    match r.before() {
        None | Some('(' | '[' | '=' | '<' | '>' | '±' | '*' | '×' | '/' | '"' | '\'' | '$') => true,
        Some(' ') => sign != '–' || !r.word_before().ends_with(|c: char| c.is_ascii_digit()),
        _ => sign == '−' && r.before() != Some('^'),
    }
}

/// Digits one by one, as `each` says them, in groups when there are many.
pub(in crate::front_end) fn code(digits: &str, each: impl Fn(&str) -> String) -> String {
    if digits.len() < FLOOD {
        return each(digits);
    }
    let mut words = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 {
            words.push_str(if index % BREATH == 0 { ", " } else { " " });
        }
        words.push_str(&each(digit.encode_utf8(&mut [0; 4])));
    }
    words
}

/// The two numbers of `½` and its like.
pub(in crate::front_end) fn vulgar(c: char) -> Option<(u64, u64)> {
    Some(match c {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        _ => return None,
    })
}
