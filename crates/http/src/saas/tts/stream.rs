//! `POST /v1/saas/tts:stream`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{ErrorCode, StreamRequest};

use super::request;
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
    services::speech::streaming::{self, Stream},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = super::synthesize::ERRORS;

/// Stream speech
///
/// Speaks a text of up to 5,000 characters and answers with the audio itself, in chunks: the first comes as soon as the
/// first sentence is spoken. The price is that of `tts:synthesize` and is held before the first byte. When the engine
/// fails in the middle, or the client leaves, the sentences delivered are charged and the rest is released; a stream that
/// failed ends without the last chunk, so that clients see that it is not whole. The level is that of the voice from
/// first to last, not that of the text. With an `Idempotency-Key` the work goes on when the client leaves, and repeating
/// the call answers the same bytes as a whole and charges once.
#[utoipa::path(
    post,
    path = "/v1/saas/tts:stream",
    tag = "Speech",
    operation_id = "stream",
    params(
        crate::extract::idempotency::Header,
    ),
    request_body = StreamRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The audio", content_type = "audio/*", headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call was spoken"),
        ("Lectern-Synthesis-Id" = String, description = "The synthesis, as the ledger's `reference` names it"),
        ("Lectern-Characters" = u32, description = "Characters of the whole text"),
        ("Lectern-Credits" = i64, description = "The price of the whole text; 0 for a test key"),
    )))
)]
pub async fn stream(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    incoming: Request,
) -> Result<Response, Failure> {
    let stream = match post::receive(&app.base, &caller, incoming, ReplayStorage::Plain).await? {
        Received::Replay(kept, _) => Stream::replay(&kept)?,
        Received::Fresh(object, idempotent) => {
            let request = request::live(object)?;
            streaming::stream(&app.speech, caller.authenticated, request, idempotent).await?
        }
    };
    Ok(listening::render(&app.base.objects, stream).await?)
}
