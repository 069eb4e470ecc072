//! What `say-as` means: text rewritten in the way in which a front end cannot take it for anything else.
//!
//! Front ends know how their language says numbers, dates and units. So a date in figures becomes the date
//! as people of that language write it in full, and letters become single letters. What a language has no
//! way of writing stays as it was sent.

mod dates;
mod letters;
mod times;

use crate::{front_end::roman, language::Language};

/// The kinds of text that an author can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SayAs {
    /// One character after the other.
    Characters,
    /// A number.
    Cardinal,
    /// A place in an order.
    Ordinal,
    /// One digit after the other.
    Digits,
    /// A part of a whole: `3/20`, `1 1/2`.
    Fraction,
    /// A measure: `10 km/h`.
    Unit,
    /// A date.
    Date,
    /// A time of the day, or minutes and seconds: `1'21"`.
    Time,
    /// A telephone number.
    Telephone,
    /// An amount of money.
    Currency,
    /// What a tone covers.
    Expletive,
}

/// The values of `interpret-as`.
const KINDS: [(&str, SayAs); 12] = [
    ("characters", SayAs::Characters),
    ("spell-out", SayAs::Characters),
    ("cardinal", SayAs::Cardinal),
    ("ordinal", SayAs::Ordinal),
    ("digits", SayAs::Digits),
    ("fraction", SayAs::Fraction),
    ("unit", SayAs::Unit),
    ("date", SayAs::Date),
    ("time", SayAs::Time),
    ("telephone", SayAs::Telephone),
    ("currency", SayAs::Currency),
    ("expletive", SayAs::Expletive),
];

impl SayAs {
    /// The kind of a value of `interpret-as`.
    pub(super) fn parse(value: &str) -> Result<Self, String> {
        super::attributes::one_of(value, &KINDS)
    }

    /// Whether a value of `format` is one that this kind has.
    pub(super) fn check_format(self, format: &str) -> Result<(), String> {
        match self {
            Self::Date => dates::Order::parse(format).map(|_| ()),
            Self::Time => super::attributes::one_of(format, &[("hms12", ()), ("hms24", ())]),
            // A country code, a currency, an order of digits: nothing that is read differs by it.
            _ => Ok(()),
        }
    }

    /// Whether a tone covers it.
    pub(super) fn is_covered(self) -> bool {
        self == Self::Expletive
    }

    /// The text to read instead.
    pub(super) fn rewrite(self, text: &str, format: Option<&str>, language: Language) -> String {
        let trimmed = text.trim();
        let rewritten = match self {
            Self::Characters => Some(letters::spell(trimmed, language)),
            Self::Digits => Some(letters::digits(trimmed)),
            Self::Telephone => Some(letters::telephone(trimmed, language)),
            Self::Cardinal => cardinal(trimmed, language),
            Self::Ordinal => ordinal(trimmed, language),
            Self::Date => dates::write(trimmed, format, language),
            Self::Time => times::write(trimmed, language),
            Self::Fraction => fraction(trimmed),
            Self::Unit | Self::Currency | Self::Expletive => None,
        };
        rewritten.unwrap_or_else(|| text.to_owned())
    }
}

/// The digits of a whole number, without the separators of thousands. Roman numerals count.
fn whole(text: &str) -> Option<u64> {
    let plain: String =
        text.chars().filter(|c| !matches!(c, ',' | '.' | ' ' | '\u{a0}' | '\u{202f}' | '\'')).collect();
    let is_number = !plain.is_empty() && plain.len() <= 15 && plain.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { plain.parse().ok() } else { roman::value(&text.to_uppercase()) }
}

/// A number that is not read as a year, a code or a list of digits.
fn cardinal(text: &str, language: Language) -> Option<String> {
    let (sign, number) = match text.strip_prefix(['-', '−']) {
        Some(number) => ("-", number),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    // A decimal number keeps its point.
    let is_decimal = number.matches(['.', ',']).count() == 1
        && number.rsplit(['.', ',']).next().is_some_and(|decimals| decimals.len() != 3);
    if is_decimal {
        return None;
    }
    let whole = whole(number)?;
    let separator = match language.primary() {
        "en" => ",",
        // Four digits are a number to them, and characters that count would be in the way.
        _ => "",
    };
    Some(format!("{sign}{}", grouped(whole, separator)))
}

/// A number with a separator between the thousands.
fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut written = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push_str(separator);
        }
        written.push(digit);
    }
    written
}

fn ordinal(text: &str, language: Language) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number = if digits.is_empty() { roman::value(&text.to_uppercase())? } else { digits.parse().ok()? };
    Some(match language.primary() {
        "en" => {
            let suffix = match (number % 10, number % 100) {
                (_, 11..=13) => "th",
                (1, _) => "st",
                (2, _) => "nd",
                (3, _) => "rd",
                _ => "th",
            };
            format!("{number}{suffix}")
        }
        "fr" => format!("{number}{}", if number == 1 { "er" } else { "e" }),
        "es" | "pt" | "it" => format!("{number}º"),
        "ja" | "zh" => format!("第{number}"),
        "hi" => format!("{number}वाँ"),
        "de" => format!("{number}."),
        _ => return None,
    })
}

/// A fraction, with the sign that only fractions have. `1+1/2` is one and a half.
fn fraction(text: &str) -> Option<String> {
    let (whole, part) = match text.split_once(['+', ' ']) {
        Some((whole, part)) => (whole.trim(), part.trim()),
        None => ("", text),
    };
    let (above, below) = part.split_once(['/', '⁄'])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_fraction =
        is_number(above.trim()) && is_number(below.trim()) && (whole.is_empty() || is_number(whole));
    let space = if whole.is_empty() { "" } else { " " };
    is_fraction.then(|| format!("{whole}{space}{}/{}", above.trim(), below.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: &str, text: &str, format: Option<&str>, language: &str) -> String {
        let language = language.parse().expect("a language");
        SayAs::parse(kind).expect("a kind").rewrite(text, format, language)
    }

    #[test]
    fn numbers_are_written_so_that_they_cannot_be_years_or_codes() {
        for (kind, text, language, expected) in [
            ("cardinal", "2024", "en-US", "2,024"),
            ("cardinal", "1,234,567", "en-US", "1,234,567"),
            ("cardinal", "-12", "en-US", "-12"),
            ("cardinal", "3.5", "en-US", "3.5"),
            ("cardinal", "XIV", "fr-FR", "14"),
            ("ordinal", "1", "en-US", "1st"),
            ("ordinal", "22", "en-GB", "22nd"),
            ("ordinal", "113", "en-GB", "113th"),
            ("ordinal", "1", "fr-FR", "1er"),
            ("ordinal", "3", "es-ES", "3º"),
            ("ordinal", "2", "ja-JP", "第2"),
            ("ordinal", "III", "en-US", "3rd"),
            ("ordinal", "third", "en-US", "third"),
            ("fraction", "3/20", "en-US", "3/20"),
            ("fraction", "1+1/2", "en-US", "1 1/2"),
            ("unit", "10km/h", "en-US", "10km/h"),
        ] {
            assert_eq!(read(kind, text, None, language), expected, "{kind} {text}");
        }
    }

    #[test]
    fn unknown_kinds_and_formats_are_refused_with_what_there_is() {
        let refused = SayAs::parse("address").unwrap_err();
        assert!(refused.contains("characters") && refused.contains("address"), "{refused}");
        assert!(SayAs::Date.check_format("mdy").is_ok() && SayAs::Date.check_format("xyz").is_err());
        assert!(SayAs::Time.check_format("hms12").is_ok() && SayAs::Time.check_format("x").is_err());
    }
}
