//! The requests for a synthesis and for a stream, judged in the contract's order: an empty or
//! overlong text wins over every other field, and a malformed id comes last, as an unknown one.

use lectern_types::{Request, StreamRequest, SynthesizeRequest};
use serde_json::{Map, Value};

use lectern_service::{error::Result, services::speech::synthesis};

/// What a synthesis asks for.
pub(super) fn whole(object: Map<String, Value>) -> Result<SynthesizeRequest> {
    parse::<SynthesizeRequest>(object)
}

/// What a stream asks for, which has no place for timestamps.
pub(super) fn live(object: Map<String, Value>) -> Result<SynthesizeRequest> {
    parse::<StreamRequest>(object)
}

fn parse<T: Request + Into<SynthesizeRequest>>(object: Map<String, Value>) -> Result<SynthesizeRequest> {
    synthesis::check_field(&object, "text")?;
    let request: SynthesizeRequest = T::parse(object)?.into();
    let language = request.language.as_ref().map(|tag| tag.0.as_str());
    synthesis::check_duration("text", &request.speech.text.0, language)?;
    Ok(request)
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
        // The service refuses a malformed id later, as it refuses an unknown one.
        assert_eq!(with("ereader_id", json!("erd_x")), "taken");
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
