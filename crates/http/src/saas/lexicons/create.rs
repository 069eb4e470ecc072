//! `POST /v1/saas/lexicons`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{ErrorCode, Lexicon, LexiconRequest};

use super::sent::{Changing, Sent};
use crate::{
    envelope::Failure,
    extract::{auth::Caller, post},
    shapes,
};
use lectern_service::{app::App, services::lexicons};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::TooManyLexicons,
];

/// Make a lexicon
///
/// Stores words and how they are said: as JSON, or as a file of the W3C's Pronunciation Lexicon
/// Specification 1.0 with the alphabets `ipa` and `x-sampa`. An account can have 50 lexicons in an
/// environment. With an `Idempotency-Key`, repeating the call returns the same response for 24 hours.
#[utoipa::path(
    post,
    path = "/v1/saas/lexicons",
    tag = "Lexicons",
    operation_id = "create_lexicon",
    params(
        crate::extract::idempotency::Header,
        ("name" = Option<String>, Query, description = "With a file: a name for people; `Lexicon` without one",
            min_length = 1, max_length = 100),
        ("language" = Option<String>, Query, description = "With a file: its language, BCP 47; by default its `xml:lang`"),
        ("default" = Option<bool>, Query, description = "With a file: whether requests in its language use it"),
    ),
    request_body(content(
        (LexiconRequest = "application/json"),
        (String = "application/pls+xml"),
    )),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The lexicon is stored", body = Lexicon, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn create_lexicon(
    State(app): State<Arc<App>>,
    caller: Caller<Changing>,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    let sent = Sent::read(&app.base, &parts.headers, body).await?;
    let fingerprint = sent.fingerprint(&parts.uri);
    let run = async |idempotent| {
        let contents = sent.contents(&parts.uri).await?;
        let show = |made: &_| post::json(201, &shapes::lexicon(made));
        lexicons::create(&app.base, &caller.authenticated, contents, idempotent, show).await
    };
    post::answer_read(&app.base, &caller, &parts.uri, fingerprint, run).await
}
