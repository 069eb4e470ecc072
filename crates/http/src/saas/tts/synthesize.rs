//! `POST /v1/saas/tts:synthesize`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{ErrorCode, ErrorCode as Code, Synthesis, SynthesizeRequest};

use super::request;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post::{self, ReplayStorage},
    },
};
use lectern_service::{app::App, services::speech::synthesis};

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
    Code::LexiconNotFound,
    Code::LanguageNotSupported,
    Code::EreaderTierNotAvailable,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
    Code::TtsProviderError,
];

/// Synthesize speech
///
/// Speaks a text of up to 5,000 characters and returns a URL of the audio, valid for 24 hours. The
/// price is the e-reader's `price_per_character` times `characters`; test keys pay nothing. With an
/// `Idempotency-Key`, repeating the call returns the same response and charges once.
#[utoipa::path(
    post,
    path = "/v1/saas/tts:synthesize",
    tag = "Speech",
    operation_id = "synthesize",
    params(
        crate::extract::idempotency::Header,
    ),
    request_body = SynthesizeRequest,
    extensions(("x-errors" = json!(ERRORS))),
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
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    incoming: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        synthesis::synthesize(&app.speech, caller.authenticated.clone(), request::whole(object)?, idempotent)
            .await
    };
    post::answer(&app.base, &caller, incoming, ReplayStorage::Plain, run).await
}
