//! Signs and codes of currencies after a number.

use crate::front_end::scan::{char_at, past_space, tail};

use super::{Reader, scan::is_latin};

/// Signs after a number.
const AFTER: [(&str, &str); 12] = [
    ("RMB", "元"),
    ("CNY", "元"),
    ("USD", "美元"),
    ("EUR", "欧元"),
    ("HKD", "港元"),
    ("JPY", "日元"),
    ("GBP", "英镑"),
    ("€", "欧元"),
    ("$", "美元"),
    ("£", "英镑"),
    ("¥", "元"),
    ("円", "日元"),
];

/// The sign or code of a currency right after a number.
pub(super) fn currency_after(r: &Reader<'_>, at: usize) -> Option<(usize, &'static str)> {
    let start = past_space(r.t, at);
    let (sign, name) = AFTER.iter().find(|(sign, _)| tail(r.t, start).starts_with(sign))?;
    let end = start + sign.len();
    let ends = !char_at(r.t, end).is_some_and(|c| is_latin(c) || c == '$');
    let letters = sign.starts_with(|c: char| c.is_ascii_alphabetic());
    (ends || !letters && !char_at(r.t, end).is_some_and(|c| c.is_ascii_digit())).then_some((end, name))
}
