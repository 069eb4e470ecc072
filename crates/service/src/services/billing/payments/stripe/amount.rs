//! Amounts of money as Stripe counts them: in a currency's smallest unit, with two exceptions.

/// Currencies without a smaller unit that Stripe counts in hundredths all the same.
const IN_HUNDREDTHS: &[&str] = &["isk", "ugx"];

/// Stripe's number for a price in the currency's smallest unit.
pub(super) fn of(price_minor: i64, currency: &str) -> i64 {
    if IN_HUNDREDTHS.contains(&currency) { price_minor.saturating_mul(100) } else { price_minor }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn what_has_no_cents_is_counted_in_cents_in_two_currencies() {
        let amounts = ["eur", "jpy", "isk", "ugx"].map(|currency| of(1_000, currency));
        assert_eq!(amounts, [1_000, 1_000, 100_000, 100_000]);
    }
}
