//! `POST /v1/audio/speech`.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    response::Response,
};
use lectern_types::{
    AudioFormat, ErrorCode, ErrorCode as Code, Named, Request as _, SpeechFormat, SpeechParams,
    SpeechRequest, SynthesizeRequest, Timestamps,
};
use serde_json::{Map, Value};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post::{self, Received, ReplayStorage},
    },
    listening,
};
use lectern_service::{
    app::App,
    error::{Error, FieldErrors, Result},
    services::speech::{
        ereader_catalog::openai_voices::Catalogue,
        speaking::StreamFormat,
        streaming::{self, Stream},
        synthesis,
    },
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
    Code::LanguageNotSupported,
    Code::EreaderTierNotAvailable,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
    Code::TtsProviderError,
];

/// Names the parameters that were sent and ignored.
const IGNORED: HeaderName = HeaderName::from_static("lectern-ignored");

/// Create speech
///
/// `tts:stream` in the words of OpenAI's SDKs, which can call it unchanged: same voices, prices, limits and errors.
/// `instructions` are taken and not followed, which the response header `Lectern-Ignored` says.
#[utoipa::path(
    post,
    path = "/v1/audio/speech",
    tag = "OpenAI",
    operation_id = "create_speech",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: \
            1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1,
            pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = SpeechRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio", content_type = "audio/*", headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Ignored" = Option<String>, description = "`instructions`, when some were sent"),
        ("Lectern-Synthesis-Id" = String, description = "The synthesis, as the ledger's `reference` names it"),
        ("Lectern-Characters" = u32, description = "Characters of the whole text"),
        ("Lectern-Credits" = i64, description = "The price of the whole text; 0 for a test key"),
    )))
)]
pub async fn create_speech(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    incoming: Request,
) -> Result<Response, Failure> {
    let ignored;
    let stream = match post::receive(&app.base, &caller, incoming, ReplayStorage::Plain).await? {
        Received::Replay(kept, object) => {
            ignored = has_instructions(&object);
            Stream::replay(&kept)?
        }
        Received::Fresh(object, idempotent) => {
            ignored = has_instructions(&object);
            let asked = asked(object)?;
            let store = &app.base.store;
            let catalogue = Catalogue::read(store, &app.base.config.voices.openai).await?;
            let ereader = catalogue.find(asked.voice.name());
            let (spoken, format) = match asked.response_format {
                SpeechFormat::Mp3 => file(AudioFormat::Mp3),
                SpeechFormat::Opus => file(AudioFormat::Opus),
                SpeechFormat::Flac => file(AudioFormat::Flac),
                SpeechFormat::Wav => file(AudioFormat::Wav),
                // Raw samples are WAV without its header, so an e-reader has both or neither.
                SpeechFormat::Pcm => (AudioFormat::Wav, StreamFormat::Pcm),
            };
            let SpeechRequest { input: text, speed, .. } = asked;
            let speech = SpeechParams { text, ereader_id: Named(ereader), format: spoken, speed };
            let request = SynthesizeRequest { speech, language: None, timestamps: Timestamps::None };
            let stream =
                streaming::stream(&app.speech, caller.authenticated, request, format, idempotent).await;
            stream.map_err(in_these_words)?
        }
    };
    let mut response = listening::render(&app.base.objects, stream).await?;
    if ignored {
        response.headers_mut().insert(IGNORED, HeaderValue::from_static("instructions"));
    }
    Ok(response)
}

fn file(format: AudioFormat) -> (AudioFormat, StreamFormat) {
    (format, StreamFormat::File(format))
}

/// Whether there are instructions that are not followed.
fn has_instructions(object: &Map<String, Value>) -> bool {
    object.get("instructions").and_then(Value::as_str).is_some_and(|text| !text.is_empty())
}

fn asked(object: Map<String, Value>) -> Result<SpeechRequest> {
    synthesis::check_field(&object, "input")?;
    let asked = SpeechRequest::parse(object)?;
    synthesis::check_duration("input", &asked.input.0, None)?;
    Ok(asked)
}

/// Renames the fields of an error to the names that they have in this API.
fn in_these_words(error: Error) -> Error {
    let Error::Invalid(FieldErrors(fields)) = error else { return error };
    let renamed = fields.into_iter().map(|(field, sentence)| {
        let here = match field.as_str() {
            "text" => "input",
            "format" => "response_format",
            "language" => "voice",
            _ => return (field, sentence),
        };
        (here.to_owned(), sentence)
    });
    Error::Invalid(FieldErrors(renamed.collect::<BTreeMap<_, _>>()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(body: Value) -> String {
        let Value::Object(object) = body else { panic!("not an object") };
        match asked(object) {
            Ok(asked) => format!("taken: {}", asked.voice.name()),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_openai_s_sdks_send_is_taken_and_all_else_named() {
        let with = |field: &str, value: Value| {
            let mut body = json!({ "model": "tts-1", "input": "Hello.", "voice": "alloy" });
            body[field] = value;
            refusal(body)
        };
        for (field, value) in [
            ("model", json!("gpt-4o-mini-tts")),
            ("response_format", json!("pcm")),
            ("response_format", json!("opus")),
            ("speed", json!(2)),
            ("instructions", json!("Whisper.")),
            ("stream_format", json!("audio")),
        ] {
            assert_eq!(with(field, value), "taken: alloy", "{field}");
        }
        assert_eq!(with("voice", json!({ "id": "heart" })), "taken: heart");
        for (field, value) in [
            ("model", json!("whisper-1")),
            ("model", json!(null)),
            ("voice", json!({ "id": "heart", "name": "x" })),
            ("voice", json!({ "id": 1 })),
            ("voice", json!(["heart"])),
            ("response_format", json!("aac")),
            ("speed", json!(0.25)),
            ("speed", json!(4.0)),
            ("instructions", json!("x".repeat(4_097))),
            ("stream_format", json!("sse")),
            ("language", json!("en")),
        ] {
            assert_eq!(with(field, value), field);
        }
        assert_eq!(with("input", json!(" ")), "text_empty");
        assert_eq!(with("input", json!("x".repeat(5_001))), "text_too_long");
        assert_eq!(refusal(json!({})), "input,model,voice");
    }

    #[test]
    fn refusals_name_the_fields_as_they_were_sent() {
        let error = in_these_words(Error::invalid("text", "has nothing in it that this e-reader can speak"));
        let Error::Invalid(fields) = error else { panic!("{error}") };
        assert_eq!(fields.0.into_keys().collect::<Vec<_>>(), ["input"]);
    }
}
