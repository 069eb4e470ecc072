//! Numbers, sums and dates as a language writes them.

use std::fmt::Write as _;

use lectern_types::{PageLanguage, Timestamp};

/// The currencies whose smallest unit is the whole unit (ISO 4217).
const WITHOUT_CENTS: &[&str] = &[
    "bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof",
    "xpf",
];

/// The currencies of which a thousand of the smallest units are one (ISO 4217).
const IN_THOUSANDTHS: &[&str] = &["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"];

/// What stands between groups of three digits, and before decimals.
const fn signs(language: PageLanguage) -> (char, char) {
    match language {
        PageLanguage::En | PageLanguage::Ja => (',', '.'),
        PageLanguage::De | PageLanguage::Es => ('.', ','),
        PageLanguage::Fr => ('\u{202f}', ','),
    }
}

/// A whole number with its groups of digits.
pub fn number(language: PageLanguage, value: i64) -> String {
    let (group, _) = signs(language);
    let digits = value.unsigned_abs().to_string();
    // Spanish leaves a number of four digits whole.
    let grouped = language != PageLanguage::Es || digits.len() > 4;
    let mut out = String::from(if value < 0 { "\u{2212}" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if grouped && at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(group);
        }
        out.push(digit);
    }
    out
}

/// How many decimals a currency has.
pub fn decimals(currency: &str) -> u32 {
    let currency = currency.to_ascii_lowercase();
    if WITHOUT_CENTS.contains(&currency.as_str()) {
        0
    } else if IN_THOUSANDTHS.contains(&currency.as_str()) {
        3
    } else {
        2
    }
}

/// A sum in the currency's smallest unit, with the currency's code.
pub fn money(language: PageLanguage, minor: i64, currency: &str) -> String {
    let (_, point) = signs(language);
    let places = decimals(currency);
    let unit = 10_u64.pow(places);
    let size = minor.unsigned_abs();
    let whole = number(language, i64::try_from(size / unit).unwrap_or(i64::MAX));
    let sign = if minor < 0 { "\u{2212}" } else { "" };
    let mut sum = format!("{sign}{whole}");
    if places > 0 {
        let width = places as usize;
        let _ = write!(sum, "{point}{:0width$}", size % unit);
    }
    let code = currency.to_ascii_uppercase();
    match language {
        PageLanguage::En | PageLanguage::Ja => format!("{code}\u{a0}{sum}"),
        PageLanguage::De | PageLanguage::Fr | PageLanguage::Es => format!("{sum}\u{a0}{code}"),
    }
}

/// A share in hundredths of a percent.
pub fn percent(language: PageLanguage, basis_points: u32) -> String {
    let (_, point) = signs(language);
    let (whole, rest) = (basis_points / 100, basis_points % 100);
    let decimals = format!("{rest:02}");
    let decimals = decimals.trim_end_matches('0');
    let number = if decimals.is_empty() { whole.to_string() } else { format!("{whole}{point}{decimals}") };
    match language {
        PageLanguage::En | PageLanguage::Ja => format!("{number}%"),
        PageLanguage::De | PageLanguage::Fr | PageLanguage::Es => format!("{number}\u{a0}%"),
    }
}

/// The day of an instant (UTC).
pub fn date(language: PageLanguage, at: Timestamp) -> String {
    let day = jiff::Timestamp::from_second(at.unix_seconds()).unwrap_or_default();
    let day = day.to_zoned(jiff::tz::TimeZone::UTC).date();
    let (year, month, day) = (day.year(), day.month(), day.day());
    match language {
        PageLanguage::En => format!("{year:04}-{month:02}-{day:02}"),
        PageLanguage::De => format!("{day:02}.{month:02}.{year:04}"),
        PageLanguage::Fr | PageLanguage::Es => format!("{day:02}/{month:02}/{year:04}"),
        PageLanguage::Ja => format!("{year}年{month}月{day}日"),
    }
}

/// A length of time in hours and minutes, at least one minute.
pub fn duration(language: PageLanguage, milliseconds: u64) -> String {
    let minutes = milliseconds.div_ceil(60_000).max(1);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let (hour, minute, space) = match language {
        PageLanguage::En | PageLanguage::Fr | PageLanguage::Es => ("\u{a0}h", "\u{a0}min", " "),
        PageLanguage::De => ("\u{a0}Std.", "\u{a0}Min.", " "),
        PageLanguage::Ja => ("時間", "分", ""),
    };
    if hours == 0 { format!("{minutes}{minute}") } else { format!("{hours}{hour}{space}{minutes}{minute}") }
}

#[cfg(test)]
mod tests {
    use PageLanguage::{De, En, Es, Fr, Ja};

    use super::*;

    #[test]
    fn numbers_and_sums_are_written_as_each_language_does() {
        assert_eq!(number(En, 1_234_567), "1,234,567");
        assert_eq!(number(De, -1_234), "\u{2212}1.234");
        assert_eq!((number(Es, 1_234), number(Es, 12_345)), ("1234".to_owned(), "12.345".to_owned()));
        assert_eq!(number(Fr, 100_000), "100\u{202f}000");
        assert_eq!(number(Ja, 999), "999");
        assert_eq!(money(En, 500, "eur"), "EUR\u{a0}5.00");
        assert_eq!(money(De, 123_456, "eur"), "1.234,56\u{a0}EUR");
        assert_eq!(money(Ja, 5_000, "jpy"), "JPY\u{a0}5,000");
        assert_eq!(money(En, 1_005, "kwd"), "KWD\u{a0}1.005");
        assert_eq!((percent(En, 2_000), percent(De, 550)), ("20%".to_owned(), "5,5\u{a0}%".to_owned()));
        assert_eq!(duration(En, 1), "1\u{a0}min");
        assert_eq!(duration(De, 3_600_001), "1\u{a0}Std. 1\u{a0}Min.");
        assert_eq!(duration(Ja, 3_600_001), "1時間1分");
    }

    #[test]
    fn a_day_is_that_of_utc() {
        let at = Timestamp(1_795_737_599_000_000);
        assert_eq!(date(En, at), "2026-11-26");
        assert_eq!(date(De, at), "26.11.2026");
        assert_eq!(date(Ja, at), "2026年11月26日");
    }
}
