//! How a number is said: whole, decimal or digit by digit, in the gender of what it counts.

use super::{Reader, counting, quantity};
use crate::front_end::{
    normalize::numbers,
    romance::{
        figures::{self, Form},
        grammar::Grammar,
    },
    scan::{self, Quantity},
};

/// From this many digits on, a plain number is a code and is read digit by digit, unless it is
/// round.
const CODE: usize = 10;

/// Digits one by one, in groups when there are many.
pub(super) fn code(grammar: &dyn Grammar, digits: &str) -> String {
    numbers::code(digits, |digits| figures::each(grammar, digits))
}

/// How a number is read: whole, decimal, or digit by digit.
pub(super) fn reading(grammar: &dyn Grammar, number: &quantity::Number<'_>, form: Form) -> String {
    let Quantity { whole, fraction, grouped, .. } = &number.quantity;
    if !fraction.is_empty() {
        let whole = figures::cardinal(grammar, whole, Form::Alone);
        return format!("{whole} {} {}", number.point, figures::fraction(grammar, fraction));
    }
    if *grouped { figures::cardinal(grammar, whole, form) } else { plain(grammar, whole, form) }
}

/// Plain digits: a number, or a code when they lead with a zero or are very many.
pub(super) fn plain(grammar: &dyn Grammar, digits: &str, form: Form) -> String {
    let round = digits.ends_with("000") && digits.len() <= 15;
    if (digits.len() > 1 && digits.starts_with('0')) || (digits.len() >= CODE && !round) {
        return code(grammar, digits);
    }
    figures::cardinal(grammar, digits, form)
}

/// Digits inside or after a word: `B12`, `H2O`, `COVID-19`.
pub(super) fn inside(r: &mut Reader<'_>) {
    let end = scan::digits(r.t, r.at);
    let words = plain(r.grammar(), scan::slice(r.t, r.at..end), Form::Alone);
    r.say(&words, end);
    // `v2.10.3`, `PM2,5`
    while let Some(sign) =
        r.char().filter(|c| matches!(c, '.' | ',')).filter(|_| scan::digit_at(r.t, r.at + 1))
    {
        r.say(if sign == '.' { r.amounts().point } else { r.amounts().comma }, r.at + 1);
        let end = scan::digits(r.t, r.at);
        let words = plain(r.grammar(), scan::slice(r.t, r.at..end), Form::Alone);
        r.say(&words, end);
    }
}

/// The form of a plain number that starts at the reader's place.
pub(super) fn form(r: &Reader<'_>, quantity: &Quantity<'_>) -> Form {
    let value = quantity.fraction.is_empty().then(|| quantity.whole.parse().ok()).flatten();
    counting::form(r, value, quantity.end)
}
