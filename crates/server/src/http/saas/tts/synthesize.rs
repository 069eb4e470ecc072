//! `POST /v1/saas/tts:synthesize`.

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{
    AudioFormat, EreaderId, ErrorCode, ErrorCode as Code, Synthesis, SynthesizeRequest, Timestamps,
};
use serde_json::{Map, Value};

use crate::{
    app::App,
    error::{Error, Result},
    http::{
        envelope::Failure,
        extract::{
            auth::{Caller, Write},
            json::Fields,
            post::{self, Kept},
        },
    },
    services::synthesis::{self, Wanted},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    Code::InsufficientScope,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::IdempotencyKeyReuse,
    Code::TextEmpty,
    Code::TextTooLong,
    Code::ValidationFailed,
    Code::EreaderNotFound,
    Code::EreaderTierNotAvailable,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
    Code::TtsProviderError,
];

/// Synthesize speech
///
/// Speaks a text of up to 5,000 characters and answers with a URL of the audio, valid for 24 hours. The price is
/// the e-reader's `price_per_character` times `characters`; test keys pay nothing. With an `Idempotency-Key`,
/// repeating the call answers the same response and charges once.
#[utoipa::path(
    post,
    path = "/v1/saas/tts:synthesize",
    tag = "Speech",
    operation_id = "synthesize",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: \
            1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1,
            pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = SynthesizeRequest,
    responses((status = 200, description = "The audio is ready", body = Synthesis, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    ), example = json!({
        "id": "syn_019aa4f6c0de7000800000000000b001",
        "audio_url": "https://speech.example.com/media/syntheses/syn_019aa4f6c0de7000800000000000b001.mp3\
            ?expires=1795331291&signature=6f1c\u{2026}",
        "expires_at": "2026-11-22T07:08:11.000Z",
        "format": "mp3",
        "ereader_id": "erd_019aa4f6c0de7000800000000000a001",
        "characters": 33,
        "credits_charged": 33,
        "duration_ms": 3125,
        "sample_rate_hz": 24000,
    })))
)]
pub async fn synthesize(
    State(app): State<App>,
    caller: Caller<Write>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, guarded| {
        synthesis::synthesize(&app, caller.authenticated.clone(), wanted(object)?, guarded).await
    };
    post::answer(&app, &caller, request, Kept::Plain, run).await
}

/// The body's fields, judged in the contract's order: an empty or overlong text wins over every other field.
fn wanted(object: Map<String, Value>) -> Result<Wanted> {
    let mut fields = Fields::of(object);
    let text = fields.text("text");
    if let Some(text) = &text {
        synthesis::check_text(text)?;
    }
    // A malformed id is an unknown one; only what is no text at all is a wrong field.
    let ereader = fields.text("ereader_id");
    let format = fields.word("format", "mp3, wav, flac, opus", AudioFormat::of_word);
    let speed = fields.number("speed", 0.5, 2.0);
    let language = fields.optional_text("language");
    let timestamps = fields.word("timestamps", "none, word", |word| match word {
        "none" => Some(Timestamps::None),
        "word" => Some(Timestamps::Word),
        _ => None,
    });
    fields.finish()?;
    let (Some(text), Some(ereader)) = (text, ereader) else {
        return Err(Error::Internal("a required field was absent and not noted".to_owned()));
    };
    let ereader: EreaderId = ereader.parse().map_err(|_| ErrorCode::EreaderNotFound)?;
    Ok(Wanted {
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

    fn refusal(body: &Value) -> String {
        let Value::Object(object) = body.clone() else { panic!("not an object") };
        match wanted(object) {
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
}
