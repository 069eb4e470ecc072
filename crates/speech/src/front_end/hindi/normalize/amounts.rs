//! Amounts of money and measures: the unit follows its number, also where its sign stands first.

use super::{Reader, quantities, word_after};
use crate::front_end::{
    hindi::{
        figures, script,
        words::{self, Currency},
    },
    scan::{self, Quantity},
};

/// Reads `₹500`, `$ 2.5 करोड़`.
pub(super) fn sign_first(r: &mut Reader<'_>, sign: char) -> bool {
    let Some(currency) = words::currency(sign) else { return false };
    let at = scan::past_space(r.t, r.at + sign.len_utf8());
    if !scan::digit_at(r.t, at) {
        r.say(currency.several, r.at + sign.len_utf8());
        return true;
    }
    money(r, at, &currency);
    true
}

/// Says the amount whose number starts at `at`, and passes over what is before it.
pub(super) fn money(r: &mut Reader<'_>, at: usize, currency: &Currency) {
    let quantity = quantities::quantity(r.t, at);
    let scale = word_after(r, quantity.end);
    if words::SCALES.contains(&scale) {
        let end = scan::past_space(r.t, quantity.end) + scale.len();
        let count = quantities::in_quarters(&quantity).unwrap_or_else(|| quantities::said(&quantity));
        let words = format!("{count} {scale} {}", currency.several);
        r.say(&words, end);
        return;
    }
    let words = in_currency(&quantity, currency);
    // `500/-` ends an amount so that nothing can be added.
    let tail = if scan::tail(r.t, quantity.end).starts_with("/-") { 2 } else { 0 };
    r.say(&words, quantity.end + tail);
}

fn in_currency(quantity: &Quantity<'_>, currency: &Currency) -> String {
    let whole = figures::cardinal(&quantity.whole);
    let name = if quantity.whole == "1" { currency.one } else { currency.several };
    match quantity.fraction {
        "" | "00" => format!("{whole} {name}"),
        cents if cents.len() == 2 && !currency.part.is_empty() => {
            format!("{whole} {name} {} {}", figures::cardinal(cents.trim_start_matches('0')), currency.part)
        }
        _ => format!("{} {}", quantities::said(quantity), currency.several),
    }
}

/// Reads a number with the unit, the sign or the ending after it, if there is one.
pub(super) fn unit(r: &mut Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let rest = scan::tail(r.t, quantity.end);
    if rest.starts_with("/-") {
        let words = in_currency(quantity, &Currency { one: "रुपया", several: "रुपये", part: "पैसे" });
        r.say(&words, quantity.end + 2);
        return true;
    }
    let at = scan::past_space(r.t, quantity.end);
    if let Some((sign, currency)) = scan::char_at(r.t, at).and_then(|c| Some((c, words::currency(c)?)))
        && !scan::digit_at(r.t, at + sign.len_utf8())
    {
        let words = in_currency(quantity, &currency);
        r.say(&words, at + sign.len_utf8());
        return true;
    }
    let Some((unit, name)) = words::UNITS.iter().find(|(unit, _)| is_unit(r.t, at, unit)) else {
        return false;
    };
    // After a space a single letter is rather a name: `5 g`, but not `5 L`.
    if at > quantity.end && unit.len() == 1 && !matches!(*unit, "%" | "m" | "g") {
        return false;
    }
    let words = format!("{} {name}", quantities::said(quantity));
    r.say(&words, at + unit.len());
    true
}

/// Whether a unit stands at a place and no word goes on after it.
fn is_unit(t: &str, at: usize, unit: &str) -> bool {
    let closed = unit.ends_with(|c: char| !c.is_alphanumeric() && !script::is_sign(c));
    let end = at + unit.len();
    scan::tail(t, at).starts_with(unit)
        && (closed || scan::char_at(t, end).is_none_or(|c| !c.is_alphanumeric() && !script::is_hindi(c)))
}
