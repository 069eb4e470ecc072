//! Minutes and seconds in signs: `1'21"`. Times of the day are read by the front ends as they stand.

use crate::language::Language;

/// Minute, minutes, second, seconds.
const UNITS: [(&str, [&str; 4]); 9] = [
    ("en", ["minute", "minutes", "second", "seconds"]),
    ("fr", ["minute", "minutes", "seconde", "secondes"]),
    ("es", ["minuto", "minutos", "segundo", "segundos"]),
    ("it", ["minuto", "minuti", "secondo", "secondi"]),
    ("pt", ["minuto", "minutos", "segundo", "segundos"]),
    ("de", ["Minute", "Minuten", "Sekunde", "Sekunden"]),
    ("ja", ["分", "分", "秒", "秒"]),
    ("zh", ["分", "分", "秒", "秒"]),
    ("hi", ["मिनट", "मिनट", "सेकंड", "सेकंड"]),
];

/// A length of time in words; `None` when the text is none.
pub(super) fn write(text: &str, language: Language) -> Option<String> {
    let (minutes, rest) = match text.split_once(['\'', '′', '’']) {
        Some((minutes, rest)) => (Some(number(minutes)?), rest),
        None => (None, text),
    };
    let seconds = match rest.strip_suffix(['"', '″', '”']) {
        Some(seconds) => Some(number(seconds)?),
        None if rest.is_empty() => None,
        None => return None,
    };
    let (_, [minute, several_minutes, second, several_seconds]) =
        UNITS.iter().find(|(primary, _)| *primary == language.primary())?;
    let space = if matches!(language.primary(), "ja" | "zh") { "" } else { " " };
    let parts = [(minutes, minute, several_minutes), (seconds, second, several_seconds)];
    let said = parts.into_iter().filter_map(|(number, one, several)| {
        let number = number?;
        Some(format!("{number}{space}{}", if number == 1 { one } else { several }))
    });
    let said = said.collect::<Vec<_>>().join(space);
    (!said.is_empty()).then_some(said)
}

fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_and_seconds_are_words_and_times_of_the_day_stay() {
        assert_eq!(write("1'21\"", Language::EN_US).as_deref(), Some("1 minute 21 seconds"));
        assert_eq!(write("2′", Language::FR_FR).as_deref(), Some("2 minutes"));
        assert_eq!(write("3'1\"", Language::JA_JP).as_deref(), Some("3分1秒"));
        for other in ["2:30pm", "14:30", "'", "\"", "x'1\"", "1'2"] {
            assert_eq!(write(other, Language::EN_US), None, "{other}");
        }
    }
}
