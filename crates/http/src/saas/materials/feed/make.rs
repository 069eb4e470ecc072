//! `POST /v1/saas/materials/{id}/feed`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{BookFeed, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post::{self, ReplayStorage},
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::feed::Feeds};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Make a podcast feed
///
/// The secret URL of a podcast feed with an episode for each included chapter, for any podcast player. Everybody who has
/// the URL can listen. It is the same until it is revoked. The feed has no episodes while the book is not
/// completed. With an `Idempotency-Key`, a repeated call gets the first response, also when the feed was revoked since.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/feed",
    tag = "Materials",
    operation_id = "make_feed",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        crate::extract::idempotency::Header,
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The feed", body = BookFeed, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn make_feed(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |idempotent| {
        let feeds = Feeds::new(&app.base, &app.public_url, &app.long_requests);
        let show = |url, feed: &_| post::json(200, &shown(url, feed));
        feeds.make(&caller.authenticated, material(path)?, idempotent, show).await
    };
    post::answer_bare(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}
