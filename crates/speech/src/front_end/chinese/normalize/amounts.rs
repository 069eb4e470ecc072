//! Amounts of money with their sign or code before the number; `currencies` has those after it.

use crate::front_end::scan::{past_space, tail};

use super::{Kind, Piece, Reader, quantities, scan::is_latin};

/// Signs before a number; of those that end alike the longer comes first.
const BEFORE: [(&str, &str); 24] = [
    ("US$", "美元"),
    ("HK$", "港元"),
    ("NT$", "新台币"),
    ("A$", "澳元"),
    ("C$", "加元"),
    ("S$", "新加坡元"),
    ("CN¥", "元"),
    ("JP¥", "日元"),
    ("RMB", "元"),
    ("CNY", "元"),
    ("USD", "美元"),
    ("EUR", "欧元"),
    ("HKD", "港元"),
    ("JPY", "日元"),
    ("GBP", "英镑"),
    ("¥", "元"),
    ("$", "美元"),
    ("€", "欧元"),
    ("£", "英镑"),
    ("₩", "韩元"),
    ("₽", "卢布"),
    ("₹", "卢比"),
    ("฿", "泰铢"),
    ("₫", "越南盾"),
];

/// Multiples that may stand between a number and its currency.
const MULTIPLES: [&str; 12] =
    ["万亿", "萬億", "千万", "千萬", "百万", "百萬", "万", "萬", "亿", "億", "千", "百"];

/// `¥1,234.50`, `$3.5亿`, `-€20`.
pub(super) fn money(r: &mut Reader<'_>) -> bool {
    let start = r.at;
    let negative = r.rest().starts_with(['-', '−']) && quantities::may_be_negative(r);
    let from = start + if negative { r.char().map_or(0, char::len_utf8) } else { 0 };
    let found = BEFORE.iter().find(|(sign, _)| tail(r.t, from).starts_with(sign));
    let Some((sign, currency)) = found else { return false };
    if sign.starts_with(|c: char| c.is_ascii_alphabetic()) && r.before().is_some_and(is_latin) {
        return false;
    }
    let at = past_space(r.t, from + sign.len());
    let Some(first) = r.number_at(at) else { return false };
    let mut number = first;
    if negative {
        r.number("负", at);
    }
    // A range: ¥100-200.
    if let Some((separator_end, second)) = r.range_after(&number) {
        let words = amount(&number, tail(r.t, separator_end));
        r.number(&words, number.end);
        r.number("到", separator_end);
        number = second;
    }
    let multiple = MULTIPLES.iter().find(|multiple| tail(r.t, number.end).starts_with(**multiple));
    let liang = if multiple.is_some() { multiple.copied().unwrap_or_default() } else { "元" };
    let words = amount(&number, liang);
    r.number(&words, number.end);
    if let Some(multiple) = multiple {
        let end = number.end + multiple.len();
        let text = (*multiple).to_owned();
        r.number(&text, end);
    }
    let at = r.at;
    // The currency may be written out as well.
    let written = ["元", "美元", "欧元", "英镑", "港元", "日元", "圆", "円"];
    if written.iter().any(|word| tail(r.t, at).starts_with(word)) {
        return true;
    }
    let source = r.out.last().map_or(at..at, |last| last.source.clone());
    r.out.push(Piece { kind: Kind::Han, text: (*currency).to_owned(), source, exact: false });
    quantities::divided(r, r.at);
    true
}

/// A number of money: zeros at its end are not said.
fn amount(number: &super::scan::Number<'_>, next: &str) -> String {
    let fraction = number.fraction.trim_end_matches('0');
    quantities::counted(&number.whole, fraction, next)
}
