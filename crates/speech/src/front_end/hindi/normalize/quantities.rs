//! How a number is written, and how it is said.

use crate::front_end::{
    hindi::figures,
    normalize::numbers::code,
    scan::{self, Quantity},
};

/// From this many digits on, a plain number is a code, unless it is round.
const CODE: usize = 10;

/// The number that starts at a byte, in the grouping of India or of the West.
pub(super) fn quantity(t: &str, at: usize) -> Quantity<'_> {
    let first = scan::digits(t, at);
    let mut whole = scan::slice(t, at..first).to_owned();
    let mut end = first;
    let mut grouped = false;
    if whole.len() <= 3 {
        let mut last_group = 0;
        let mut groups = String::new();
        let mut next = first;
        while scan::tail(t, next).starts_with(',') {
            let group = scan::digits(t, next + 1);
            let length = group - next - 1;
            if !matches!(length, 2 | 3) {
                break;
            }
            groups.push_str(scan::slice(t, next + 1..group));
            (last_group, next) = (length, group);
        }
        if last_group == 3 {
            whole.push_str(&groups);
            (end, grouped) = (next, true);
        }
    }
    let point = scan::digits(t, end + 1);
    let decimal = scan::tail(t, end).starts_with('.')
        && point > end + 1
        && !(scan::tail(t, point).starts_with('.') && scan::digit_at(t, point + 1));
    let fraction = if decimal { scan::slice(t, end + 1..point) } else { "" };
    Quantity { start: at, end: if decimal { point } else { end }, whole, fraction, grouped }
}

/// How a number is said: whole, decimal, or digit by digit.
pub(super) fn said(quantity: &Quantity<'_>) -> String {
    let Quantity { whole, fraction, grouped, .. } = quantity;
    if !fraction.is_empty() {
        return format!("{} दशमलव {}", figures::cardinal(whole), figures::each(fraction));
    }
    if *grouped { figures::cardinal(whole) } else { plain(whole) }
}

/// Plain digits: a number, or a code when they lead with a zero or are very many.
pub(super) fn plain(digits: &str) -> String {
    let round = digits.ends_with("000") && digits.len() <= 15;
    if (digits.len() > 1 && digits.starts_with('0')) || (digits.len() >= CODE && !round) {
        return code(digits, figures::each);
    }
    figures::cardinal(digits)
}

/// The name of a fraction.
pub(super) fn fraction_name(above: u64, below: u64) -> String {
    match (above, below) {
        (1, 2) => "आधा".to_owned(),
        (1, 4) => "एक चौथाई".to_owned(),
        (3, 4) => "तीन चौथाई".to_owned(),
        (1, 3) => "एक तिहाई".to_owned(),
        (2, 3) => "दो तिहाई".to_owned(),
        _ => format!("{} बटा {}", figures::number(above), figures::number(below)),
    }
}

/// A number with a half or quarters in the words that are said for it before what is counted.
pub(super) fn in_quarters(quantity: &Quantity<'_>) -> Option<String> {
    let value: u64 = quantity.whole.parse().ok().filter(|value| (1..100).contains(value))?;
    let parts = match quantity.fraction {
        "5" | "50" => (1, 2),
        "25" => (1, 4),
        "75" => (3, 4),
        _ => return None,
    };
    Some(with_part(value, parts))
}

/// A number and a part of one.
pub(super) fn with_part(value: u64, parts: (u64, u64)) -> String {
    match (value, parts) {
        (1, (1, 2)) => "डे\u{95D}".to_owned(),
        (2, (1, 2)) => "ढाई".to_owned(),
        (_, (1, 2)) => format!("सा\u{95D}े {}", figures::number(value)),
        (1, (1, 4)) => "सवा".to_owned(),
        (_, (1, 4)) => format!("सवा {}", figures::number(value)),
        (_, (3, 4)) => format!("पौने {}", figures::number(value + 1)),
        (_, (above, below)) => format!("{} सही {}", figures::number(value), fraction_name(above, below)),
    }
}
