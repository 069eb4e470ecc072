//! `[payments]`: what customers can buy.

use lectern_types::Credits;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::non_negative;

/// What customers can buy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payments {
    /// The currency of all prices, an ISO 4217 code in lower case.
    #[serde(deserialize_with = "currency")]
    pub currency: String,
    /// The packs, in the order they are shown.
    #[serde(deserialize_with = "packs")]
    pub packs: Vec<Pack>,
    /// The most credits that can be bought at once without being a pack; 0: only packs are sold.
    #[serde(deserialize_with = "non_negative")]
    most_credits: u64,
}

/// Amounts that are not a pack are whole thousands.
pub const STEP: i64 = 1_000;

/// Currencies with three decimals that Stripe takes, the last of them only as a zero: its documentation of currencies.
const IN_TENS: &[&str] = &["bhd", "jod", "kwd", "omr", "tnd"];

impl Payments {
    /// The fewest and the most credits that can be bought without being a pack; `None` when only
    /// packs are sold.
    pub fn custom(&self) -> Option<(Credits, Credits)> {
        let least = self.packs.iter().map(|pack| pack.credits.0).min()?;
        let least = least.checked_add(STEP - 1)? / STEP * STEP;
        let most = i64::try_from(self.most_credits).unwrap_or(i64::MAX) / STEP * STEP;
        (least <= most).then_some((Credits(least), Credits(most)))
    }

    /// What the prices of other amounts than packs are multiples of, in the currency's smallest unit.
    fn price_step(&self) -> i64 {
        if IN_TENS.contains(&&*self.currency) { 10 } else { 1 }
    }

    /// Checks that Stripe takes the prices.
    ///
    /// # Errors
    /// What is wrong with `packs`.
    pub(super) fn check_for_stripe(&self) -> Result<(), String> {
        let step = self.price_step();
        match self.packs.iter().find(|pack| pack.price_minor % step != 0) {
            None => Ok(()),
            Some(pack) => Err(format!(
                "has the price {}, but Stripe takes only multiples of {step} in {}",
                pack.price_minor,
                self.currency.to_ascii_uppercase()
            )),
        }
    }

    /// The price of an amount that is sold: of a pack, or of whole thousands within [`custom`](Self::custom).
    pub fn price(&self, credits: Credits) -> Option<i64> {
        if let Some(pack) = self.packs.iter().find(|pack| pack.credits == credits) {
            return Some(pack.price_minor);
        }
        let (least, most) = self.custom()?;
        if credits < least || credits > most || credits.0 % STEP != 0 {
            return None;
        }
        // At the rate of the largest pack that is not larger, but never above the price of a larger one.
        let pack = self.packs.iter().filter(|pack| pack.credits < credits).max_by_key(|pack| pack.credits)?;
        let (amount, unit) = (i128::from(credits.0), i128::from(pack.credits.0));
        // Rounded up, to a price that can be paid.
        let unit = unit * i128::from(self.price_step());
        let steps = (amount * i128::from(pack.price_minor) + unit - 1) / unit;
        let price = i64::try_from(steps).ok()?.checked_mul(self.price_step())?;
        let larger =
            self.packs.iter().filter(|pack| pack.credits > credits).map(|pack| pack.price_minor).min();
        Some(larger.map_or(price, |larger| price.min(larger)))
    }
}

/// Credits that are sold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pack {
    /// The number of credits. It also identifies the pack, so no two packs have the same number.
    pub credits: Credits,
    /// The price in the currency's smallest unit.
    pub price_minor: i64,
}

fn currency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_code { Ok(text) } else { Err(D::Error::custom("must be a currency's code such as eur")) }
}

fn packs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pack>, D::Error> {
    let mut packs: Vec<Pack> = Vec::new();
    for text in Vec::<String>::deserialize(deserializer)? {
        let pack = pack(&text).ok_or_else(|| {
            D::Error::custom(
                "must be CREDITS:PRICE, the price in the currency's smallest unit, such as 100000:500",
            )
        })?;
        if packs.iter().any(|other| other.credits == pack.credits) {
            return Err(D::Error::custom("must not have two packs with the same number of credits"));
        }
        packs.push(pack);
    }
    Ok(packs)
}

fn pack(text: &str) -> Option<Pack> {
    let (credits, price) = text.trim().split_once(':')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|number| digits && (1..=1_000_000_000_000).contains(number))
    };
    Some(Pack { credits: Credits(number(credits.trim())?), price_minor: number(price.trim())? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Sources};

    // Negative control: without the comparison with larger packs 499,000 credits cost more than 500,000.
    #[test]
    fn an_amount_costs_the_rate_of_the_pack_below_and_never_more_than_a_larger_pack() {
        let packs = ["100000:500", "500000:2000", "2500000:8000"].map(|text| pack(text).unwrap());
        let payments =
            Payments { currency: "eur".to_owned(), packs: packs.to_vec(), most_credits: 25_000_500 };
        let price = |credits| payments.price(Credits(credits));
        assert_eq!(payments.custom(), Some((Credits(100_000), Credits(25_000_000))));
        for (credits, cents) in [
            (100_000, 500),
            (101_000, 505),
            (399_000, 1_995),
            (401_000, 2_000),
            (499_000, 2_000),
            (500_000, 2_000),
            (750_000, 3_000),
            (2_499_000, 8_000),
            (25_000_000, 80_000),
        ] {
            assert_eq!(price(credits), Some(cents), "{credits}");
        }
        for refused in [0, -1_000, 99_000, 100_500, 25_001_000, i64::MAX] {
            assert_eq!(price(refused), None, "{refused}");
        }
        let only_packs = Payments { most_credits: 0, ..payments };
        assert_eq!((only_packs.price(Credits(101_000)), only_packs.custom()), (None, None));
        assert_eq!(only_packs.price(Credits(100_000)), Some(500));
    }

    // Seen to fail without the list of currencies: 101,000 credits cost 505.
    #[test]
    fn stripe_takes_three_decimals_only_with_a_zero_at_the_end() {
        let load = |currency: &str, packs: &str, keys: &[&str]| {
            let keys = keys.iter().map(|key| (format!("LECTERN_STRIPE__{key}").into(), "x".into()));
            let settings = [("LECTERN_PAYMENTS__CURRENCY", currency), ("LECTERN_PAYMENTS__PACKS", packs)];
            let environment =
                settings.map(|(key, value)| (key.into(), value.into())).into_iter().chain(keys).collect();
            let loaded = Config::load(&Sources { environment, ..Sources::default() });
            loaded.map(|config| config.payments).map_err(|error| error.to_string())
        };
        let keys = ["SECRET_KEY", "WEBHOOK_SECRET"];
        let payments = load("kwd", "100000:500,500000:2000", &keys).unwrap();
        for (credits, fils) in
            [(100_000, 500), (101_000, 510), (102_000, 510), (103_000, 520), (499_000, 2_000)]
        {
            assert_eq!(payments.price(Credits(credits)), Some(fils), "{credits}");
        }
        let refusal = load("kwd", "100000:500,500000:2005", &keys).unwrap_err();
        let expected = "payments.packs: has the price 2005, but Stripe takes only multiples of 10 in KWD";
        assert!(refusal.contains(expected), "{refusal}");
        assert!(load("kwd", "100000:505", &[]).is_ok(), "without Stripe");
        assert!(load("eur", "100000:505", &keys).is_ok());
    }

    #[test]
    fn a_pack_is_credits_and_a_price() {
        assert_eq!(pack("100000:500"), Some(Pack { credits: Credits(100_000), price_minor: 500 }));
        assert_eq!(pack(" 1 : 2 "), Some(Pack { credits: Credits(1), price_minor: 2 }));
        for bad in ["", "1", ":", "0:1", "1:0", "-1:1", "1:1.5", "1:2:3", "9999999999999:1", "+1:1"] {
            assert_eq!(pack(bad), None, "{bad}");
        }
    }
}
