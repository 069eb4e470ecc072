//! Currencies: how they are written and called.

use super::Reader;
use crate::front_end::{scan, spanish::text::figures::Form};

/// A currency: as written, one, many, its gender, and a hundredth of it, one and many.
pub(super) struct Currency {
    written: &'static [&'static str],
    pub(super) one: &'static str,
    pub(super) many: &'static str,
    pub(super) form: Form,
    pub(super) cents: Option<(&'static str, &'static str)>,
}

const CENTS: Option<(&str, &str)> = Some(("céntimo", "céntimos"));
const CENTAVOS: Option<(&str, &str)> = Some(("centavo", "centavos"));

const CURRENCIES: &[Currency] = &[
    Currency { written: &["€", "EUR"], one: "euro", many: "euros", form: Form::Masculine, cents: CENTS },
    Currency {
        written: &["US$", "USD", "U$S", "$"],
        one: "dólar",
        many: "dólares",
        form: Form::Masculine,
        cents: CENTAVOS,
    },
    Currency {
        written: &["MXN", "MX$", "ARS", "COP", "CLP"],
        one: "peso",
        many: "pesos",
        form: Form::Masculine,
        cents: CENTAVOS,
    },
    Currency {
        written: &["£", "GBP"],
        one: "libra",
        many: "libras",
        form: Form::Feminine,
        cents: Some(("penique", "peniques")),
    },
    Currency { written: &["¥", "JPY"], one: "yen", many: "yenes", form: Form::Masculine, cents: None },
    Currency {
        written: &["CHF"],
        one: "franco suizo",
        many: "francos suizos",
        form: Form::Masculine,
        cents: CENTS,
    },
    Currency { written: &["₹"], one: "rupia", many: "rupias", form: Form::Feminine, cents: None },
    Currency { written: &["₽"], one: "rublo", many: "rublos", form: Form::Masculine, cents: None },
    Currency { written: &["S/"], one: "sol", many: "soles", form: Form::Masculine, cents: CENTS },
    Currency { written: &["R$"], one: "real", many: "reales", form: Form::Masculine, cents: CENTAVOS },
    Currency {
        written: &["₿", "BTC"],
        one: "bitcóin",
        many: "bitcoines",
        form: Form::Masculine,
        cents: None,
    },
    Currency {
        written: &["pts", "ptas", "Pts", "Ptas"],
        one: "peseta",
        many: "pesetas",
        form: Form::Feminine,
        cents: None,
    },
    Currency {
        written: &["c€", "¢"], one: "céntimo", many: "céntimos", form: Form::Masculine, cents: None
    },
];

/// The currency written at `at`, and where it ends.
pub(super) fn currency(t: &str, at: usize) -> Option<(&'static Currency, usize)> {
    let rest = scan::tail(t, at);
    let mut found: Option<(&Currency, usize)> = None;
    for currency in CURRENCIES {
        for written in currency.written {
            let end = at + written.len();
            let letters = written.ends_with(char::is_alphabetic);
            if rest.starts_with(written)
                && (!letters || scan::edge(t, end))
                && found.is_none_or(|(_, stop)| end > stop)
            {
                found = Some((currency, end));
            }
        }
    }
    found
}

/// The currency after a number that ends at `at`, across one space at most: where it starts, ends.
pub(super) fn currency_after(r: &Reader<'_>, at: usize) -> Option<(&'static Currency, usize, usize)> {
    let start = scan::past_space(r.t, at);
    let (found, end) = currency(r.t, start)?;
    // "5 $100": the sign belongs to the number after it.
    (!(start > at && scan::digit_at(r.t, end))).then_some((found, start, end))
}
