//! `POST /v1/audio/speech`.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    response::Response,
};
use lectern_types::{
    AudioFormat, AudioParams, ErrorCode, ErrorCode as Code, Named, Request as _, SampleRate, SpeechFormat,
    SpeechParams, SpeechRequest, SynthesizeRequest, Timestamps,
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
        streaming::{self, Stream},
        wording,
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
        crate::extract::idempotency::Header,
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
            let audio = audio(&asked);
            let SpeechRequest { input: text, input_type: text_type, speed, pitch, seed, loudness, .. } =
                asked;
            let ereader_id = Named(ereader);
            let speech = SpeechParams {
                audio,
                text,
                text_type,
                speakers: None,
                lexicon_ids: None,
                ereader_id,
                speed,
                pitch,
                seed,
            };
            let loudness = loudness.into();
            let request =
                SynthesizeRequest { speech, language: None, timestamps: Timestamps::None, loudness };
            let stream = streaming::stream(&app.speech, caller.authenticated, request, idempotent).await;
            stream.map_err(in_these_words)?
        }
    };
    let mut response = listening::render(&app.base.objects, stream).await?;
    if ignored {
        response.headers_mut().insert(IGNORED, HeaderValue::from_static("instructions"));
    }
    Ok(response)
}

/// The rate of raw samples, as OpenAI has it.
const PCM: SampleRate = SampleRate(24_000);

/// The audio that is asked for, in the words of `tts:stream`.
fn audio(asked: &SpeechRequest) -> AudioParams {
    let (format, default) = match asked.response_format {
        SpeechFormat::Mp3 => (AudioFormat::Mp3, None),
        SpeechFormat::Opus => (AudioFormat::Opus, None),
        SpeechFormat::Flac => (AudioFormat::Flac, None),
        SpeechFormat::Wav => (AudioFormat::Wav, None),
        SpeechFormat::Pcm => (AudioFormat::Pcm, Some(PCM)),
        SpeechFormat::Ulaw => (AudioFormat::Ulaw, None),
        SpeechFormat::Alaw => (AudioFormat::Alaw, None),
    };
    AudioParams { format, sample_rate_hz: asked.sample_rate_hz.or(default), bitrate_kbps: asked.bitrate_kbps }
}

/// Whether there are instructions that are not followed.
fn has_instructions(object: &Map<String, Value>) -> bool {
    object.get("instructions").and_then(Value::as_str).is_some_and(|text| !text.is_empty())
}

fn asked(object: Map<String, Value>) -> Result<SpeechRequest> {
    let wording = wording::check_field(&object, "input", "input_type")?;
    let asked = SpeechRequest::parse(object)?;
    audio(&asked).errors(None).into_result()?;
    wording.map_or(Ok(()), |wording| wording::check_duration("input", &wording, None))?;
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
            ("response_format", json!("ulaw")),
            ("response_format", json!("alaw")),
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
