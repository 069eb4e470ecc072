//! A number of things: the kinds are asked from the most telling to the plainest.

use super::{Reader, amounts, currencies::currency_after, fractions, laws, quantity, ranges};

/// Reads a number that is neither a date, a time, a code nor a telephone's.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(number) = quantity::at(r, r.at) else { return false };
    if laws::read(r, &number) || laws::mark(r, &number) || fractions::read(r) {
        return true;
    }
    if ranges::range(r, &number) || ranges::dimensions(r, &number) || fractions::mixed(r, &number) {
        return true;
    }
    if let Some((currency, _, end)) = currency_after(r, number.quantity.end) {
        amounts::money(r, &number, currency, (currency.one, currency.many), end);
        amounts::until_money(r);
        return true;
    }
    amounts::one(r, &number);
    true
}
