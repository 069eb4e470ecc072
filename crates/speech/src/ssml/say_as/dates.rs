//! Dates in figures, written in full.

use crate::{front_end, language::Language};

/// The parts of a date in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order(Vec<Part>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    Month,
    Day,
}

impl Order {
    /// The order that a `format` names: `mdy`, `dm`, `yyyymmdd`.
    pub(super) fn parse(format: &str) -> Result<Self, String> {
        let mut parts: Vec<Part> = Vec::new();
        for c in format.chars().filter(|c| c.is_alphanumeric()) {
            let part = match c.to_ascii_lowercase() {
                'y' => Part::Year,
                'm' => Part::Month,
                'd' => Part::Day,
                _ => return Err(wrong(format)),
            };
            if parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        let count = |part: Part| parts.iter().filter(|own| **own == part).count();
        let is_order = !parts.is_empty()
            && [Part::Year, Part::Month, Part::Day].into_iter().all(|part| count(part) <= 1);
        if is_order { Ok(Self(parts)) } else { Err(wrong(format)) }
    }

    /// The order of a date that names none: years of four digits come first where they stand first,
    /// and months before days only in the United States.
    fn usual(numbers: &[&str], language: Language) -> Self {
        use Part::{Day, Month, Year};
        let parts = match (numbers, language.region()) {
            ([year, _, _], _) if year.len() == 4 => vec![Year, Month, Day],
            ([_, _, _], Some("US")) => vec![Month, Day, Year],
            ([_, _, _], _) => vec![Day, Month, Year],
            ([year, _], _) if year.len() == 4 => vec![Year, Month],
            ([_, year], _) if year.len() == 4 => vec![Month, Year],
            ([_, _], Some("US")) => vec![Month, Day],
            ([_, _], _) => vec![Day, Month],
            _ => vec![Year],
        };
        Self(parts)
    }
}

fn wrong(format: &str) -> String {
    format!("must be an order of year, month and day, such as mdy, dmy, ymd, md, dm, my or y; not {format:?}")
}

/// A date in full; `None` where it is none, or the language's months are not known here.
pub(super) fn write(text: &str, format: Option<&str>, language: Language) -> Option<String> {
    let order = format.and_then(|format| Order::parse(format).ok());
    let compact = compact(text, order.as_ref());
    let numbers: Vec<&str> = match &compact {
        Some(numbers) => numbers.iter().map(String::as_str).collect(),
        None => text.split(['/', '-', '.', ' ', '年', '月', '日']).filter(|part| !part.is_empty()).collect(),
    };
    let order = order.unwrap_or_else(|| Order::usual(&numbers, language));
    if numbers.len() != order.0.len() {
        return None;
    }
    let (mut year, mut month, mut day) = (None, None, None);
    for (part, number) in order.0.iter().zip(numbers) {
        let is_number = number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        // Signs in place of a part mean that it is not said.
        if !is_number && !number.chars().all(|c| c == '?') {
            return None;
        }
        let value: Option<u32> = number.parse().ok();
        match part {
            Part::Year => year = value.map(|value| in_full(number, value)),
            Part::Month => month = value,
            Part::Day => day = value,
        }
    }
    if month.is_some_and(|month| !(1..=12).contains(&month))
        || day.is_some_and(|day| !(1..=31).contains(&day))
    {
        return None;
    }
    in_words(year, month, day, language)
}

/// A year of two digits is one of the hundred years around 2000.
fn in_full(written: &str, year: u32) -> u32 {
    match (written.len(), year) {
        (2, 0..=49) => 2000 + year,
        (2, _) => 1900 + year,
        _ => year,
    }
}

/// The numbers of a date without separators: `20260922`, `????0922`.
fn compact(text: &str, order: Option<&Order>) -> Option<Vec<String>> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?') {
        return None;
    }
    let year_first = order.is_none_or(|order| order.0.first() == Some(&Part::Year));
    let cuts = if year_first { [0..4, 4..6, 6..8] } else { [0..2, 2..4, 4..8] };
    Some(cuts.into_iter().map(|cut| text[cut].to_owned()).collect())
}

/// German has no front end here; espeak-ng reads it.
const GERMAN: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
fn in_words(year: Option<u32>, month: Option<u32>, day: Option<u32>, language: Language) -> Option<String> {
    let primary = language.primary();
    if matches!(primary, "ja" | "zh") {
        let parts = [(year, "年"), (month, "月"), (day, "日")];
        let written = parts.into_iter().filter_map(|(number, sign)| Some(format!("{}{sign}", number?)));
        return Some(written.collect());
    }
    let months = if primary == "de" { Some(&GERMAN) } else { front_end::months(language) }?;
    let joint = if matches!(primary, "es" | "pt") { " de " } else { " " };
    let name = month.map(|month| months[month as usize - 1]);
    let written = if primary == "en" && language.region() == Some("US") {
        let comma = if day.is_some() { "," } else { "" };
        let front = [name.map(str::to_owned), day.map(|day| day.to_string())];
        let front = front.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let year = year.map(|year| year.to_string());
        let separator = if front.is_empty() || year.is_none() { String::new() } else { format!("{comma} ") };
        format!("{front}{separator}{}", year.unwrap_or_default())
    } else {
        let day = day.map(|day| match primary {
            "fr" if day == 1 => "1er".to_owned(),
            "de" => format!("{day}."),
            _ => day.to_string(),
        });
        let parts = [day, name.map(str::to_owned), year.map(|year| year.to_string())];
        parts.into_iter().flatten().collect::<Vec<_>>().join(joint)
    };
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_in_full_in_the_order_that_is_said_or_usual() {
        for (text, format, language, expected) in [
            ("10/11/2020", Some("mdy"), Language::EN_US, "October 11, 2020"),
            ("10/11/2020", Some("dmy"), Language::EN_US, "November 10, 2020"),
            ("10/11/2020", None, Language::EN_GB, "10 November 2020"),
            ("10-11", Some("md"), Language::EN_US, "October 11"),
            ("2020", Some("y"), Language::EN_US, "2020"),
            ("11/2020", Some("my"), Language::EN_US, "November 2020"),
            ("????0922", None, Language::EN_US, "September 22"),
            ("20260922", Some("yyyymmdd"), Language::FR_FR, "22 septembre 2026"),
            ("1/2/26", None, Language::ES_ES, "1 de febrero de 2026"),
            ("2026-11-25", None, Language::JA_JP, "2026年11月25日"),
            ("1.2.1999", Some("dmy"), Language::FR_FR, "1er février 1999"),
        ] {
            assert_eq!(write(text, format, language).as_deref(), Some(expected), "{text} {format:?}");
        }
        for (text, format) in [("13/40/2020", Some("mdy")), ("soon", None), ("1/2", Some("mdy"))] {
            assert_eq!(write(text, format, Language::EN_US), None, "{text}");
        }
    }
}
