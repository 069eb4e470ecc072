//! `POST /v1/text-to-speech/{voice_id}` and `/stream`. Both answer audio as it is spoken, so they are
//! the same.

use std::sync::Arc;

use axum::{
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::Response,
};
use lectern_service::{
    app::App,
    services::speech::streaming::{self, Stream},
};
use lectern_types::{Timestamps, elevenlabs::TextToSpeechRequest};

use super::request::{self, ERRORS, in_these_words};
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        path,
        post::{self, Received},
    },
    listening,
};

/// The name of the voice in a path.
pub(super) type VoicePath = Result<RawPathParams, RawPathParamsRejection>;

/// Convert a text to speech
///
/// `tts:stream` in the words of ElevenLabs' SDKs, which can call it unchanged: same voices, prices, limits and errors.
/// The response header `Lectern-Ignored` names what was sent and changes nothing.
#[utoipa::path(
    post,
    path = "/v1/text-to-speech/{voice_id}",
    tag = "ElevenLabs",
    operation_id = "convert_text",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        request::SpeechQuery,
        crate::extract::idempotency::Header,
    ),
    request_body = TextToSpeechRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio", content_type = "audio/*", headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Ignored" = Option<String>, description = "The fields that changed nothing, when some were sent"),
        ("Lectern-Synthesis-Id" = String, description = "The synthesis, as the ledger's `reference` names it"),
        ("Lectern-Characters" = u32, description = "Characters of the whole text"),
        ("Lectern-Credits" = i64, description = "The price of the whole text; 0 for a test key"),
    )))
)]
pub async fn convert_text(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    voice: VoicePath,
    incoming: Request,
) -> Result<Response, Failure> {
    let (received, parameters) = post::receive_with_parameters(&app.base, &caller, incoming).await?;
    let ignored;
    let stream = match received {
        Received::Replay(kept, object) => {
            ignored = request::ignored(&object);
            Stream::replay(&kept)?
        }
        Received::Fresh(object, idempotent) => {
            ignored = request::ignored(&object);
            let voice = path::text(voice, "voice_id");
            let request = request::judge(&app, voice, object, parameters, Timestamps::None).await?;
            let stream = streaming::stream(&app.speech, caller.authenticated, request, idempotent).await;
            stream.map_err(in_these_words)?
        }
    };
    let mut response = listening::render(&app.base.objects, stream).await?;
    request::tell_ignored(&mut response, &ignored);
    Ok(response)
}

/// Stream a text as speech
///
/// The same as `POST /v1/text-to-speech/{voice_id}`: the first audio comes as soon as the first sentence is spoken.
#[utoipa::path(
    post,
    path = "/v1/text-to-speech/{voice_id}/stream",
    tag = "ElevenLabs",
    operation_id = "stream_text",
    params(
        ("voice_id" = String, Path, description = "An e-reader's id or slug, or another name of a voice",
            example = "heart"),
        request::SpeechQuery,
        crate::extract::idempotency::Header,
    ),
    request_body = TextToSpeechRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio", content_type = "audio/*", headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Ignored" = Option<String>, description = "The fields that changed nothing, when some were sent"),
        ("Lectern-Synthesis-Id" = String, description = "The synthesis, as the ledger's `reference` names it"),
        ("Lectern-Characters" = u32, description = "Characters of the whole text"),
        ("Lectern-Credits" = i64, description = "The price of the whole text; 0 for a test key"),
    )))
)]
pub async fn stream_text(
    state: State<Arc<App>>,
    caller: Caller<Write>,
    voice: VoicePath,
    incoming: Request,
) -> Result<Response, Failure> {
    convert_text(state, caller, voice, incoming).await
}
