//! `[invoices]`: who sells, and which tax is in the prices.

use std::path::PathBuf;

use lectern_store::invoices::{Seller, Terms};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::optional;

/// Invoices of purchases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invoices {
    /// Who sells, line by line; nobody: no invoices are made.
    #[serde(deserialize_with = "seller")]
    seller: Vec<String>,
    #[serde(deserialize_with = "short")]
    tax_id: String,
    #[serde(deserialize_with = "short")]
    tax_name: String,
    /// In hundredths of a percent.
    #[serde(rename = "tax_percent", deserialize_with = "basis_points")]
    tax_basis_points: u32,
    /// What stands before the number.
    #[serde(deserialize_with = "prefix")]
    pub prefix: String,
    #[serde(deserialize_with = "footer")]
    footer: String,
    /// A font with letters that the built-in one lacks.
    #[serde(deserialize_with = "path")]
    pub font_file: Option<PathBuf>,
}

impl Invoices {
    /// Who sells; `None` when no invoices are made.
    pub fn seller(&self) -> Option<Seller> {
        (!self.seller.is_empty()).then(|| Seller {
            lines: self.seller.clone(),
            tax_id: self.tax_id.clone(),
            tax_name: self.tax_name.clone(),
            tax_basis_points: self.tax_basis_points,
            footer: self.footer.clone(),
        })
    }

    /// The terms of a new invoice.
    pub fn terms<'a>(&'a self, seller: &'a Seller) -> Terms<'a> {
        Terms { seller, prefix: &self.prefix }
    }
}

fn seller<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let lines = Vec::<String>::deserialize(deserializer)?;
    if lines.len() <= 8 && lines.iter().all(|line| line.chars().count() <= 100) {
        return Ok(lines);
    }
    Err(D::Error::custom("must have at most 8 lines of at most 100 characters"))
}

fn short<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.chars().count() <= 40 {
        Ok(text)
    } else {
        Err(D::Error::custom("must have at most 40 characters"))
    }
}

fn footer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.chars().count() <= 500 && text.lines().count() <= 6 {
        return Ok(text);
    }
    Err(D::Error::custom("must have at most 500 characters in six lines"))
}

/// The highest tax, in hundredths of a percent.
const HIGHEST_TAX: u32 = 10_000;

fn basis_points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = String::deserialize(deserializer)?;
    let expected = || {
        D::Error::custom("must be a percentage from 0 to 100 with at most two decimals, such as 19 or 5.5")
    };
    percent(text.trim()).ok_or_else(expected)
}

fn percent(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = (1..=3).contains(&whole.len()) && decimals.len() <= 2 && !text.ends_with('.');
    if !is_number || !are_digits(whole) || !are_digits(decimals) {
        return None;
    }
    let hundredths: u32 = format!("{decimals:0<2}").parse().ok()?;
    Some(whole.parse::<u32>().ok()? * 100 + hundredths).filter(|points| *points <= HIGHEST_TAX)
}

fn prefix<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    // It becomes the name of a file.
    if text.len() <= 20 && text.chars().all(is_plain) {
        return Ok(text);
    }
    Err(D::Error::custom("must be at most 20 letters, digits, hyphens and underscores"))
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_tax_is_a_percentage_with_at_most_two_decimals() {
        for (text, points) in [("0", 0), ("19", 1_900), ("5.5", 550), ("7.75", 775), ("100", 10_000)] {
            assert_eq!(percent(text), Some(points), "{text}");
        }
        for bad in ["", ".5", "19.", "19%", "-1", "101", "1.234", "1,5", "+5", "1e2"] {
            assert_eq!(percent(bad), None, "{bad}");
        }
    }
}
