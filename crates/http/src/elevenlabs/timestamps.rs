//! `POST /v1/text-to-speech/{voice_id}/with-timestamps` and `/stream/with-timestamps`: the audio in
//! Base64 with the time of each character. The second one answers in lines, as the text is spoken.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{
        HeaderValue,
        header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE},
    },
    response::Response,
};
use futures_util::{StreamExt as _, stream};
use lectern_service::{
    app::App,
    error::{Error, Result},
    objects::Pieces,
    services::speech::{
        streaming::{self, Stream},
        synthesis,
    },
};
use lectern_store::syntheses;
use lectern_types::{
    Synthesis, Timestamps,
    elevenlabs::{CharacterAlignment, SpeechAndAlignment, TextToSpeechRequest},
};
use serde_json::{Map, Value};

use super::{
    alignment::{self, Progress},
    markup,
    request::{self, ERRORS, in_these_words},
    speech::VoicePath,
};
use crate::{
    base64_stream,
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        page::Parameters,
        path,
        post::{self, REPLAYED, Received},
    },
    listening::{self, LINE_BYTES, LINES},
};

/// Convert a text to speech, with times
///
/// `tts:synthesize` in the words of ElevenLabs' SDKs: the audio in Base64, and when each character is spoken. Prices,
/// limits and errors are the same.
#[utoipa::path(
    post,
    path = "/v1/text-to-speech/{voice_id}/with-timestamps",
    tag = "ElevenLabs",
    operation_id = "convert_text_with_timestamps",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        request::SpeechQuery,
        crate::extract::idempotency::Header,
    ),
    request_body = TextToSpeechRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio and the times", body = SpeechAndAlignment, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Ignored" = Option<String>, description = "The fields that changed nothing, when some were sent"),
    )))
)]
pub async fn convert_text_with_timestamps(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    voice: VoicePath,
    incoming: Request,
) -> Result<Response, Failure> {
    let (received, parameters) = post::receive_with_parameters(&app.base, &caller, incoming).await?;
    let spoken = speak(&app, caller, voice, received, parameters).await?;
    let head = Bytes::from_static(b"{\"audio_base64\":\"");
    let alignment = serde_json::to_string(&spoken.alignment).map_err(|error| internal(&error))?;
    let tail = Bytes::from(format!("\",\"alignment\":{alignment},\"normalized_alignment\":null}}"));
    let length = base64_stream::length(spoken.bytes) + (head.len() + tail.len()) as u64;
    let around = |bytes: Bytes| stream::once(std::future::ready(Ok(bytes)));
    let body = around(head).chain(base64_stream::encode(spoken.audio)).chain(around(tail));
    let mut response = Response::new(Body::from_stream(body));
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    finish(&mut response, "application/json", spoken.replayed, &spoken.ignored);
    Ok(response)
}

/// Stream a text as speech, with times
///
/// The same in lines of JSON, as the text is spoken: each has the next piece of the audio and the times of its
/// characters, which count from the beginning of the whole. Prices and limits are those of `tts:stream`. With an
/// `Idempotency-Key` the audio is made as a whole first, so that a repetition has the same lines.
#[utoipa::path(
    post,
    path = "/v1/text-to-speech/{voice_id}/stream/with-timestamps",
    tag = "ElevenLabs",
    operation_id = "stream_text_with_timestamps",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        request::SpeechQuery,
        crate::extract::idempotency::Header,
    ),
    request_body = TextToSpeechRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio and the times, a JSON object a line",
        content_type = "application/x-ndjson", body = String, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Ignored" = Option<String>, description = "The fields that changed nothing, when some were sent"),
    )))
)]
pub async fn stream_text_with_timestamps(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    voice: VoicePath,
    incoming: Request,
) -> Result<Response, Failure> {
    let (received, parameters) = post::receive_with_parameters(&app.base, &caller, incoming).await?;
    if let Received::Fresh(object, None) = received {
        return live(&app, caller, voice, object, parameters).await;
    }
    let spoken = speak(&app, caller, voice, received, parameters).await?;
    let pieces = base64_stream::regroup(spoken.audio, LINE_BYTES);
    let lines = pieces.scan(Some(spoken.alignment), |alignment, piece| {
        let line = piece.and_then(|bytes| line(&bytes, alignment.take()));
        std::future::ready(Some(line))
    });
    let mut response = Response::new(Body::from_stream(lines));
    finish(&mut response, LINES, spoken.replayed, &spoken.ignored);
    Ok(response)
}

/// Answers with lines as the text is spoken.
async fn live(
    app: &App,
    caller: Caller<Write>,
    voice: VoicePath,
    object: Map<String, Value>,
    parameters: Parameters,
) -> Result<Response, Failure> {
    let ignored = request::ignored(&object);
    let voice = path::text(voice, "voice_id");
    let mut progress = Progress::default();
    progress.add(&text_of(&object));
    let request = request::judge(app, voice, object, parameters, Timestamps::Word).await?;
    let stream = streaming::stream(&app.speech, caller.authenticated, request, None).await;
    let Stream::Live(_, parts) = stream.map_err(in_these_words)? else {
        return Err(Error::Internal("a stream without a key was a replay".to_owned()).into());
    };
    let parts = parts.map(Some).chain(stream::once(std::future::ready(None)));
    let lines = parts.scan((progress, 0), |(progress, reached_ms), part| {
        let line = match part {
            Some(Ok(part)) => {
                *reached_ms = part.until_ms;
                Some(line(&part.bytes, progress.up_to(&part.words)))
            }
            Some(Err(error)) => Some(Err(error)),
            // White space after the last word.
            None => progress.rest(*reached_ms).map(|rest| line(&[], Some(rest))),
        };
        std::future::ready(line)
    });
    let mut response = Response::new(Body::from_stream(lines));
    listening::unbuffered(response.headers_mut());
    finish(&mut response, LINES, false, &ignored);
    Ok(response)
}

/// A line of the stream.
fn line(bytes: &[u8], alignment: Option<CharacterAlignment>) -> Result<Bytes, std::io::Error> {
    let line = SpeechAndAlignment {
        audio_base64: base64_stream::text(bytes),
        alignment,
        normalized_alignment: None,
    };
    Ok(format!("{}\n", serde_json::to_string(&line)?).into())
}

/// A finished synthesis.
struct Spoken {
    alignment: CharacterAlignment,
    audio: Pieces,
    bytes: u64,
    replayed: bool,
    ignored: Vec<&'static str>,
}

/// Synthesizes what a request asks for, or finds the audio of an earlier one.
async fn speak(
    app: &App,
    caller: Caller<Write>,
    voice: VoicePath,
    received: Received,
    parameters: Parameters,
) -> Result<Spoken> {
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let (Received::Replay(_, object) | Received::Fresh(object, _)) = &received;
    let ignored = request::ignored(object);
    let text = text_of(object);
    let (response, replayed) = match received {
        Received::Replay(kept, _) => (kept, true),
        Received::Fresh(object, idempotent) => {
            let voice = path::text(voice, "voice_id");
            let request = request::judge(app, voice, object, parameters, Timestamps::Word).await?;
            let done = synthesis::synthesize(&app.speech, caller.authenticated, request, idempotent).await;
            let done = done.map_err(in_these_words)?;
            (done.response, done.replayed)
        }
    };
    let synthesis: Synthesis = serde_json::from_slice(&response.body).map_err(|error| internal(&error))?;
    let row = syntheses::find(&app.base.store, account, environment, synthesis.id).await?;
    let gone = || Error::Internal("the audio of a synthesis is not there".to_owned());
    let object = row.ok_or_else(gone)?.object_key;
    let bytes = app.base.objects.head(&object).await?.ok_or_else(gone)?.bytes;
    let audio = app.base.objects.read(&object, 0..bytes).await?.ok_or_else(gone)?;
    let words = synthesis.timestamps.unwrap_or_default();
    let alignment = alignment::of(&text, &words, synthesis.duration_ms);
    Ok(Spoken { alignment, audio, bytes, replayed, ignored })
}

/// The text whose characters have times: marks are told as this service writes them.
fn text_of(object: &Map<String, Value>) -> String {
    markup::replace(object.get("text").and_then(Value::as_str).unwrap_or_default()).into_owned()
}

fn finish(response: &mut Response, media_type: &'static str, replayed: bool, ignored: &[&str]) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    request::tell_ignored(response, ignored);
}

fn internal(error: &serde_json::Error) -> Error {
    Error::Internal(format!("a synthesis cannot be shown: {error}"))
}
