//! `POST /v1/saas/materials/{id}/feed`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{BookFeed, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::feed::Feeds};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Make a podcast feed
///
/// The secret URL of a podcast feed with an episode for each included chapter, for any podcast player. Everybody who has
/// the URL can listen. It is the same until it is revoked. The feed has no episodes while the book is not
/// completed.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/feed",
    tag = "Materials",
    operation_id = "make_feed",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The feed", body = BookFeed))
)]
pub async fn make_feed(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<BookFeed>, Failure> {
    post::nothing(&app.base, request).await?;
    Ok(Json(shown(
        Feeds::new(&app.base, &app.public_url, &app.long_requests)
            .make(&caller.authenticated, material(path)?)
            .await?,
    )))
}
