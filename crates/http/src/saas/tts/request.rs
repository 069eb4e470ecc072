//! The fields that a synthesis and a stream have in common.

use lectern_types::{AudioFormat, EreaderId, ErrorCode, Timestamps};
use serde_json::{Map, Value};

use crate::extract::json::Fields;
use lectern_service::{
    error::Result,
    services::speech::synthesis::{self, SynthesisParams},
};

/// The fields of a synthesis.
pub(super) fn whole(object: Map<String, Value>) -> Result<SynthesisParams> {
    let timestamps = |word: &str| match word {
        "none" => Some(Timestamps::None),
        "word" => Some(Timestamps::Word),
        _ => None,
    };
    params(object, "none, word", timestamps)
}

/// The fields of a stream, which has no place for timestamps.
pub(super) fn live(object: Map<String, Value>) -> Result<SynthesisParams> {
    params(object, "none (a stream has no place for them)", |word| {
        (word == "none").then_some(Timestamps::None)
    })
}

/// The fields, judged in the contract's order: an empty or overlong text wins over every other field.
fn params(
    object: Map<String, Value>,
    timestamps_words: &str,
    read_timestamps: impl Fn(&str) -> Option<Timestamps>,
) -> Result<SynthesisParams> {
    let mut fields = Fields::of(object);
    let text = fields.text("text");
    if let Some(text) = &text {
        synthesis::check_text(text)?;
    }
    // A malformed id is an unknown one; only what is no text at all is a wrong field.
    let ereader = fields.text("ereader_id");
    let format = fields.word("format", "mp3, wav, flac, opus", AudioFormat::parse);
    let speed = fields.number("speed", 0.5, 2.0);
    let language = fields.optional_text("language");
    let timestamps = fields.word("timestamps", timestamps_words, read_timestamps);
    let (text, ereader) = fields.finish_with((text, ereader))?;
    synthesis::check_duration("text", &text, language.as_deref())?;
    let ereader: EreaderId = ereader.parse().map_err(|_| ErrorCode::EreaderNotFound)?;
    Ok(SynthesisParams {
        text,
        ereader,
        format: format.unwrap_or_default(),
        speed: speed.unwrap_or(1.0),
        language,
        timestamps: timestamps.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    fn refusal(body: &Value) -> String {
        let Value::Object(object) = body.clone() else { panic!("not an object") };
        match whole(object) {
            Ok(_) => "taken".to_owned(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    const ID: &str = "erd_019aa4f6c0de7000800000000000a001";

    #[test]
    fn an_empty_or_overlong_text_wins_over_every_other_field() {
        let long = "x".repeat(5_001);
        assert_eq!(refusal(&json!({"text": " ", "speed": 9, "nonsense": 1})), "text_empty");
        assert_eq!(refusal(&json!({"text": long, "format": "ogg"})), "text_too_long");
        assert_eq!(refusal(&json!({"text": 1, "speed": 9, "nonsense": 1})), "ereader_id,nonsense,speed,text");
    }

    #[test]
    fn optional_fields_are_checked_and_may_be_absent() {
        assert_eq!(refusal(&json!({"text": "a", "ereader_id": ID})), "taken");
        let with = |field: &str, value: Value| {
            let mut body = json!({"text": "a", "ereader_id": ID});
            body[field] = value;
            refusal(&body)
        };
        for speed in [json!(0.5), json!(2), json!(1.25)] {
            assert_eq!(with("speed", speed), "taken");
        }
        for (field, value) in [
            ("speed", json!(0)),
            ("speed", json!(2.001)),
            ("speed", json!("1")),
            ("speed", json!(null)),
            ("format", json!("aac")),
            ("format", json!("MP3")),
            ("format", json!(null)),
            ("timestamps", json!("words")),
            ("timestamps", json!(true)),
            ("language", json!(1)),
            ("voice", json!("heart")),
        ] {
            assert_eq!(with(field, value), field);
        }
        assert_eq!(with("ereader_id", json!("erd_x")), "ereader_not_found");
        assert_eq!(with("ereader_id", json!(7)), "ereader_id");
    }

    #[test]
    fn a_stream_takes_the_same_fields_but_for_timestamps() {
        let taken = |timestamps: &str| {
            let body = json!({ "text": "a", "ereader_id": ID, "timestamps": timestamps });
            let Value::Object(object) = body else { panic!("not an object") };
            live(object).is_ok()
        };
        assert!(taken("none") && !taken("word") && !taken("words"));
    }
}
