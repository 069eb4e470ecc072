//! The text of a request: whether it can be taken, what is paid of it, and the script that it becomes.

use lectern_speech::{
    estimate,
    language::Language,
    markup,
    script::Script,
    ssml::{self, Ssml},
};
use lectern_types::{ErrorCode, Field as _, MAX_CHARACTERS, Speed, TextType};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A text that can be taken.
#[derive(Debug, Clone, PartialEq)]
pub enum Wording {
    /// A text with this service's own markup.
    Plain(String),
    /// A text in SSML.
    Ssml {
        /// As it was sent.
        sent: String,
        /// What it says.
        ssml: Box<Ssml>,
    },
}

impl Wording {
    /// Judges a text, which is spoken at this speed. Errors name `field`.
    ///
    /// # Errors
    /// `text_too_long`, `validation_failed` or `text_empty`, in the contract's order.
    pub fn of(field: &str, text: String, text_type: TextType, speed: f64) -> Result<Self> {
        match text_type {
            TextType::Text => {
                check_text(&text)?;
                Ok(Self::Plain(text))
            }
            TextType::Ssml => {
                let ssml = ssml_of(field, &text, speed)?;
                Ok(Self::Ssml { sent: text, ssml: Box::new(ssml) })
            }
        }
    }

    /// The text as it was sent.
    pub(super) fn sent(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Ssml { sent: text, .. } => text,
        }
    }
}

/// The number of billed characters of a text. The limit counts the text as sent, with its markup.
///
/// # Errors
/// `text_empty` or `text_too_long`.
pub fn check_text(text: &str) -> Result<u32> {
    let plain = markup::plain(text);
    if plain.chars().all(char::is_whitespace) {
        return Err(ErrorCode::TextEmpty.into());
    }
    match text.chars().count() {
        sent if sent <= MAX_CHARACTERS => Ok(plain.chars().count() as u32),
        _ => Err(ErrorCode::TextTooLong.into()),
    }
}

fn ssml_of(field: &str, text: &str, speed: f64) -> Result<Ssml> {
    if text.chars().nth(ssml::LONGEST).is_some() {
        return Err(ErrorCode::TextTooLong.into());
    }
    let ssml = Ssml::parse(text, speed as f32).map_err(|error| Error::invalid(field, error.to_string()))?;
    if ssml.is_empty() {
        return Err(ErrorCode::TextEmpty.into());
    }
    if ssml.paid() > MAX_CHARACTERS {
        return Err(ErrorCode::TextTooLong.into());
    }
    Ok(ssml)
}

/// Judges the text of a body, as [`Wording::of`] does; `None` when it has no text. What is wrong with a text is
/// the first thing wrong with a request; only its type is judged before.
///
/// # Errors
/// As [`Wording::of`], and `validation_failed` for the field of the type.
pub fn check_field(object: &Map<String, Value>, field: &str, type_field: &str) -> Result<Option<Wording>> {
    let text_type = match object.get(type_field) {
        None => TextType::Text,
        Some(value) => {
            let known = value.as_str().and_then(TextType::parse);
            known.ok_or_else(|| Error::invalid(type_field, "must be one of: text, ssml"))?
        }
    };
    let Some(text) = object.get(field).and_then(Value::as_str) else { return Ok(None) };
    // A wrong speed is named with the other fields.
    let speed = object.get("speed").cloned().and_then(|speed| Speed::read(speed).ok());
    Wording::of(field, text.to_owned(), text_type, speed.map_or(1.0, |speed| speed.0)).map(Some)
}

/// Refuses a text whose audio would be too long. Some short texts are: digits, addresses, pauses.
/// Pauses also have a limit of their own, because they cost nothing. The estimate is made in the
/// language that the request names: which one an e-reader speaks is looked up after all fields.
///
/// # Errors
/// `validation_failed` for `field`, with the estimate or with the sum of the pauses.
pub fn check_duration(field: &str, wording: &Wording, language: Option<&str>) -> Result<()> {
    let language: Option<Language> = language.and_then(|tag| tag.parse().ok());
    let script = match wording {
        Wording::Plain(text) => Script::plain(text.as_str()),
        Wording::Ssml { ssml, .. } => {
            ssml.script(language.or(ssml.language()).unwrap_or(Language::EN_US), &[])
        }
    };
    let estimate_ms = estimate::estimate_ms(&script.text, language);
    if estimate_ms > estimate::LONGEST_MS {
        let minutes = |ms: u64| ms.div_ceil(60_000);
        return Err(Error::invalid(
            field,
            format!(
                "would last about {} minutes, and must last at most {} at normal speed; send it in parts",
                minutes(estimate_ms),
                minutes(estimate::LONGEST_MS),
            ),
        ));
    }
    let pauses_ms = markup::pauses_ms(&script.text);
    if pauses_ms > markup::LONGEST_PAUSES_MS {
        return Err(Error::invalid(
            field,
            format!(
                "has pauses of {} s in all, and may have at most {} s; send it in parts",
                pauses_ms as f64 / 1000.0,
                markup::LONGEST_PAUSES_MS / 1000,
            ),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::FieldErrors;

    #[test]
    fn characters_are_unicode_scalar_values() {
        assert_eq!(check_text("naïve 👩‍🚀").ok(), Some(9));
        assert_eq!(check_text(&"é".repeat(5_000)).ok(), Some(5_000));
        assert_eq!(
            check_text(&"e".repeat(5_001)).map_err(|e| e.to_string()),
            Err("text_too_long".to_owned())
        );
        for empty in ["", " \n\t", "\u{a0}\u{2003}\u{2029}"] {
            assert_eq!(check_text(empty).map_err(|e| e.to_string()), Err("text_empty".to_owned()));
        }
    }

    #[test]
    fn markup_is_not_counted_but_for_the_limit() {
        assert_eq!(check_text("[pause 1s] [Ab](/ˈæb/)!").ok(), Some(4));
        assert_eq!(check_text("[pause 11s]").ok(), Some(11));
        assert_eq!(check_text("[speaker Ines]\nHi").ok(), Some(3));
        let refusal = |text: &str| check_text(text).map_err(|error| error.to_string());
        assert_eq!(refusal("[pause 1s] [pause 2s]\n"), Err("text_empty".to_owned()));
        let long = format!("{}{}", "[pause 1s]".repeat(499), "a".repeat(11));
        assert_eq!(refusal(&long), Err("text_too_long".to_owned()));
    }

    fn field_refusal(body: &Value) -> String {
        let Value::Object(object) = body else { panic!("not an object") };
        match check_field(object, "text", "text_type") {
            Ok(_) => "taken".to_owned(),
            Err(Error::Invalid(FieldErrors(fields))) => fields
                .into_iter()
                .map(|(field, why)| format!("{field}: {why}"))
                .collect::<Vec<_>>()
                .join("; "),
            Err(error) => error.to_string(),
        }
    }

    // The contract's order: type, 40,000 characters, well-formed and in range, nothing paid, 5,000 paid.
    #[test]
    fn a_text_in_ssml_is_judged_in_the_contracts_order() {
        let ssml = |text: &str| field_refusal(&json!({ "text": text, "text_type": "ssml" }));
        assert_eq!(
            field_refusal(&json!({ "text": "", "text_type": "html" })),
            "text_type: must be one of: text, ssml"
        );
        assert_eq!(ssml(&"<".repeat(40_001)), "text_too_long");
        assert!(ssml(&"<".repeat(40_000)).starts_with("text: line 1, column "));
        assert!(ssml("<speak><break time=\"11s\"/></speak>").contains("must be at most 10 s"));
        assert_eq!(ssml("<speak><break time=\"9s\"/></speak>"), "text_empty");
        assert_eq!(ssml(&format!("<speak>{}</speak>", "a".repeat(5_001))), "text_too_long");
        assert_eq!(
            ssml(&format!("<speak>{}<!--{}--></speak>", "a".repeat(5_000), "b".repeat(30_000))),
            "taken"
        );
        let fast = json!({ "text": "<speak><prosody rate=\"150%\">a</prosody></speak>", "text_type": "ssml", "speed": 2 });
        assert!(field_refusal(&fast).contains("after multiplying with `speed`"));
    }

    // Negative control: without the limit on pauses alone, 31 pauses of 10 s were taken.
    #[test]
    fn a_text_that_lasts_or_pauses_too_long_is_refused_with_its_figures() {
        let plain = |text: &str| Wording::Plain(text.to_owned());
        let refusal = |text: &str| match check_duration("text", &plain(text), None) {
            Err(Error::Invalid(FieldErrors(fields))) => fields["text"].clone(),
            other => panic!("{other:?}"),
        };
        let pauses = |count: usize| format!("Well.{}", "[pause 10s]".repeat(count));
        assert!(check_duration("text", &plain(&pauses(30)), None).is_ok());
        // The estimate comes first.
        assert!(refusal(&pauses(181)).starts_with("would last about 31 minutes"));
        for (text, sum) in
            [(pauses(31), "310"), (pauses(30) + "[pause 1ms]", "300.001"), (pauses(179), "1790")]
        {
            let expected =
                format!("has pauses of {sum} s in all, and may have at most 300 s; send it in parts");
            assert_eq!(refusal(&text), expected);
        }
    }

    // At speed 1 the rate of this text is out of range, so it must not be judged there.
    #[test]
    fn the_length_of_a_text_is_judged_at_its_own_speed() {
        let text = format!("<speak><prosody rate=\"30%\">{}</prosody></speak>", "7".repeat(5_000));
        let body = json!({ "text": text, "text_type": "ssml", "speed": 2 });
        let Value::Object(object) = body else { panic!("not an object") };
        let wording = check_field(&object, "text", "text_type").expect("it can be taken").expect("a text");
        assert!(check_duration("text", &wording, None).is_err());
    }
}
