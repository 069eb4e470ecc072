//! `[payments]`: what customers can buy.

use lectern_types::Credits;
use serde::{Deserialize, Deserializer, de::Error as _};

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

    #[test]
    fn a_pack_is_credits_and_a_price() {
        assert_eq!(pack("100000:500"), Some(Pack { credits: Credits(100_000), price_minor: 500 }));
        assert_eq!(pack(" 1 : 2 "), Some(Pack { credits: Credits(1), price_minor: 2 }));
        for bad in ["", "1", ":", "0:1", "1:0", "-1:1", "1:1.5", "1:2:3", "9999999999999:1", "+1:1"] {
            assert_eq!(pack(bad), None, "{bad}");
        }
    }
}
